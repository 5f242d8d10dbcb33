"""Plans on the page and by the API: the same as `goodarm plan`, within what a server can bear."""

import json
import threading

import pytest

pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")

from goodarm import plan as make_plan
from goodarm.csv_tables import recorded_outcomes
from goodarm.errors import InputError
from goodarm.planning import PlanRequest
from goodarm.planning import question as question_module
from goodarm.remote.failures import BusyError
from goodarm.web.background import planner as planning
from goodarm.web.background.planner import MOST_WAITING, Planner
from goodarm.web.forms.outcome import filled_outcome
from goodarm.web.forms.typed import read_guesses
from goodarm.web.pages.plans import PlanForm, _request

BODY = {
    "means": [0.2, "0.8..0.9"],
    "threshold": 0.5,
    "outcome": "bernoulli",
    "delta": 0.1,
    "algorithms": ["APGAI", "Unif"],
    "batch": 5,
    "per_day": 4,
    "delay": 2,
    "runs": 200,
}
FORM = {
    "basis": "guess",
    "means": "old: 0.2\nnew: 0.8..0.9",
    "outcome": "bernoulli",
    "goal": "above",
    "threshold": "0.5",
    "confidence": "90",
    "algorithms": ["APGAI-FE"],
    "runs": "100",
}
DATA = "arm,value\nold,0\nold,1\nold,0\nnew,1\nnew,1\nnew,0\nnew,1\n"


def question(**change):
    usual = {"means": [0.2, 0.8], "threshold": 0.5, "outcome": "bernoulli", "delta": 0.1}
    return PlanRequest(**{**usual, "algorithms": ["APGAI"], "runs": 50, **change}).checked()


@pytest.fixture
def finished(api, wait_until):
    """Follow a plan to its end."""

    def follow(number: str) -> dict:
        at = f"/api/plan/{number}"
        wait_until(lambda: api.get(at).json()["state"] in ("finished", "failed"), 90.0)
        return api.get(at).json()

    return follow


def test_the_api_plans_as_the_library_does(api, finished) -> None:
    begun = api.post("/api/plan", json=BODY)
    assert begun.status_code == 202
    found = finished(begun.json()["id"])
    assert found["share"] == 1.0
    made = make_plan(**BODY)
    assert found["plan"] == json.loads(json.dumps(made.to_dict()))
    shown = api.get(f"/plan/{found['id']}").text
    titles = ("Trials until the study is sure", "How it ends", "If you had to stop early")
    for words in (*titles, "In batches of 5", "At 4 trials a day", "2 days later"):
        assert words in shown
    assert made.protocol.split(". ")[1] in shown
    assert f'<p id="advice">{made.recommended.reason}</p>' in shown


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, "<bdi>new</bdi> 100.0 %"),
        ({"basis": "unknown", "unknown": "3", "runs": "100"}, "0.25 to 0.75 (3 times)"),
        ({"basis": "data", "data": DATA}, "drawn from those recorded"),
        ({"confidence": "", "budget": "40"}, "carries no guarantee"),
        (
            {"outcome": "bounded", "bounded-lo": "-1", "bounded-hi": "3", "means": "0 1"},
            "between -1 and 3",
        ),
        (
            {"outcome": "gaussian", "gaussian-sigma": "2", "means": "-1 3", "goal": "below"},
            "at most 0.5",
        ),
        ({"batch": "7"}, "In batches of 7"),
    ],
)
def test_the_form(api, finished, change: dict, said: str) -> None:
    where = api.post("/plan", data={**FORM, **change}).headers["location"]
    assert finished(where.rpartition("/")[2])["error"] is None
    assert said in api.get(where).text


