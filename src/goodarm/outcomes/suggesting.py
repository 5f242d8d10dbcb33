"""Which outcome models can recorded outcomes be from? Every model is judged, with its reason.

Nothing is guessed silently. A model fits if nothing in the data speaks against it: its own check of
values, what is known to break it, and its watches, which look at the outcomes in their order. Of
those that fit, the first that is not doubted is suggested. Data never show that a bound holds, nor
whether whole numbers are counts or marks, and a few outcomes show hardly anything: there, `confirm`
says what a person must know.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from goodarm.errors import InputError
from goodarm.outcomes.choosing import known_model, some_threshold
from goodarm.outcomes.contract import Outcome, Reading
from goodarm.outcomes.facts import LITTLE, TELLING, Facts, facts_of
from goodarm.outcomes.registry import outcomes
from goodarm.outcomes.watches.contract import opinion, show
from goodarm.wording import counted

BY_CHANCE = 1.645  # standard errors by which a ratio may exceed 1 before it is doubted
FEW = 10  # with fewer outcomes, nothing is suggested without a question


@dataclass(frozen=True)
class Candidate:
    """One model: whether recorded outcomes can be its own, and why."""

    outcome: Outcome
    fits: bool
    why: str
    confirm: str | None = None  # what must be true, and only a person can know
    doubts: tuple[str, ...] = ()  # what its watches say

    def to_dict(self) -> dict[str, Any]:
        """The candidate as plain data."""
        return {
            "outcome": self.outcome.text(),
            "fits": self.fits,
            "why": self.why,
            "confirm": self.confirm,
            "watched": [watch.name for watch in self.outcome.watches(some_threshold(self.outcome))],
            "doubts": list(self.doubts),
        }


@dataclass(frozen=True)
class Suggestions:
    """Every model with its verdict, the best first; and the facts that they rest on."""

    arms: tuple[str, ...]  # their names; empty for values without any
    facts: Facts
    candidates: tuple[Candidate, ...]
    sized: bool = False  # some outcomes have a size

    @property
    def best(self) -> Candidate:
        """The suggested one."""
        return self.candidates[0]

    @property
    def outcome(self) -> Outcome:
        """The suggested model; an InputError where nothing fits."""
        if not self.best.fits:
            if self.best.why.startswith("threshold: "):
                raise InputError(self.best.why)
            raise InputError(
                f"outcome: no model fits the recorded outcomes ({self.best.outcome.name}: "
                f"{self.best.why}); name one yourself"
            )
        return self.best.outcome

    def to_dict(self) -> dict[str, Any]:
        """The suggestions as plain data."""
        return {
            "suggested": self.best.outcome.text() if self.best.fits else None,
            "confirm": self.best.confirm,
            "arms": list(self.arms),
            "facts": self.facts.to_dict(),
            "candidates": [candidate.to_dict() for candidate in self.candidates],
        }


def suggest(
    recorded: Mapping[str, Sequence[float | Reading]],
    threshold: float | None = None,
    columns: tuple[str, str] | None = None,
) -> Suggestions:
    """The models that recorded outcomes can be from, the best first.

    `threshold` is the bar that the means will be compared with; without it, their overall mean.
    `columns` are those that a table has for values and sizes, which tell successes from counts.

    >>> suggest({"a": [0, 1, 1], "b": [0, 0, 1]}).outcome.text()
    'bernoulli'
    """
    readings = {
        arm: [one if isinstance(one, Reading) else Reading(float(one)) for one in values]
        for arm, values in recorded.items()
    }
    if not readings or not all(readings.values()):
        raise InputError("data: every arm needs an outcome; leave out those that have none")
    sized = any(one.size != 1.0 for values in readings.values() for one in values)
    rates = [[one.value / (one.size or 1.0) for one in values] for values in readings.values()]
    facts = facts_of(rates)
    views = _sized_views(readings, columns) if sized else _views(facts)
    views += _foreign_views(rates)
    single = dict(zip(readings, ([Reading(one) for one in arm] for arm in rates), strict=True))
    judged = [
        _judge(view, readings if view.outcome.size_form else single, threshold) for view in views
    ]
    if not sized and facts.count < FEW:
        judged = [_ask(one) for one in judged]
    # A stable sort: those that fit come first, in the order in which they were thought of.
    judged.sort(key=lambda one: (not one.fits, bool(one.doubts)))
    if not judged:
        raise InputError("data: no installed outcome model fits; see goodarm list outcomes")
    return Suggestions(tuple(filter(None, readings)), facts, tuple(judged), sized)


def _ask(view: Candidate) -> Candidate:
    """The candidate, if a person says that outcomes are of that kind: too few were seen."""
    confirm = view.confirm or f"an outcome is {view.outcome.describe()}"
    return replace(view, confirm=confirm) if view.fits else view


def _judge(
    view: Candidate, readings: Mapping[str, Sequence[Reading]], threshold: float | None
) -> Candidate:
    """The candidate, after its own check of every outcome and after its watches."""
    model = view.outcome
    if not view.fits:
        return view
    try:
        bar = _bar(model, readings) if threshold is None else model.check_threshold(threshold)
        model.check_arms(len(readings))
        for reading in {one for values in readings.values() for one in values}:
            model.check_sized(reading.value, reading.size, bar)
    except InputError as error:
        return Candidate(model, False, str(error))
    return replace(view, doubts=doubts_of(model, readings, bar))


def doubts_of(
    model: Outcome, readings: Mapping[str, Sequence[Reading]], threshold: float
) -> tuple[str, ...]:
    """What a model's watches say of outcomes, arm by arm and in their order."""
    doubts = []
    for watch in model.watches(threshold):
        states: dict[int, list[float]] = {}
        for arm, values in enumerate(readings.values()):
            state = states[arm] = [0.0] * watch.memory
            for reading in values:
                show(watch, state, arm, reading.value, reading.size)
        doubt = opinion(watch, states, len(readings))
        if doubt is not None:
            doubts.append(doubt)
    return tuple(doubts)


