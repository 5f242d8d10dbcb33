"""Futures of a study: what they have in common, whatever it asks."""

import math
from dataclasses import dataclass, replace
from random import Random
from typing import Protocol

from goodarm.inquiry import Criterion
from goodarm.outcomes import Outcome
from goodarm.outcomes.contract import Reading
from goodarm.study.log.fold import Fold
from goodarm.study.report.possible_means import PossibleMeans, SeenArm

PLAIN = 4  # outcomes that cost as much as a choice
STRIDE = 32  # an arm gets this part of its outcomes once more before the next choice
ASSUMES = (
    "arms that differ as their outcomes so far say, outcomes independent and of the declared kind, "
    "every suggestion followed"
)


@dataclass(frozen=True)
class End:
    """How many trials a future took, and its answer; one more than the horizon if there is none."""

    steps: int
    answer: tuple[int, ...] = ()


class Futures(Protocol):
    """What may still come of a study, one future for each number."""

    cost: int
    """Of all that was played, in units of about ten microseconds."""
    dearness: int
    """So many times less far one looks at first."""

    @property
    def assumes(self) -> str:
        """What is taken for granted."""
        ...

    def play(self, number: int, horizon: int) -> End:
        """The number of trials until the end and the answer; beyond the horizon if there is none.

        Played to another horizon, a future is the same as far as both go.
        """
        ...


class SupposedOutcomes:
    """The outcomes of a measurement as they may come: possible means, and the scatter seen."""

    def __init__(self, fold: Fold, measure: int) -> None:
        criterion, evidence = fold.criteria[measure], fold.evidence
        self._kind = criterion.outcome
        seen, squares = list[SeenArm](), 0.0
        for arm in range(len(fold.settings.arms)):
            count = evidence.measured(arm)[measure].trials
            amount, total, square = evidence.others(arm, measure)
            seen.append(SeenArm(count, amount, total, evidence.bar(arm, measure) or 0.0))
            squares += square
        if criterion.has_control:
            assert fold.settings.control is not None
            control = seen[fold.settings.arms.index(fold.settings.control)]
            centre = _mean_of_control(control, criterion)
            seen = [replace(arm, centre=centre) for arm in seen]
        freedom = sum(arm.count - 1 for arm in seen if arm.count)
        self._scatter = squares / freedom if freedom else math.nan
        self._possible = PossibleMeans(seen, self._kind, self._scatter)

    def begin(self, chance: Random) -> "OutcomesOfFuture":
        """Those of one future."""
        return OutcomesOfFuture(self._kind, self._scatter, self._possible, chance)


class OutcomesOfFuture:
    """The outcomes of a measurement in one future."""

    def __init__(
        self, kind: Outcome, scatter: float, possible: PossibleMeans, chance: Random
    ) -> None:
        self._kind, self._scatter, self._possible = kind, scatter, possible
        self._chance, self._population = chance, possible.draw(chance)
        self._means: dict[int, float] = {}

    def _mean(self, arm: int) -> float:
        """Drawn once, when it is first needed."""
        if arm not in self._means:
            self._means[arm] = self._possible.draw_mean(arm, self._population, self._chance)
        return self._means[arm]

    def one(self, arm: int) -> float:
        """An outcome."""
        return self._kind.draw_outcome(arm, self._mean(arm), self._scatter, self._chance)

    def many_at_once(self, arm: int, many: int) -> Reading | None:
        """So many together; None if the model must see each of them."""
        return self._kind.draw_sum(arm, self._mean(arm), many, self._chance)


def chance_of(fold: Fold, number: int) -> Random:
    """Reproducible: the same state gives the same forecast."""
    return Random(f"{fold.settings.seed}/{fold.seq}/{number}")


def answer_now(fold: Fold, delta: float) -> tuple[int, ...] | None:
    """The answer of a study that is done, () for "none is good"; None if it is not done."""
    evidence = fold.evidence
    if evidence.finished and delta == fold.settings.delta:
        return evidence.conclusion
    return evidence.recommendation if evidence.can_stop(delta) else None


def _mean_of_control(control: SeenArm, criterion: Criterion) -> float:
    """As it was seen, where that is within the range of means; else drawn inside it."""
    if not control.amount:
        return criterion.reference
    mean, family = control.total / control.amount, criterion.outcome.comparable(0)
    assert family is not None
    if family.low < mean < family.high:
        return mean
    return (control.total + criterion.reference) / (control.amount + 1.0)
