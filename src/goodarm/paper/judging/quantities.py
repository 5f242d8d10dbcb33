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

Series = tuple[str, str]  # an algorithm on a panel: (panel, algorithm)
PAPERS_CAP = 100_000  # pulls
POINTS_COMPARED = 10  # of a curve, one by one
OUTLIER = 10.0  # a run this many times longer than the algorithm's median is an outlier


@dataclass(frozen=True)
class Evidence:
    """What an item's simulations gave, by panel and algorithm."""

    curves: Mapping[Series, ErrorCurve] = field(default_factory=dict)
    times: Mapping[Series, RunResult] = field(default_factory=dict)


@dataclass(frozen=True)
class SeriesComparison:
    """Two series compared: the interval, both figures as texts, where the order turns."""

    interval: Interval
    left: str
    right: str
    turned: float = 0.0  # the share of points where the left is above beyond doubt
    remark: str = ""


@dataclass(frozen=True)
class ComparedQuantity:
    """A name, how two series compare in it, and whether intervals are of log ratios."""

    name: str
    compare: Callable[[Evidence, Series, Series, float], SeriesComparison]
    ratio: bool


def _errors(evidence: Evidence, left: Series, right: Series, level: float) -> SeriesComparison:
    """The mean error over the whole curve, where both are defined."""
    curve, other = evidence.curves[left], evidence.curves[right]
    common = np.intersect1d(curve.x[curve.defined], other.x[other.defined])
    p, q = (c.rate[np.searchsorted(c.x, common)] for c in (curve, other))
    interval = mean_difference(p, curve.runs, q, other.runs, level)
    points = _points(len(common))
    strict = 1.0 - (1.0 - level) / len(points)
    above = []
    for i in points:
        errors, others = round(p[i] * curve.runs), round(q[i] * other.runs)
        if proportions(errors, curve.runs, others, other.runs, strict).low > 0.0:
            above.append(int(common[i]))
    remark = "above at " + ", ".join(f"{x:,}" for x in above) if above else ""
    turned = len(above) / len(points)
    return SeriesComparison(interval, f"{p.mean():.5f}", f"{q.mean():.5f}", turned, remark)


def _points(count: int) -> list[int]:
    """Up to ten positions on a curve, evenly spread."""
    return sorted(
        {round(i) for i in np.linspace(0, count - 1, min(POINTS_COMPARED, count)).tolist()}
    )


def _paired(first: RunResult, second: RunResult) -> bool:
    """Whether both saw the same rewards run by run."""
    return first.instance == second.instance and first.runs == second.runs


def _means(evidence: Evidence, left: Series, right: Series, level: float) -> SeriesComparison:
    """Mean stopping times, every run counting as at most 100,000, as in the paper's tables."""
    first, second = evidence.times[left], evidence.times[right]
    times, others = (np.minimum(r.stopping_times, PAPERS_CAP) for r in (first, second))
    interval = log_ratio(times, others, _paired(first, second), level)
    return SeriesComparison(interval, f"{times.mean():,.0f}", f"{others.mean():,.0f}")


def _spreads(evidence: Evidence, left: Series, right: Series, level: float) -> SeriesComparison:
    first, second = evidence.times[left], evidence.times[right]
    times, others = first.stopping_times, second.stopping_times
    interval = log_spread_ratio(times, others, _paired(first, second), level)
    return SeriesComparison(interval, f"{first.std:,.0f}", f"{second.std:,.0f}")


def _outliers(evidence: Evidence, left: Series, right: Series, level: float) -> SeriesComparison:
    first, second = evidence.times[left], evidence.times[right]
    many, few = (
        int(np.count_nonzero(r.stopping_times > OUTLIER * np.median(r.stopping_times)))
        for r in (first, second)
    )
    interval = proportions(many, first.runs, few, second.runs, level)
    return SeriesComparison(
        interval, f"{100 * many / first.runs:.2f} %", f"{100 * few / second.runs:.2f} %"
    )


ERROR = ComparedQuantity("mean error over the curve", _errors, ratio=False)
MEAN = ComparedQuantity("mean stopping time (of at most 100,000)", _means, ratio=True)
SPREAD = ComparedQuantity("standard deviation of the stopping time", _spreads, ratio=True)
OUTLIERS = ComparedQuantity(
    f"share of runs longer than {OUTLIER:g} medians", _outliers, ratio=False
)
