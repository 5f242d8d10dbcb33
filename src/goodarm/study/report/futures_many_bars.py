"""Futures of a study that asks anything else: several good arms, several criteria, a control."""

from goodarm.inquiry import Inquiry
from goodarm.outcomes.contract import Reading
from goodarm.study.evidence import ManyBars
from goodarm.study.log.fold import Fold
from goodarm.study.report import futures
from goodarm.study.report.futures import ASSUMES, PLAIN, End, OutcomesOfFuture

LOOK, LOOK_AT_CONTROL = 1, 8  # what judging one criterion of an arm costs
COMPARED = 20  # arms that an outcome of their control does not make dear
SCANNED = 100  # arms among which the next is chosen, at the cost of one
TOGETHER = "the measurements of a trial independent of each other"


class ManyBarsFutures:
    """Played by copies of the study's own `Inquiry`."""

    def __init__(self, fold: Fold, evidence: ManyBars, delta: float) -> None:
        self._fold, self._evidence, self._delta = fold, evidence, delta
        self._answer = futures.answer_now(fold, delta)
        self._measures = range(len(fold.criteria))
        self._outcomes = [futures.SupposedOutcomes(fold, measure) for measure in self._measures]
        # What is awaited of each pending trial; some have a part of their outcomes.
        self._pending = [
            (trial.arm, [measure for measure in self._measures if fold.lacks(number, measure)])
            for number, trial in fold.open.items()
        ]
        self._look = sum(LOOK_AT_CONTROL if one.has_control else LOOK for one in fold.criteria)
        is_compared = fold.settings.control is not None
        self.dearness = 1 + len(fold.settings.arms) // COMPARED if is_compared else 1
        self.cost = 0

    @property
    def assumes(self) -> str:
        """Also of measurements, where there are several."""
        return ASSUMES if len(self._measures) == 1 else f"{ASSUMES}, {TOGETHER}"

    def play(self, number: int, horizon: int) -> End:
        """One of them."""
        if self._answer is not None:
            return End(0, self._answer)
        chance = futures.chance_of(self._fold, number)
        outcomes = [supposed.begin(chance) for supposed in self._outcomes]
        # Once the pending outcomes are there, everything that was told counts.
        inquiry = self._evidence.future(self._fold.roster, self._delta, number)
        steps, arms = 0, len(inquiry.present)
        while steps < horizon:
            many, measures = 1, list(self._measures)
            if steps < len(self._pending):
                arm, measures = self._pending[steps]
            else:
                choice = inquiry.next_arm(())
                if choice is None:
                    break
                arm = choice
                many += inquiry.count(arm) // futures.STRIDE
            for measure in measures:
                self._enter(inquiry, arm, measure, many, outcomes[measure])
            inquiry.judge()
            judged = arms if arm == inquiry.control else 1
            self.cost += 1 + arms // SCANNED + self._look * judged
            steps += many
            if inquiry.finished and steps <= horizon:
                return End(steps, inquiry.conclusion)
        return End(horizon + 1)

    def _enter(
        self, inquiry: Inquiry, arm: int, measure: int, many: int, outcomes: OutcomesOfFuture
    ) -> None:
        """Enters so many simulated outcomes; nothing is judged yet."""
        kind = inquiry.criteria[measure].outcome
        told = outcomes.many_at_once(arm, many) if many > 1 else None
        if told is not None and kind.units(told.size) == many:
            inquiry.enter(arm, told, measure, more=True)
            return
        self.cost += many // PLAIN
        for _ in range(many):
            inquiry.enter(arm, Reading(outcomes.one(arm)), measure, more=True)
