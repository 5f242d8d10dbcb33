"""The least mean numbers of pulls published for the families of Li and Cheung, at δ = 0.001.

From the tables that they published with the code of their paper (Z. Li and W. C. Cheung, "Near
Optimal Non-asymptotic Sample Complexity of 1-Identification", ICML 2025; the repository
lzt68/1-identification-ICML2025-Camera-Ready, folder Numeric-Record-Delta_0p15): 1,000 runs of each
of SEE, Track-and-Stop, Murphy Sampling, HDoC, LUCB_G, lilHDoC and (up to 50 arms) APGAI, every one
with its own stopping rule, at a cap of 1e8 pulls. Here is the least of the seven, and whose it is.
"""

from dataclasses import dataclass

RECORDS_DELTA = 0.001


@dataclass(frozen=True)
class PublishedRecord:
    """The least published mean, its standard error, and the algorithm."""

    mean: float
    se: float
    algorithm: str


RECORDS = {
    ("Unique_Qualified", 10): PublishedRecord(3148.9, 101.6, "TaS"),
    ("Unique_Qualified", 50): PublishedRecord(10044.3, 234.4, "TaS"),
    ("Unique_Qualified", 100): PublishedRecord(18601.0, 337.7, "TaS"),
    ("Unique_Qualified", 200): PublishedRecord(38182.3, 646.3, "TaS"),
    ("OneQuarter", 10): PublishedRecord(2366.1, 31.8, "TaS"),
    ("OneQuarter", 50): PublishedRecord(6476.0, 63.1, "TaS"),
    ("OneQuarter", 100): PublishedRecord(12398.4, 116.2, "TaS"),
    ("OneQuarter", 200): PublishedRecord(22713.5, 285.5, "SEE"),
    ("HalfGood", 10): PublishedRecord(2155.6, 25.1, "TaS"),
    ("HalfGood", 50): PublishedRecord(6971.3, 73.5, "TaS"),
    ("HalfGood", 100): PublishedRecord(12617.9, 173.4, "SEE"),
    ("HalfGood", 200): PublishedRecord(20958.2, 293.7, "SEE"),
    ("AllGood", 10): PublishedRecord(2257.4, 28.9, "TaS"),
    ("AllGood", 50): PublishedRecord(7555.4, 111.9, "SEE"),
    ("AllGood", 100): PublishedRecord(11428.4, 183.5, "SEE"),
    ("AllGood", 200): PublishedRecord(18980.5, 301.3, "SEE"),
    ("Linear", 10): PublishedRecord(2994.9, 54.4, "TaS"),
    ("Linear", 50): PublishedRecord(8046.2, 84.8, "TaS"),
    ("Linear", 100): PublishedRecord(14671.1, 145.6, "TaS"),
    ("Linear", 200): PublishedRecord(30095.4, 271.4, "TaS"),
    ("AllWorse", 10): PublishedRecord(5099.1, 18.1, "APGAI"),
    ("AllWorse", 50): PublishedRecord(28501.3, 43.4, "APGAI"),
    ("AllWorse", 100): PublishedRecord(70687.9, 72.1, "SEE"),
    ("AllWorse", 200): PublishedRecord(146704.1, 104.1, "SEE"),
}
