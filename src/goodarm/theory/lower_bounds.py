"""What no algorithm can beat."""

import math
from typing import NamedTuple

from goodarm.errors import InputError
from goodarm.instance import Instance
from goodarm.theory.complexities import Complexity, complexity
from goodarm.theory.readings import log_inverse


class LowerBound(NamedTuple):
    """Lower bounds on E[τ_δ] of every δ-correct algorithm (Gaussian arms)."""

    log_form: float | None
    kl_form: float | None
    reason: str | None = None


def lower_bound(
    problem: Instance | Complexity,
    delta: float | None = None,
    *,
    log_inverse_delta: float | None = None,
) -> LowerBound:
    """T*(μ) ln(1/(2.4δ)), negative and so idle for δ > 1/2.4, and T*(μ) kl(1 − δ, δ).

    Proof of Lemma "lower_bound_GAI"; the second form is the step before the first.
    """
    c = complexity(problem)
    risk = log_inverse(delta, log_inverse_delta)
    if c.T_star is None:
        return LowerBound(None, None, c.reasons["T_star"])
    log_form, kl_form = c.T_star * (risk - math.log(2.4)), c.T_star * binary_kl(risk)
    if not math.isfinite(log_form) or not math.isfinite(kl_form):
        return LowerBound(None, None, "the bound is outside the range of a double")
    return LowerBound(log_form, kl_form)


def binary_kl(log_inverse_delta: float) -> float:
    """kl(1 − δ, δ) = (1 − 2δ) ln((1 − δ)/δ), and 0 for δ ≥ 1/2, where δ-correct means nothing."""
    delta = math.exp(-log_inverse_delta)
    if delta >= 0.5:
        return 0.0
    return (1.0 - 2.0 * delta) * (math.log1p(-delta) + log_inverse_delta)


def fixed_budget_hardness(K: int, gap: float, epsilon: float) -> float:
    """2K/(Δ + ε)²: on one of K instances no algorithm's error decays faster than e^(−T/this).

    Theorem "thm6_degenne2023existence": one good arm at θ + Δ, the others at θ − ε, unless the
    algorithm's error on the instance with no good arm is not exponentially small at all.
    """
    return 2.0 * K / _spread(K, gap, epsilon) ** 2


def other_arms_pulls(K: int, gap: float, epsilon: float, delta: float = 0.25) -> float:
    """(K − 1)/(64(Δ + ε)²): mean pulls of the other arms, on one of those K instances, δ ≤ 1/4.

    Corollaries "lb_unverifiable_K_BAI" and "lb_K_BAI". For a smaller δ the proof of Theorem
    "meta_lower_bound" gives (K − 1)(½ − δ)³/(Δ + ε)², which is what is returned.
    """
    if not 0.0 < delta <= 0.25:
        raise InputError(f"delta: {delta!r}; the bound holds for delta in (0, 1/4]")
    return (K - 1) * (0.5 - delta) ** 3 / _spread(K, gap, epsilon) ** 2


def _spread(K: int, gap: float, epsilon: float) -> float:
    if K < 1:
        raise InputError(f"K: {K!r} arms; give at least 1")
    for name, value in (("gap", gap), ("epsilon", epsilon)):
        if not 0.0 < value < math.inf:
            raise InputError(f"{name}: {value!r} is not a positive finite number")
    return gap + epsilon
