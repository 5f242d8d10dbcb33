"""What a live study with the paper's boundary may say at any time, whatever its sampling rule."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goodarm.errors import InputError
from goodarm.stopping.boundaries import parse_boundary


class ConfidenceSequence(NamedTuple):
    """Lower and upper limits of every arm's mean; all hold at all times with probability 1 − δ."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]


def confidence_sequence(
    means: ArrayLike,
    counts: ArrayLike,
    sigmas: ArrayLike,
    delta: float | None = None,
    *,
    log_inverse_delta: float | None = None,
    t: int | None = None,
) -> ConfidenceSequence:
    """μ̂_a ± σ_a √(2c(t, δ)/N_a), from Lemma "uniform_upper_lower_tails_concentration_mean".

    t is the number of observations, Σ N_a unless given. An arm without one has infinite limits.
    """
    centre, pulls, scale = np.broadcast_arrays(
        *(np.asarray(x, dtype=np.float64) for x in (means, counts, sigmas))
    )
    if np.any(pulls < 0.0) or pulls.sum() < 1.0:
        raise InputError("counts: give numbers of observations, at least one in all")
    total = float(pulls.sum()) if t is None else float(t)
    boundary = parse_boundary("glr", len(pulls), delta, log_inverse_delta)
    pulled = pulls > 0.0
    roots = np.sqrt(np.where(pulled, pulls, 1.0))
    half = np.where(pulled, scale * boundary.level(total) / roots, np.inf)
    middle = np.where(pulled, centre, 0.0)
    return ConfidenceSequence(middle - half, middle + half)


def smallest_delta(evidence: float, K: int, t: int) -> float:
    """The smallest δ at which the boundary "glr" would be reached: an anytime-valid p-value.

    `evidence` is max W_a if that is positive (the answer is an arm), else min(−W_a) (none is good).

    >>> round(smallest_delta(5.5, 2, 100), 4)
    0.0003
    """
    return math.exp(log_smallest_delta(evidence, K, t))


def log_smallest_delta(evidence: float, K: int, t: int) -> float:
    """ln of the smallest δ at which the boundary "glr" would be reached after t observations.

    ln K − (x − ln x − 4 ln(4 + ln t) − ½)/2 with x = evidence², by inverting W̄; 0 (δ = 1) where
    x ≤ 1, where the formula exceeds 0, and before the first observation.
    """
    x = evidence * evidence
    if x <= 1.0 or t < 1:
        return 0.0
    if math.isinf(x):
        return -math.inf
    excess = x - math.log(x) - 4.0 * math.log(4.0 + math.log(t)) - 0.5
    return min(math.log(K) - 0.5 * excess, 0.0)
