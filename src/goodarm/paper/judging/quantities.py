"""The quantities that claims compare, with the interval of their difference."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from goodarm.paper.judging.intervals import (
    Interval,
    log_ratio,
    log_spread_ratio,
    mean_difference,
    proportions,
)
from goodarm.plotting import ErrorCurve
from goodarm.simulation import RunResult

Place = tuple[str, str]  # panel, algorithm
PAPERS_CAP = 100_000  # pulls
PLACES = 10  # of a curve are looked at one by one
OUTLIER = 10.0  # a run this many times longer than the algorithm's median is an outlier


@dataclass(frozen=True)
class Evidence:
    """What an item's simulations gave, by panel and algorithm."""

    curves: Mapping[Place, ErrorCurve] = field(default_factory=dict)
    times: Mapping[Place, RunResult] = field(default_factory=dict)


@dataclass(frozen=True)
class Compared:
    """Two places compared: the interval, both figures as they are shown, where the order turns."""

    interval: Interval
    left: str
    right: str
    turned: float = 0.0  # the share of looked-at places where the left is above beyond doubt
    remark: str = ""


@dataclass(frozen=True)
class Quantity:
    """A name, how two places compare in it, and whether intervals are of log ratios."""

    name: str
    compare: Callable[[Evidence, Place, Place, float], Compared]
    ratio: bool


def _errors(evidence: Evidence, left: Place, right: Place, level: float) -> Compared:
    """The mean error over the whole curve, where both are defined."""
    curve, other = evidence.curves[left], evidence.curves[right]
    common = np.intersect1d(curve.x[curve.defined], other.x[other.defined])
    p, q = (c.rate[np.searchsorted(c.x, common)] for c in (curve, other))
    interval = mean_difference(p, curve.runs, q, other.runs, level)
    looked = _places(len(common))
    strict = 1.0 - (1.0 - level) / len(looked)
    above = [
        int(common[i])
        for i in looked
        if proportions(
            round(p[i] * curve.runs), curve.runs, round(q[i] * other.runs), other.runs, strict
        ).low > 0.0
    ]  # fmt: skip
    remark = "above at " + ", ".join(f"{x:,}" for x in above) if above else ""
    turned = len(above) / len(looked)
    return Compared(interval, f"{p.mean():.5f}", f"{q.mean():.5f}", turned, remark)


def _places(count: int) -> list[int]:
    """Up to ten positions on a curve, evenly spread."""
    return sorted({round(i) for i in np.linspace(0, count - 1, min(PLACES, count)).tolist()})


def _paired(first: RunResult, second: RunResult) -> bool:
    """Whether both saw the same rewards run by run."""
    return first.instance == second.instance and first.runs == second.runs


def _means(evidence: Evidence, left: Place, right: Place, level: float) -> Compared:
    """Mean stopping times, every run counting as at most 100,000, as in the paper's tables."""
    first, second = evidence.times[left], evidence.times[right]
    times, others = (np.minimum(r.stopping_times, PAPERS_CAP) for r in (first, second))
    interval = log_ratio(times, others, _paired(first, second), level)
    return Compared(interval, f"{times.mean():,.0f}", f"{others.mean():,.0f}")


def _spreads(evidence: Evidence, left: Place, right: Place, level: float) -> Compared:
    first, second = evidence.times[left], evidence.times[right]
    times, others = first.stopping_times, second.stopping_times
    interval = log_spread_ratio(times, others, _paired(first, second), level)
    return Compared(interval, f"{first.std:,.0f}", f"{second.std:,.0f}")


def _outliers(evidence: Evidence, left: Place, right: Place, level: float) -> Compared:
    first, second = evidence.times[left], evidence.times[right]
    many, few = (
        int(np.count_nonzero(r.stopping_times > OUTLIER * np.median(r.stopping_times)))
        for r in (first, second)
    )
    interval = proportions(many, first.runs, few, second.runs, level)
    return Compared(
        interval, f"{100 * many / first.runs:.2f} %", f"{100 * few / second.runs:.2f} %"
    )


ERROR = Quantity("mean error over the curve", _errors, ratio=False)
MEAN = Quantity("mean stopping time (of at most 100,000)", _means, ratio=True)
SPREAD = Quantity("standard deviation of the stopping time", _spreads, ratio=True)
OUTLIERS = Quantity(f"share of runs longer than {OUTLIER:g} medians", _outliers, ratio=False)
