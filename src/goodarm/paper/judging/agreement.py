"""A published number beside ours: do they agree?

"agrees" means that the 99.9 % interval of the difference contains zero. For stopping times it is
Welch's, with the variance of rounding to whole pulls added; for errors it is Newcombe's.

What would not have agreed is said beside each number (`power.py`): 0 errors in 1,000 published runs
agree with much, and so does the mean of a heavy-tailed time.
"""

import math
from dataclasses import dataclass

from goodarm.numerics import normal_quantile
from goodarm.paper.judging.intervals import Interval, Sample, means, proportions
from goodarm.paper.judging.power import SeenFrom, rates_seen
from goodarm.simulation import RunResult

VERDICT_LEVEL = 0.999
TIME, ERROR_RATE = "mean stopping time", "error"
POWER = 0.9  # of seeing a difference that is said to be seen
SEEN = (
    "“Seen below” and “seen above”: if ours were truly beyond these, it would have differed from "
    f"what is published in {100 * POWER:.0f} of 100 reproductions, or more; between them, less "
    "often. A dash: there is no such value."
)
AGREES, DIFFERS = "agrees", "differs"


@dataclass(frozen=True)
class Cell:
    """One published number and ours."""

    instance: str
    algorithm: str
    quantity: str
    published: float | None  # None where the paper has a dash
    ours: float
    difference: Interval
    z: float | None  # the standardised difference
    verdict: str
    seen: SeenFrom  # which true values of ours would nearly surely have differed
    why: str = ""  # what is known about a difference


def time_cell(
    instance: str,
    published: tuple[float, float] | None,
    runs: int,
    result: RunResult,
    why: str = "",
) -> Cell:
    """A mean stopping time; a dash in the paper means that no run stopped before the cap."""
    if published is None:
        stopped = int(result.stopped.sum())
        difference = proportions(stopped, result.runs, 0, runs, VERDICT_LEVEL)
        quantity, number, ours = "share of runs that stop before the cap", 0.0, difference.estimate
        z, seen = None, rates_seen(0, runs, result.runs, VERDICT_LEVEL, POWER)
    else:
        number, std = published
        quantity, ours = TIME, result.mean
        mine, theirs = Sample(ours, result.std, result.runs), Sample(number, std, runs)
        difference = means(mine, theirs, VERDICT_LEVEL, rounding=1.0)
        se = _standard_error(difference)
        z, seen = difference.estimate / se, SeenFrom.beyond(number, _reach() * se)
    return Cell(
        instance=instance,
        algorithm=result.algorithm,
        quantity=quantity,
        published=number,
        ours=ours,
        difference=difference,
        z=z,
        verdict=_verdict(difference),
        seen=seen,
        why=why,
    )


def error_cell(
    instance: str, published: float, runs: int, result: RunResult, why: str = ""
) -> Cell:
    """An error rate; the paper's three decimals of 1,000 runs are its exact count."""
    errors, theirs = int(result.errors.sum()), round(published * runs)
    difference = proportions(errors, result.runs, theirs, runs, VERDICT_LEVEL)
    pooled = (errors + theirs) / (result.runs + runs)
    se = math.sqrt(pooled * (1.0 - pooled) * (1.0 / result.runs + 1.0 / runs))
    return Cell(
        instance=instance,
        algorithm=result.algorithm,
        quantity=ERROR_RATE,
        published=published,
        ours=result.error_rate,
        difference=difference,
        z=difference.estimate / se if se > 0.0 else 0.0,
        verdict=_verdict(difference),
        seen=rates_seen(theirs, runs, result.runs, VERDICT_LEVEL, POWER),
        why=why,
    )


def exact_cell(
    instance: str, quantity: str, published: float, ours: float, unit: float = 1.0, why: str = ""
) -> Cell:
    """A computed number: agrees when it rounds to what is published, to multiples of `unit`."""
    gap = ours - published
    verdict = AGREES if abs(gap) <= 0.5 * unit * (1.0 + 1e-9) else DIFFERS
    return Cell(
        instance=instance,
        algorithm="",
        quantity=quantity,
        published=published,
        ours=ours,
        difference=Interval(gap, gap, gap),
        z=None,
        verdict=verdict,
        seen=SeenFrom.beyond(published, 0.5 * unit),
        why=why,
    )


def _standard_error(interval: Interval) -> float:
    return (interval.high - interval.low) / (2.0 * normal_quantile(0.5 + 0.5 * VERDICT_LEVEL))


def _reach() -> float:
    """How many standard errors away a mean must be to be told from another with that power."""
    return normal_quantile(0.5 + 0.5 * VERDICT_LEVEL) + normal_quantile(POWER)


def _verdict(interval: Interval) -> str:
    return AGREES if interval.contains(0.0) else DIFFERS
