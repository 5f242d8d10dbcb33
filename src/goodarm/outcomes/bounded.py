"""Bounded outcomes: a number between lo and hi, or beyond one of them, however it is distributed.

    ln E⁺ = ln Σ_j exp(lw_j + L_j),    L_j = Σ_i ln(1 + f_j y_i),    y_i = (x_i − θ)/(θ − lo),

and ln E⁻ with y_i = (θ − x_i)/(hi − θ): the capital of a player who bets sixteen fractions of it
that the mean is above θ, or below it. W = ±√(2 max_j L_j), on the side on which the mean is.

Guarantee: exact for any sampling rule and any distribution within the bounds, even for outcomes
that depend on each other, as long as the mean of the next one, given those before, is on one side
of θ. What breaks it: outcomes beyond the bounds; they are refused. E⁺ needs lo only, E⁻ hi only:
without an upper bound nothing can prove a mean to be small, as a rare huge outcome may carry it.
Reference: Waudby-Smith and Ramdas, JRSS B 86 (2024). See `bets.py`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np

from goodarm import quantiles
from goodarm.errors import InputError
from goodarm.inputs import number, observed
from goodarm.outcomes.bernoulli import NEAREST, check_inside
from goodarm.outcomes.bets import (
    ABOVE,
    BELOW,
    BETS,
    BETTING,
    MEMORY,
    NO_BETS,
    SQUARES,
    UNIT,
    Bets,
    Moments,
    bets_at,
    limit_distance,
    reached,
)
from goodarm.outcomes.comparable import Comparable, share
from goodarm.outcomes.contract import Floats, Levels, Outcome, Seen
from goodarm.outcomes.drawing import shares_near
from goodarm.outcomes.tilts import keep_side
from goodarm.outcomes.watches.contract import Watch
from goodarm.outcomes.watches.drift import DriftAcross

FARTHEST_OUTCOME = 1e12  # times as far from its only bound as θ is; more is a mistaken unit
FARTHEST_LOG = 20.0  # of a ratio between means that are thought possible
BY = "betting"  # how such outcomes are judged; in a log that does not say it, by `bounded_by_ends`


@dataclass(frozen=True)
class Bounded(Outcome):
    """A number between lo and hi, or beyond one of them, whatever its distribution there.

    >>> Bounded(0, 100).check(55, threshold=50)
    55.0
    >>> Bounded(lo=0).describe()
    'a number of at least 0'
    """

    lo: float | None = field(
        default=None,
        metadata={
            "help": "the smallest value there can be",
            "hint": "Without it, no option can be shown to be above the bar.",
        },
    )
    hi: float | None = field(
        default=None,
        metadata={
            "help": "the largest value there can be",
            "hint": "Without it, no option can be shown to be below the bar.",
        },
    )

    name = "bounded"
    title = "a number in a known range"
    summary = "A number between two bounds, or beyond one, whatever its distribution there."
    functions = BETTING
    memory = MEMORY
    default_sigma = 0.5

    def __post_init__(self) -> None:
        lo = None if self.lo is None else number("lo", self.lo)
        hi = None if self.hi is None else number("hi", self.hi)
        if lo is None and hi is None:
            raise InputError("outcome: bounded outcomes need a bound; give lo, hi, or both")
        if lo is not None and hi is not None:
            if not lo < hi:
                raise InputError(f"outcome: lo = {lo:g} is not below hi = {hi:g}; give lo first")
            if hi - lo < NEAREST:
                raise InputError(
                    f"outcome: {lo!r} to {hi!r} is too narrow a range; use another unit"
                )
        object.__setattr__(self, "lo", lo)
        object.__setattr__(self, "hi", hi)
        object.__setattr__(self, "monotone", self.width is not None)  # one certificate stays at 0

    @property
    def assumes(self) -> str:
        """What it takes for granted."""
        return "No outcome can lie beyond the bounds; the mean stays the same throughout."

    @property
    def breaks(self) -> str:
        """What makes it too sure."""
        return "A mean that moves across the bar; values that were cut off at the bounds."

    @property
    def low(self) -> float | None:
        """The smallest value there can be."""
        return self.lo

    @property
    def high(self) -> float | None:
        """The largest value there can be."""
        return self.hi

    @property
    def width(self) -> float | None:
        """hi − lo, if there are both."""
        return None if self.lo is None or self.hi is None else self.hi - self.lo

    def check(self, value: object, threshold: float) -> float:
        """The value, if it lies within the bounds."""
        outcome = observed(value, self.yes_or_no)
        if (self.lo is not None and outcome < self.lo) or (
            self.hi is not None and outcome > self.hi
        ):
            raise InputError(
                f"value: {value!r} is outside {self._range()}, the range declared when the study "
                "was created; check the entry and its unit"
            )
        if self.width is None and abs(outcome - threshold) > FARTHEST_OUTCOME * self._reach(
            threshold
        ):
            raise InputError(
                f"value: {value!r} is more than {FARTHEST_OUTCOME:.0e} times as far from the "
                "threshold as the bound is; check the entry and its unit"
            )
        return outcome

    def check_threshold(self, value: object) -> float:
        """The threshold, if it lies inside the range."""
        threshold = super().check_threshold(value)
        if self.width is not None:
            return check_inside(threshold, self._share(threshold))
        if self._reach(threshold) < NEAREST:
            raise InputError(
                f"threshold: {threshold!r} is too close to the bound of outcomes; use another unit"
            )
        return threshold

    def scales(self, K: int) -> list[float]:
        """Half the range; 1 if there is but one bound."""
        return [1.0 if self.width is None else 0.5 * self.width] * K

    def sub_gaussian(self, K: int) -> Outcome:
        """Half the range is the scale of anything in it."""
        if self.width is None:
            raise InputError(
                "boundary: the paper's need outcomes of a known scale, and those with one bound "
                "have none; use boundary mixture, or give both bounds"
            )
        return super().sub_gaussian(K)

    def numbers(self, threshold: float, side: float, levels: Levels) -> Sequence[float]:
        """Both players' fractions and weights, in units of the distances from θ to the bounds."""
        return _numbers(self.lo, self.hi, threshold)

    def limits(
        self, seen: Seen, threshold: float, lower: float, upper: float
    ) -> tuple[Floats, Floats]:
        """The means at which the certificates are certainly at their levels; see `bets.py`."""
        means = seen.sums / seen.counts
        low, high = np.full_like(means, -math.inf), np.full_like(means, math.inf)
        bets = _bets(self.lo, self.hi, threshold)
        if self.lo is not None:
            capitals = seen.kept[:, ABOVE : ABOVE + BETS]
            moments, level = self._moments(seen, self.lo, self.hi, threshold), -math.log(lower)
            ends = limit_distance(bets[0], capitals, moments, level)
            low = np.minimum(self.lo + (threshold - self.lo) * ends, means)
            low = keep_side(low, reached(bets[0], capitals, level), threshold)
        if self.hi is not None:
            capitals = seen.kept[:, BELOW : BELOW + BETS]
            moments, level = self._moments(seen, self.hi, self.lo, threshold), -math.log(upper)
            ends = limit_distance(bets[1], capitals, moments, level)
            high = np.maximum(self.hi - (self.hi - threshold) * ends, means)
            high = keep_side(high, ~reached(bets[1], capitals, level), threshold)
        return low, high

    def _moments(self, seen: Seen, bound: float, other: float | None, threshold: float) -> Moments:
        """Of the distances from a bound, in units of the threshold's."""
        reach = threshold - bound  # negative from above
        unit = _numbers(self.lo, self.hi, threshold)[UNIT]
        return Moments(
            counts=seen.counts,
            means=np.maximum((seen.sums / seen.counts - bound) / reach, 0.0),
            variances=seen.kept[:, SQUARES] / seen.counts / (unit * reach) ** 2,
            end=math.inf if other is None else (other - bound) / reach,
        )

    def describe(self) -> str:
        """What an outcome is."""
        if self.lo is None:
            return f"a number of at most {self.hi:g}"
        if self.hi is None:
            return f"a number of at least {self.lo:g}"
        return f"a number between {self.lo:g} and {self.hi:g}"

    def note(self, side: float) -> str | None:
        """What cannot be proved with one bound."""
        if self.width is not None:
            return None
        missing, never = ("n upper", "below") if self.hi is None else (" lower", "above")
        can_be_named = (never == "below") == (side > 0.0)
        what = (
            'an arm can be named good, but never ruled out, and "none is good" cannot be said'
            if can_be_named
            else "an arm can be ruled out, but never named good"
        )
        return (
            f"Without a{missing} bound on outcomes no mean can be shown to be {never} the "
            f"threshold: {what}."
        )

    def to_data(self) -> dict[str, Any]:
        """With how they are judged."""
        return {**super().to_data(), "by": BY}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Outcome:
        """The model that `to_data` wrote; where it does not say how, that of earlier versions."""
        from goodarm.outcomes.bounded_by_ends import BoundedByEnds

        if "by" not in data:
            return BoundedByEnds(data["lo"], data["hi"])
        if data["by"] != BY:
            raise InputError(
                f"outcome: bounded outcomes by {data['by']!r} are of a later version; upgrade"
            )
        return cls(data.get("lo"), data.get("hi"))

    @classmethod
    def guess(cls, values: Sequence[Sequence[float]]) -> "Bounded":
        """The range seen; outcomes beyond it must be impossible for the guarantee to hold."""
        pooled = [x for v in values for x in v]
        return cls(min(pooled), max(pooled))

    @property
    def knows_scatter(self) -> bool:
        """Anything in the range may be."""
        return False

    def spreads(self, threshold: float, K: int) -> list[float]:
        """Half the range; the way to the bound if there is but one."""
        return self.scales(K) if self.width is not None else [self._reach(threshold)] * K

    def quantile(self, u: float, mean: float) -> float:
        """Uniform over the range, whatever the mean; exponential beyond a single bound."""
        if self.lo is None or self.hi is None:
            bound, away = self._only_bound
            return bound + (mean - bound) * -math.log1p(-u if away > 0.0 else u - 1.0)
        return self.lo + u * (self.hi - self.lo)

    def typical(self, mean: float, scatter: float, many: int) -> list[float]:
        """Quantiles of a Beta distribution over the range, or of a gamma beyond a single bound.

        They are moved so that their mean is the one asked for. A scatter that the range does not
        allow for is made as large as it does.
        """
        levels = (np.arange(many) + 0.5) / many
        if self.lo is None or self.hi is None:
            bound, _ = self._only_bound
            shape, _ = _gamma(abs(mean - bound), scatter**2)
            sizes = quantiles.gamma(shape, levels)
            return [bound + (mean - bound) * float(x) for x in sizes / sizes.mean()]
        first, second = _beta(self._share(mean), self._variance(scatter**2))
        if not first or not second:
            return [mean] * many  # at an end of the range there is no scatter
        shares, aim = quantiles.beta(first, second, levels), self._share(mean)
        found = shares.mean()
        end = 1.0 if found < aim else 0.0
        shares += (end - shares) * ((aim - found) / (end - found))
        values = np.clip(self.lo + (self.hi - self.lo) * shares, self.lo, self.hi)
        return [float(x) for x in values]

    def comparable(self, arm: int) -> Comparable | None:
        """Means, if there are both bounds, by the formula for 0/1."""
        return None if self.lo is None or self.hi is None else share(self.lo, self.hi)

    def watches(self, threshold: float) -> tuple[Watch, ...]:
        """Whether outcomes change."""
        return (DriftAcross(threshold),)

    def means_near(self, arm: int, threshold: float, steps: Floats, scatter: float) -> Floats:
        """In logarithms of the odds, as much smaller as outcomes scatter less than yes and no do.

        Beyond a single bound, in logarithms of the distance from it. Far steps grow, because means
        may be anywhere in the range, however little outcomes scatter.
        """
        far = np.sinh(steps)
        if self.lo is None or self.hi is None:
            bound, away = self._only_bound
            reach = self._reach(threshold)
            ratio = away * min(math.sqrt(scatter) / reach, 1.0) * far
            return bound + away * reach * np.exp(np.clip(ratio, -FARTHEST_LOG, FARTHEST_LOG))
        share = self._share(threshold)
        part = min(self._variance(scatter) / (share * (1.0 - share)), 1.0)
        away_from = np.clip(math.sqrt(part) * far, -FARTHEST_LOG, FARTHEST_LOG)
        return self.lo + (self.hi - self.lo) * shares_near(share, away_from)

    def draw_outcome(self, arm: int, mean: float, scatter: float, chance: Random) -> float:
        """A Beta number with the scatter seen; a gamma number beyond a single bound."""
        if self.lo is None or self.hi is None:
            bound, away = self._only_bound
            shape, scale = _gamma(away * (mean - bound), scatter)
            return bound + away * scale * chance.gammavariate(shape, 1.0)
        first, second = _beta(self._share(mean), self._variance(scatter))
        if not first or not second:
            return mean  # at an end of the range there is no scatter
        return self.lo + (self.hi - self.lo) * chance.betavariate(first, second)

    def _range(self) -> str:
        if self.lo is None:
            return f"(−∞, {self.hi:g}]"
        return f"[{self.lo:g}, ∞)" if self.hi is None else f"[{self.lo:g}, {self.hi:g}]"

    @property
    def _only_bound(self) -> tuple[float, float]:
        """The one bound there is, and the direction in which outcomes lie."""
        if self.lo is not None:
            return self.lo, 1.0
        assert self.hi is not None
        return self.hi, -1.0

    def _reach(self, threshold: float) -> float:
        """How far the threshold is from the one bound there is."""
        return abs(threshold - self._only_bound[0])

    def _share(self, value: float) -> float:
        assert self.lo is not None
        assert self.hi is not None
        return (value - self.lo) / (self.hi - self.lo)

    def _variance(self, scatter: float) -> float:
        """The scatter as a share of the range; that of a uniform distribution where unknown."""
        assert self.width is not None
        return 1.0 / 12.0 if scatter != scatter else scatter / self.width**2


