"""The formulas of the error bounds, one function per algorithm: ln of the bound at some times.

Each takes the reading, published or corrected; docs/theory.md says where and why they differ.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from goodarm.theory.complexities import Complexity
from goodarm.theory.quantities import Array
from goodarm.theory.readings import UndefinedError, finite

LOG_E_SQRT_2 = 1.0 + 0.5 * math.log(2.0)


def _apgai(c: Complexity, t: Array, published: bool) -> Array:
    """Theorem "upper_bound_PoE_anytimeID": K e√2 (2 + ln t) √x e^−x.

    Published: x = (t − K − 2·good)/(2αH1), α = 9 without good arms and 2 with. Corrected: α = 4 and
    offset K with good arms, and the bound is 1 for x < 1/2, where the inversion fails.
    """
    alpha = 9.0 if c.good == 0 else (2.0 if published else 4.0)
    offset = c.K + (2 * c.good if published else 0)
    x = np.minimum((t - offset) / finite(2.0 * alpha * c.need("H1"), "H1 times 2α"), 1e300)
    safe = x if published else np.maximum(x, 0.5)
    log = LOG_E_SQRT_2 + math.log(c.K) + np.log(2.0 + np.log(t)) + 0.5 * np.log(safe) - safe
    return log if published else np.where(x < 0.5, 0.0, log)


def _unif(c: Complexity, t: Array, published: bool) -> Array:
    """Theorem "uniform_sampling_PoE_recoAnytime", n = ⌊t/K⌋ pulls of each arm.

    Without good arms K e^(−n Δ_min²/2). With good arms (bad + 1) e^(−n max_good Δ²/4), published;
    corrected, the line before it: e^(−n max_good Δ²/2) + bad e^(−n Δ̂²/4).
    """
    n = t // c.K
    if c.good == 0:
        return math.log(c.K) - 0.5 * n * c.square("delta_min")
    best = c.square("delta_max_good")
    if published:
        return math.log(c.bad + 1) - 0.25 * n * best
    missed = -0.5 * n * best
    if c.bad == 0:
        return missed
    beaten = math.log(c.bad) - 0.25 * n * c.square("delta_hat")
    return np.logaddexp(missed, beaten)


def _sr(c: Complexity, t: Array, published: bool, slower: float = 1.0) -> Array:
    """Theorem "SR_PoE_recoElim"; `slower` divides the exponents (4 for the doubling version).

    With good arms, good·e^(−(T−K) min_good Δ²/(4 logbar)) plus, published,
    K² e^(−(T−K)/(logbar H2)) or, corrected, K(K−1)/2 · e^(−(T−K)/(4 logbar H2)).
    """
    pulls = (t - c.K) / (slower * c.logbar)
    if c.good == 0:
        return math.log(c.K) - 0.25 * pulls * c.square("delta_min")
    rejected = math.log(c.good) - 0.25 * pulls * c.square("delta_min_good")
    if c.I_star == c.K:
        return rejected
    if published:
        return np.logaddexp(rejected, 2.0 * math.log(c.K) - pulls / c.need("H2"))
    pairs = math.log(0.5 * c.K * (c.K - 1))
    return np.logaddexp(rejected, pairs - 0.25 * pulls / c.need("H2"))


def _sh(c: Complexity, t: Array, published: bool, slower: float = 1.0) -> Array:
    """Theorem "SH_PoE_recoElim" (its first form; the G1 form is an order of magnitude only).

    With good arms, good·e^(−T min_good Δ²/(4⌈log2 K⌉) + min_good Δ²/2) plus
    3 log2 K · e^(−T/(8 log2 K · H2)), published, or with 16 for 8, corrected.
    """
    rounds = halving_rounds(c.K)
    pulls = t / slower
    smallest = c.square("delta_min" if c.good == 0 else "delta_min_good")
    prefactor = math.log(c.K if c.good == 0 else c.good) + 0.5 * smallest
    rejected = prefactor - 0.25 * pulls * smallest / rounds
    if c.good == 0 or c.I_star == c.K:
        return rejected
    log2 = math.log2(c.K)
    rate = pulls / ((8.0 if published else 16.0) * log2 * c.need("H2"))
    return np.logaddexp(rejected, math.log(3.0 * log2) - rate)


def _dsr(c: Complexity, t: Array, published: bool) -> Array:
    """SR-G's bound with its exponents divided by 4 (paper, paragraph "Doubling SR").

    The instance that last ended has a budget of at least (t + T_1 + 1)/4. For K ≥ 3 that supports
    the exponent (t − K)/4; for K = 2 only (t − 3)/4, which the corrected reading uses.
    """
    late = 1.0 if c.K == 2 and not published else 0.0
    return _sr(c, t - late, published, slower=4.0)


def _dsh(c: Complexity, t: Array, published: bool) -> Array:
    """SH-G's bound with its exponents divided by 4 (paper, paragraph "Doubling SH")."""
    return _sh(c, t, published, slower=4.0)


