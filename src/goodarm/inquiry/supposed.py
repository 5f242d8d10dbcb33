"""What is asked, and what the arms are supposed to be like: all that a simulated inquiry needs.

An arm is supposed to have a mean in each measurement, or a range from which one is drawn for every
run. Which arms are good follows from the means. Outcomes of the measurements of a trial are drawn
independently of each other.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from goodarm import defaults
from goodarm.algorithms import Algorithm
from goodarm.inquiry.criteria import Criterion
from goodarm.inquiry.inquiry import Inquiry
from goodarm.inquiry.playing import Draw, Outcomes, PlayedInquiries, play_inquiries, put_together
from goodarm.inquiry.question import Question
from goodarm.outcomes import Outcome

ROUNDING = 1e-12  # so that 0.5 + 0.02 is at least 0.52
OF_MEANS = 2**20  # a stream of its own, behind those of the arms


@dataclass(frozen=True)
class SupposedArm:
    """One measurement of one arm: its mean, or where that may lie, and how outcomes scatter.

    Outcomes come from `recorded` ones, if there are any, else from the model. Where neither the
    model nor anyone else says how they scatter, they are at the ends of their range, the hardest
    case there is.
    """

    model: Outcome
    low: float
    high: float
    scatter: float | None = None  # a guess of the standard deviation
    recorded: tuple[float, ...] = ()

    def mean(self, chance: np.random.Generator) -> float:
        """The mean of a run."""
        return self.low if self.low == self.high else float(chance.uniform(self.low, self.high))

    def outcome(self, arm: int, mean: float, chance: Random) -> float:
        """An outcome of the arm with this mean."""
        if self.recorded:
            return chance.choice(self.recorded)
        model = self.model
        if self.scatter is not None:
            return model.draw_outcome(arm, mean, self.scatter**2, chance)
        if not model.knows_scatter and model.low is not None and model.high is not None:
            share = (mean - model.low) / (model.high - model.low)
            return model.high if chance.random() < share else model.low
        return model.draw_outcome(arm, mean, math.nan, chance)


@dataclass(frozen=True)
class Supposed:
    """A question about arms that are supposed to be like this: a row of them for each criterion."""

    arms: tuple[str, ...]
    criteria: tuple[Criterion, ...]
    question: Question
    delta: float
    like: tuple[tuple[SupposedArm, ...], ...]
    control: str | None = None
    reserve: float = 0.0
    costs: tuple[float, ...] | None = None  # of a trial of each arm

    def inquiry(
        self, run: int, seed: int = 0, algorithm: str | Algorithm = defaults.ALGORITHM
    ) -> Inquiry:
        """A fresh one; what is wrong with it is said here."""
        return Inquiry(
            self.arms,
            self.criteria,
            self.question,
            self.delta,
            self.control,
            algorithm,
            seed,
            run,
            self.reserve,
            None if self.costs is None else dict(zip(self.arms, self.costs, strict=True)),
        )

    def means(self, run: int, seed: int = 0) -> list[list[float]]:
        """The means of a run, a row for each criterion."""
        chance = np.random.default_rng([seed, run, OF_MEANS])
        return [[one.mean(chance) for one in row] for row in self.like]

    @property
    def is_certain(self) -> bool:
        """Whether nothing is left to chance but the outcomes."""
        return all(one.low == one.high for row in self.like for one in row)

    def good(self, means: Sequence[Sequence[float]]) -> set[int]:
        """The arms for which all criteria hold."""
        control = None if self.control is None else self.arms.index(self.control)
        return {
            arm
            for arm in range(len(self.arms))
            if arm != control
            and all(
                _holds(criterion, row, arm, control)
                for criterion, row in zip(self.criteria, means, strict=True)
            )
        }

    def play(
        self, algorithm: str | Algorithm, runs: Sequence[int], cap: int, seed: int = 0
    ) -> PlayedInquiries:
        """Play the runs of these numbers; algorithms that are compared see the same outcomes."""
        played = []
        for run in runs:
            means = self.means(run, seed)
            played.append(
                play_inquiries(
                    lambda run: self.inquiry(run, seed, algorithm),
                    self._draw(means),
                    self.good(means),
                    (run,),
                    cap,
                    seed,
                )
            )
        return put_together(played)

    def _draw(self, means: Sequence[Sequence[float]]) -> Draw:
        def draw(generator: np.random.Generator, arm: int, n: int) -> Outcomes:
            chance = Random(int(generator.integers(2**63)))
            columns = [
                [row[arm].outcome(arm, of[arm], chance) for _ in range(n)]
                for row, of in zip(self.like, means, strict=True)
            ]
            return np.array(columns).T

        return draw


def _holds(criterion: Criterion, means: Sequence[float], arm: int, control: int | None) -> bool:
    if criterion.has_control:
        assert control is not None
        bar = criterion.factor * means[control] + criterion.shift
    else:
        bar = criterion.threshold_of(arm)
    return criterion.side * (means[arm] - bar) >= -ROUNDING * max(1.0, abs(bar))
