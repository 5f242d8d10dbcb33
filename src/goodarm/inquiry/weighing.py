"""How far arms have come: their certificates beside what these must reach."""

from collections.abc import Iterable
from math import exp, log

from goodarm.inquiry.joint import JointEvidence
from goodarm.inquiry.question import Question
from goodarm.inquiry.spending import Spending
from goodarm.outcomes.contract import Levels

Risks = list[tuple[float, float]]
"""How often the limits of each arm may be missed: that by which it is named, and the other."""


class Weighing:
    """The certificates of an inquiry, weighed against the levels of its question."""

    def __init__(
        self, question: Question, joint: JointEvidence, spending: Spending, control: int | None
    ) -> None:
        self._question, self._joint, self._spending = question, joint, spending
        self._control = control
        self._known: dict[tuple[int, float, bool], Levels] = {}

    def levels(self, arm: int, log_inverse_delta: float, has_retired: bool) -> Levels:
        """What the arm's certificates must reach at a δ; `has_retired`: some arm was."""
        order = self._order(arm)
        key = order if order >= self._spending.founders else 0, log_inverse_delta, has_retired
        levels = self._known.get(key)
        if levels is None:
            levels = self._known[key] = self._spending.levels(key[0], *key[1:])
        return levels

    def _order(self, arm: int) -> int:
        """The arm's position in the order of coming, the control left out."""
        return arm - (self._control is not None and arm > self._control)

    def risks(self, arms: Iterable[int], delta: float, has_retired: bool) -> Risks:
        """Of limits that reach the bar exactly when the arm is certain to be good, or not good."""
        levels = [
            self.levels(0 if arm == self._control else arm, -log(delta), has_retired)
            for arm in arms
        ]
        return [(exp(-level.name), exp(-level.none)) for level in levels]

    def risks_together(self, arms: Iterable[int], delta: float) -> Risks:
        """Of limits that hold for all arms, both sides and all measurements at once."""
        several, every = self._joint.measurements, list(arms)
        each = delta / (2 * len(every) * several)
        return [(each, each * several)] * len(every)  # the second is shared among measurements

    def support(self, present: Iterable[int], has_retired: bool) -> float:
        """ln(1/δ) for the smallest δ at which the question is answered now."""
        good, bad = [], []
        for arm in present:
            levels = self.levels(arm, 0.0, has_retired)
            for_good, for_bad = self._joint.certificates(arm)
            good.append(for_good - levels.name)
            bad.append(for_bad - levels.none)
        return self._question.support(good, bad)

    def share(self, arm: int, log_inverse_delta: float, has_retired: bool) -> float:
        """How far an undecided arm has come, up to 1 or down to −1."""
        levels = self.levels(arm, log_inverse_delta, has_retired)
        for_good, for_bad = self._joint.certificates(arm)
        if self._joint.evidence(arm) > 0.0:
            return min(max(for_good, 0.0) / levels.name, 1.0)
        return -min(max(for_bad, 0.0) / levels.none, 1.0)
