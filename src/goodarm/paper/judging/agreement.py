"""A published number beside ours: do they agree?

"agrees" means that the 99.9 % interval of the difference contains zero. For stopping times it is
Welch's, with the variance of rounding to whole pulls added; for errors it is Newcombe's.
"""

import math
from dataclasses import dataclass

from goodarm.numerics import normal_quantile
from goodarm.paper.judging.intervals import Interval, Sample, means, proportions
from goodarm.simulation import RunResult

VERDICT_LEVEL = 0.999
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
        z = None
    else:
        number, std = published
        quantity, ours = "mean stopping time", result.mean
        mine, theirs = Sample(ours, result.std, result.runs), Sample(number, std, runs)
        difference = means(mine, theirs, VERDICT_LEVEL, rounding=1.0)
        z = _standardised(difference)
    return Cell(
        instance=instance,
        algorithm=result.algorithm,
        quantity=quantity,
        published=number,
        ours=ours,
        difference=difference,
        z=z,
        verdict=_verdict(difference),
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
        quantity="error",
        published=published,
        ours=result.error_rate,
        difference=difference,
        z=difference.estimate / se if se > 0.0 else 0.0,
        verdict=_verdict(difference),
        why=why,
    )


def exact_cell(
    instance: str, quantity: str, published: float, ours: float, unit: float = 1.0, why: str = ""
) -> Cell:
    """A computed number: agrees when it rounds to what is published, to multiples of `unit`."""
    gap = ours - published
    verdict = AGREES if abs(gap) <= 0.5 * unit * (1.0 + 1e-9) else DIFFERS
    return Cell(
        instance, "", quantity, published, ours, Interval(gap, gap, gap), None, verdict, why
    )


def _standardised(interval: Interval) -> float:
    se = (interval.high - interval.low) / (2.0 * normal_quantile(0.5 + 0.5 * VERDICT_LEVEL))
    return interval.estimate / se


def _verdict(interval: Interval) -> str:
    return AGREES if interval.contains(0.0) else DIFFERS
