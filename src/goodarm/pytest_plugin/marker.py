"""What a marker asks: `@pytest.mark.goodarm(bar=0.9, delta=0.05, budget=1000, on_error="stop")`."""

import math
from typing import Any

import pytest

from goodarm.errors import InputError
from goodarm.gating.question import Call, GateQuestion

ARGUMENTS = ("bar", "delta", "budget", "on_error")
TEST = "test"  # the name of the one arm that there is

_QUESTION = pytest.StashKey[GateQuestion]()
_TRIAL = pytest.StashKey[Call]()


def question(item: pytest.Item) -> GateQuestion:
    """What the marker nearest to the test asks, with the options of the command line."""
    if _QUESTION not in item.stash:
        item.stash[_QUESTION] = _read(item)
    return item.stash[_QUESTION]


def problem(item: pytest.Item) -> str | None:
    """Why the marker cannot be followed; None if it can."""
    try:
        question(item)
    except InputError as error:
        return f"@pytest.mark.goodarm of {item.name}: {error}"
    return None


def begin_trial(item: pytest.Item, call: Call) -> None:
    """Let the test know which trial it is."""
    item.stash[_TRIAL] = call


def the_trial(item: pytest.Item) -> Call:
    """The trial that is being made; the first of a test that is run once only."""
    if _TRIAL not in item.stash:
        item.stash[_TRIAL] = GateQuestion((TEST,), 0.5).call(0, 1)
    return item.stash[_TRIAL]


def _read(item: pytest.Item) -> GateQuestion:
    given = _arguments(item)
    options = item.config.option
    if options.goodarm_delta is not None:
        given["delta"] = options.goodarm_delta
    if options.goodarm_budget is not None:
        given["budget"] = options.goodarm_budget
    if "subtests" in getattr(item, "fixturenames", ()):
        raise InputError("subtests: a trial passes or fails as a whole; use parametrize instead")
    asked = GateQuestion(arms=(TEST,), **given)
    if options.goodarm_budget is None and options.goodarm_delta is None:
        _check_budget(asked)
    return asked


def _arguments(item: pytest.Item) -> dict[str, Any]:
    marker = item.get_closest_marker("goodarm")
    assert marker is not None
    given = dict(marker.kwargs)
    if len(marker.args) > 1:
        raise InputError(f"{len(marker.args)} arguments without a name; write bar=0.9, budget=200")
    for bar in marker.args:
        if "bar" in given:
            raise InputError("bar: given twice; leave one out")
        given["bar"] = bar
    unknown = next((name for name in given if name not in ARGUMENTS), None)
    if unknown is not None:
        raise InputError(f"{unknown}: no such argument; there are {', '.join(ARGUMENTS)}")
    if "bar" not in given:
        raise InputError("bar: how often must the test pass? Write goodarm(bar=0.9) for 90 %")
    if not isinstance(given.get("on_error", ""), str):
        raise InputError(f"on_error: {given['on_error']!r} is no text; write 'retry:3'")
    return given


def _check_budget(asked: GateQuestion) -> None:
    """Refuse a budget with which the test could never pass."""
    least = math.ceil(math.log(asked.delta) / math.log(asked.bar))
    if asked.budget is not None and asked.budget < least:
        raise InputError(
            f"budget: {asked.budget} trials cannot prove a rate of {asked.bar:g}, even if all of "
            f"them pass; give at least {least}, or a lower bar"
        )
