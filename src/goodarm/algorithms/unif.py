"""Unif: pulls the arms in turn, the baseline.

Guarantee: an error bound at every time that falls exponentially on every instance, with the
constant K/Δ̂² (thm:uniform_sampling_PoE_recoAnytime).
When to use it: to see what an adaptive algorithm gains, or when trials must be balanced.
Reference: Jourdan, Delahaye-Duriez and Réda, JMLR 27 (2026), Section 3.2.
"""

from goodarm.algorithms.contract import Algorithm
from goodarm.run import Run


def choose(run: Run, t: int) -> int:
    """Pull the arms in turn."""
    return t % len(run.counts)


UNIF = Algorithm(
    name="Unif",
    summary="Pulls the arms in turn; the baseline that an adaptive algorithm must beat.",
    reference="Jourdan, Delahaye-Duriez and Réda (2026), Section 3.2",
    guarantee="error bound at every time, exponential on every instance",
    choose=choose,
)

ALGORITHMS = (UNIF,)