def test_recorded_outcomes_with_commas_for_points(api, finished) -> None:
    recorded = {**FORM, "basis": "data", "outcome": "bounded", "bounded-lo": "0", "bounded-hi": "1"}
    for lines in ("arm,value\na,0,5\nb,1", 'arm,value\na,"0,5"\nb,1'):
        told = api.post("/plan", data={**recorded, "data": lines})
        assert told.status_code == 422
        assert "write 0.5 with a point" in told.text
    shouted = api.post("/plan", data={**recorded, "data": DATA.replace("arm,value", "Arm,Value")})
    answers = finished(shouted.headers["location"].rpartition("/")[2])["plan"]["algorithms"][0]
    assert next(iter(answers["answers"])) == "new"


def test_a_plan_that_does_not_finish(api, finished, monkeypatch) -> None:
    """The limit of the simulation is no average and no median."""
    monkeypatch.setattr(question_module, "LIMIT", 2000)
    form = {**FORM, "means": "0.5 0.5", "algorithms": ["APGAI"], "runs": "50", "per_day": "10"}
    where = api.post("/plan", data=form).headers["location"]
    made = finished(where.rpartition("/")[2])["plan"]["algorithms"][0]
    assert made["trials"]["mean"]["high"] is None
    text = api.get(where).text
    assert '<td class="n">more than 2,000</td>' in text
    assert "2,000 to 2,000" not in text
    assert '<td class="n">more than 200</td>' in text, "days"


def test_options_without_names_are_called_options(api, finished) -> None:
    where = api.post("/plan", data={**FORM, "means": "0.2 0.9"}).headers["location"]
    finished(where.rpartition("/")[2])
    text = api.get(where).text
    assert "<bdi>option 2</bdi>" in text
    assert ">arm " not in text


def test_a_file_of_recorded_outcomes(api, finished) -> None:
    upload = {"data_file": ("past.csv", DATA.encode(), "text/csv")}
    where = api.post("/plan", data={**FORM, "basis": "data"}, files=upload).headers["location"]
    answers = finished(where.rpartition("/")[2])["plan"]["algorithms"][0]["answers"]
    assert next(iter(answers)) == "new"
    both = api.post("/plan", data={**FORM, "basis": "data", "data": DATA}, files=upload)
    assert both.status_code == 422
    assert "not both" in both.text


@pytest.mark.parametrize(
    "bad",
    [
        {"algorithms": ["x.py:RULE"]},
        {"algorithms": []},
        {"algorithms": ["APGAI"] * 5},
        {"algorithms": ["LUCB-G"]},
        {"data": "/etc/passwd"},
        {"data": "/etc/passwd", "means": None},
        {"data": "arm,value\na,x", "means": None},
        {"delta": 2.0},
        {"delta": None},
        {"means": [0.1] * 201},
        {"means": None, "unknown": 201},
        {"means": None, "unknown": 10**9},
        {"runs": 10_001},
        {"budget": 100_001},
        {"outcome": "cauchy"},
        {"means": [2.0]},
        {"means": ["0.1..x"]},
        {"delay": 10**6},
        {"delay": 1, "batch": None, "per_day": None},
        {"horizon": 10},
        {"seed": -1},
        {"goal": "sideways"},
        {"names": ["one"]},
    ],
)
def test_what_the_api_refuses(api, bad: dict) -> None:
    answer = api.post("/api/plan", json={**BODY, **bad})
    assert answer.status_code == 422, answer.text
    assert answer.json()["error"]
    assert "root:" not in answer.text


