"""What an arm must do to be good: one or several criteria, each about one measurement.

A criterion compares the mean of a measurement with a bar that is known, the same for all arms or
one for each, or with the mean of a control arm: better by a margin (a difference, negative for "not
much worse") or by a lift (a ratio).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from goodarm.errors import InputError, unknown_name
from goodarm.inputs import label, number, read_number
from goodarm.instance.instance import ABOVE, BELOW
from goodarm.outcomes import Outcome, find_outcome, outcome_from_data

_TEXT = re.compile(r"([^:]+):(.+?)(>=|<=)([^<>=]+)")
_AGAINST = re.compile(r"control\s*(?:([-+*])\s*(.+))?")
ALONE = "outcome"  # the name of a measurement that is the only one
MOST_CRITERIA = 20


@dataclass(frozen=True)
class Criterion:
    """One measurement and what its mean must reach.

    `threshold` is one number, or one for each arm; with `margin` or `lift` there is none: the bar
    is then the control's mean c, plus the margin (minus it where less is good), or times 1 + lift
    (1 − lift).
    """

    outcome: Outcome
    threshold: float | tuple[float, ...] | None = None
    goal: str = ABOVE
    name: str = ALONE
    margin: float | None = None
    lift: float | None = None

    @classmethod
    def declare(
        cls,
        outcome: Outcome | str,
        threshold: float | Sequence[float] | None = None,
        goal: str = ABOVE,
        name: str = ALONE,
        margin: float | None = None,
        lift: float | None = None,
    ) -> "Criterion":
        """Check what a user declares."""
        model = find_outcome(outcome)
        if goal not in (ABOVE, BELOW):
            raise InputError(f"goal: {goal!r} is neither 'above' nor 'below'")
        given = [bar for bar in (threshold, margin, lift) if bar is not None]
        if len(given) != 1:
            raise InputError(
                f"{name}: give one of threshold, margin (against a control) and lift (the same, "
                "as a share)"
            )
        bar: float | tuple[float, ...] | None = None
        if isinstance(threshold, Sequence):
            bar = tuple(model.check_threshold(one) for one in threshold)
            if len(set(bar)) == 1:
                bar = bar[0]
        elif threshold is not None:
            bar = model.check_threshold(threshold)
        against = cls(
            model,
            bar,
            goal,
            label("criterion", name),
            None if margin is None else number("margin", margin),
            None if lift is None else number("lift", lift),
        )
        against._check_control()
        return against

    def declared_anew(self) -> "Criterion":
        """The same, checked as if a user had declared it."""
        return self.declare(
            self.outcome, self.threshold, self.goal, self.name, self.margin, self.lift
        )

    def _check_control(self) -> None:
        if not self.has_control:
            return
        family = self.outcome.comparable(0)
        if family is None:
            raise InputError(
                f"control: {self.outcome.name} outcomes cannot be compared with a control; tell "
                "paired differences as outcomes, with threshold 0, or declare another model"
            )
        if self.lift is not None:
            if not family.takes_ratio:
                raise InputError(
                    f"lift: {self.outcome.text()} outcomes have no ratio of means; give a margin"
                )
            if self.factor <= 0.0:
                raise InputError(f"lift: {self.lift:g} leaves nothing; give one below 1")
        elif not family.takes_difference:
            raise InputError(
                f"margin: {self.outcome.name} outcomes are compared by ratio; give a lift"
            )
        elif abs(self.shift) >= family.high - family.low:
            raise InputError(
                f"margin: {self.margin:g} is as large as the range of outcomes, {family.low:g} to "
                f"{family.high:g}; give less, such as 0.02 for two points of a hundred"
            )

    @property
    def has_control(self) -> bool:
        """Whether the bar is that of a control arm."""
        return self.threshold is None

    @property
    def side(self) -> float:
        """1 where more is good, −1 where less is."""
        return 1.0 if self.goal == ABOVE else -1.0

    @property
    def factor(self) -> float:
        """What the control's mean is multiplied by."""
        return 1.0 if self.lift is None else 1.0 + self.side * self.lift

    @property
    def shift(self) -> float:
        """And what is added to it."""
        return 0.0 if self.margin is None else self.side * self.margin

    def threshold_of(self, arm: int) -> float:
        """The bar of an arm; an arm that came later has the only one there is."""
        if isinstance(self.threshold, tuple):
            if arm >= len(self.threshold):
                raise InputError("threshold: give one for the new arm, as the others have theirs")
            return self.threshold[arm]
        assert self.threshold is not None
        return self.threshold

    def bar_of_new(self, given: float | None) -> float | None:
        """The bar of an arm that is added; None against a control."""
        if isinstance(self.threshold, tuple):
            if given is None:
                raise InputError(
                    f"threshold: every arm has a bar of its own for {self.name}; give the new one's"
                )
            return self.outcome.check_threshold(given)
        return self.threshold

    @property
    def reference(self) -> float:
        """A bar for checks and bookkeeping: the first arm's, or one that the model allows."""
        if self.threshold is not None:
            return self.threshold_of(0)
        family = self.outcome.comparable(0)
        assert family is not None
        return family.reference

    def check_arms(self, K: int) -> None:
        """Whether there is one number for each arm where there are several."""
        self.outcome.check_arms(K)
        if isinstance(self.threshold, tuple) and len(self.threshold) != K:
            raise InputError(
                f"threshold: {len(self.threshold)} values, but the number of arms is {K}; give "
                "one for each, or one for all"
            )

    @classmethod
    def parse(cls, text: str) -> "Criterion":
        """Read ``efficacy:bernoulli>=0.3``, ``cost:gaussian:2<=control-5`` or ``…>=control*1.1``.

        >>> Criterion.parse("efficacy: bernoulli >= 0.3").describe()
        'efficacy at least 0.3'
        """
        matched = _TEXT.fullmatch(text.strip())
        if matched is None:
            raise InputError(
                f"criterion: {text!r:.80} is not NAME:MODEL>=BAR; write, say, "
                "efficacy:bernoulli>=0.3, latency:exponential<=200 or "
                "rate:bernoulli>=control+0.02"
            )
        name, model, sign, bar = (part.strip() for part in matched.groups())
        goal = ABOVE if sign == ">=" else BELOW
        against = _AGAINST.fullmatch(bar)
        if against is None:
            return cls.declare(model, read_number(f"criterion {name}", bar), goal, name)
        operation, amount = against.groups()
        side = 1.0 if goal == ABOVE else -1.0
        if operation is None:
            return cls.declare(model, None, goal, name, margin=0.0)
        by = read_number(f"criterion {name}", amount)
        if operation == "*":
            return cls.declare(model, None, goal, name, lift=side * (by - 1.0))
        return cls.declare(model, None, goal, name, margin=side * (by if operation == "+" else -by))

    def describe(self) -> str:
        """The criterion in words: "efficacy at least 0.3"."""
        word = "at least" if self.goal == ABOVE else "at most"
        if self.lift is not None:
            bar = f"{self.factor:g} times the control's mean"
        elif self.margin is not None:
            sign = "+" if self.shift >= 0.0 else "−"
            bar = f"the control's mean {sign} {abs(self.shift):g}"
        elif isinstance(self.threshold, tuple):
            bar = f"a bar of its own ({min(self.threshold):g} to {max(self.threshold):g})"
        else:
            bar = f"{self.threshold:g}"
        return f"{self.name} {word} {bar}"

    def to_data(self) -> dict[str, Any]:
        """The criterion as plain data, for the log."""
        bar = list(self.threshold) if isinstance(self.threshold, tuple) else self.threshold
        every = {
            "name": self.name,
            "outcome": self.outcome.to_data(),
            "goal": self.goal,
            "threshold": bar,
            "margin": self.margin,
            "lift": self.lift,
        }
        return {what: value for what, value in every.items() if value is not None}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> "Criterion":
        """The criterion that `to_data` wrote."""
        bar = data.get("threshold")
        return cls(
            outcome_from_data(data["outcome"]),
            tuple(bar) if isinstance(bar, list) else bar,
            data["goal"],
            data["name"],
            data.get("margin"),
            data.get("lift"),
        )


