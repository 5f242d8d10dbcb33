"""An experiment that ends after at most so many yes/no outcomes, and decides with all of its δ.

A study may go on for as long as one likes, so its levels come from Ville's inequality. A gate has
a budget, and no arm can have more outcomes than that. How often a certificate reaches a level
within the budget can be computed (`outcomes/crossing.py`), and the level is set so that the chance
is what δ allows. Everything else is as in a study.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from goodarm.certainty import smallest_delta
from goodarm.experiment import Experiment
from goodarm.instance.instance import ABOVE
from goodarm.outcomes import Bernoulli
from goodarm.outcomes.crossing import crossing_chance, exact_level
from goodarm.stopping import Boundary

SURE_ENOUGH = 20.0  # nats; beyond, Ville's bound tells a person as much


class ExactExperiment(Experiment):
    """Yes/no outcomes one by one, at most `most` of any arm."""

    def __init__(
        self, arms: Sequence[str], bar: float, most: int, delta: float, goal: str, seed: int
    ) -> None:
        self._bar, self._most = bar, most
        self._sign = 1.0 if goal == ABOVE else -1.0  # of the certificates that name an arm
        super().__init__(arms, bar, seed=seed, delta=delta, outcome=Bernoulli(), goal=goal)

    def boundary_at(self, delta: float) -> Boundary:
        """The levels for this number of outcomes; at any other δ those for any number."""
        boundary = super().boundary_at(delta)
        if delta != self.delta:
            return boundary
        name, none = (math.exp(-level) for level in boundary.levels)
        return replace(
            boundary,
            offset=exact_level(self._bar, self._sign, name, self._most),
            slope=exact_level(self._bar, -self._sign, none, self._most),
        )

    @property
    def confidence(self) -> float:
        """One minus the smallest δ at which it could have stopped by now, about."""
        return 1.0 - smallest_delta(self, self._log_chances)

    def _log_chances(self, name: float, none: float) -> tuple[float, float]:
        """How often certificates get so far where they should not."""
        return self._log_chance(self._sign, name), self._log_chance(-self._sign, none)

    def _log_chance(self, sign: float, level: float) -> float:
        if not 0.0 < level < SURE_ENOUGH:
            return -level
        return min(-level, math.log(crossing_chance(self._bar, sign, level, self._most)))