def _views(facts: Facts) -> list[Candidate]:
    """Every model of our own as it looks at these outcomes, in the order of preference."""
    return [view for name in _order(facts) if (view := OUR_OWN[name](facts)) is not None]


def _order(facts: Facts) -> tuple[str, ...]:
    """Which model would be tried first: the one that needs the fewest trials where it holds."""
    rest = ("gaussian", "symmetric", "bounded", "poisson", "exponential", "bernoulli")
    if facts.is_yes_no:
        first: tuple[str, ...] = ("bernoulli", "bounded")
    elif facts.is_count and not facts.is_scale:
        first = ("poisson", "bounded")
    elif facts.is_scale or facts.natural_range() or facts.has_few_values:
        first = ("bounded",)
    elif facts.least > 0.0 and facts.is_skewed:
        first = ("exponential", "bounded")
    else:
        first = ()
    return first + tuple(name for name in rest if name not in first)


def _bernoulli(facts: Facts) -> Candidate | None:
    why = (
        "every outcome is 0 or 1"
        if facts.is_yes_no
        else f"not every outcome is 0 or 1; they go from {facts.least:g} to {facts.most:g}"
    )
    return _view("bernoulli", facts.is_yes_no, why)


def _poisson(facts: Facts) -> Candidate | None:
    if not (facts.whole and facts.least >= 0.0):
        return _view("poisson", False, "not every outcome is a whole number from 0 on")
    if facts.is_yes_no:
        return _view("poisson", False, "yes or no is not a count; bernoulli needs fewer trials")
    asked = facts.is_scale or (facts.has_few_values and facts.natural_range() is not None)
    confirm = "an outcome is a count of events, not a mark on a scale" if asked else None
    if facts.dispersion is None or facts.freedom < TELLING:
        why = "whole numbers; too few to see whether they are clustered"
        return _view("poisson", True, why, confirm)
    most = 1.0 + BY_CHANCE * math.sqrt(2.0 / facts.freedom)
    said = f"counts whose variance is {facts.dispersion:.2f} times their mean"
    if facts.dispersion > most:
        return _view("poisson", False, f"{said}, more than the {most:.2f} that chance explains")
    return _view("poisson", True, f"{said}; chance explains up to {most:.2f}", confirm)


def _exponential(facts: Facts) -> Candidate | None:
    if facts.least <= 0.0:
        return _view("exponential", False, "not every outcome is above 0, as durations are")
    if facts.variation is None or facts.freedom < TELLING:
        return _view("exponential", True, "above 0; too few to see whether the tail is too long")
    most = 1.0 + BY_CHANCE * math.sqrt(8.0 / facts.freedom)
    said = f"above 0, with a scatter of {math.sqrt(facts.variation):.2f} times the mean"
    if facts.variation > most:
        why = f"{said}, more than the {math.sqrt(most):.2f} that chance explains"
        return _view("exponential", False, why)
    if facts.variation < LITTLE**2:
        why = f"{said}; it holds, but allows for more scatter than there is, which costs trials"
        return _view("exponential", True, why)
    return _view("exponential", True, f"{said}; it needs one that is no larger than the mean")


def _gaussian(facts: Facts) -> Candidate | None:
    why = _not_normal(facts)
    if why is not None:
        return _view("gaussian", False, why)
    shape = (
        "too few outcomes to see whether they are skewed"
        if facts.skewness is None
        else f"a skewness of {facts.skewness:.2f}; between −1 and 1 it does no harm"
    )
    return _view("gaussian", True, f"numbers with {shape}")


