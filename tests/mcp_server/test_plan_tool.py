"""A plan by a tool: the same as the library's, bounded in time and size."""

import json

import pytest

from goodarm import extras, plan_inquiry
from goodarm.mcp_server import planning
from goodarm.remote.bodies import PlannedStudy
from goodarm.remote.plans import bounded_answer, question_of

QUESTION = {
    "means": [0.2, 0.8],
    "threshold": 0.5,
    "outcome": "bernoulli",
    "delta": 0.1,
    "runs": 50,
}


def test_a_plan_is_the_library_s_and_its_progress_is_heard(reader, monkeypatch) -> None:
    monkeypatch.setattr(planning, "MOST_SECONDS", 600.0)  # a busy machine may have to compile
    shares: list[float] = []

    async def ask(client):
        async def heard(share: float, total: float | None, message: str | None) -> None:
            shares.append(share)

        request = {**QUESTION, "algorithms": ["APGAI"]}
        return await client.call_tool("plan", request, progress_callback=heard)

    result = reader.within(ask)
    assert not result.is_error, result.content
    question = question_of(PlannedStudy.model_validate(QUESTION), ["APGAI"])
    made = bounded_answer(question, lambda share: None, 600.0)
    got = dict(result.structured_content)
    assert got.pop("summary") == made.protocol
    assert got == json.loads(json.dumps(made.to_dict()))
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_a_plan_that_is_too_much_is_refused(reader, monkeypatch) -> None:
    for change, words in (
        ({"algorithms": ["Oracle"]}, "choose from"),
        ({"runs": 10**6}, "runs"),
        ({"means": [0.5] * 201}, "means"),
        ({"delta": None}, "delta"),
        ({"budget": 10**6}, "budget"),
    ):
        got = reader.call("plan", **{**QUESTION, **change})
        assert (got.is_error, words in got.data["error"]) == (True, True), got.text
    monkeypatch.setattr(planning, "MOST_SECONDS", 0.0)
    got = reader.call("plan", **{**QUESTION, "algorithms": ["APGAI"]})
    assert (got.is_error, "longer than 0 seconds" in got.text) == (True, True)


@pytest.mark.parametrize(
    "asked",
    [
        {"criteria": ["rate:bernoulli>=0.5"], "means": [0.2, 0.8], "question": "all"},
        {
            "criteria": ["works:bernoulli>=0.5", "takes:gaussian:1<=5"],
            "means": {"works": [0.2, 0.8], "takes": [4, "3..4"]},
            "question": "top:1",
            "costs": {"b": 2.0},
        },
        {"criteria": ["rate:bernoulli>=control+0.1"], "means": [0.2, 0.9], "control": "a"},
    ],
)
def test_a_plan_for_any_question_is_the_library_s(reader, monkeypatch, asked) -> None:
    monkeypatch.setattr(planning, "MOST_SECONDS", 600.0)
    request = {**asked, "names": ["a", "b"], "delta": 0.1, "runs": 20}
    got = reader.call("plan_question", **request)
    assert not got.is_error, got.text
    means, criteria = request.pop("means"), request.pop("criteria")
    made = plan_inquiry(means, criteria, algorithms=["Prospector"], cores=1, **request)
    assert got.data.pop("summary") == made.protocol
    assert got.data == json.loads(json.dumps(made.to_dict()))


def test_a_plan_for_any_question_that_is_too_much_is_refused(reader, monkeypatch) -> None:
    asked = {"criteria": ["rate:bernoulli>=0.5"], "means": [0.2, 0.8], "question": "all"}
    for change, words in (
        ({"algorithms": ["Oracle"]}, "choose from"),
        ({"runs": 10**6}, "runs"),
        ({"means": [0.5] * 201}, "at most 200"),
        ({"criteria": ["rate>0.5"]}, "NAME:MODEL>=BAR"),
        ({"budget": 10**6}, "budget"),
        ({"question": "some"}, "unknown question"),
    ):
        got = reader.call("plan_question", **{**asked, **change})
        assert (got.is_error, words in got.data["error"]) == (True, True), got.text
    monkeypatch.setattr(planning, "MOST_SECONDS", 0.0)
    got = reader.call("plan_question", **asked)
    assert (got.is_error, "longer than 0 seconds" in got.text) == (True, True)


def test_one_plan_at_a_time(reader) -> None:
    with planning._ONE_AT_A_TIME:
        for tool, asked in (
            ("plan", QUESTION),
            ("plan_question", {"criteria": ["rate:bernoulli>=0.5"], "means": [0.2]}),
        ):
            got = reader.call(tool, **asked)
            assert (got.is_error, got.data["kind"]) == (True, "busy")


def test_without_the_simulator_a_plan_says_what_to_install(reader, monkeypatch) -> None:
    monkeypatch.setitem(extras.EXTRAS, extras.LAB, ("numba_that_is_not_there",))
    monkeypatch.setattr(extras, "_found", set())
    got = reader.call("plan", **QUESTION)
    assert (got.is_error, got.data["kind"]) == (True, "not_installed")
    assert "goodarm[lab]" in got.text
