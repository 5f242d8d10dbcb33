"""Outcomes with sizes, open limits and many at once: on the page, in tables and by the API."""

import re
from dataclasses import replace

import pytest

pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")

from goodarm.outcomes import parse_outcome
from goodarm.remote.bodies import MOST_LISTED
from goodarm.remote.importing import MOST_LOOKED_UP
from goodarm.showing.forest import lay_out
from goodarm.web.forms.measuring import is_yes_or_no

AT, API = "/studies/s", "/api/studies/s"


@pytest.fixture
def create(studies):
    def make(outcome: str, threshold: float = 0.5, **more):
        return studies.create("s", ["a", "b"], threshold, outcome, **{"delta": 0.1, **more})

    return make


@pytest.mark.parametrize(
    ("outcome", "threshold", "typed", "told", "wrong"),
    [
        ("bernoulli", 0.5, "37/1000", (37.0, 1000.0), "3/2"),
        ("poisson", 3.0, " 3 / 2.5 ", (3.0, 2.5), "3/0"),
        ("exponential", 10.0, "5+", (5.0, 0.0), "5++"),
        ("gaussian", 0.0, "−0.25", (-0.25, None), "1/2"),
    ],
)
def test_what_the_model_reads_is_told_corrected_and_shown(
    browser, create, outcome: str, threshold: float, typed: str, told: tuple, wrong: str
) -> None:
    study = create(outcome, threshold)
    study.ask(2)
    model = study.settings.outcome
    page = browser.post(f"{AT}/tell", data={"trial": "1", "value": typed})
    assert "Recorded" in page.text
    browser.post(f"{AT}/enter", data={"arm": "b", "value": typed, "key": "once"})
    first, unasked = study.trial(1), study.trial(3)
    assert (first.value, first.size) == (unasked.value, unasked.size) == told
    shown = typed.replace(" ", "")
    for path in ("/trials", "/log", "/trials/3"):
        assert f">{shown}<" in browser.get(AT + path).text, path
    assert f"Undo: <bdi>a</bdi> = {shown}" in page.text
    if model.size_form:
        assert model.size_form in browser.get(f"{AT}/trials/2").text
    refused = browser.post(f"{AT}/tell", data={"trial": "2", "value": wrong})
    assert refused.status_code == 422
    assert is_yes_or_no(model, threshold) or f'value="{wrong}"' in refused.text
    browser.post(f"{AT}/trials/1/corrected", data={"value": typed, "reason": "a slip"})
    assert study.trial(1).value == told[0]
    assert study.verify().ok


def test_a_table_of_counts(browser, create) -> None:
    study = create("bernoulli", 0.04)
    study.ask(1)
    table = "arm,successes,trials\na,37,1000\nb,20,600"
    shown = browser.post(f"{AT}/import", data={"data": table}).text
    assert "1,600 outcomes can be imported, on 2 lines" in shown
    assert re.search(r'<td><bdi>b</bdi></td><td class="n">20/600</td>', shown)
    browser.post(f"{AT}/import", data={"data": table, "confirmed": "yes"})
    assert [arm.count for arm in study.evidence] == [1000, 600]
    text = f"trial,value\n{study.pending[0].number},3/50"
    shown = browser.post(f"{AT}/import", data={"data": text}).text
    assert re.search(r'<bdi>[ab]</bdi> <span class="minor">trial 1</span>', shown)
    browser.post(f"{AT}/import", data={"data": text, "confirmed": "yes"})
    assert (study.trial(1).value, study.trial(1).size, study.pending) == (3.0, 50.0, ())
    page = browser.get(AT).text
    assert "1,650" in page
    assert "arm,successes,trials" in page, "the form says how"


def test_faults_of_sizes_and_trials_are_named_by_line(browser, create) -> None:
    study = create("bernoulli")
    study.ask(1)
    other = {"a": "b", "b": "a"}[study.pending[0].arm]
    for header, lines in {
        "arm,successes,trials": {"a,7,5": "7 of 5", "a,1,x": "not a number", "a,1,0": "trials"},
        "trial,arm,value": {
            "9,,1": "no trial 9",
            f"1,{other},1": f"not of '{other}'",
            "x,a,1": "not the number",
            ",,1": "missing",
        },
    }.items():
        answer = browser.post(f"{AT}/import", data={"data": "\n".join([header, *lines])})
        assert answer.status_code == 422
        found = re.findall(r'class="n">(\d+)</th><td><bdi>(.*?)</bdi>', answer.text)
        assert [int(line) for line, _ in found] == list(range(2, len(lines) + 2))
        for (_, message), said in zip(found, lines.values(), strict=True):
            assert said in message.replace("&#39;", "'")
    both = browser.post(f"{AT}/import", data={"data": "arm,value,successes,trials\na,1,1,2"})
    assert "header" in both.text


