"""A study by tools alone, with the same checks as the API."""

import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic_core import to_json

from goodarm.mcp_server import server as server_module
from goodarm.mcp_server.answers import MOST_ARMS_SHOWN, MOST_TRIALS_SHOWN
from goodarm.mcp_server.server import perform
from goodarm.mcp_server.tools import TOOLS
from goodarm.mcp_server.workplace import Visit
from goodarm.remote import bodies

STUDY = {"name": "s", "arms": ["A", "B"], "threshold": 0.5, "outcome": "bernoulli", "delta": 0.1}
WRITING = [tool.name for tool in TOOLS.values() if tool.writes]


def test_an_agent_runs_a_study_by_tools_alone(agent, studies) -> None:
    chance, rates = random.Random(1), {"A": 0.2, "B": 0.95}
    agent("create_study", **STUDY)
    while trials := agent("ask", study="s", n=6)["trials"]:
        told = [
            {"trial": t["number"], "value": int(chance.random() < rates[t["arm"]])} for t in trials
        ]
        answer = agent("tell_many", study="s", outcomes=told)
    now = agent("status", study="s")
    assert (answer["decided"], now["decision"]) == (True, "B")
    study = studies.open("s")
    assert now["confidence"] == study.confidence >= 0.9
    assert now["meaning"] == study.status().meaning
    audit = agent("verify", study="s", head=now["head"])
    assert (audit["ok"], audit["events"]) == (True, len(study.events()))
    assert {event["by"] for event in agent("log", study="s")["events"]} == {"ada (agent)"}


def test_a_mistake_is_put_right_and_the_study_stopped_and_gone_on_with(agent, studies) -> None:
    agent("create_study", **STUDY)
    first, second, third = (t["number"] for t in agent("ask", study="s", n=3)["trials"])
    agent("tell", study="s", trial=first, value=0)
    agent("correct", study="s", trial=first, value=1, reason="misread")
    agent("cancel", study="s", trial=second, reason="a power cut")
    assert agent("cancel_all", study="s")["trial_numbers"] == [third]
    assert agent("stop", study="s", reason="enough")["state"] == "stopped"
    assert agent("ask", study="s")["trials"] == []
    assert agent("extend", study="s", trials=5)["state"] == "open"
    agent("retract", study="s", trial=first, reason="of another study")
    states = [studies.open("s").trial(number).status for number in (first, second, third)]
    assert states == ["retracted", "cancelled", "cancelled"]


def test_an_agent_tells_measurements_and_adds_an_option(agent) -> None:
    declared = {k: v for k, v in STUDY.items() if k not in ("threshold", "outcome")}
    criteria = ["works:bernoulli>=0.3", "harms:bernoulli<=0.2"]
    agent("create_study", **declared, criteria=criteria, question="all")
    agent("ask", study="s")
    said = agent("tell", study="s", trial=1, value={"works": 1})["summary"]
    assert said.startswith("Trial 1 (A) = works 1: open.")
    agent("add_arm", study="s", arm="C", reason="a new idea")
    agent("retire_arm", study="s", arm="B", reason="sold out")
    standings = [arm["standing"] for arm in agent("status", study="s")["arms"]]
    assert sorted(standings) == ["retired", "undecided", "undecided"]
    expected = agent("forecast", study="s")
    assert "more trials until" in expected["summary"]
    assert {"", "A", "C", "A, C"} >= expected["answers"].keys()


def test_a_repeated_request_changes_nothing(agent, studies) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        ("create_study", STUDY),
        ("ask", {"study": "s", "n": 2, "key": "q1"}),
        ("tell", {"study": "s", "trial": 1, "value": 1}),
        ("tell", {"study": "s", "arm": "B", "value": 0, "key": "o1"}),
        ("tell_many", {"study": "s", "outcomes": [{"arm": "A", "value": 1}], "key": "m1"}),
        ("cancel", {"study": "s", "trial": 2}),
        ("correct", {"study": "s", "trial": 1, "value": 0, "reason": "misread"}),
        ("add_arm", {"study": "s", "arm": "C", "reason": "a new idea", "key": "a1"}),
        ("retire_arm", {"study": "s", "arm": "C", "reason": "sold out", "key": "a2"}),
        ("extend", {"study": "s", "delta": 0.05, "key": "e1"}),
        ("stop", {"study": "s", "reason": "enough", "key": "s1"}),
    ]
    for tool, request in calls:
        first = agent(tool, **request)
        head = studies.open("s").head
        again = agent(tool, **request)
        assert studies.open("s").head == head, tool
        assert again["summary"] == first["summary"], tool


