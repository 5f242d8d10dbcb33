"""Asymptotic constants: C(μ) with t/ln(1/error) ≤ C(μ) in the limit; smaller is better.

The published ones are those of the paper's table "summary_anytimeGAI" (and, for SR-G and SH-G,
which it leaves out, of their theorems). The corrected ones are the limits of the corrected bounds;
for SR-G, that of the corrected Theorem "asymptotic_SR_PoE_recoElim".
"""

import math
from collections.abc import Callable

from goodarm.instance import Instance
from goodarm.theory.complexities import Complexity, complexity
from goodarm.theory.error_formulas import ERROR_THEOREMS, halving_rounds
from goodarm.theory.readings import CORRECTED, Quantity, UndefinedError, finite, is_published
from goodarm.theory.unverifiable import uniform_hardness
from goodarm.theory.upper_bounds import find_theorem


def error_rate_constant(
    problem: Instance | Complexity, algorithm: str, reading: str = CORRECTED
) -> Quantity:
    """C(μ) of the algorithm, with limsup t/ln(1/P(error at t)) ≤ C(μ).

    >>> from goodarm.instance import instances
    >>> error_rate_constant(instances["TwoG:100:30"], "Unif").number
    800.0
    """
    c = complexity(problem)
    published = is_published(reading)
    try:
        constant = _CONSTANTS[find_theorem(algorithm).name]
        return Quantity(finite(constant(c, published), "the constant"))
    except UndefinedError as undefined:
        return Quantity(None, str(undefined))


def _apgai(c: Complexity, published: bool) -> float:
    return (18.0 if c.good == 0 else (4.0 if published else 8.0)) * c.need("H1")


def _unif(c: Complexity, published: bool) -> float:
    if c.good == 0:
        return 2.0 * uniform_hardness(c)
    if published:
        return 4.0 * uniform_hardness(c)
    beaten = 4.0 * c.need("K_delta_hat_inv_sq") if c.bad else 0.0
    return max(2.0 * uniform_hardness(c), beaten)


def _sr(c: Complexity, published: bool) -> float:
    if c.good == 0:
        return 4.0 * c.logbar / c.square("delta_min")
    slowest = 1.0 / c.square("delta_min_good")
    if published:
        return 4.0 * c.logbar * c.need("G2")
    # Without bad arms only the survivor's own mean can fail.
    return 4.0 * c.logbar * (max(c.need("G2"), slowest) if c.bad else slowest)


def _sh(c: Complexity, published: bool) -> float:
    rounds = halving_rounds(c.K)
    if c.good == 0:
        return 4.0 * rounds / c.square("delta_min")
    rejected = 4.0 * rounds / c.square("delta_min_good")
    if c.I_star == c.K:
        return rejected
    return max(rejected, (8.0 if published else 16.0) * math.log2(c.K) * c.need("H2"))


def _dsr(c: Complexity, published: bool) -> float:
    halving_rounds(c.K)
    if c.good == 0:
        return 16.0 * c.logbar / c.square("delta_min")
    return 16.0 * c.logbar * c.need("delta_tilde_inv_sq")


def _dsh(c: Complexity, published: bool) -> float:
    if c.good > 0 and published:
        return 32.0 * halving_rounds(c.K) * c.need("delta_tilde_inv_sq")
    return 4.0 * _sh(c, published)


def _pkgai(c: Complexity, published: bool) -> float:
    return (2.0 if published else 8.0) * c.need("H1")


def _pkgai_unif(c: Complexity, published: bool) -> float:
    if c.good == 0:
        return _pkgai(c, published)
    if published:
        return 2.0 * c.need("K_delta_hat_inv_sq")
    beaten = 8.0 * c.need("K_delta_hat_inv_sq") if c.bad else 0.0
    return max(2.0 * uniform_hardness(c), beaten)


_CONSTANTS: dict[str, Callable[[Complexity, bool], float]] = {
    "APGAI": _apgai,
    "Unif": _unif,
    "SR-G": _sr,
    "SH-G": _sh,
    "DSR-G": _dsr,
    "DSH-G": _dsh,
    "PKGAI": _pkgai,
    "PKGAI(Unif)": _pkgai_unif,
}
assert _CONSTANTS.keys() == ERROR_THEOREMS.keys()
