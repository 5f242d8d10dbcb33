"""Which outcome model is mine? Five questions and an answer.

    1. What is one outcome: yes or no, a count, a duration, a share, or any other number?
    2. Does it vary more than chance alone would have it: batches, clusters, a few huge ones?
    3. Are there values beyond which no outcome can lie?
    4. Is the standard deviation known?
    5. Are outcomes skewed, or are many of them equal?

The answer is the model that needs the fewest trials among those whose assumptions hold. Models are
found by the registry; `planning.prices` says what each of them costs for the same effect, and
`suggesting.py` looks at recorded outcomes instead of asking.
"""

from dataclasses import dataclass
from typing import Any

from goodarm.errors import InputError, unknown_name
from goodarm.inputs import number
from goodarm.outcomes.contract import Outcome
from goodarm.outcomes.registry import parse_outcome

YES_NO, COUNT, DURATION, SHARE, NUMBER = "yes-no", "count", "duration", "share", "number"
KINDS = {
    YES_NO: "yes or no: a click, a cure, a test that passes",
    COUNT: "a count of events: calls in an hour, defects on a sheet",
    DURATION: "a time until something happens",
    SHARE: "a share or a score between two fixed bounds",
    NUMBER: "any other number: a measurement, a yield, a price",
}
VARYING = {
    YES_NO: "Do outcomes come in batches (days, sites) whose rates differ from each other?",
    COUNT: "Do events come in clusters, so that counts scatter more than chance alone allows "
    "(their variance is above their mean)?",
    DURATION: "Do durations scatter by more than their mean (many short ones, a few huge ones)?",
}
BOUNDS = {
    "lo": "The smallest value that is possible at all",
    "hi": "The largest value that is possible at all",
}
SIGMA = "The standard deviation of outcomes around their mean, if you are sure that it is no larger"
SKEWED = "Are outcomes skewed (a long tail on one side), or are many of them equal?"


@dataclass(frozen=True)
class Answers:
    """What someone knows of the outcomes; None and False where nothing is said."""

    kind: str
    varying: bool = False
    lo: float | None = None
    hi: float | None = None
    sigma: float | None = None
    skewed: bool = False

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise unknown_name("kind", str(self.kind), KINDS)
        for name in ("lo", "hi", "sigma"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, number(name, value))
        if self.kind == SHARE and self.lo is None and self.hi is None:
            object.__setattr__(self, "lo", 0.0)
            object.__setattr__(self, "hi", 1.0)
        if self.lo is not None and self.hi is not None and not self.lo < self.hi:
            raise InputError(f"hi: {self.hi:g} is not above lo, {self.lo:g}; give lo first")
        if self.sigma is not None and self.sigma <= 0.0:
            raise InputError(f"sigma: {self.sigma:g} is not positive; leave it out if not known")

    @property
    def matters(self) -> tuple[str, ...]:
        """The other questions that the answers so far leave open, by the names of the fields."""
        if self.kind == SHARE:
            return ("lo", "hi")
        if self.kind in VARYING:
            return ("varying", "hi") if self.varying and self.kind != YES_NO else ("varying",)
        if self.lo is not None and self.hi is not None:
            return ("lo", "hi")
        return ("lo", "hi", "sigma") if self.sigma is not None else ("lo", "hi", "sigma", "skewed")


@dataclass(frozen=True)
class Advice:
    """The model for these outcomes, why, and which others would be valid as well."""

    answers: Answers
    outcome: Outcome
    why: str
    others: tuple[Outcome, ...]

    @property
    def models(self) -> tuple[Outcome, ...]:
        """All models that would do, the advised one first."""
        return (self.outcome, *self.others)

    def to_dict(self, side: float = 1.0) -> dict[str, Any]:
        """The advice as plain data, with side −1 where less is good."""
        others = [model.text() for model in self.others]
        return {**explain(self.outcome, side), "why": self.why, "others": others}


def explain(model: Outcome, side: float = 1.0) -> dict[str, Any]:
    """What a model is, what it takes for granted, what it cannot show, and what is watched."""
    threshold = some_threshold(model)
    return {
        "outcome": model.text(),
        "title": model.title,
        "summary": model.summary,
        "assumes": model.assumes,
        "breaks": model.breaks,
        "watched": [watch.name for watch in model.watches(threshold)],
        "note": model.note(side),
        "sizes": model.size_form,
    }