@pytest.mark.parametrize(
    ("tool", "request_", "kind", "words"),
    [
        ("tell", {"trial": 1}, "wrong_input", "value: it is missing"),
        ("tell", {"trial": 1, "value": "1"}, "wrong_input", "value: give a number"),
        ("tell", {"trial": 1, "value": True}, "wrong_input", "value"),
        ("tell", {"trial": 1, "arm": "A", "value": 1}, "wrong_input", "either a trial"),
        ("tell", {"trial": 7, "value": 1}, "wrong_input", "no trial 7"),
        ("tell", {"arm": "C", "value": 1}, "wrong_input", "unknown arm 'C'"),
        ("tell", {"trial": 1, "value": 0.5}, "wrong_input", "0.5"),
        ("tell", {"trial": 1, "value": 0}, "conflict", "has the outcome 1"),
        ("ask", {"n": MOST_TRIALS_SHOWN + 1}, "wrong_input", "n: "),
        ("ask", {"many": 2}, "wrong_input", "many: there is no such field"),
        ("ask", {"study": "t"}, "not_found", "list_studies"),
        ("correct", {"trial": 1, "value": 0}, "wrong_input", "reason: it is missing"),
        ("create_study", {**STUDY, "threshold": 0.6}, "conflict", "with threshold = "),
        ("create_study", {**STUDY, "name": "t", "outcome": "coin"}, "wrong_input", "outcome"),
        ("certify", {}, "wrong_input", "unknown tool"),
    ],
)
def test_an_error_says_what_to_do_and_nothing_is_written(
    agent_at_work, tool: str, request_: dict[str, Any], kind: str, words: str
) -> None:
    before = agent_at_work("list_studies")
    study = {} if tool == "create_study" else {"study": "s"}
    got = agent_at_work.call(tool, **{**study, **request_})
    assert got.is_error
    assert (got.data["kind"], words in got.data["error"]) == (kind, True), got.text
    assert "Traceback" not in got.text
    assert agent_at_work("list_studies") == before


def test_an_unlikely_outcome_must_be_confirmed(agent) -> None:
    agent("create_study", name="g", arms=["A"], threshold=0.0, outcome="gaussian:1", delta=0.1)
    got = agent.call("tell", study="g", arm="A", value=60.0)
    assert (got.is_error, got.data["kind"]) == (True, "unlikely")
    sure = got.data["confirm"]
    assert agent("tell", study="g", arm="A", value=60.0, **sure)["told"] == 1


def test_who_may_only_look_is_offered_nothing_else(reader, studies) -> None:
    studies.create(**STUDY)
    head = studies.open("s").head
    offered = reader.tools()
    assert set(offered) == set(TOOLS) - set(WRITING)
    assert all(tool.annotations.read_only_hint for tool in offered.values())
    for name in WRITING:
        got = reader.call(name, study="s")
        assert (got.is_error, "--write" in got.text) == (True, True), name
    assert reader("status", study="s")["trials"] == 0
    assert studies.open("s").head == head


def test_a_database_that_is_not_there(reader, tmp_path) -> None:
    got = reader.call("list_studies")
    assert (got.is_error, "no database" in got.text) == (True, True)
    assert list(tmp_path.iterdir()) == []


def test_tools_take_what_the_api_takes(agent) -> None:
    schemas = {name: tool.input_schema for name, tool in agent.tools().items()}
    for name, tool in TOOLS.items():
        schema = schemas[name]
        assert schema["additionalProperties"] is False
        assert set(schema["properties"]) == set(tool.body.model_fields)
        needed = {field for field, info in tool.body.model_fields.items() if info.is_required()}
        assert set(schema.get("required", [])) == needed
        shared = [base for base in tool.body.__mro__ if base.__module__ == bodies.__name__]
        assert shared, f"{name} has a shape of its own"


def test_what_is_long_is_cut_and_says_so(agent) -> None:
    many = 2 * MOST_ARMS_SHOWN + 5
    agent("create_study", **{**STUDY, "arms": [f"arm {a}" for a in range(many)]})
    agent("ask", study="s", n=MOST_TRIALS_SHOWN)
    agent("ask", study="s", n=10)
    now = agent("status", study="s")
    assert len(now["arms"]) + now["arms_left_out"] == many
    assert (len(now["pending"]), now["pending_in_all"]) == (
        MOST_TRIALS_SHOWN,
        MOST_TRIALS_SHOWN + 10,
    )


def test_a_failure_of_ours_is_no_secret_told(agent, monkeypatch, caplog) -> None:
    def fail(visit: object, body: object) -> dict[str, Any]:
        raise RuntimeError("the password is hunter2")

    broken = server_module.TOOLS["list_studies"].__class__(
        "list_studies", "", "", bodies.Sent, fail
    )
    monkeypatch.setitem(server_module.TOOLS, "list_studies", broken)
    got = agent.call("list_studies")
    assert (got.is_error, got.data["kind"], "hunter2" in got.text) == (True, "internal", False)
    assert "hunter2" in caplog.text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=5,
)


@pytest.fixture
def visit(agent) -> Visit:
    agent("create_study", **STUDY)
    return Visit(agent.workplace, lambda share: None)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_whatever_is_sent_is_answered_or_refused(visit: Visit, data: st.DataObject) -> None:
    """Never with an error of ours, and always with what JSON can hold."""
    tool = data.draw(st.sampled_from([name for name in TOOLS if not name.startswith("plan")]))
    fields = st.sampled_from([*TOOLS[tool].body.model_fields, "other"])
    values = JSON | st.sampled_from(["s", "A", 1, 0.5])
    sent = data.draw(st.dictionaries(fields, values, max_size=6))
    got, is_error = perform(visit, tool, sent)
    assert json.loads(to_json(got))
    assert got.get("kind") != "internal", got
    assert is_error == ("error" in got)