def check_criteria(criteria: Sequence[Criterion], K: int) -> tuple[Criterion, ...]:
    """Criteria that can hold together: with names of their own, for that many arms."""
    if not criteria:
        raise InputError("criteria: none given; an arm is good when all of them hold")
    if len(criteria) > MOST_CRITERIA:
        raise InputError(f"criteria: {len(criteria)} given; at most {MOST_CRITERIA} are allowed")
    names = [criterion.name for criterion in criteria]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"criteria: two of them are named {name!r}; give each its own name")
    for criterion in criteria:
        criterion.check_arms(K)
    return tuple(criteria)


def check_control(criteria: Sequence[Criterion], control: str | None) -> None:
    """Whether a control is named exactly where one is needed."""
    needs = any(criterion.has_control for criterion in criteria)
    if control is None and needs:
        raise InputError("control: a margin or a lift is given, but no control; name the arm")
    if control is not None and not needs:
        raise InputError("control: give a margin or a lift, what an arm must be better by")


def bars_of_new(
    criteria: Sequence[Criterion], thresholds: Mapping[str, float]
) -> list[float | None]:
    """The bar of an arm that is added, for each criterion; None where it is the control's."""
    by_name = {criterion.name: criterion for criterion in criteria}
    for name in thresholds:
        if name not in by_name:
            raise unknown_name("measurement", name, list(by_name))
        if not isinstance(by_name[name].threshold, tuple):
            raise InputError(f"threshold: the bar of {name} is the same for all arms; leave it out")
    return [criterion.bar_of_new(thresholds.get(criterion.name)) for criterion in criteria]
