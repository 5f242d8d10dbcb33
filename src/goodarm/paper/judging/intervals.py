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


def proportions(errors: int, runs: int, others: int, other_runs: int, level: float) -> Interval:
    """p − p′ from counts of two independent samples: Newcombe's interval from Wilson's (1998)."""
    p, q = errors / runs, others / other_runs
    (p_low, p_high), (q_low, q_high) = (
        wilson(count, number, level) for count, number in ((errors, runs), (others, other_runs))
    )
    below = math.hypot(p - float(p_low), float(q_high) - q)
    above = math.hypot(float(p_high) - p, q - float(q_low))
    return Interval(p - q, p - q - below, p - q + above)


def mean_difference(
    p: NDArray[np.float64], runs: int, q: NDArray[np.float64], other_runs: int, level: float
) -> Interval:
    """The mean of p(x) − q(x) along two curves of error rates, whose points are dependent.

    Whatever the dependence, the standard error of a mean is at most the mean of the standard
    errors, which is what is used.
    """
    se = float(np.mean(np.sqrt(p * (1.0 - p) / runs + q * (1.0 - q) / other_runs)))
    middle = float(np.mean(p - q))
    spread = normal_quantile(0.5 + 0.5 * level) * se
    return Interval(middle, middle - spread, middle + spread)


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
