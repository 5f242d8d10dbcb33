"""The expected stopping time with the GLR boundary: C, its closed form C′, and what is proved.

Theorems "expected_sample_complexity_upper_bound" (APGAI) and
"uniform_sampling_sample_complexity_upper_bound" (Unif).
"""

import math
from typing import NamedTuple

from goodarm.errors import unknown_name
from goodarm.instance import Instance
from goodarm.stopping import Boundary, parse_boundary
from goodarm.theory.complexities import Complexity, complexity
from goodarm.theory.readings import CORRECTED, UndefinedError, finite, is_published, log_inverse
from goodarm.theory.unverifiable import STOPPABLE, h1, tail_arms, uniform_hardness


class SampleComplexity(NamedTuple):
    """Bounds on E[τ_δ]; all None, with the reason, where a quantity does not exist.

    `C` is the largest real t with t ≤ 2H(√c(t, δ) + √(3 ln t))² + D, `C_prime` its closed form,
    `bound` = C + Kπ²/6 + 1. `bound_proved` is the bound whose proof has no gap (docs/theory.md).
    """

    C: float | None
    C_prime: float | None
    bound: float | None
    bound_proved: float | None = None
    reason: str | None = None


def expected_sample_complexity(
    problem: Instance | Complexity,
    algorithm: str,
    delta: float | None = None,
    reading: str = CORRECTED,
    *,
    log_inverse_delta: float | None = None,
) -> SampleComplexity:
    """Upper bounds on the algorithm's expected stopping time with boundary "glr".

    >>> from goodarm.instance import instances
    >>> round(expected_sample_complexity(instances["NoA2"], "APGAI", 0.01).bound)
    80747
    """
    c = complexity(problem)
    published = is_published(reading)
    risk = log_inverse(delta, log_inverse_delta)
    if algorithm not in STOPPABLE:
        raise unknown_name("algorithm", algorithm, STOPPABLE)
    try:
        H, D = case_constants(c, algorithm)
        log_k_over_delta = math.log(c.K) + risk
        C = largest_time(H, D, log_k_over_delta)
        closed = closed_form(H, D, log_k_over_delta, published)
        tail = tail_arms(c, published) * math.pi**2 / 6.0 + 1.0
        proved = None if published else _proved(c, algorithm, H, D, log_k_over_delta) + tail
        return SampleComplexity(C, closed, C + tail, proved)
    except UndefinedError as undefined:
        return SampleComplexity(None, None, None, None, str(undefined))


def case_constants(c: Complexity, algorithm: str) -> tuple[float, float]:
    """(H, D): (H1, D_1) or (Hθ, D_θ) for APGAI, (K/Δ², K) for Unif.

    Lemmas "expected_sample_complexity_empty_is_good" and "…_exist_good_arms".
    """
    if algorithm == "Unif":
        return uniform_hardness(c), float(c.K)
    hardness = c.need("H1")
    if c.good == 0:
        T = h1(54.0 * hardness, c.K)
        D = T + 2.0 * hardness * c.square("delta_max") - 6.0 * hardness * math.log(T)
        return hardness, finite(D, "D_1")
    S = h1(12.0 * hardness, c.K + 2 * c.good)
    D = S + 1.0 - 6.0 * math.log(S) / c.square("delta_max_good")
    return c.need("Htheta"), finite(D, "D_theta")


def _proved(c: Complexity, algorithm: str, H: float, D: float, log_k_over_delta: float) -> float:
    """The C of docs/theory.md: every step under one event, so that no D from another time enters.

    No good arm: t ≤ 2H1(√c + √(3 ln t))² + 48 H1 ln t + H1 Δ_max² + K + 1. Good arms:
    t ≤ 2Hθ(√c + √(3 ln t))² + 24(H1 − 1/max_good Δ²) ln t + K + 1. Unif's own proof is sound.
    """
    if algorithm == "Unif":
        return largest_time(H, D, log_k_over_delta)
    hardness = c.need("H1")
    if c.good == 0:
        rest = finite(
            hardness * c.square("delta_max") + c.K + 1.0, "H1 times the largest gap squared"
        )
        return largest_time(H, rest, log_k_over_delta, 48.0 * hardness)
    others = hardness - 1.0 / c.square("delta_max_good")
    return largest_time(H, c.K + 1.0, log_k_over_delta, 24.0 * max(others, 0.0))


def largest_time(H: float, D: float, log_k_over_delta: float, extra: float = 0.0) -> float:
    """The largest real t with t ≤ 2H(√c(t, δ) + √(3 ln t))² + extra·ln t + D, where D ≥ 1.

    Newton's method from the right: t minus the right-hand side is convex there, so the steps go
    down to the last root and never pass it.
    """
    boundary = parse_boundary("glr", 1, log_inverse_delta=log_k_over_delta)
    t = max(2.0 * D, 2.0)
    while t < _right_side(t, H, D, boundary, extra)[0]:
        t *= 2.0
        if math.isinf(t):
            raise UndefinedError("C is outside the range of a double")
    for _ in range(200):
        value, slope = _right_side(t, H, D, boundary, extra)
        lower = t - (t - value) / (1.0 - slope) if slope < 1.0 else value
        if not lower < t * (1.0 - 1e-15):
            break
        if lower <= 1.0:  # where ln t, and with it the slope's formula, ends
            return 1.0
        t = lower
    return finite(t, "C")


def _right_side(
    t: float, H: float, D: float, boundary: Boundary, extra: float
) -> tuple[float, float]:
    """2H(√c + √(3 ln t))² + extra·ln t + D and its derivative; c as in Eq. "stopping_threshold"."""
    log_t = math.log(t)
    w = boundary.level(t) ** 2  # 2c(t, δ)
    root_c, root_log = math.sqrt(0.5 * w), math.sqrt(3.0 * log_t)
    both = root_c + root_log
    slope_w = boundary.slope / ((boundary.slope + log_t) * t) * w / (w - 1.0)
    slope = 4.0 * H * both * (0.25 * slope_w / root_c + 1.5 / (t * root_log)) + extra / t
    return 2.0 * H * both * both + extra * log_t + D, slope


def closed_form(H: float, D: float, log_k_over_delta: float, published: bool = False) -> float:
    """C′ = h(15H, 4H(ln(K/δ) + 15/4 − a ln(2H)) + D), with a = 2 published and ½ corrected.

    h(x, y) = y + x ln x + x ln(y/x + ln x) + x/2. With a = 2 it is not an upper bound on C.
    """
    x = 15.0 * H
    y = 4.0 * H * (log_k_over_delta + 3.75 - (2.0 if published else 0.5) * math.log(2.0 * H)) + D
    inner = y / x + math.log(x)
    if not inner > 0.0:
        raise UndefinedError("the closed form takes the logarithm of a negative number here")
    return finite(y + x * math.log(x) + x * math.log(inner) + 0.5 * x, "C_prime")