def _pkgai(c: Complexity, t: Array, published: bool) -> Array:
    """Theorem "APTlike_error", any index, β = (T − K)/(4 H1): 2KT e^−2β published, 2KT e^(−β/2)."""
    beta = (t - c.K) / (4.0 * c.need("H1"))
    return _union(c, t, beta, published)


def _pkgai_unif(c: Complexity, t: Array, published: bool) -> Array:
    """Theorem "stickyalgo_error": as PKGAI without good arms, else β = (T − K)/(4 K Δ̂^−2).

    Corrected: β is also at most (T − 2K) max_good Δ²/K, which the proof needs against ∅.
    """
    if c.good == 0:
        return _pkgai(c, t, published)
    if published:
        return _union(c, t, 0.25 * (t - c.K) / c.need("K_delta_hat_inv_sq"), published)
    beta = (t - 2 * c.K) * c.square("delta_max_good") / c.K
    if c.bad > 0:
        beta = np.minimum(beta, 0.25 * (t - c.K) / c.need("K_delta_hat_inv_sq"))
    return _union(c, t, beta, published)


def _union(c: Complexity, t: Array, beta: Array, published: bool) -> Array:
    """2KT tails of half-width √(β/N): e^−2β each as published, e^(−β/2) in truth."""
    return math.log(2 * c.K) + np.log(t) - (2.0 if published else 0.5) * beta


def halving_rounds(K: int) -> int:
    """⌈log2 K⌉, which SH-G divides by."""
    if K == 1:
        raise UndefinedError("K = 1: there is nothing to halve, log2 K = 0")
    return (K - 1).bit_length()


def doubling_start(K: int) -> int:
    """T_1 = 2K⌈log2 K⌉, when a doubling algorithm has its first answer."""
    return 2 * K * halving_rounds(K)


@dataclass(frozen=True)
class ErrorTheorem:
    """One algorithm's statement: its label in the paper, its first time, and ln of its bound."""

    name: str
    label: str  # the theorem's label in the paper
    anytime: bool  # false: the bound is for a budget known in advance
    log: Callable[[Complexity, Array, bool], Array]
    first: Callable[[Complexity, bool], int]  # the first time at which the statement holds


def _after_sweep(c: Complexity, published: bool) -> int:
    return c.K + 1


def _first_of_apgai(c: Complexity, published: bool) -> int:
    return c.K + 2 * c.good + 1 if published else 1


def _first_of_unif(c: Complexity, published: bool) -> int:
    return c.K + 1 if published else c.K


def _first_of_sh(c: Complexity, published: bool) -> int:
    """Below K⌈log2 K⌉ the first round has no pull at all, which the theorem overlooks."""
    return c.K + 1 if published else c.K * halving_rounds(c.K)


def _first_of_doubling(c: Complexity, published: bool) -> int:
    return doubling_start(c.K)


ERROR_THEOREMS: dict[str, ErrorTheorem] = {
    theorem.name: theorem
    for theorem in (
        ErrorTheorem("APGAI", "thm:upper_bound_PoE_anytimeID", True, _apgai, _first_of_apgai),
        ErrorTheorem("Unif", "thm:uniform_sampling_PoE_recoAnytime", True, _unif, _first_of_unif),
        ErrorTheorem("SR-G", "thm:SR_PoE_recoElim", False, _sr, _after_sweep),
        ErrorTheorem("SH-G", "thm:SH_PoE_recoElim", False, _sh, _first_of_sh),
        ErrorTheorem("DSR-G", "thm:SR_PoE_recoElim", True, _dsr, _first_of_doubling),
        ErrorTheorem("DSH-G", "thm:SH_PoE_recoElim", True, _dsh, _first_of_doubling),
        ErrorTheorem("PKGAI", "th:APTlike_error", False, _pkgai, _after_sweep),
        ErrorTheorem("PKGAI(Unif)", "th:stickyalgo_error", False, _pkgai_unif, _after_sweep),
    )
}
"""What the paper states about the error of each algorithm that it bounds."""
