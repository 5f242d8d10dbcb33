"""The cases of bench/questions.py: every question, model and rule where errors are likeliest.

All arms lie at the bar, or all differences at the margin. As an arm at the bar is good by
definition, one that should count as bad lies there only in the limit: `good` says how each counts.
So a case has either no good arm, where only names can be wrong, or exactly as many as are wanted,
where ruling out can be wrong too.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from goodarm import Bernoulli, Bounded, Exponential, Gaussian, Outcome, Poisson, Symmetric
from goodarm.inquiry import Criterion, Inquiry
from goodarm.inquiry.steering import suitable_algorithms

DELTA = 0.05
QUESTIONS = ("any", "all", "top:2", "in-order")
MODELS: dict[str, Outcome] = {
    "yes or no": Bernoulli(),
    "Gaussian, σ known": Gaussian(1.0),
    "Gaussian, σ not known": Gaussian(),
    "bounded": Bounded(0, 1),
    "symmetric": Symmetric(),
    "counts": Poisson(),
    "durations": Exponential(),
}
BARS = {"yes or no": 0.4, "bounded": 0.5, "counts": 2.0, "durations": 3.0}  # 0 for the others
COMPARISONS: tuple[tuple[str, dict[str, float]], ...] = (
    ("yes or no", {"margin": 0.1}),
    ("yes or no", {"margin": -0.1}),
    ("yes or no", {"lift": 0.25}),
    ("Gaussian, σ known", {"margin": 0.5}),
    ("bounded", {"margin": -0.1}),
    ("counts", {"margin": 0.4}),
    ("counts", {"lift": 0.2}),
    ("durations", {"lift": -0.2}),
)
PAIRS = (
    ("yes or no", "yes or no"),
    ("Gaussian, σ known", "counts"),
    ("bounded", "durations"),
)
ADDED, RETIRED, REPLACED = "options added", "options retired", "added and retired"
MOST_ARMS = 12
EVERYTHING = tuple(range(MOST_ARMS))


class Case(NamedTuple):
    """One row of the results."""

    kind: str
    models: tuple[str, ...]
    question: str
    algorithm: str
    arms: int  # the control not counted
    good: tuple[int, ...]  # positions, those of a control counted
    cap: int
    by: tuple[tuple[str, float], ...] = ()  # what a control is to be beaten by
    reserve: float = 0.0

    @property
    def has_control(self) -> bool:
        return bool(self.by)

    @property
    def label(self) -> str:
        """All of it in one line."""
        by = "".join(f", {name} {value:g}" for name, value in self.by)
        kept = f", reserve {self.reserve:g}" if self.reserve else ""
        models = " and ".join(self.models)
        return (
            f"{self.kind}: {models}{by}, {self.question}, {self.algorithm}, "
            f"{len(self.good)} good{kept}"
        )

    @property
    def risk(self) -> float:
        """How often an answer may be wrong."""
        changes = self.kind in (ADDED, RETIRED, REPLACED) and not self.reserve
        return DELTA / 0.9 if changes else DELTA

    def make(self, run: int) -> Inquiry:
        """A fresh inquiry."""
        return Inquiry(
            self.arms + self.has_control,
            criteria(self.models, self.by),
            self.question,
            DELTA,
            "arm 1" if self.has_control else None,
            self.algorithm,
            run,
            reserve=self.reserve,
        )

    def draw(self, generator: np.random.Generator, arm: int, n: int) -> np.ndarray:
        """The first measurement is at the bar; so is the second, or it holds beyond doubt.

        A bad arm is named most easily if only one criterion stands in the way; a good one is ruled
        out most easily if each of them may do it.
        """
        columns = []
        for i, model in enumerate(self.models):
            mean = bar_of(model)
            if self.has_control and arm > 0:
                (criterion,) = criteria(self.models, self.by)
                mean = mean * criterion.factor + criterion.shift
            if i > 0 and arm not in self.good:
                mean = 0.95 if model == "yes or no" else mean + 3.0
            columns.append(sample(model, mean, generator, n))
        return np.column_stack(columns)

    def disturb(self, inquiry: Inquiry, t: int) -> None:
        """Do what may mislead most, with the outcomes in view."""
        has_room = self.kind in (ADDED, REPLACED) and len(inquiry.arms) < MOST_ARMS
        if has_room and (inquiry.finished or t % 50 == 0):
            inquiry.add_arm(f"new {t}")  # at the latest when it would have ended
        if self.kind in (RETIRED, REPLACED) and t % 25 == 0 and len(inquiry.present) > 1:
            # The one that is hardest to rule out; those remain that chance is against.
            worst = min(inquiry.present, key=lambda arm: inquiry.certificates(arm)[1])
            inquiry.retire_arm(worst)


@cache
def criteria(models: tuple[str, ...], by: tuple[tuple[str, float], ...]) -> tuple[Criterion, ...]:
    """What makes an arm good."""
    several = []
    for i, model in enumerate(models):
        bar: dict[str, Any] = dict(by) or {"threshold": bar_of(model)}
        several.append(Criterion.declare(MODELS[model], name=f"measurement {i + 1}", **bar))
    return tuple(several)


def bar_of(model: str) -> float:
    """The mean of every arm, or of the control."""
    return BARS.get(model, 0.0)


def sample(model: str, mean: float, generator: np.random.Generator, n: int) -> np.ndarray:
    """Outcomes of a kind with that mean."""
    match model:
        case "yes or no":
            return (generator.random(n) < mean).astype(float)
        case "bounded":
            return generator.beta(4.0 * mean, 4.0 * (1.0 - mean), n)
        case "counts":
            return generator.poisson(mean, n).astype(float)
        case "durations":
            return generator.exponential(mean, n)
        case _:
            return generator.normal(mean, 1.0, n)


def cases() -> list[Case]:
    """All of them, in the order of the table."""
    return [*_one_bar(), *_two_criteria(), *_controls(), *_changes()]


def truths(question: str, arms: int, first: int = 0) -> list[tuple[int, ...]]:
    """No good arm, or as many as are wanted."""
    wanted: list[Sequence[int]] = {
        "any": [[0]],
        "all": [range(arms)],
        "top:2": [[0, 1]],
        "in-order": [[0], [arms - 1]],
    }[question]
    return [(), *(tuple(first + arm for arm in arms) for arms in wanted)]


def rules(question: str) -> list[str]:
    """With "in-order" one arm is in play at a time, and there is nothing to choose."""
    return ["Prospector"] if question == "in-order" else suitable_algorithms()


def _one_bar() -> Iterator[Case]:
    for question in QUESTIONS:
        for model in MODELS:
            for rule in rules(question):
                for good in truths(question, 4):
                    yield Case("one bar", (model,), question, rule, 4, good, 180)


def _two_criteria() -> Iterator[Case]:
    for question in QUESTIONS:
        for pair in PAIRS:
            for good in truths(question, 3):
                yield Case("two criteria", pair, question, "Prospector", 3, good, 200)


def _controls() -> Iterator[Case]:
    for question in QUESTIONS:
        compared = [(*one, "Prospector") for one in COMPARISONS]
        others = [rule for rule in rules(question) if rule != "Prospector"]
        compared += [("Gaussian, σ known", {"margin": 0.5}, rule) for rule in others]
        for model, by, rule in compared:
            for good in truths(question, 3, 1):
                yield Case("control", (model,), question, rule, 3, good, 80, tuple(by.items()))


def _changes() -> Iterator[Case]:
    for kind, arms in ((ADDED, 3), (RETIRED, 6), (REPLACED, 6)):
        for question in QUESTIONS:
            for good in ((), EVERYTHING):
                case = Case(kind, ("yes or no",), question, "Prospector", arms, good, 400)
                yield case
                yield case._replace(reserve=0.1)
                yield case._replace(models=("Gaussian, σ known",))
                yield case._replace(models=("counts",), by=(("lift", 0.2),), cap=150)
