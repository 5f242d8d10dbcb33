"""Bounded outcomes: a number between lo and hi, whatever its distribution there.

With y = (x − lo)/(hi − lo) and the same for θ, evidence and certificates are those of `bernoulli`
with Σy for the successes. Guarantee: exact, because e^{ay} ≤ 1 + y(e^a − 1) on [0, 1],
so that every term of the mixture is still a supermartingale. What it costs: it is blind to a
scatter that is smaller than that of 0/1 outcomes with the same mean.
Reference: Hoeffding, JASA 58 (1963), for the inequality. See `tilts.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

import numpy as np

from goodarm.errors import InputError
from goodarm.inputs import number, observed
from goodarm.outcomes.bernoulli import (
    INVERSE,
    NEAREST,
    REST_INVERSE,
    check_inside,
    numbers_at,
    root_of_kl,
    unit_limits,
)
from goodarm.outcomes.contract import Floats, Levels, Outcome, Seen
from goodarm.outcomes.tilts import SIZE, engine, keep_side
from goodarm.run import SIDE, THRESHOLD, Run

UNIT, ORIGIN = SIZE, SIZE + 1  # after the table: 1/(hi − lo) and lo


def gap(run: Run, arm: int, n: int, total: float) -> float:
    """±√(2 kl) between mean and threshold as shares of the range."""
    model = run.model
    theta = (run.levels[THRESHOLD] - model[ORIGIN]) * model[UNIT]
    x = (total / n - run.levels[THRESHOLD]) * model[UNIT]
    # Rounding may carry a mean of outcomes at the very edge a hair beyond it.
    x = min(max(x, -theta), 1.0 - theta)
    root = root_of_kl(x, theta, model[INVERSE], model[REST_INVERSE])
    return run.levels[SIDE] * root


def sum_of_shares(run: Run, arm: int) -> float:
    """Σ(x − lo)/(hi − lo), times −1 where less is good."""
    n = run.counts[arm]
    total = (run.sums[arm] - n * run.model[ORIGIN]) * run.model[UNIT]
    return min(max(total, 0.0), float(n)) * run.levels[SIDE]


@dataclass(frozen=True)
class Bounded(Outcome):
    """A number between lo and hi, whatever its distribution there.

    >>> Bounded(0, 100).check(55, threshold=50)
    55.0
    """

    lo: float = field(metadata={"help": "the smallest value there can be"})
    hi: float = field(metadata={"help": "the largest value there can be"})

    name = "bounded"
    title = "a number in a known range"
    summary = "A number between two bounds, whatever its distribution there."
    functions = engine(gap, sum_of_shares)
    default_sigma = 0.5

    def __post_init__(self) -> None:
        lo, hi = number("lo", self.lo), number("hi", self.hi)
        if not lo < hi:
            raise InputError(f"outcome: lo = {lo:g} is not below hi = {hi:g}; give lo first")
        if hi - lo < NEAREST:
            raise InputError(f"outcome: {lo!r} to {hi!r} is too narrow a range; use another unit")
        object.__setattr__(self, "lo", lo)
        object.__setattr__(self, "hi", hi)

    @property
    def low(self) -> float:
        """The smallest value there can be."""
        return self.lo

    @property
    def high(self) -> float:
        """The largest value there can be."""
        return self.hi

    @property
    def sigma(self) -> float:
        """The sub-Gaussian scale of anything in [lo, hi]."""
        return (self.hi - self.lo) / 2.0

    def check(self, value: object, threshold: float) -> float:
        """The value, if it lies in [lo, hi]."""
        outcome = observed(value)
        if not self.lo <= outcome <= self.hi:
            raise InputError(
                f"value: {value!r} is outside [{self.lo:g}, {self.hi:g}], the range declared when "
                "the study was created; check the entry and its unit"
            )
        return outcome

    def check_threshold(self, value: object) -> float:
        """The threshold, if it lies inside the range."""
        threshold = super().check_threshold(value)
        return check_inside(threshold, self._share(threshold))

    def scales(self, K: int) -> list[float]:
        """Half the range."""
        return [self.sigma] * K

    def numbers(self, threshold: float, side: float, levels: Levels) -> Sequence[float]:
        """The table of the threshold's share of the range."""
        table = numbers_at(self._share(threshold), side, levels)
        return (*table, 1.0 / (self.hi - self.lo), self.lo)

    def limits(
        self, seen: Seen, threshold: float, lower: float, upper: float
    ) -> tuple[Floats, Floats]:
        """Those of the shares of the range."""
        counts, sums = seen.counts, seen.sums
        width, theta = self.hi - self.lo, self._share(threshold)
        shares = np.clip((sums - counts * self.lo) * (1.0 / width), 0.0, counts)  # as a run has it
        ends = unit_limits(counts, shares, theta, lower, upper)
        low, high = (np.clip(self.lo + width * end, self.lo, self.hi) for end in ends)
        at_least = [end >= theta for end in ends]
        return keep_side(low, at_least[0], threshold), keep_side(high, at_least[1], threshold)

    def describe(self) -> str:
        """What an outcome is."""
        return f"a number between {self.lo:g} and {self.hi:g}"

    @classmethod
    def guess(cls, values: Sequence[Sequence[float]]) -> "Bounded":
        """The range seen; outcomes beyond it must be impossible for the guarantee to hold."""
        pooled = [x for v in values for x in v]
        return cls(min(pooled), max(pooled))

    def quantile(self, u: float, mean: float) -> float:
        """Uniform over the range, whatever the mean."""
        return self.lo + u * (self.hi - self.lo)

    def draw_mean(
        self, arm: int, total: float, count: float, threshold: float, scatter: float, chance: Random
    ) -> float:
        """A normal number with the scatter seen, kept inside the range."""
        centre = ((total + threshold) / (count + 1) - self.lo) / (self.hi - self.lo)
        share = chance.gauss(centre, (self._variance(scatter) / (count + 1)) ** 0.5)
        return self.lo + (self.hi - self.lo) * min(max(share, 1e-3), 1.0 - 1e-3)

    def draw_outcome(self, arm: int, mean: float, scatter: float, chance: Random) -> float:
        """A Beta number with the scatter seen."""
        share = self._share(mean)
        most = share * (1.0 - share)
        if most <= 0.0:
            return mean  # at an end of the range there is no scatter
        weight = most / min(max(self._variance(scatter), 1e-9), 0.95 * most) - 1.0
        return self.lo + (self.hi - self.lo) * chance.betavariate(
            share * weight, (1.0 - share) * weight
        )

    def _share(self, value: float) -> float:
        return (value - self.lo) / (self.hi - self.lo)

    def _variance(self, scatter: float) -> float:
        """The scatter as a share of the range; that of a uniform distribution where unknown."""
        return 1.0 / 12.0 if scatter != scatter else scatter / (self.hi - self.lo) ** 2


OUTCOMES = (Bounded,)
