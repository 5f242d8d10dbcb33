"""How hard an instance is: every complexity of the paper, or the reason why there is none."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goodarm.instance import KINDS, Instance
from goodarm.theory.values import Undefined, finite

Array = NDArray[np.float64]

NO_GOOD = "no arm is good"
NO_BAD = "no arm is bad"
NAMES = (
    "H1", "Htheta", "delta_min", "delta_max_good", "T_star", "w_star", "delta_hat",
    "K_delta_hat_inv_sq", "I_star", "H2", "delta_tilde_inv_sq", "logbar", "G1", "G2",
)  # fmt: skip
"""The quantities of the JSON output, in its order."""


@dataclass(frozen=True)
class Complexity:
    """The complexities of one instance; a field is None where `reasons` says why.

    Gaps are standardised, Δ_a = |μ_a − θ|/σ_a, and so are the differences of means (with one
    common scale; where scales differ, the arms are compared by (μ_a − θ)/σ_a).
    """

    K: int
    good: int  # the number of good arms
    gaussian: bool  # all arms are Gaussian
    delta_min: float
    delta_max: float
    I_star: int
    logbar: float
    H1: float | None
    Htheta: float | None
    delta_max_good: float | None
    delta_min_good: float | None
    T_star: float | None
    w_star: Array | None
    delta_hat: float | None
    K_delta_hat_inv_sq: float | None
    H2: float | None
    delta_tilde_inv_sq: float | None
    G1: float | None
    G2: float | None
    reasons: Mapping[str, str]

    @property
    def bad(self) -> int:
        """The number of bad arms."""
        return self.K - self.good

    def need(self, name: str) -> float:
        """The quantity of that name; raises Undefined with its reason where there is none."""
        value = getattr(self, name)
        if value is None:
            raise Undefined(self.reasons[name])
        return float(value)

    def need_gaps(self) -> None:
        """Every theorem assumes Δ_min > 0."""
        if self.delta_min == 0.0:
            raise Undefined(self.reasons["H1"])

    def to_dict(self) -> dict[str, Any]:
        """The quantities as plain data."""
        data = {name: getattr(self, name) for name in NAMES}
        if self.w_star is not None:
            data["w_star"] = self.w_star.tolist()
        return data


def logbar(K: int) -> float:
    """1/2 + Σ_{i=2..K} 1/i, the constant of Successive Rejects (paper, Section "SR-G")."""
    return 0.5 + float(np.sum(1.0 / np.arange(2, K + 1)))


def complexity(problem: Instance | Complexity) -> Complexity:
    """All complexities of an instance (a Complexity is handed back as it is).

    >>> from goodarm.instance import instances
    >>> round(complexity(instances["NoA2"]).H1, 3)
    113.028
    """
    if isinstance(problem, Complexity):
        return problem
    shape = _Shape(problem)
    values: dict[str, Any] = {}
    reasons: dict[str, str] = {}
    for name, compute in _QUANTITIES.items():
        try:
            with np.errstate(divide="ignore", over="ignore", under="ignore"):
                values[name] = compute(shape)
        except Undefined as undefined:
            values[name] = None
            reasons[name] = str(undefined)
    return Complexity(
        K=shape.K,
        good=len(shape.good_gaps),
        gaussian=bool(np.all(problem.kinds == KINDS.index("gaussian"))),
        delta_min=float(shape.gaps.min()),
        delta_max=float(shape.gaps.max()),
        I_star=int(np.count_nonzero(shape.below_best == 0.0)),
        logbar=logbar(shape.K),
        reasons=reasons,
        **values,
    )


class _Shape:
    """The sorted gaps that the quantities below are made of."""

    def __init__(self, instance: Instance) -> None:
        self.K = instance.K
        self.gaps = np.abs(instance.gaps)
        self.good = instance.good
        self.good_gaps = self.gaps[self.good]
        self.bad_gaps = self.gaps[~self.good]
        self.at_threshold = [
            instance.names[a] for a in np.flatnonzero(instance.means == instance.threshold)
        ]
        self.below_best = np.sort(_below_best(instance))

    def need_good(self) -> None:
        if len(self.good_gaps) == 0:
            raise Undefined(NO_GOOD)

    def need_bad(self) -> None:
        if len(self.bad_gaps) == 0:
            raise Undefined(NO_BAD)


def _below_best(instance: Instance) -> Array:
    """μ* − μ_a in units of σ, from the means themselves: going through θ would cancel digits."""
    if np.all(instance.sigmas == instance.sigmas[0]):
        return np.asarray((instance.means.max() - instance.means) / instance.sigmas[0])
    return np.asarray(instance.gaps.max() - instance.gaps)


def _h1(s: _Shape) -> float:
    if s.at_threshold:
        raise Undefined(f"{s.at_threshold[0]!r} lies exactly at the threshold: its gap is 0")
    return finite(float(np.sum(s.gaps**-2.0)), "H1")


def _h_theta(s: _Shape) -> float:
    s.need_good()
    if s.at_threshold:
        raise Undefined(f"{s.at_threshold[0]!r} lies exactly at the threshold: its gap is 0")
    return finite(float(np.sum(s.good_gaps**-2.0)), "Htheta")


def _delta_max_good(s: _Shape) -> float:
    s.need_good()
    return float(s.good_gaps.max())


def _delta_min_good(s: _Shape) -> float:
    s.need_good()
    return float(s.good_gaps.min())


def _t_star(s: _Shape) -> float:
    """Lemma "lower_bound_GAI": 2/max_good Δ², or 2 H1 when no arm is good."""
    if len(s.good_gaps) == 0:
        return 2.0 * _h1(s)
    return _inverse_square(_delta_max_good(s), 2.0)


def _w_star(s: _Shape) -> Array:
    """The allocation that attains T*: all on the easiest good arm, else ∝ Δ^−2."""
    if len(s.good_gaps) == 0:
        weights: Array = s.gaps**-2.0 / _h1(s)
        return weights
    _t_star(s)
    allocation = np.zeros(s.K)
    allocation[np.argmax(np.where(s.good, s.gaps, -1.0))] = 1.0
    return allocation


def _delta_hat(s: _Shape) -> float:
    s.need_bad()
    best = float(s.good_gaps.max()) if len(s.good_gaps) else 0.0
    return best + float(s.bad_gaps.min())


def _k_delta_hat(s: _Shape) -> float:
    return _inverse_square(_delta_hat(s), float(s.K))


def _h2(s: _Shape) -> float:
    """max over i > I* of i (μ* − μ_(i))^−2, means in decreasing order."""
    ranks = np.arange(1, s.K + 1)
    worse = s.below_best > 0.0
    if not worse.any():
        raise Undefined("all arms have the same mean: none is behind the best")
    return finite(float(np.max(ranks[worse] / s.below_best[worse] ** 2)), "H2")


def _delta_tilde(s: _Shape) -> float:
    s.need_good()
    slowest = _inverse_square(_delta_min_good(s))
    return max(slowest, _h2(s)) if (s.below_best > 0.0).any() else slowest


def _g1(s: _Shape) -> float:
    """Theorem "SH_PoE_recoElim", with ε → Δ̂ from below (the printed interval is reversed)."""
    s.need_good()
    s.need_bad()
    near = np.count_nonzero(s.below_best < 0.5 * _delta_hat(s))
    ranks = np.arange(1, s.K + 1)
    bad = slice(len(s.good_gaps), None)
    return finite(float(np.max(ranks[bad] / (near * s.below_best[bad] ** 2))), "G1")


def _g2(s: _Shape) -> float:
    """Theorem "asymptotic_SR_PoE_recoElim": the best injection pairs large with large."""
    s.need_good()
    s.need_bad()
    squares = (np.sort(s.good_gaps)[::-1] + s.bad_gaps.min()) ** 2
    multipliers = s.K - np.arange(len(squares))
    return finite(float(np.min(multipliers / squares)), "G2")


def _inverse_square(gap: float, factor: float = 1.0) -> float:
    if gap == 0.0:
        raise Undefined("the gap it divides by is 0")
    square = gap * gap
    return finite(factor / square if square > 0.0 else math.inf, "an inverse squared gap")


_QUANTITIES: dict[str, Callable[[_Shape], Any]] = {
    "H1": _h1,
    "Htheta": _h_theta,
    "delta_max_good": _delta_max_good,
    "delta_min_good": _delta_min_good,
    "T_star": _t_star,
    "w_star": _w_star,
    "delta_hat": _delta_hat,
    "K_delta_hat_inv_sq": _k_delta_hat,
    "H2": _h2,
    "delta_tilde_inv_sq": _delta_tilde,
    "G1": _g1,
    "G2": _g2,
}
