"""Bounded outcomes as earlier versions judged them: studies in old logs go on as they began.

With y = (x − lo)/(hi − lo) and the same for θ, evidence and certificates are those of `bernoulli`
with Σy for the successes: as if every outcome were at one of the ends. Guarantee: exact, because
e^{ay} ≤ 1 + y(e^a − 1) on [0, 1], so that every term of the mixture is still a supermartingale.
What it costs: it is blind to a scatter that is smaller than that of 0/1 outcomes with the same
mean. New studies use `bounded`.
Reference: Hoeffding, JASA 58 (1963), for the inequality. See `tilts.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from goodarm.outcomes.bernoulli import INVERSE, REST_INVERSE, numbers_at, root_of_kl, unit_limits
from goodarm.outcomes.bounded import Bounded
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
class BoundedByEnds(Bounded):
    """A number between lo and hi in a log that does not say how it is judged."""

    functions = engine(gap, sum_of_shares)
    memory = 0

    @property
    def ends(self) -> tuple[float, float]:
        """Both are always there."""
        assert self.lo is not None
        assert self.hi is not None
        return self.lo, self.hi

    def numbers(self, threshold: float, side: float, levels: Levels) -> Sequence[float]:
        """The table of the threshold's share of the range."""
        lo, hi = self.ends
        table = numbers_at((threshold - lo) / (hi - lo), side, levels)
        return (*table, 1.0 / (hi - lo), lo)

    def limits(
        self, seen: Seen, threshold: float, lower: float, upper: float
    ) -> tuple[Floats, Floats]:
        """Those of the shares of the range."""
        lo, hi = self.ends
        counts, sums = seen.counts, seen.sums
        width, theta = hi - lo, (threshold - lo) / (hi - lo)
        shares = np.clip((sums - counts * lo) * (1.0 / width), 0.0, counts)  # as a run has it
        ends = unit_limits(counts, shares, theta, lower, upper)
        low, high = (np.clip(lo + width * end, lo, hi) for end in ends)
        at_least = [end >= theta for end in ends]
        return keep_side(low, at_least[0], threshold), keep_side(high, at_least[1], threshold)

    def to_data(self) -> dict[str, Any]:
        """As earlier versions wrote it."""
        return Outcome.to_data(self)