def _symmetric(facts: Facts) -> Candidate | None:
    why = _not_normal(facts)
    if why is None and facts.skewness is not None and abs(facts.skewness) > 0.5:
        why = f"a skewness of {facts.skewness:.2f} is not symmetric"
    return _view("symmetric", why is None, why or "numbers that are about symmetric")


def _not_normal(facts: Facts) -> str | None:
    """What speaks against outcomes that scatter around their mean like a bell curve."""
    if facts.is_yes_no or facts.has_few_values:
        values = counted(facts.distinct, "different value")
        return f"{values} among {facts.count}: too many are equal"
    if facts.is_skewed:
        return (
            f"a skewness of {facts.skewness:.2f}, and beyond 1 it goes wrong; averages of ten or "
            "more, each told as one outcome, are less skewed"
        )
    return None


def _bounded(facts: Facts) -> Candidate | None:
    """Bounds that are usual for such outcomes; else 0, or those seen."""
    natural = facts.natural_range()
    same = facts.least == facts.most  # one value shows no range
    low, high = natural or (facts.least, facts.most)
    text, limits = f"bounded:{low!r}:{high!r}", f"below {low:g} or above {high:g}"
    why = f"whatever the shape, all {facts.count} lie between {low:g} and {high:g}"
    if natural is None and (same or not facts.has_few_values):
        if facts.least < 0.0:
            return _view(text, False, "they show no bounds; if there are any, it holds with those")
        text, limits = "bounded:0", "below 0"
        why = "whatever the shape; without an upper bound no mean can be shown to be low"
    view = _view(text, True, why)
    if view is None or facts.is_yes_no:
        return view
    return replace(view, confirm=f"an outcome {limits} is impossible, not just unseen")


OUR_OWN = {
    "bernoulli": _bernoulli,
    "poisson": _poisson,
    "exponential": _exponential,
    "gaussian": _gaussian,
    "symmetric": _symmetric,
    "bounded": _bounded,
}


def _sized_views(
    readings: Mapping[str, Sequence[Reading]], columns: tuple[str, str] | None
) -> list[Candidate]:
    """Outcomes with sizes: durations that still run; successes of trials, counts in an exposure.

    A batch can also be one outcome, its share or its rate: that holds if batches differ, too.
    """
    told = [one for values in readings.values() for one in values]
    named = {model.columns: name for name, model in outcomes.items() if name in OUR_OWN}
    kind = "" if columns is None or columns == Outcome.columns else named.get(columns, "")
    views: list[Candidate | None] = []
    if kind == "exponential" or any(one.size == 0.0 for one in told):
        why = "durations, some of which still run or are sums of several"
        return [view for view in [_view("exponential", True, why)] if view is not None]
    if not kind and any(one.value != int(one.value) for one in told):
        views.append(_view("exponential", True, "durations, some of which are sums of several"))
    if kind != "poisson":
        views.append(_view("bernoulli", True, "each is a number of yes out of a number of trials"))
        if all(one.value <= one.size and one.size == int(one.size) for one in told):
            why = "the shares of yes are outcomes themselves; it holds if their rates differ, too"
            confirm = "each batch will be told as one outcome, its share of yes"
            views.append(_view("bounded:0:1", True, why, confirm))
    if kind != "bernoulli":
        views.append(_view("poisson", True, "each is a count of events with its exposure"))
        why = (
            "the rates are outcomes themselves; without an upper bound none can be shown to be low"
        )
        confirm = "each count will be told as one outcome, its rate: the count over its exposure"
        views.append(_view("bounded:0", True, why, confirm))
    return [view for view in views if view is not None]


def _foreign_views(values: Sequence[Sequence[float]]) -> list[Candidate]:
    """The models of other packages, with parameters that they guess themselves."""
    views = []
    for name, model in outcomes.items():
        if name in OUR_OWN:
            continue
        try:
            views.append(Candidate(model.guess(values), True, model.summary))
        except (InputError, NotImplementedError):
            continue
    return views


def _view(text: str, fits: bool, why: str, confirm: str | None = None) -> Candidate | None:
    model = known_model(text)
    return None if model is None else Candidate(model, fits, why, confirm)


def _bar(model: Outcome, readings: Mapping[str, Sequence[Reading]]) -> float:
    """The overall mean, or any other threshold where outcomes lie on one side of that."""
    total = sum(one.value for values in readings.values() for one in values)
    amount = sum(one.size for values in readings.values() for one in values)
    try:
        return model.check_threshold(total / amount if amount else total)
    except InputError:
        return some_threshold(model)
