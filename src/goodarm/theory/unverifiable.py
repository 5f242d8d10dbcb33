"""The unverifiable sample complexity: from when on the answer stays right, with probability 1 − δ.

Theorems "unverifiable_sample_complexity" (APGAI) and "Unif_unverifiable_sample_complexity".
"""

import math

from goodarm.errors import unknown_name
from goodarm.instance import Instance
from goodarm.numerics import wbar
from goodarm.theory.complexities import Complexity, complexity
from goodarm.theory.readings import (
    CORRECTED,
    Quantity,
    UndefinedError,
    finite,
    is_published,
    log_inverse,
)

STOPPABLE = ("APGAI", "Unif")
"""The algorithms with bounds on U and on the expected stopping time."""


def h1(z: float, y: float) -> float:
    """h1(z, y) = z W̄(y/z + ln z) > sup{x : x < z ln x + y} (Lemma "inversion_upper_bound")."""
    return z * wbar(y / z + math.log(z))


def h2(K: float, log_inverse_delta: float, A: float, B: float) -> float:
    """h2(δ, A, B) = A W̄(⅓ ln(Kπ²/(6δ)) + B/A + ln A); K enters through the tails' union bound."""
    tails = math.log(K * math.pi**2 / 6.0) + log_inverse_delta
    return A * wbar(tails / 3.0 + B / A + math.log(A))


def tail_arms(c: Complexity, published: bool) -> float:
    """K, or 2K where an arm is sub-Gaussian but not Gaussian.

    The two-sided tail lemma ("sub_Gaussian_concentration") lacks a factor 2, which Gaussian tails
    make up for.
    """
    return float(c.K if published or c.gaussian else 2 * c.K)


def unverifiable_sample_complexity(
    problem: Instance | Complexity,
    algorithm: str,
    delta: float | None = None,
    reading: str = CORRECTED,
    *,
    log_inverse_delta: float | None = None,
) -> Quantity:
    """U with P(an error at some t > U) ≤ δ.

    APGAI: h2(δ, 6αH1, K + 2·good), α = 9 or 2, published; with good arms h2(δ, 24 H1, K) corrected.
    Unif: h2(δ, 6K/Δ_min², K) without good arms, h2(δ, 24K/max_good Δ², K) with.
    """
    c = complexity(problem)
    published = is_published(reading)
    risk = log_inverse(delta, log_inverse_delta)
    if algorithm not in STOPPABLE:
        raise unknown_name("algorithm", algorithm, STOPPABLE)
    try:
        A, B = _apgai(c, published) if algorithm == "APGAI" else _unif(c)
        return Quantity(finite(h2(tail_arms(c, published), risk, A, B), "U"))
    except UndefinedError as undefined:
        return Quantity(None, str(undefined))


def _apgai(c: Complexity, published: bool) -> tuple[float, float]:
    hardness = c.need("H1")
    if c.good == 0:
        return 54.0 * hardness, c.K
    return (12.0 * hardness, c.K + 2 * c.good) if published else (24.0 * hardness, c.K)


def _unif(c: Complexity) -> tuple[float, float]:
    return 6.0 * (1.0 if c.good == 0 else 4.0) * uniform_hardness(c), c.K


def uniform_hardness(c: Complexity) -> float:
    """K/Δ_min² without good arms, K/max_good Δ² with: what a round robin pays."""
    square = c.square("delta_min" if c.good == 0 else "delta_max_good")
    return finite(c.K / square, "K divided by the squared gap")
