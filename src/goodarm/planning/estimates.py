"""Numbers with intervals, also where studies share a set of means and so are not independent.

Values come as a table: one row for each set of means, one column for each study on it. The rows
are independent of each other, the studies of a row only given its means. So with several rows the
standard error is that of the row averages.

Stopping times have long right tails, and so do row averages: a symmetric interval would miss high
means too often. The mean's interval is therefore Hall's, which corrects for skewness.
Reference: Hall, "On the removal of skewness by transformation", JRSS B 54 (1992).
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goodarm.numerics import normal_quantile
from goodarm.simulation import wilson

LEVEL = 0.95


@dataclass(frozen=True)
class Estimate:
    """A simulated number and its 95 % interval, which covers the chance in simulating it."""

    value: float
    low: float
    high: float


def mean_of(table: NDArray[np.generic]) -> Estimate:
    """The mean over all studies; its interval stays within what was seen."""
    values = np.asarray(table, dtype=np.float64)
    low, high = _mean_interval(values.mean(axis=1) if len(values) > 1 else values[0])
    least, most = float(values.min()), float(values.max())
    return Estimate(float(values.mean()), max(low, least), min(high, most))


def share_of(table: NDArray[np.generic]) -> Estimate:
    """The share of studies for which something holds."""
    return share_by_row(np.asarray(table, dtype=np.float64).mean(axis=1), table.size)


def share_by_row(shares: NDArray[np.float64], studies: int) -> Estimate:
    """The same from the share of each row; `studies` are all of them together.

    Wilson's interval, with the number of independent studies that would be as informative: from
    the number of rows, where they alone are independent, up to the number of studies.
    """
    rows = len(shares)
    centre = float(shares.mean())
    count = float(studies)
    if rows > 1:
        variance = float(shares.var(ddof=1)) / rows
        informative = centre * (1.0 - centre) / variance if variance > 0.0 else 0.0
        count = min(max(informative, float(rows)), count)
    whole = round(count)
    low, high = wilson(np.asarray(centre * whole), np.asarray(whole), LEVEL)
    return Estimate(centre, min(float(low), centre), max(float(high), centre))


def _mean_interval(values: NDArray[np.float64]) -> tuple[float, float]:
    """An interval for the mean of independent values, which may be skewed."""
    count, centre = len(values), float(values.mean())
    spread = float(values.std())
    if spread == 0.0:
        return centre, centre
    skewness = float(((values - centre) ** 3).mean()) / spread**3
    z = normal_quantile(0.5 + 0.5 * LEVEL)
    t = z + (z**3 + z) / (4.0 * (count - 1))  # Student's quantile, to first order
    bend = skewness / (3.0 * math.sqrt(count))
    error = spread / math.sqrt(count - 1)
    return centre - error * _unbent(t, bend), centre - error * _unbent(-t, bend)


def _unbent(value: float, bend: float) -> float:
    """The t statistic x whose transform x + bend·x² + bend²·x³/3 + bend/2 is this value."""
    if abs(bend) < 1e-9:
        return value
    return float(np.cbrt(1.0 + 3.0 * bend * (value - bend / 2.0)) - 1.0) / bend