def _beta(share: float, variance: float) -> tuple[float, float]:
    """Both parameters of the Beta distribution with these moments, as far as there is one."""
    most = share * (1.0 - share)
    if most <= 0.0:
        return 0.0, 0.0
    weight = most / min(max(variance, 1e-9), 0.95 * most) - 1.0
    return share * weight, (1.0 - share) * weight


def _gamma(mean: float, variance: float) -> tuple[float, float]:
    """Shape and scale of the gamma distribution with these moments; exponential if unknown."""
    square = mean * mean
    spread = square if variance != variance else min(max(variance, 1e-9 * square), 1e4 * square)
    return (1.0, 0.0) if square == 0.0 else (square / spread, spread / mean)


def _bets(lo: float | None, hi: float | None, threshold: float) -> tuple[Bets, Bets]:
    """For "above" and for "below"."""
    if lo is None:
        return NO_BETS, bets_at(None)
    if hi is None:
        return bets_at(None), NO_BETS
    return bets_at((threshold - lo) / (hi - lo)), bets_at((hi - threshold) / (hi - lo))


@lru_cache(maxsize=256)
def _numbers(lo: float | None, hi: float | None, threshold: float) -> tuple[float, ...]:
    reaches = [0.0 if lo is None else threshold - lo, 0.0 if hi is None else hi - threshold]
    width = sum(reaches)
    units = [1.0 / reach if reach else 0.0 for reach in reaches]
    bets = _bets(lo, hi, threshold)
    least = [
        side.fractions[-1] * width * unit if unit else math.inf
        for side, unit in zip(bets, units, strict=True)
    ]
    parts = ([*units, 1.0 / width, *least], *bets[0], *bets[1])
    return tuple(np.concatenate(parts).tolist())


OUTCOMES = (Bounded,)
