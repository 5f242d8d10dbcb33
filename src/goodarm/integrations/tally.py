"""Outcomes of trials that another program makes, counted until it is certain what they show."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from goodarm.defaults import GATE_DELTA
from goodarm.gating.limits import shown_limits
from goodarm.gating.question import GateQuestion
from goodarm.gating.result import NONE_CLEARS, ONE_CLEARS, UNDECIDED
from goodarm.instance.instance import ABOVE
from goodarm.outcomes import Outcome
from goodarm.wording import confidence, counted


class BarTally:
    """Does one of these arms clear the bar? Outcomes are put in, in an order fixed beforehand.

    `most` is the number of outcomes that there can be at most, None if nobody knows.
    """

    def __init__(
        self,
        arms: Sequence[str],
        bar: float,
        delta: float = GATE_DELTA,
        outcome: Outcome | str = "bernoulli",
        goal: str = ABOVE,
        most: int | None = None,
    ) -> None:
        self.question = GateQuestion(tuple(arms), bar, delta, outcome, goal, most)
        self.experiment = self.question.experiment()
        self.counted = 0

    def count(self, arm: int, value: object) -> None:
        """Count an outcome; after the answer none counts any more, but each is still checked."""
        if isinstance(value, bool | np.bool_):
            value = float(value)
        told = self.question.model.check_sized(value, None, self.question.bar)
        if not self.finished:
            self.experiment.enter(arm, told)
            self.counted += 1

    @property
    def finished(self) -> bool:
        """Whether the answer is certain."""
        return self.experiment.finished

    @property
    def arm(self) -> str | None:
        """The arm that clears the bar, if one certainly does."""
        named = self.experiment.conclusion if self.finished else None
        return None if named is None else self.question.arms[named]

    @property
    def verdict(self) -> str:
        """clears, none or undecided."""
        if not self.finished:
            return UNDECIDED
        return NONE_CLEARS if self.arm is None else ONE_CLEARS

    @property
    def headline(self) -> str:
        """Where it stands, in a sentence."""
        question = self.question
        reached, missed = ("at least", "below") if question.goal == ABOVE else ("at most", "above")
        after = f"after {counted(self.counted, 'outcome')}"
        if not self.finished:
            return f"undecided {after}: is a mean {reached} {question.bar:g}?"
        sure = f"(confidence {confidence(self.experiment.confidence)}, {after})"
        if self.arm is not None:
            return f"{self.arm}: its mean is {reached} {question.bar:g} {sure}"
        whose = f"{question.arms[0]}: its" if len(question.arms) == 1 else "every"
        return f"{whose} mean is {missed} {question.bar:g} {sure}"

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data; limits of the means hold at all times."""
        question, model = self.question, self.question.model
        lows, highs = shown_limits(self.experiment, question.bar, question.delta, question.goal)
        return {
            "verdict": self.verdict,
            "arm": self.arm,
            "headline": self.headline,
            "bar": question.bar,
            "goal": question.goal,
            "delta": question.delta,
            "outcome": model.text(),
            "confidence": self.experiment.confidence,
            "counted": self.counted,
            "arms": [
                {
                    "arm": each.name,
                    "count": each.count,
                    "mean": each.mean,
                    "low": model.low if low is None else low,
                    "high": model.high if high is None else high,
                }
                for each, low, high in zip(self.experiment.evidence, lows, highs, strict=True)
            ],
        }
