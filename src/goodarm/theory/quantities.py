"""The formulas behind `complexity`: each takes an instance's gaps, or says why it cannot."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goodarm.instance import Instance
from goodarm.theory.readings import UndefinedError, finite

Array = NDArray[np.float64]

NO_GOOD = "no arm is good"
NO_BAD = "no arm is bad"


class Gaps:
    """The sorted gaps that the quantities below are made of."""

    def __init__(self, instance: Instance) -> None:
        self.K = instance.K
        with np.errstate(over="ignore", under="ignore"):
            self.gaps = np.abs(instance.gaps)
            self.below_best = np.sort(_below_best(instance))
            self.good = instance.good
        self.good_gaps = self.gaps[self.good]
        self.bad_gaps = self.gaps[~self.good]
        self.at_threshold = [
            instance.names[a] for a in np.flatnonzero(instance.means == instance.threshold)
        ]
        self.one_scale = bool(np.all(instance.sigmas == instance.sigmas[0]))

    def need_gaps(self) -> None:
        """Raise unless every mean is off the threshold."""
        if self.at_threshold:
            name = self.at_threshold[0]
            raise UndefinedError(f"{name!r} lies exactly at the threshold: its gap is 0")

    def need_good(self) -> None:
        """Raise unless some arm is good."""
        if len(self.good_gaps) == 0:
            raise UndefinedError(NO_GOOD)

    def need_bad(self) -> None:
        """Raise unless some arm is bad."""
        if len(self.bad_gaps) == 0:
            raise UndefinedError(NO_BAD)

    def need_one_scale(self) -> None:
        """Raise unless all arms have the same σ."""
        if not self.one_scale:
            raise UndefinedError("stated for arms of one common scale")


def _below_best(instance: Instance) -> Array:
    """(μ* − μ_a)/σ, from the means themselves: going through θ would cancel digits.

    Where scales differ, σ² is the average of the two arms' variances: the difference of their
    means after n pulls each, which SR-G and SH-G look at, then has the tail e^(−n x²/4), as with
    one scale.
    """
    behind = instance.means.max() - instance.means
    leader = instance.sigmas[behind == 0.0].max()
    return np.asarray(math.sqrt(2.0) * (behind / np.hypot(instance.sigmas, leader)))


def _h1(s: Gaps) -> float:
    s.need_gaps()
    return finite(float(np.sum(s.gaps**-2.0)), "H1")


def _h_theta(s: Gaps) -> float:
    s.need_good()
    s.need_gaps()
    return finite(float(np.sum(s.good_gaps**-2.0)), "Htheta")


def _delta_min(s: Gaps) -> float:
    return _gap(s.gaps.min())


def _delta_max(s: Gaps) -> float:
    return _gap(s.gaps.max())


def _delta_max_good(s: Gaps) -> float:
    s.need_good()
    return _gap(s.good_gaps.max())


def _delta_min_good(s: Gaps) -> float:
    s.need_good()
    return _gap(s.good_gaps.min())


def _t_star(s: Gaps) -> float:
    """Lemma "lower_bound_GAI": 2/max_good Δ², or 2 H1 when no arm is good."""
    if len(s.good_gaps) == 0:
        return finite(2.0 * _h1(s), "T*")
    return _inverse_square(_delta_max_good(s), 2.0)


def _w_star(s: Gaps) -> Array:
    """The allocation that attains T*: all on the easiest good arm, else ∝ Δ^−2."""
    if len(s.good_gaps) == 0:
        weights: Array = s.gaps**-2.0 / _h1(s)
        return weights
    _t_star(s)
    allocation = np.zeros(s.K)
    allocation[np.argmax(np.where(s.good, s.gaps, -1.0))] = 1.0
    return allocation


def _delta_hat(s: Gaps) -> float:
    s.need_bad()
    best = float(s.good_gaps.max()) if len(s.good_gaps) else 0.0
    return _gap(best + float(s.bad_gaps.min()))


def _k_delta_hat(s: Gaps) -> float:
    return _inverse_square(_delta_hat(s), float(s.K))


def _h2(s: Gaps) -> float:
    """max over i > I* of i (μ* − μ_(i))^−2, means in decreasing order."""
    ranks = np.arange(1, s.K + 1)
    worse = s.below_best > 0.0
    if not worse.any():
        raise UndefinedError("all arms have the same mean: none is behind the best")
    return finite(float(np.max(ranks[worse] / s.below_best[worse] ** 2)), "H2")


def _delta_tilde(s: Gaps) -> float:
    s.need_good()
    s.need_gaps()
    slowest = _inverse_square(_delta_min_good(s))
    return max(slowest, _h2(s)) if (s.below_best > 0.0).any() else slowest


def _g1(s: Gaps) -> float:
    """Theorem "SH_PoE_recoElim", with ε → Δ̂ from below (the published interval is reversed)."""
    s.need_good()
    s.need_bad()
    s.need_one_scale()
    near = np.count_nonzero(s.below_best < 0.5 * _delta_hat(s))
    ranks = np.arange(1, s.K + 1)
    bad = slice(len(s.good_gaps), None)
    return finite(float(np.max(ranks[bad] / (near * s.below_best[bad] ** 2))), "G1")


def _g2(s: Gaps) -> float:
    """Theorem "asymptotic_SR_PoE_recoElim": the best injection pairs large with large."""
    s.need_good()
    s.need_bad()
    s.need_one_scale()
    squares = (np.sort(s.good_gaps)[::-1] + s.bad_gaps.min()) ** 2
    multipliers = s.K - np.arange(len(squares))
    return finite(float(np.min(multipliers / squares)), "G2")


def _gap(value: float) -> float:
    """A gap, which may be 0, but not beyond the doubles."""
    return 0.0 if value == 0.0 else finite(float(value), "a gap")


def _inverse_square(gap: float, factor: float = 1.0) -> float:
    if gap == 0.0:
        raise UndefinedError("a gap of 0: the mean lies at the threshold")
    return finite(factor / finite(gap * gap, "a squared gap"), "an inverse squared gap")


QUANTITIES: dict[str, Callable[[Gaps], Any]] = {
    "delta_min": _delta_min,
    "delta_max": _delta_max,
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
