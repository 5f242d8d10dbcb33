"""The thresholds that the statements are made of: c(t, δ), f1, f̃1, PKGAI's z and q, Λ.

δ is given as itself or as ln(1/δ). Gaps, widths and evidence are in units of an arm's scale.
"""

import math

from goodarm.errors import InputError
from goodarm.instance import Instance
from goodarm.numerics import wbar
from goodarm.stopping import parse_boundary
from goodarm.theory.complexities import Complexity, complexity
from goodarm.theory.readings import Quantity, UndefinedError, log_inverse


def glr_threshold(
    K: int,
    t: float,
    delta: float | None = None,
    *,
    log_inverse_delta: float | None = None,
    boundary: str = "glr",
) -> float:
    """c(t, δ) of Lemma "delta_correct_threshold": ½ W̄(2 ln(K/δ) + 4 ln(4 + ln t) + ½).

    `boundary` may be "glr-tables" (the variant behind the published tables) or "glr[s=S]" (the
    family of Lemma "uniform_upper_lower_tails_concentration_mean", any S > 1).

    >>> round(2 * glr_threshold(10, 1000, 0.01), 6)
    27.175731
    """
    risk = log_inverse(delta, log_inverse_delta)
    level = parse_boundary(boundary, K, log_inverse_delta=risk)
    if level.slope == 0.0:
        raise InputError(f"boundary {boundary!r}: not a GLR boundary; use kano_threshold")
    return 0.5 * level.level(_time(t)) ** 2


def kano_threshold(
    K: int, pulls: float, delta: float | None = None, *, log_inverse_delta: float | None = None
) -> float:
    """Λ_a = ln(4K/δ) + 2 ln N_a of Kano et al., as the paper's Section "FC_algos" quotes it."""
    risk = log_inverse(delta, log_inverse_delta)
    return parse_boundary("kano", K, log_inverse_delta=risk).offset + 2.0 * math.log(_time(pulls))


def baec_thresholds(
    K: int,
    width: float,
    delta: float | None = None,
    *,
    log_inverse_delta: float | None = None,
) -> tuple[float, float]:
    """BAEC's (Λ⁺, Λ⁻) for thresholds θ_U − θ_L = width > 0 apart, in units of σ.

    Λ⁺ = ln(N/δ) and Λ⁻ = ln(√K N/δ), N = ⌈2e/((e − 1)width²) · ln(2√K/(width² δ))⌉.
    """
    if not width > 0.0:
        raise InputError(
            f"width: {width!r}; BAEC needs two different thresholds, its bonuses are infinite "
            "otherwise (HDoC and LUCB-G are what it becomes with one)"
        )
    risk = log_inverse(delta, log_inverse_delta)
    inner = math.log(2.0 * math.sqrt(K)) - 2.0 * math.log(width) + risk
    looks = max(1, math.ceil(2.0 * math.e / ((math.e - 1.0) * width * width) * inner))
    upper = math.log(looks) + risk
    return upper, upper + 0.5 * math.log(K)


def f1(
    T: float,
    delta: float | None = None,
    s: float = 2.0,
    *,
    log_inverse_delta: float | None = None,
) -> float:
    """f1(T, δ) = ln(1/δ) + (1 + s) ln T of Lemma "concentration_per_arm_gau_aeps"."""
    return log_inverse(delta, log_inverse_delta) + (1.0 + s) * math.log(_time(T))


def f1_tilde(
    T: float,
    delta: float | None = None,
    s: float = 0.0,
    *,
    log_inverse_delta: float | None = None,
) -> float:
    """f̃1(T, δ) = ½ W̄(2 ln(1/δ) + 2s ln T + 2 ln(2 + ln T) + 2), the tighter of the two.

    Lemma "concentration_per_arm_gau_improved".
    """
    risk = log_inverse(delta, log_inverse_delta)
    log_t = math.log(_time(T))
    return 0.5 * wbar(2.0 * risk + 2.0 * s * log_t + 2.0 * math.log(2.0 + log_t) + 2.0)


def pkgai_z(
    K: int, T: float, delta: float | None = None, *, log_inverse_delta: float | None = None
) -> float:
    """PKGAI's β without prior knowledge: z(T, δ) = W̄(2 ln(K/δ) + 2 ln(2 + ln T) + 2)."""
    risk = log_inverse(delta, log_inverse_delta) + math.log(K)
    return 2.0 * f1_tilde(T, log_inverse_delta=risk)


def pkgai_q(problem: Instance | Complexity, T: float) -> Quantity:
    """PKGAI's β with prior knowledge: (T − K)/(4 H1) without good arms, else (T − K)/(4 K Δ̂^−2)."""
    c = complexity(problem)
    try:
        scale = c.need("H1") if c.good == 0 else c.need("K_delta_hat_inv_sq")
        if T <= c.K:
            raise UndefinedError(f"T = {T:g} is not above K = {c.K}")
    except UndefinedError as undefined:
        return Quantity(None, str(undefined))
    return Quantity((T - c.K) / (4.0 * scale))


def _time(t: float) -> float:
    if not 1.0 <= t < math.inf:
        raise InputError(f"time: {t!r} is not a finite number of at least 1")
    return float(t)