def advise(answers: Answers) -> Advice:
    """The model for outcomes of which this is known.

    >>> advise(Answers("number", lo=0, hi=100)).outcome.text()
    'bounded:0:100'
    """
    wishes = {
        YES_NO: _yes_no,
        COUNT: _count,
        DURATION: _duration,
        SHARE: _within_bounds,
        NUMBER: _number,
    }[answers.kind](answers)
    found = [(model, why) for text, why in wishes if (model := known_model(text)) is not None]
    if not found:  # not with the models that come with goodarm
        raise InputError(
            "outcome: no installed model fits these answers; see goodarm list outcomes"
        )
    model, why = found[0]
    others = {other.text(): other for other, _ in found[1:] if other.text() != model.text()}
    return Advice(answers, model, why, tuple(others.values()))


def known_model(text: str) -> Outcome | None:
    """The model that a text names, if it is installed and can be written like this."""
    try:
        return parse_outcome(text)
    except InputError:
        return None


Wishes = list[tuple[str, str]]  # models with reasons, the best first; the others are as valid


def _yes_no(answers: Answers) -> Wishes:
    shares = "bounded:0:1"
    if answers.varying:
        return [
            (
                shares,
                "Rates that differ from batch to batch make yes/no outcomes of one batch alike, so "
                "they count for less than their number. Tell each batch as one outcome, its share "
                "of yes.",
            )
        ]
    return [
        ("bernoulli", "Every outcome is yes or no, and nothing else has to be known."),
        (shares, ""),
    ]


def _count(answers: Answers) -> Wishes:
    bounds = _bounded(0.0, answers.hi)
    if not answers.varying:
        return [("poisson", "Counts of events that come one by one, by chance."), (bounds, "")]
    return [(bounds, f"Counts in clusters break the model of chance events. {_needs(answers.hi)}")]


def _duration(answers: Answers) -> Wishes:
    bounds = _bounded(0.0, answers.hi)
    if not answers.varying:
        return [
            (
                "exponential",
                "Durations that scatter by no more than their mean; those still running count, "
                "too.",
            ),
            (bounds, ""),
        ]
    why = "Durations that scatter by more than their mean break the exponential model."
    return [(bounds, f"{why} {_needs(answers.hi)}")]


def _within_bounds(answers: Answers) -> Wishes:
    if answers.lo is None or answers.hi is None:
        missing, which = ("lo", "smallest") if answers.lo is None else ("hi", "largest")
        raise InputError(
            f"{missing}: a share or a score has two bounds; give the {which} value that is "
            "possible, too (if there is none: kind number)"
        )
    wishes = [
        (
            _bounded(answers.lo, answers.hi),
            "Between fixed bounds nothing else has to be known, neither the scatter nor the shape.",
        )
    ]
    if not answers.skewed:
        wishes.append(("gaussian", ""))
    return wishes


def _number(answers: Answers) -> Wishes:
    one_bound = _bounded(answers.lo, answers.hi) if (answers.lo, answers.hi) != (None, None) else ""
    if answers.lo is not None and answers.hi is not None:
        return _within_bounds(answers)
    if answers.sigma is not None:
        wishes = [(f"gaussian:{answers.sigma!r}", "The standard deviation is known.")]
        return [*wishes, *([] if answers.skewed else _unknown_scatter()), (one_bound, "")]
    if answers.skewed and one_bound:
        return [(one_bound, _needs(answers.hi if answers.lo is not None else answers.lo))]
    if answers.skewed:
        return [
            (
                "gaussian",
                "Without bounds no model holds for skewed outcomes, or for many equal ones. Tell "
                "the average of a batch (ten outcomes or more) as one outcome: averages are less "
                "skewed and hardly ever equal.",
            )
        ]
    return [*_unknown_scatter(), (one_bound, "")]


def _unknown_scatter() -> Wishes:
    why = "A measurement whose scatter is not known: it is learnt from the outcomes."
    return [("gaussian", why), ("symmetric", "")]


def _bounded(lo: float | None, hi: float | None) -> str:
    ends = ["" if end is None else repr(end) for end in (lo, hi)]
    return f"bounded:{ends[0]}:{ends[1]}".rstrip(":")


def _needs(other: float | None) -> str:
    if other is not None:
        return "Bounds are enough, whatever the shape between them."
    return (
        "One bound is enough to show that the mean is on the far side of the bar from it, whatever "
        "the shape; the opposite cannot be shown without the other bound."
    )


def some_threshold(model: Outcome) -> float:
    """A threshold that the model accepts, where it does not matter which."""
    low, high = model.low, model.high
    if low is not None and high is not None:
        return 0.5 * (low + high)
    if low is not None:
        return low + 1.0
    return 0.0 if high is None else high - 1.0
