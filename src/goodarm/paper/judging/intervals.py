"""Intervals for differences: what the report's verdicts rest on.

Every function gives (estimate, low, high) at a level such as 0.999.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.numerics import normal_quantile
from goodarm.simulation import wilson


class Interval(NamedTuple):
    """An estimate with the limits of its interval."""

    estimate: float
    low: float
    high: float

    def contains(self, value: float) -> bool:
        """Whether the value lies inside."""
        return self.low <= value <= self.high


def share(count: int, runs: int, level: float) -> Interval:
    """A share with Wilson's interval."""
    low, high = wilson(count, runs, level)
    return Interval(count / runs, float(low), float(high))


def proportions(errors: int, runs: int, others: int, other_runs: int, level: float) -> Interval:
    """p − p′ from counts of two independent samples: Newcombe's interval from Wilson's (1998)."""
    p, p_low, p_high = share(errors, runs, level)
    q, q_low, q_high = share(others, other_runs, level)
    below = math.hypot(p - p_low, q_high - q)
    above = math.hypot(p_high - p, q - q_low)
    return Interval(p - q, p - q - below, p - q + above)


def mean_share(p: NDArray[np.float64], runs: int, level: float) -> Interval:
    """The mean of a curve of error rates, whose points are dependent, with its interval.

    Whatever the dependence, the standard error of a mean is at most the mean of the standard
    errors. The interval is Wilson's for as many independent runs as would have that one.
    """
    middle, se = float(np.mean(p)), float(np.mean(np.sqrt(p * (1.0 - p) / runs)))
    worth = middle * (1.0 - middle) / se**2 if se > 0.0 else float(runs)
    low, high = wilson(middle * worth, worth, level)
    return Interval(middle, float(low), float(high))


def log_odds_ratio(one: Interval, other: Interval) -> Interval:
    """ln of the ratio of two independent shares' odds, p/(1 − p); its limits may be infinite.

    A ratio r is inside if "one's odds − r · the other's" may be zero by both intervals, put
    together as Newcombe does (Donner and Zou, Stat. Methods Med. Res. 21, 2012). The odds of a
    small share are the share; and they tell 0.98 from 0.99 as well as 0.01 from 0.02.
    """
    if one.estimate + other.estimate > 1.0:  # the same ratio, of what is left of 1
        one, other = (Interval(*(1.0 - p for p in (s[0], s[2], s[1]))) for s in (other, one))
    first, second = (Interval(*map(_odds, shares)) for shares in (one, other))
    low, inverse = _least_quotient(first, second), _least_quotient(second, first)
    return Interval(_log(first.estimate) - _log(second.estimate), _log(low), -_log(inverse))


def _odds(p: float) -> float:
    return p / max(1.0 - p, 1e-9)


def _log(x: float) -> float:
    return math.log(x) if x > 0.0 else -math.inf


def _least_quotient(above: Interval, below: Interval) -> float:
    """The lower limit of the quotient of two positive quantities."""
    (x, low, _), (y, _, high) = above, below
    if low <= 0.0:
        return 0.0
    gain = low * (2.0 * x - low)
    square = (x * y) ** 2 - gain * high * (2.0 * y - high)
    return gain / (x * y + math.sqrt(max(square, 0.0)))


class Sample(NamedTuple):
    """The mean and standard deviation over a number of runs."""

    mean: float
    std: float
    runs: int


def means(one: Sample, other: Sample, level: float, rounding: float = 0.0) -> Interval:
    """m − m′ of two independent samples (Welch); `rounding` is the unit m′ was rounded to."""
    se = math.sqrt(one.std**2 / one.runs + other.std**2 / other.runs + rounding**2 / 12.0)
    spread = normal_quantile(0.5 + 0.5 * level) * se
    middle = one.mean - other.mean
    return Interval(middle, middle - spread, middle + spread)


StoppingTimes = NDArray[np.int64]


def log_ratio(times: StoppingTimes, others: StoppingTimes, paired: bool, level: float) -> Interval:
    """ln(E τ/E τ′), by the delta method; `paired` when both saw the same rewards run by run."""
    x, y = times / times.mean(), others / others.mean()
    return _around(math.log(times.mean() / others.mean()), x, y, paired, level)


def log_spread_ratio(
    times: StoppingTimes, others: StoppingTimes, paired: bool, level: float
) -> Interval:
    """ln(sd τ/sd τ′), by the delta method on the variances."""
    estimate = math.log(times.std() / others.std())
    x = 0.5 * (times - times.mean()) ** 2 / times.var()
    y = 0.5 * (others - others.mean()) ** 2 / others.var()
    return _around(estimate, x, y, paired, level)


def _around(
    estimate: float, x: NDArray[np.float64], y: NDArray[np.float64], paired: bool, level: float
) -> Interval:
    """The interval around the estimate whose linearisation is mean(x) − mean(y)."""
    if paired:
        variance = float(np.var(x - y)) / len(x)
    else:
        variance = float(np.var(x)) / len(x) + float(np.var(y)) / len(y)
    spread = normal_quantile(0.5 + 0.5 * level) * math.sqrt(variance)
    return Interval(estimate, estimate - spread, estimate + spread)