@pytest.mark.parametrize(
    ("bad", "label", "field"),
    [
        ({"means": "0.1 much"}, "Guesses: ", "means"),
        ({"means": "a: 0.1 0.2"}, "Guesses: ", "means"),
        ({"means": "a: 0.1\n0.2"}, "Guesses: ", "means"),
        ({"basis": "unknown", "unknown": "many"}, "Number of options: ", "unknown"),
        ({"basis": "data", "data": "x"}, "Recorded outcomes: ", "data"),
        ({"threshold": "0,5"}, "The bar: ", "threshold"),
        ({"outcome": "gaussian"}, "Scatter: ", "scatter"),
        (
            {"outcome": "gaussian", "gaussian-sigma": "x"},
            "The standard deviation, at most, if it is known: ",
            "gaussian-sigma",
        ),
        (
            {"outcome": "bounded", "bounded-lo": "1", "bounded-hi": "x"},
            "The largest value there can be: ",
            "bounded-hi",
        ),
        ({"confidence": "100"}, "How sure: ", "confidence"),
        ({"budget": "1"}, "The most trials: ", "budget"),
        ({"batch": "0"}, "Batches: ", "batch"),
        ({"delay": "2"}, "Outcomes known later: ", "delay"),
        ({"algorithms": []}, "Algorithms: ", None),
    ],
)
def test_the_form_says_what_is_wrong_and_keeps_the_rest(
    api, bad: dict, label: str, field: str | None
) -> None:
    answer = api.post("/plan", data={**FORM, **bad})
    assert answer.status_code == 422
    assert f'id="error">{label}' in answer.text
    if field is not None:
        marked = answer.text.split(f'id="{field}" name="{field}"')[1]
        assert 'aria-invalid="true"' in marked[: marked.index(">")]
    assert f'value="{bad.get("confidence", "90")}"' in answer.text


def test_an_unknown_plan(api) -> None:
    assert api.get("/api/plan/none").status_code == 404
    assert api.get("/plan/none").status_code == 404


def test_only_a_few_plans_wait(monkeypatch) -> None:
    hold = threading.Event()
    monkeypatch.setattr(planning, "bounded_answer", lambda *args, **options: hold.wait(30.0))
    planner = Planner()
    for _ in range(MOST_WAITING):
        planner.submit(question())
    with pytest.raises(BusyError, match="waiting"):
        planner.submit(question())
    hold.set()
    planner.close()


def test_a_plan_that_takes_too_long_is_given_up(monkeypatch, wait_until) -> None:
    monkeypatch.setattr(planning, "MOST_SECONDS", 0.0)
    planner = Planner()
    asked = planner.submit(question())
    wait_until(lambda: asked.is_over)
    assert asked.state == "failed"
    assert "longer than" in asked.error
    planner.close()


def test_a_server_that_closes_gives_up(wait_until) -> None:
    planner = Planner()
    # Hours of work, if nobody ended it.
    asked = planner.submit(question(means=[0.5] * 100, algorithms=["TaS"], runs=10_000))
    wait_until(lambda: asked.state == "running")
    planner.close()
    wait_until(lambda: asked.is_over)
    assert asked.error == "the server is closing"


def test_guesses_as_people_write_them() -> None:
    assert read_guesses("0.3, 0.4;0.3..0.6\n 0.7") == (None, ["0.3", "0.4", "0.3..0.6", "0.7"])
    assert read_guesses("a: 0.3\n\nb:c: −1..1") == (["a", "b:c"], ["0.3", "-1..1"])
    assert read_guesses("") == (None, [])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "header"),
        ("value\n1", "header"),
        ("arm,value,arm\na,1,b", "header"),
        ("arm,value", "no line"),
        ("arm,value\na", "line 2: it has 1 cell"),
        ("arm,value\na,1\n,1", "line 3: the arm is missing"),
        ("arm,value\na,1\n\nb,much", "line 4: value: 'much' is not a number"),
        ('arm,value\n"' + "x" * 200_000, "line 2"),
    ],
)
def test_recorded_outcomes_that_cannot_be_read(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        recorded_outcomes(text, "data")


def test_a_guess_of_the_scatter(api) -> None:
    form = PlanForm(
        means="1 2", threshold="1.5", scatter="0.7", confidence="95", algorithms=["Unif"]
    )
    question = _request(form, filled_outcome("gaussian")).checked()
    assert (question.arms.scatter, question.arms.outcome.text()) == (0.7, "gaussian")
    body = {"means": [1, 2], "threshold": 1.5, "outcome": {"kind": "gaussian"}, "delta": 0.05}
    answer = api.post("/api/plan", json=body)
    assert answer.status_code == 422
    assert "scatter: " in answer.json()["error"]
