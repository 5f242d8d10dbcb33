"""What a live study may say at any time, from the boundary alone and for any sampling rule."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from goodarm.errors import InputError
from goodarm.numerics import wbar_inverse
from goodarm.theory.boundaries import glr_threshold
from goodarm.theory.quantities import Array


class ConfidenceSequence(NamedTuple):
    """Lower and upper limits of every arm's mean; all hold at all times with probability 1 − δ."""

    low: Array
    high: Array


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
    c = glr_threshold(len(pulls), total, delta, log_inverse_delta=log_inverse_delta)
    seen = pulls > 0.0
    half = np.where(seen, scale * np.sqrt(2.0 * c / np.where(seen, pulls, 1.0)), np.inf)
    middle = np.where(seen, centre, 0.0)
    return ConfidenceSequence(middle - half, middle + half)


def log_anytime_level(evidence: ArrayLike, t: int) -> float:
    """ln of the smallest δ at which the GLR algorithm would stop now; 0 (δ = 1) if none would do.

    `evidence` is W_a = √N_a (μ̂_a − θ)/σ_a. With x = (max W)² if that is positive (answer: an arm),
    else min W² (answer: ∅): δ = K exp(−(x − ln x − 4 ln(4 + ln t) − ½)/2), by inverting W̄.
    """
    w = np.atleast_1d(np.asarray(evidence, dtype=np.float64))
    if w.size == 0 or not np.all(np.isfinite(w)):
        raise InputError("evidence: give one finite number per arm")
    if not t >= 1:
        raise InputError(f"t: {t!r} observations; give at least 1")
    most = float(w.max())
    x = most * most  # when no W is positive this is the smallest W²
    if x <= 1.0:
        return 0.0
    if math.isinf(x):
        return -math.inf
    excess = wbar_inverse(x) - 4.0 * math.log(4.0 + math.log(t)) - 0.5
    return min(0.0, math.log(w.size) - 0.5 * excess)


def anytime_level(evidence: ArrayLike, t: int) -> float:
    """The smallest δ at which the GLR algorithm would stop now, an anytime-valid p-value.

    >>> round(anytime_level([5.5, -1.0], 100), 4)
    0.0003
    """
    return math.exp(log_anytime_level(evidence, t))
