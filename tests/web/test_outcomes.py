"""Which outcome is mine? The page, its prices, and the same by the API."""

import html
import re

import pytest

pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")

from goodarm.outcomes import outcomes
from goodarm.outcomes.choosing import KINDS
from goodarm.web.forms.outcome import filled_outcome, read_declared

CSV = "arm,value\n" + "".join(f"{'ab'[i % 2]},{i % 3 == 0:d}\n" for i in range(30))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_an_answer_that_a_study_can_be_made_with(browser, kind: str) -> None:
    page = browser.get("/outcomes", params={"kind": kind}).text
    advised = html.unescape(re.search(r'href="/new\?outcome=([^"]*)"', page)[1])
    form = browser.get(f"/new?outcome={advised}").text
    model = advised.partition("%3A")[0].partition(":")[0]
    assert re.search(rf'name="outcome" value="{model}"[^>]* checked', form)
    assert "It takes for granted" in page
    assert 'data-load="/outcomes/prices?' in page


def test_the_questions_follow_the_answers(browser) -> None:
    first = browser.get("/outcomes").text
    assert 'name="lo"' not in first
    for model in outcomes.values():
        assert html.escape(model.form()) in first
    number = browser.get("/outcomes?kind=number").text
    assert all(f'name="{name}"' in number for name in ("lo", "hi", "sigma", "skewed"))
    assert "<code>gaussian</code>" in number, "for measurements of which nothing else is known"
    bounded = browser.get("/outcomes?kind=number&lo=0&hi=100").text
    assert "<code>bounded:0:100</code>" in bounded
    assert 'type="radio" name="skewed"' not in bounded
    one_sided = browser.get("/outcomes?kind=count&varying=yes").text
    assert "<code>bounded:0</code>" in one_sided
    assert "<dt>Note</dt><dd>Without an upper bound" in one_sided


@pytest.mark.parametrize(
    ("query", "said", "wrong"),
    [
        ("kind=number&lo=x", "The smallest value: ", "lo"),
        ("kind=number&lo=2&hi=1", "The largest value: ", "hi"),
        ("kind=number&sigma=-1", "The standard deviation: ", "sigma"),
        ("kind=yes-no&threshold=2", "The bar: ", "threshold"),
        ("kind=yes-no&mean=0.5", "The option’s average: ", "mean"),
        ("kind=number&confidence=x", "How sure: ", "confidence"),
        ("kind=colour", "kind", ""),
        ("kind=yes-no&goal=sideways", "goal", ""),
    ],
)
def test_what_cannot_be_is_said_at_its_input(browser, query: str, said: str, wrong: str) -> None:
    answer = browser.get(f"/outcomes?{query}")
    assert answer.status_code == 422
    assert said in re.search(r'id="error">(.*?)</p>', answer.text)[1]
    if wrong:
        assert re.search(rf'name="{wrong}"[^>]* aria-invalid="true"', answer.text)
    assert browser.get(f"/outcomes/prices?{query}").status_code == 422


def test_the_price_of_the_models(browser) -> None:
    query = "kind=yes-no&threshold=0.4&mean=0.8&confidence=90&arms=3"
    shown = browser.get(f"/outcomes/prices?{query}").text
    assert "average 0.8" in shown
    assert "3 options in all, 90 % sure" in shown
    found = re.findall(r'<code>(\S+)</code>.*?<td class="n">(\d+) ', shown)
    trials = {name: int(count) for name, count in found}
    assert set(trials) == {"bernoulli", "bounded:0:1", "glr"}
    assert trials["bernoulli"] < trials["glr"], "the paper's boundary takes more"


def test_recorded_outcomes_speak(browser, studies) -> None:
    told = browser.post("/outcomes/suggested", data={"data": CSV})
    assert told.status_code == 200
    assert "30 outcomes of 2 options" in told.text
    assert 'href="/new?outcome=bernoulli"' in told.text
    counts = browser.post("/outcomes/suggested", data={"data": "arm,successes,trials\na,3,100"})
    assert 'href="/new?outcome=bernoulli"' in counts.text
    wrong = browser.post("/outcomes/suggested", data={"data": "arm,value\na,much"})
    assert wrong.status_code == 422
    assert "Recorded outcomes: line 2" in wrong.text
    assert studies.list() == []


def test_a_text_fills_the_form() -> None:
    for text in ("bernoulli", "gaussian", "gaussian:0.2,0.5", "bounded:0", "bounded::1.5"):
        assert read_declared(filled_outcome(text)).text() == text
    assert filled_outcome("cauchy:1")["outcome"] == ""


def test_the_models_by_the_api(api) -> None:
    listed = {model["name"]: model for model in api.get("/api/outcomes").json()}
    assert set(listed) == set(outcomes)
    assert listed["bernoulli"]["columns"] == ["successes", "trials"]
    assert "37/1000" in listed["bernoulli"]["sizes"]
    (sigma,) = listed["gaussian"]["parameters"]
    assert (sigma["name"], sigma["optional"], sigma["per_arm"]) == ("sigma", True, True)
    found = api.post("/api/outcomes/suggest", json={"data": CSV}).json()
    assert found["suggested"] == "bernoulli"
    assert {one["outcome"]: one["fits"] for one in found["candidates"]}["gaussian"] is False
    assert api.post("/api/outcomes/suggest", json={"data": "x"}).status_code == 422


def test_where_nothing_fits_the_api_says_so(api) -> None:
    sent = {"data": "arm,successes,trials\na,1,2", "threshold": -1}
    answer = api.post("/api/outcomes/suggest", json=sent)
    assert (answer.status_code, answer.json()["suggested"]) == (200, None)
    for data, said in (
        ("arm,value\nx,1e300", "line 2: value: 1e+300 is too large"),
        ("arm,successes,trials\na,3,2", "line 2: value: 3 of 2 is not a number of successes"),
    ):
        answer = api.post("/api/outcomes/suggest", json={"data": data})
        assert answer.status_code == 422
        assert said in answer.json()["error"]


def test_an_outcome_must_be_declared(api) -> None:
    for sent in ({}, {"outcome": None}):
        answer = api.post("/api/studies", json={"name": "s", "arms": ["a"], "threshold": 1, **sent})
        assert answer.status_code == 422
        assert answer.json()["error"].startswith("outcome: say what an outcome is")


@pytest.mark.parametrize("outcome", [5, ["bernoulli"]])
def test_an_outcome_that_is_neither_text_nor_object(api, outcome) -> None:
    sent = {"name": "s", "arms": ["a"], "threshold": 0.5, "outcome": outcome, "delta": 0.1}
    answer = api.post("/api/studies", json=sent)
    assert answer.status_code == 422
    assert answer.json()["error"].startswith("outcome: give the text of an outcome model")
