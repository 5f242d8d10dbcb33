"""Studies with criteria, a control, other questions, options that come and go: their pages."""

import csv
import io
import json
import re
from html import unescape

import pytest

pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")

from goodarm.study import Studies, Study

AT = "/studies/s"
CRITERIA = ["works:bernoulli>=0.3", "delay:gaussian:2<=5"]
DETAILS = {"low": {"label": "10 mg", "cost": 2.5, "note": "needs\na fridge"}}


def seen(text: str) -> str:
    """What is on a page, without its markup."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<(script|style).*?</\1>|<[^>]+>", " ", text)))


@pytest.fixture
def study(studies: Studies) -> Study:
    """Two measurements, every good option."""
    return Study.create(
        "s",
        ["low", "mid", "high"],
        criteria=CRITERIA,
        question="all",
        delta=0.2,
        seed=3,
        details=DETAILS,
        storage=studies.store,
    )


def test_measurements_are_typed_as_they_come(browser, study) -> None:
    page = browser.post(f"{AT}/ask", data={"n": "1"})
    assert 'name="value1"' in page.text
    assert 'name="value2"' in page.text
    assert 'name="value"' not in page.text
    page = browser.post(f"{AT}/tell", data={"trial": "1", "value2": "x", "note": "kept"})
    assert page.status_code == 422
    assert "delay: 'x' is not a number" in seen(page.text)
    assert 'value="x"' in page.text
    assert 'value="kept"' in page.text
    assert "nothing is filled in" in seen(browser.post(f"{AT}/tell", data={"trial": "1"}).text)
    page = browser.post(f"{AT}/tell", data={"trial": "1", "value1": "1", "value2": ""})
    assert "Undo: low = works 1" in seen(page.text)
    assert 'name="value1"' not in page.text.partition('id="trial-1"')[2].partition("</form>")[0]
    assert study.trial(1).status == "open"
    browser.post(f"{AT}/tell", data={"trial": "1", "value2": "3,5"})
    assert study.trial(1).values is None or "delay" not in study.trial(1).values
    browser.post(f"{AT}/tell", data={"trial": "1", "value2": "3.5", "then": "next"})
    assert (study.trial(1).status, study.trial(1).values) == ("told", {"works": 1.0, "delay": 3.5})
    assert [trial.number for trial in study.pending] == [2], "the next one was suggested"
    assert "works 1, delay 3.5" in seen(browser.get(f"{AT}/trials").text)
    assert "delay 3.5" in seen(browser.get(f"{AT}/log").text)


def test_measurements_in_a_grid_all_or_none(browser, study) -> None:
    browser.post(f"{AT}/ask", data={"n": "3"})
    typed = {"value1-1": "1", "value2-1": "4", "value2-2": "6", "note-2": "slow", "note-3": "?"}
    page = browser.post(f"{AT}/tell-several", data={**typed, "value1-3": "2"})
    assert "works: trial 3: 2 is neither 0 nor 1" in seen(page.text)
    assert study.status().trials == 0
    assert 'value="slow"' in page.text
    browser.post(f"{AT}/tell-several", data=typed)
    trials = [study.trial(number) for number in (1, 2, 3)]
    assert [trial.status for trial in trials] == ["told", "open", "open"]
    assert (trials[1].values, trials[1].note, trials[2].values) == ({"delay": 6.0}, "slow", None)
    later = browser.get(AT).text
    assert 'name="value1-2"' in later
    assert 'name="value2-2"' not in later


def test_how_many_more_trials_is_said_of_every_question(browser, study, api) -> None:
    assert "How many more trials?" in seen(browser.get(f"{AT}/evidence").text)
    for arm in ("low", "mid", "high"):
        works = float(arm != "low")
        study.tell_many([(arm, {"works": works, "delay": x}) for x in (1.0, 2.0, 3.0) * 2])
    assert f'data-load="{AT}/forecast?brief=yes"' in browser.get(AT).text
    page = seen(browser.get(f"{AT}/forecast").text)
    assert "more trials until 80 % confidence" in page
    assert "mid, high" in page
    assert "measurements of a trial independent" in page
    answer = api.get(f"/api{AT}/forecast").json()
    assert max(answer["answers"], key=answer["answers"].get) == "mid, high"


def test_measurements_are_corrected_and_taken_back_on_their_page(browser, study) -> None:
    study.tell(study.ask(), {"works": 1, "delay": 4})
    assert 'name="value2"' in browser.get(f"{AT}/trials/1").text
    fix = {"value1": "", "value2": "4.5", "reason": "a slip"}
    browser.post(f"{AT}/trials/1/corrected", data=fix)
    assert study.trial(1).values == {"works": 1.0, "delay": 4.5}
    same = browser.post(f"{AT}/trials/1/corrected", data={**fix, "value1": "1"})
    assert "nothing was changed" in seen(same.text)
    browser.post(f"{AT}/trials/1/retracted", data={"reason": "lost"})
    assert study.trial(1).status == "retracted"


def test_options_come_and_go_with_a_reason(browser, study, studies, app) -> None:
    new = {"arm": "higher", "label": "40 mg", "cost": "4", "note": "new", "reason": "week 3"}
    wrong = browser.post(f"{AT}/add-arm", data={**new, "cost": "free"})
    assert wrong.status_code == 422
    assert 'value="40 mg"' in wrong.text
    page = browser.post(f"{AT}/add-arm", data={**new, "key": "k"})
    assert "The option was added." in page.text
    browser.post(f"{AT}/add-arm", data={**new, "key": "k"})
    assert study.settings.arms == ("low", "mid", "high", "higher")
    assert study.settings.details_of("higher").cost == 4.0
    page = browser.post(f"{AT}/retire-arm", data={"arm": "mid", "reason": ""})
    assert page.status_code == 422
    browser.post(f"{AT}/retire-arm", data={"arm": "mid", "reason": "sold out"})
    page = browser.get(AT).text
    assert 'class="gone" id="option-2"' in page
    assert '<option value="mid"' not in page, "neither to be retired again nor to be tried"
    for words in ("10 mg", "2.5 a trial", "retired", "works at least 0.3", "delay at most 5"):
        assert words in seen(page)
    option = seen(browser.get(f"{AT}/options/1").text)
    assert "needs a fridge" in option
    assert "Begin a trial of it" not in browser.get(f"{AT}/options/2").text
    assert browser.get(f"{AT}/add-arm").url.path == AT


def test_a_bar_of_its_own_for_an_option_that_comes_later(browser, studies) -> None:
    study = studies.create("s", ["a", "b"], [0.3, 0.6], "bernoulli", question="in-order")
    page = browser.get(AT).text
    assert 'name="bar1"' in page
    assert "the bar of each option" in page
    new = {"arm": "c", "reason": "r"}
    assert browser.post(f"{AT}/add-arm", data=new).status_code == 422
    browser.post(f"{AT}/add-arm", data={**new, "bar1": "0.9"})
    assert [arm.bar for arm in study.status().arms] == [0.3, 0.6, 0.9]


def test_files_and_charts_have_every_measurement(browser, study) -> None:
    study.tell_many(
        [("low", {"works": 1, "delay": 3}), ("mid", {"delay": 7}), ("low", {"works": 0})]
    )
    study.add_arm("higher", "week 3")
    study.tell("higher", {"works": 1, "delay": 1})
    low, *_ = csv.DictReader(io.StringIO(browser.get(f"{AT}/options.csv").text))
    assert (low["works outcomes"], low["works average"], low["delay bar"]) == ("2", "0.5", "5.0")
    assert (low["label"], low["cost"], low["standing"]) == ("10 mg", "2.5", "undecided")
    told = list(csv.DictReader(io.StringIO(browser.get(f"{AT}/options/1.csv").text)))
    assert [(row["measurement"], row["value"]) for row in told] == [
        ("works", "1.0"),
        ("delay", "3.0"),
        ("works", "0.0"),
    ]
    delays = browser.get(f"{AT}/outcomes.json?measure=2").json()
    assert (delays["threshold"], [o["value"] for o in delays["outcomes"]]) == (5.0, [3.0, 7.0, 1.0])
    assert browser.get(f"{AT}/outcomes.json?measure=3").status_code == 404
    assert "outcomes.json?measure=2" in browser.get(f"{AT}/evidence").text
    curves = browser.get(f"{AT}/evidence.json").json()
    assert {len(arm["share"]) for arm in curves["arms"]} == {len(curves["t"])}
    assert [arm["name"] for arm in curves["arms"]][-1] == "higher"
    log = json.loads(browser.get(f"{AT}/export/json").text)
    assert log["status"]["arms"][0]["measurements"][1]["aim"] == 5.0
    assert "The log is sound" in browser.get(f"{AT}/verify").text


def test_past_measurements_are_imported_from_a_file_that_grows(browser, study) -> None:
    lines = "arm,works,delay\nlow,1,3\nmid,,7\n"
    page = browser.post(f"{AT}/import", data={"data": lines.replace(",7", ",x")})
    assert "delay: 'x' is not a number" in seen(page.text)
    page = browser.post(f"{AT}/import", data={"data": lines, "source": "lab"})
    assert "2 outcomes can be imported" in seen(page.text)
    assert "works 1, delay 3" in seen(page.text)
    form = {"source": "lab", "confirmed": "yes"}
    browser.post(f"{AT}/import", data={"data": lines, **form})
    grown = browser.post(f"{AT}/import", data={"data": f"{lines}high,0,4\n", **form})
    assert "had brought before" in grown.text
    assert [[one.count for one in arm.measurements] for arm in study.evidence] == [
        [1, 1],
        [0, 1],
        [1, 1],
    ]
    odd = browser.post(f"{AT}/import", data={"data": "arm,works,delay\nlow,1,500\n"})
    assert "Look twice at this line" in odd.text


@pytest.mark.parametrize(
    ("declared", "asked", "way"),
    [
        ({"threshold": 0.5, "question": "all"}, "every good option", "2 of 3 options answered"),
        ({"threshold": 0.5, "question": "top:2"}, "2 good options", "1 of 2 good options found"),
        (
            {"threshold": 0.5, "question": "in-order"},
            "the first good option in the list",
            "b comes",
        ),
        ({"control": "c", "margin": -0.1}, "one good option: outcome at least", "needed to call"),
    ],
)
def test_every_question_says_how_far_it_is(
    browser, studies, declared: dict[str, object], asked: str, way: str
) -> None:
    study = Study.create(
        "s", ["a", "b", "c"], outcome="bernoulli", delta=0.2, storage=studies.store, **declared
    )
    study.tell_many([("a", 0.0)] * 15 + [("b", 1.0)] * 15 + [("c", 1.0), ("c", 0.0)])
    page = seen(browser.get(AT).text)
    for words in (asked, way, study.status().meaning):
        assert words in page
    if "control" in declared:
        assert "the control is c" in page
        assert "what the control’s average, as known so far, asks for" in page
    assert "Change the bar" not in browser.get(f"{AT}/settings").text


BLANK = {"name": "new", "arms": "a\nb\nc", "confidence": "90"}
YES_OR_NO = {**BLANK, "outcome": "bernoulli"}


@pytest.mark.parametrize(
    ("form", "asked"),
    [
        (
            {**YES_OR_NO, "threshold": "0.5", "question": "all"},
            "every good option: outcome at least",
        ),
        ({**YES_OR_NO, "threshold": "0.5", "question": "top", "many": "2"}, "2 good options"),
        ({**YES_OR_NO, "control": "c", "margin": "-0.05"}, "the control is c"),
        ({**YES_OR_NO, "control": "c", "lift": "10 %"}, "1.1 times the control's mean"),
        (
            {**BLANK, "criteria": "helps:bernoulli>=0.3\n\nharms:bernoulli<=0.1"},
            "harms at most 0.1",
        ),
    ],
)
def test_every_question_is_asked_on_the_page(browser, studies, form, asked: str) -> None:
    page = browser.post("/new", data=form)
    assert page.url.path == "/studies/new", seen(page.text)
    assert asked in seen(page.text)
    assert studies.open("new").settings.delta == 0.1


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({**YES_OR_NO, "question": "top", "threshold": "0.5"}, "How many good options: "),
        ({**YES_OR_NO, "question": "every", "threshold": "0.5"}, "unknown question 'every'"),
        ({**YES_OR_NO, "control": "z", "margin": "0.1"}, "there is no option 'z'"),
        ({**YES_OR_NO, "control": "c", "margin": "a bit"}, "Better by: 'a bit' is not a number"),
        ({**YES_OR_NO, "control": "c"}, "Better by: say by how much"),
        ({**YES_OR_NO, "control": "c", "margin": "0", "lift": "1"}, "Better by: say one"),
        ({**YES_OR_NO, "margin": "0.1", "threshold": "0.5"}, "The control: name the option"),
        ({**YES_OR_NO, "threshold": "1", "criteria": "x:bernoulli>=0.3"}, "The bar: leave it out"),
        ({**BLANK, "criteria": "nonsense"}, "Several measurements: 'nonsense' is not NAME:MODEL"),
    ],
)
def test_what_cannot_be_asked_is_said_and_kept(browser, studies, form, said: str) -> None:
    page = browser.post("/new", data=form)
    assert page.status_code == 422
    assert said in seen(page.text)
    assert "<details open>" in page.text, "what was typed is in sight"
    assert studies.list() == []


def test_who_may_only_look_sees_no_form(study, app, tokens) -> None:
    from tests.web.conftest import client

    reader = client(app, Authorization=f"Bearer {tokens.create('reader', 'read')}")
    page = reader.get(AT).text
    assert "The options" in page
    assert "add-arm" not in page
