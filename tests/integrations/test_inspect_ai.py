"""The early-stopping hook, called as inspect-ai calls it; `test_page.py` has an evaluation."""

from copy import deepcopy
from types import SimpleNamespace
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("inspect_ai", reason="inspect-ai is not installed")

from inspect_ai.scorer import SampleScore, Score

from goodarm import InputError
from goodarm.gating.question import GateQuestion
from goodarm.integrations.inspect_ai import StopWhenSure


def scores(value: Any, **others: Any) -> dict[str, SampleScore]:
    return {
        name: SampleScore(score=Score(value=each))
        for name, each in {"match": value, **others}.items()
    }


def run(stopping: StopWhenSure, n: int, epochs: int, ended: list[tuple[int, int, Any]]) -> dict:
    """The calls that an evaluation makes, samples ending in this order; what goes into its log."""

    async def task() -> dict:
        samples = [SimpleNamespace(id=number) for number in range(n)]
        await stopping.start_task(SimpleNamespace(task="t", model="m"), samples, epochs)
        for sample, epoch, value in ended:
            if await stopping.schedule_sample(sample, epoch) is None:
                given = value if isinstance(value, dict) else scores(value)
                await stopping.complete_sample(sample, epoch, given)
        return await stopping.complete_task()

    return anyio.run(task)


@settings(max_examples=25)
@given(st.lists(st.booleans(), min_size=1, max_size=12).flatmap(
    lambda right: st.tuples(st.just(right), st.permutations(range(len(right))))
))  # fmt: skip
def test_scores_count_in_the_order_of_the_data_set(case: tuple[list[bool], list[int]]) -> None:
    right, order = case
    ended = [(number, 1, "C" if right[number] else "I") for number in order]
    result = run(StopWhenSure(0.5, 0.01), len(right), 1, ended)
    plain = GateQuestion(("t",), 0.5, 0.01, budget=len(right)).experiment()
    for each in right:
        if not plain.finished:
            plain.tell(0, float(each))
    assert (result["counted"], result["waiting"]) == (plain.t, 0)
    assert result["arms"][0]["mean"] == plain.evidence[0].mean


def test_a_sample_without_a_score_holds_up_all_after_it() -> None:
    ended = [(n, 1, {} if n == 2 else "C") for n in range(60)]
    result = run(StopWhenSure(0.5), 60, 1, ended)
    assert (result["verdict"], result["counted"], result["waiting"]) == ("undecided", 2, 57)
    assert run(StopWhenSure(0.5), 60, 1, [(0, 1, float("nan"))])["counted"] == 0


def test_epochs_of_a_sample_are_one_outcome_and_those_of_the_only_sample_each_one() -> None:
    ended = [(n, epoch, "C" if epoch == 1 else "I") for epoch in (1, 2) for n in range(3)]
    result = run(StopWhenSure(0.9), 3, 2, ended)
    assert (result["outcome"], result["counted"]) == ("bounded:0:1", 3)
    assert result["arms"][0]["mean"] == 0.5
    alone = run(StopWhenSure(0.9), 1, 4, [(0, epoch, "C") for epoch in (2, 1, 4)])
    assert (alone["outcome"], alone["counted"], alone["waiting"]) == ("bernoulli", 2, 1)


@pytest.mark.parametrize(
    ("options", "value", "words"),
    [
        ({}, scores("C", model_graded="I"), r"several scorers \(match, model_graded\); name"),
        ({"scorer": "f1"}, "C", "none called 'f1', only match"),
        ({}, "excellent", "'excellent' is not a number; say how to read it"),
        ({}, {"a": 1.0}, "is not a number; say how to read it"),
        ({}, 0.5, "value: 0.5 is neither 0 nor 1"),
    ],
)
def test_a_score_that_cannot_be_counted(options: dict, value: Any, words: str) -> None:
    given = value if isinstance(value, dict) and "match" in value else scores(value)
    with pytest.raises(InputError, match=words):
        run(StopWhenSure(0.5, **options), 3, 1, [(0, 1, given)])


def test_a_task_may_be_copied_with_its_hook() -> None:
    copied = deepcopy(StopWhenSure(0.5))
    assert run(copied, 30, 1, [(n, 1, "C") for n in range(30)])["verdict"] == "clears"


def test_how_scores_may_be_read() -> None:
    def mean(score: Score) -> float:
        return sum(score.value.values()) / 2

    stopping = StopWhenSure(0.5, scorer="rubric", value=mean, outcome="bounded:0:1")
    given = scores("I", rubric={"clear": 1.0, "short": 0.0})
    assert run(stopping, 3, 1, [(0, 1, given)])["arms"][0]["mean"] == 0.5
    with pytest.raises(InputError, match="bar: "):
        StopWhenSure(1.5)
