"""Unif's probability of error, exactly: only its evidence is independent over arms.

After t pulls in turn, W_a is normal with mean √N_a (μ_a − θ)/σ_a and variance 1, and Unif errs
when the largest W belongs to a bad arm, or is not positive although an arm is good.
"""

import math

import numpy as np
from numpy.typing import NDArray

from goodarm.instance import Instance
from goodarm.numerics import normal_log_cdf
from goodarm.theory.complexities import complexity
from goodarm.theory.quantities import Array
from goodarm.theory.readings import LogBound

_log_cdf = np.vectorize(normal_log_cdf, otypes=[np.float64])
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(20)
_REACH = 9.0  # the integrand's logarithm has a second derivative of −1 or less


def unif_error(instance: Instance, t: int) -> LogBound:
    """ln of Unif's probability of error at t ≥ K, for Gaussian arms, by quadrature.

    >>> from goodarm.instance import instances
    >>> round(unif_error(instances["NoA2"], 700).value, 4)
    0.0929
    """
    if not complexity(instance).gaussian:
        return LogBound(None, "exact for Gaussian arms only")
    if t < instance.K:
        return LogBound(None, f"an arm is not pulled before t = {instance.K}")
    full, rest = divmod(int(t), instance.K)
    centres = np.sqrt(full + (np.arange(instance.K) < rest)) * instance.gaps
    good = instance.good
    if not good.any():
        return LogBound(_log_any(_log_cdf(centres)))
    groups, sizes = np.unique(centres[~good], return_counts=True)
    logs = [float(np.sum(_log_cdf(-centres)))]  # no W is positive
    for centre, size in zip(groups, sizes, strict=True):
        others = np.delete(centres, np.flatnonzero(~good & (centres == centre))[0])
        logs.append(math.log(size) + _log_leads(float(centre), others))
    return LogBound(min(0.0, float(np.logaddexp.reduce(logs))))


def _log_leads(centre: float, others: Array) -> float:
    """ln P(W > 0 and W above all others), W normal around `centre`."""
    values, counts = np.unique(others, return_counts=True)

    def log_density(w: Array) -> Array:
        below = _log_cdf(w[:, None] - values[None, :]) @ counts
        return np.asarray(below - 0.5 * (w - centre) ** 2 - 0.5 * math.log(2.0 * math.pi))

    top = _mode(centre, values, counts)
    width = 1.0 / math.sqrt(1.0 + float(counts.sum()))  # no narrower than this anywhere
    edges = np.arange(max(0.0, top - _REACH), top + _REACH + width, 2.0 * width)
    points = (edges[:-1, None] + width * (1.0 + _NODES[None, :])).ravel()
    logs = log_density(points) + np.log(np.tile(width * _WEIGHTS, len(edges) - 1))
    return float(np.logaddexp.reduce(logs))


def _mode(centre: float, values: Array, counts: NDArray[np.int64]) -> float:
    """Where w ≥ 0 is most likely: the slope (centre − w) + Σ φ/Φ(w − m) falls through 0."""

    def slope(w: float) -> float:
        gaps = w - values
        log_ratio = -0.5 * gaps**2 - 0.5 * math.log(2.0 * math.pi) - _log_cdf(gaps)
        return centre - w + float(np.exp(log_ratio) @ counts)

    low, high = 0.0, max(0.0, centre, float(values.max())) + math.sqrt(2.0 * counts.sum()) + 2.0
    if slope(low) <= 0.0:
        return low
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if slope(middle) > 0.0 else (low, middle)
    return 0.5 * (low + high)


def _log_any(log_probabilities: Array) -> float:
    """ln of the probability that one of several independent events happens."""
    union = float(np.logaddexp.reduce(log_probabilities))
    if union < -28.0:  # then the events are as good as disjoint, and 1 − (1 − p) would cancel
        return union
    return math.log(-math.expm1(float(np.sum(np.log1p(-np.exp(log_probabilities))))))