def test_trials_told_before_are_left_to_the_entering(api, create) -> None:
    study = create("bernoulli", delta=None)
    many = MOST_LOOKED_UP + 5
    study.ask(many)
    study.tell_many([(number, number % 2) for number in range(1, many + 1)])
    table = "trial,value\n" + "".join(f"{number},{number % 2}\n" for number in range(1, many + 1))
    assert api.post(f"{API}/import", json={"csv": table}).json() == {"added": 0, "already": many}
    wrong = api.post(f"{API}/import", json={"csv": table.replace(f"{many},1", f"{many},0")})
    assert wrong.status_code == 409
    assert f"line {many + 1}" in wrong.json()["error"]


def test_a_line_that_is_odd_beside_the_others_can_be_confirmed(browser, create) -> None:
    study = create("gaussian:1", 0.0, delta=0.1)
    table = "arm,value\na,40\n" + "a,0\n" * 30
    form = {"data": table, "confirmed": "yes"}
    asked = browser.post(f"{AT}/import", data=form)
    assert asked.status_code == 422
    assert 'name="sure"' in asked.text
    assert study.trials == []
    assert "imported" in browser.post(f"{AT}/import", data={**form, "sure": "yes"}).text
    assert len(study.trials) == 31


def test_sizes_by_the_api(api, create) -> None:
    study = create("bernoulli", 0.04)
    told = api.post(f"{API}/tell", json={"arm": "a", "value": 37, "size": 1000}).json()
    assert (told["value"], told["size"]) == (37.0, 1000.0)
    right = {"trial": 1, "value": 38, "size": 1000, "reason": "miscounted"}
    assert api.post(f"{API}/correct", json=right).json()["value"] == 38.0
    assert api.post(f"{API}/tell", json={"arm": "a", "value": 3, "size": 2}).status_code == 422
    assert [arm.count for arm in study.evidence] == [1000, 0]


def test_many_at_once_by_the_api(api, create) -> None:
    study = create("bernoulli", 0.04)
    study.ask(2)
    batch = [
        {"trial": 2, "value": 1},
        {"arm": "b", "value": 20, "size": 600},
        {"arm": "b", "value": 0},
    ]
    body = {"outcomes": batch, "key": "monday"}
    for _ in range(2):  # the answer may have been lost
        answer = api.post(f"{API}/tell-many", json=body)
        assert [trial["number"] for trial in answer.json()] == [2, 3, 4]
        assert study.status().trials == 602
    brief = api.post(f"{API}/tell-many", json={**body, "brief": True})
    assert brief.json() == {"told": 3}
    for wrong in ({"value": 1}, {"trial": 1, "arm": "a", "value": 1}):
        answer = api.post(f"{API}/tell-many", json={"outcomes": [batch[2], wrong]})
        assert answer.status_code == 422
        assert answer.json()["error"].startswith("outcomes.1: give either")
    long = {"outcomes": [{"arm": "a", "value": 0}] * (MOST_LISTED + 1)}
    assert '"brief": true' in api.post(f"{API}/tell-many", json=long).json()["error"]
    assert study.status().trials == 602
    cancelled = api.post(f"{API}/cancel-all", json={"reason": "power cut"}).json()
    assert [(trial["number"], trial["status"]) for trial in cancelled] == [(1, "cancelled")]
    assert study.pending == ()


def test_open_limits_are_drawn_open(browser, create) -> None:
    study = create("bounded:0", 10.0)
    for value in (9, 11, 14, 30):
        study.tell("a", value, sure=True)
    (a, b) = lay_out(study.status().drawn_arms(), 0.5).rows
    assert (a.interval.open_low, a.interval.open_high) == (False, True)
    assert (a.interval.high, b.interval) == (100.0, None)
    page = browser.get(AT).text
    assert re.search(r"at least [\d.]+</td>", page)
    assert page.count('<svg class="end"') == 1
    assert "Without an upper bound" in page


def test_a_mean_that_is_not_known_yet(browser, create) -> None:
    study = create("exponential", 10.0)
    study.tell("a", 5, size=0)
    (row, _) = lay_out(study.status().drawn_arms(), 0.5).rows
    assert (row.arm.count, row.arm.mean, row.mean) == (1, None, None)
    page = browser.get(AT)
    assert page.status_code == 200
    assert "average –" in page.text


def test_an_absurdly_wide_interval_does_not_hide_the_others(create) -> None:
    study = create("gaussian:1", 0.0)
    study.tell_many([("a", 0.1), ("b", 0.2)])
    status = study.status()
    narrow, wide = status.arms
    arms = (replace(narrow, low=-0.1, high=0.3), replace(wide, low=-1e6, high=0.9))
    (a, b) = lay_out(replace(status, arms=arms).drawn_arms(), 0.0).rows
    assert (a.interval.open_low, a.interval.open_high) == (False, False)
    assert a.interval.high - a.interval.low > 5.0
    assert (b.interval.open_low, b.interval.low, b.interval.open_high) == (True, 0.0, False)


def test_the_papers_boundary_is_not_offered_where_there_is_none(browser, create) -> None:
    create("gaussian")
    assert "Change the stopping rule" not in browser.get(AT).text
    assert not parse_outcome("gaussian").knows_scatter
    form = {"name": "t", "arms": "a", "threshold": "1", "outcome": "gaussian", "boundary": "glr"}
    answer = browser.post("/new", data=form)
    assert answer.status_code == 422
    assert "known standard deviation" in answer.text
