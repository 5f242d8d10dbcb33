"""What is told after a study has its answer takes nothing of it back."""

import pytest

from goodarm.inquiry import Criterion, Inquiry
from goodarm.study import Study

CRITERIA = ["works:bernoulli>=0.3", "harms:bernoulli<=0.2"]


@pytest.mark.parametrize(
    "asked",
    [
        {"threshold": 0.5, "outcome": "bernoulli"},
        {"threshold": 0.5, "outcome": "bernoulli", "goal": "below"},
        {"threshold": 0.5, "outcome": "bernoulli", "boundary": "glr"},
        {"threshold": 0.5, "outcome": "bernoulli", "question": "all"},
        {"threshold": 0.5, "outcome": "bernoulli", "question": "all", "goal": "below"},
    ],
)
@pytest.mark.parametrize("many", [1, 2])
@pytest.mark.parametrize("value", [0, 1])
def test_outcomes_after_the_answer_take_nothing_of_it_back(
    asked: dict, many: int, value: int, sqlite: str
) -> None:
    """Workers that end when the answer is there still tell the trials that were running."""
    study = Study.create("s", ["a", "b"][:many], delta=0.05, storage=sqlite, seed=1, **asked)
    while not study.finished:
        for trial in study.ask(1):
            study.tell(trial, value)
    before = study.status()
    for name in study.settings.arms:
        for _ in range(20):
            study.tell(name, 1 - value)
    after = study.status()
    is_good = (value == 1) == (after.goal == "above")
    assert (after.decisions, after.confidence >= 0.95) == (before.decisions, True)
    for arm in after.arms:
        if arm.arm in after.decisions or not is_good:
            assert arm.standing == ("good" if is_good else "not good")
            if after.stopping_rule == "mixture":
                low, high = (0.5, 1.0) if value == 1 else (0.0, 0.5)
                assert low <= arm.low <= arm.high <= high
    assert study.verify().ok


def test_limits_at_another_level_owe_nothing_to_the_answer() -> None:
    inquiry = Inquiry(["a"], Criterion.declare("bernoulli", 0.5), "all", 0.05)
    for value in (1,) * 12 + (0,) * 10:
        inquiry.tell("a", value)
    assert inquiry.standings == {"a": "good"}
    assert inquiry.limits()[0] == [0.5]
    for other in (inquiry.limits(delta=0.04), inquiry.limits(together=True)):
        assert other[0][0] < 0.5


def test_nobody_knows_which_of_several_criteria_does_not_hold() -> None:
    several = [Criterion.parse(text) for text in CRITERIA]
    inquiry = Inquiry(["a"], several, "all", 0.05)
    while inquiry.standings == {"a": "undecided"}:
        inquiry.tell("a", {"works": 0, "harms": 0})
    for _ in range(40):
        inquiry.tell("a", {"works": 1, "harms": 0})
    assert inquiry.standings == {"a": "not good"}
    assert inquiry.limits(0)[1][0] > 0.3
    good = Inquiry(["a"], several, "all", 0.05)
    while good.standings == {"a": "undecided"}:
        good.tell("a", {"works": 1, "harms": 0})
    for _ in range(40):
        good.tell("a", {"works": 0, "harms": 1})
    assert (good.limits(0)[0], good.limits(1)[1]) == ([0.3], [0.2])
