"""The quantities that claims compare, with the interval of their difference."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from goodarm.paper.judging.intervals import (
    Interval,
    log_odds_ratio,
    log_ratio,
    log_spread_ratio,
    mean_share,
    proportions,
    share,
)
from goodarm.plotting import ErrorCurve
from goodarm.simulation import RunResult

Series = tuple[str, str]  # an algorithm on a panel: (panel, algorithm)
PAPERS_CAP = 100_000  # pulls
POINTS_COMPARED = 10  # of a curve, one by one
OUTLIER = 10.0  # a run this many times longer than the algorithm's median is an outlier


@dataclass(frozen=True)
class Evidence:
    """What an item's simulations gave, by panel and algorithm.

    `full` says that there are as many runs as in the paper, or more.
    """

    curves: Mapping[Series, ErrorCurve] = field(default_factory=dict)
    times: Mapping[Series, RunResult] = field(default_factory=dict)
    full: bool = True


@dataclass(frozen=True)
class SeriesComparison:
    """Two series compared: the interval of the whole, both figures as texts, and some points."""

    interval: Interval
    left: str
    right: str
    points: Mapping[int, Interval] = field(default_factory=dict)  # of curves, by time or budget


@dataclass(frozen=True)
class ComparedQuantity:
    """A name, how two series compare in it, and whether intervals are of log ratios."""

    name: str
    compare: Callable[[Evidence, Series, Series, float], SeriesComparison]
    ratio: bool


def _errors(evidence: Evidence, left: Series, right: Series, level: float) -> SeriesComparison:
    """The odds of an error: of the mean over the whole curve, where both are defined."""
    curve, other = evidence.curves[left], evidence.curves[right]
    common = np.intersect1d(curve.x[curve.defined], other.x[other.defined])
    p, q = (c.rate[np.searchsorted(c.x, common)] for c in (curve, other))
    whole = log_odds_ratio(mean_share(p, curve.runs, level), mean_share(q, other.runs, level))
    chosen = _points(len(common))
    strict = 1.0 - (1.0 - level) / len(chosen)
    points = {}
    for i in chosen:
        shares = (
            share(round(rate * c.runs), c.runs, strict)
            for rate, c in ((p[i], curve), (q[i], other))
        )
        points[int(common[i])] = log_odds_ratio(*shares)
    return SeriesComparison(whole, f"{p.mean():.5f}", f"{q.mean():.5f}", points)


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


ERROR = ComparedQuantity("odds of the mean error over the curve", _errors, ratio=True)
MEAN = ComparedQuantity("mean stopping time (of at most 100,000)", _means, ratio=True)
SPREAD = ComparedQuantity("standard deviation of the stopping time", _spreads, ratio=True)
OUTLIERS = ComparedQuantity(
    f"share of runs longer than {OUTLIER:g} medians", _outliers, ratio=False
)
