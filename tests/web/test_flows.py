"""A study from its creation to its end through forms, as a browser without scripts sends them."""

import csv
import html
import io
import json
import re
from dataclasses import dataclass, field, fields

import pytest

pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")

from goodarm.outcomes import registry
from goodarm.study import Bernoulli, Studies
from goodarm.web.shown.slugs import name_of, slug
from goodarm.wording import printable

FORM = {
    "name": "Media",
    "arms": "A\nB\n\nC",
    "outcome": "bernoulli",
    "goal": "above",
    "threshold": "0.5",
    "confidence": "90",
    "algorithm": "APGAI-FE",
}
BOUNDED = {"outcome": "bounded", "bounded-lo": "0", "bounded-hi": "10", "threshold": "5"}
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{ 7*7 }}{% raw %}",
    "=cmd|' /C calc'!A0",
    "@SUM(1+1)",
    "'; DROP TABLE goodarm_studies; --",
    "../../etc/passwd",
    "a\u200bb\u2060c",
    "emoji 👩\u200d🔬 ünïcode עברית",
    "x" * 200,
    "a/b?c#d%2f&e=f",
]


def trial_on(page: str) -> str | None:
    found = re.search(r'name="trial" value="(\d+)"><input type="hidden" name="then"', page)
    return found and found[1]


def test_an_empty_list_teaches_and_the_demo_is_one_click(browser) -> None:
    assert "Which option clears the bar?" in browser.get("/").text
    page = browser.post("/demo")
    assert "Demo: stem-cell protocols" in page.text
    assert "Protocol 18" in page.text
    assert browser.post("/demo").url.path.endswith("protocols~202")
    assert "Demo: stem-cell protocols 2" in browser.get("/?q=protocols 2").text
    assert "No study is like that" in browser.get("/?q=<nothing>").text


def test_from_creation_to_the_answer(browser, studies: Studies) -> None:
    page = browser.post("/new", data=FORM)
    assert page.url.path == "/studies/Media"
    assert page.history[0].status_code == 303
    page = browser.post("/studies/Media/ask", data={"n": "1"})
    for _ in range(300):
        trial = trial_on(page.text)
        if trial is None:
            break
        value = "1" if studies.open("Media").trial(int(trial)).arm == "B" else "0"
        told = {"trial": trial, "value": value, "then": "next", "note": "ok"}
        page = browser.post("/studies/Media/tell", data=told)
        assert page.status_code == 200
    assert "B is above 0.5" in page.text
    assert studies.open("Media").status().state == "decided"
    curves = browser.get("/studies/Media/evidence.json").json()
    assert curves["t"][-1] == studies.open("Media").status().trials
    assert curves["boundary"] is None
    assert curves["arms"][1]["share"][-1] >= 1.0, "at 1 an option is named"
    assert "The log is sound" in browser.get("/studies/Media/verify").text
    assert '"by":"owner"' in studies.open("Media").events()[3].text
    exported = browser.get("/studies/Media/export/json").json()
    assert exported["head"] == studies.open("Media").head
    rows = list(csv.DictReader(io.StringIO(browser.get("/studies/Media/export/csv").text)))
    assert rows[-1]["hash"] == exported["head"]
    assert browser.get("/studies/Media/export/parquet").content[:4] == b"PAR1"
    assert browser.get("/studies/Media/export/xlsx").status_code == 404


def test_with_the_papers_boundary(browser, studies: Studies) -> None:
    browser.post("/new", data={**FORM, "boundary": "glr", "decide": "as-told"})
    study = studies.open("Media")
    assert (study.settings.boundary, study.settings.decide) == ("glr", "as-told")
    while not study.finished:
        study.tell("B", 1)
    assert "the paper&#39;s boundary (glr)" in browser.get("/studies/Media/settings").text
    assert "all limits hold together at 90 %" in browser.get("/studies/Media").text
    curves = browser.get("/studies/Media/evidence.json").json()
    assert curves["arms"][1]["W"][-1] > curves["boundary"][-1]
    changed = browser.post("/studies/Media/amend", data={"boundary": "mixture", "reason": "newer"})
    page = browser.get("/studies/Media/settings").text
    assert "certificates of the outcome model (mixture)" in page
    assert "The stopping rule was changed from glr to mixture" in changed.text
    assert "stops by mixture" in browser.get("/studies/Media/log").text
    assert browser.post("/studies/Media/amend", data={"reason": "no"}).status_code == 422


def test_the_form_is_made_from_the_registry(browser, studies: Studies, monkeypatch) -> None:
    @dataclass(frozen=True)
    class Share(Bernoulli):
        whole: float = field(metadata={"help": "the whole of which it is a share"})
        part: float | None = field(default=None, metadata={"help": "the part", "hint": "or not"})
        name = "share"
        title = "a share of a <whole>"
        summary = "A model that no page knows of."

    monkeypatch.setitem(registry._by_name(), "share", Share)
    page = browser.get("/new").text
    for model in registry.outcomes.values():
        assert f'value="{model.name}"' in page
        for parameter in fields(model):
            assert f'name="{model.name}-{parameter.name}"' in page
    assert "A share of a &lt;whole&gt;" in page
    form = {**FORM, "outcome": "share", "share-whole": "much"}
    wrong = browser.post("/new", data=form)
    assert "The whole of which it is a share: &#39;much&#39; is not a number" in wrong.text
    assert re.search(r'name="share-whole"[^>]* value="much" aria-invalid="true"', wrong.text)
    browser.post("/new", data={**form, "share-whole": "8"})
    assert studies.open("Media").settings.outcome == Share(8.0, None)
    assert "0 or 1" in browser.get("/studies/Media").text


def test_a_standard_deviation_for_each_option(browser, studies: Studies) -> None:
    form = {**FORM, "outcome": "gaussian"}
    for text, said in (
        ("1 2", "2 values, but the number of options is 3"),
        ("1,5", "with a point"),
        ("0", "not positive"),
    ):
        answer = browser.post("/new", data={**form, "gaussian-sigma": text})
        assert answer.status_code == 422
        assert "The standard deviation, at most, if it is known: " in answer.text
        assert said in answer.text
    browser.post("/new", data={**form, "gaussian-sigma": "0.2 0.3; 0.5"})
    assert studies.open("Media").settings.outcome.sigma == (0.2, 0.3, 0.5)


def test_an_unlikely_outcome_is_recorded_only_on_a_second_look(browser, studies: Studies) -> None:
    browser.post("/new", data={**FORM, "outcome": "gaussian", "gaussian-sigma": "0.1"})
    study, at = studies.open("Media"), "/studies/Media"
    study.ask(4)
    study.cancel(2)
    study.tell(3, 0.6)
    before = study.head
    odd = {"value": "54", "note": "by hand", "reason": "a slip", "arm": "C"}
    tries = {
        f"{at}/tell": {**odd, "trial": "1"},  # its form is on the study's page
        f"{at}/tell?": {**odd, "trial": "2"},  # that of a trial that was withdrawn is not
        f"{at}/trials/3/corrected": odd,
        f"{at}/enter": odd,
    }
    for path, form in tries.items():
        answer = browser.post(path, data=form)
        assert answer.status_code == 422
        assert "standard deviations" in answer.text
        assert "sure=True" not in answer.text
        assert answer.text.count('type="checkbox"') == 1
        assert answer.text.count("It is right, record it") == 1
        assert 'value="54"' in answer.text
        assert ('value="a slip"' if "corrected" in path else 'value="by hand"') in answer.text
        assert study.head == before
    for path, form in tries.items():
        assert browser.post(path, data={**form, "sure": "yes"}).status_code == 200
    assert [study.trial(number).value for number in (1, 2, 3, 5)] == [54.0] * 4


def test_what_waits_is_named_with_a_link(browser, studies: Studies) -> None:
    browser.post("/new", data={**FORM, "arms": "A"})
    study = studies.open("Media")
    study.ask(3)
    study.tell(3, 1)
    page = browser.get("/studies/Media").text
    assert re.search(r'1 waits for trials\s+<a href="/studies/Media/trials/1">1</a>', page)
    assert '<a href="/studies/Media/trials/2">2</a>' in page
    assert '<span class="sub" title="1 waiting">~1</span>' in page
    study.tell(1, 1)
    study.cancel(2)
    assert "waits for trial" not in browser.get("/studies/Media").text


def test_limits_that_hold_together(browser, studies: Studies) -> None:
    browser.post("/new", data=FORM)
    studies.open("Media").tell("A", 1)
    own = "lower limits hold together at 90 %, upper ones for each option alone at 96.6 %"
    page = browser.get("/studies/Media").text
    assert own in page
    assert "?limits=together#arms" in page
    together = browser.get("/studies/Media?limits=together").text
    assert own not in together
    assert "all limits hold together at 90 %" in together


def test_arms_from_a_file(browser, studies: Studies) -> None:
    for number, content in enumerate(
        (b'arm,price\nA,1\n"B, the second",2\n', b"\xef\xbb\xbfA\nB\n")
    ):
        data = {**FORM, "arms": "", "name": f"file {number}"}
        browser.post("/new", data=data, files={"arms_file": ("a.csv", content, "text/csv")})
    assert studies.open("file 0").settings.arms == ("A", "B, the second")
    assert studies.open("file 1").settings.arms == ("A", "B")
    browser.post("/new", data={**FORM, "arms": 'price,arm\n1,"A, big"\n2,B', "name": "pasted"})
    assert studies.open("pasted").settings.arms == ("A, big", "B")
    answer = browser.post("/new", data=FORM, files={"arms_file": ("a.csv", b"\xff\xfe\x00")})
    assert answer.status_code == 422


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", " "),
        ("arms", ""),
        ("arms", "A\nA"),
        ("threshold", ""),
        ("threshold", "0,5"),
        ("threshold", "nan"),
        ("threshold", "1e999"),
        ("threshold", "2"),
        ("outcome", ""),
        ("outcome", "bounded"),
        ("goal", "sideways"),
        ("confidence", "100"),
        ("confidence", "x"),
        ("confidence", "0.95"),
        ("threshold", "50%"),
        ("algorithm", "SR-G"),
        ("algorithm", "/tmp/x.py:RULE"),
        ("budget", "-1"),
        ("budget", "many"),
        ("seed", "9" * 30),
        ("boundary", "kano"),
        ("decide", "later"),
        ("outcome", "cauchy"),
    ],
)
def test_bad_settings_are_explained_and_what_was_typed_stays(
    browser, studies, field, value
) -> None:
    answer = browser.post("/new", data={**FORM, "name": "kept name", field: value})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert field == "name" or "kept name" in answer.text
    assert studies.list() == []


@pytest.mark.parametrize(
    ("path", "form", "said"),
    [
        ("/new", {"name": ""}, "Name: nothing was entered"),
        ("/new", {"name": "arm"}, "there is a study 'arm' already; give another name"),
        ("/new", {"arms": ""}, "a study needs at least one option"),
        ("/new", {"arms": "arm\narm"}, "'arm' and 'arm' cannot be told apart; give every option"),
        ("/new", {"threshold": "50%"}, "write 0.5 for 50 %"),
        ("/new", {"confidence": "0.95"}, "0.95 is not a percentage from 50 to below 100"),
        ("/studies/arm/enter", {"arm": "A", "value": "3/2"}, "3 of 2 is not a number of"),
        (
            "/studies/arm/enter",
            {"arm": "A", "value": "7"},
            "7 is neither 0 nor 1; a share is another",
        ),
        ("/studies/arm/enter", {"arm": "B", "value": "1"}, "there is no option 'B'"),
        ("/studies/arm/stop", {"reason": ""}, "The reason: nothing was entered"),
        ("/studies/arm/extend", {}, "say how many more trials, or how sure"),
    ],
)
def test_what_is_wrong_is_said_in_the_words_of_the_page(
    browser, studies, path: str, form: dict[str, str], said: str
) -> None:
    studies.create("arm", ["A"], 0.5, "bernoulli", budget=9)
    base = {**FORM, "name": "new"} if path == "/new" else {}
    answer = browser.post(path, data={**base, **form})
    assert answer.status_code in (409, 422)
    assert said in html.unescape(answer.text)


def test_corrections(browser, studies: Studies) -> None:
    browser.post("/new", data={**FORM, **BOUNDED, "goal": "below"})
    study = studies.open("Media")
    at = "/studies/Media"
    assert "Recorded" in browser.post(f"{at}/enter", data={"arm": "A", "value": "3"}).text
    assert "Undo: " in browser.get(f"{at}?did=told&trial=1").text
    assert "Undo: " not in browser.get(f"{at}?did=told&trial=2").text
    assert "taken back" in browser.post(f"{at}/undo", data={"trial": "1"}).text
    assert study.trial(1).status == "retracted"
    browser.post(f"{at}/trials/1/corrected", data={"value": "4", "reason": "a slip"})
    assert study.trial(1).value == 4.0
    browser.post(f"{at}/ask", data={"n": "3"})
    browser.post(f"{at}/ask", data={"n": "1", "arm": "C"})
    assert study.pending[-1].arm == "C"
    browser.post(f"{at}/trials/2/cancelled", data={"reason": ""})
    assert study.trial(2).status == "cancelled"
    browser.post(f"{at}/stop", data={"reason": "budget cut"})
    assert study.status().state == "stopped"
    browser.post(f"{at}/extend", data={"trials": "5"})
    assert study.status().state == "open"
    page = browser.post(f"{at}/amend", data={"threshold": "6", "reason": "new rule"})
    assert "The bar was changed from 5 to 6" in page.text
    assert "an average below 6" in page.text
    for path in ("/log", "/trials/1", "/trials/2", "/forecast", "/evidence.json", "/log?until=3"):
        assert browser.get(at + path).status_code == 200, path
    assert browser.get(f"{at}/trials/99").status_code == 404
    assert browser.get(f"{at}/verify?head=zzz").status_code == 422


@pytest.mark.parametrize("value", ["", "x", "nan", "inf", "1,5", "11", "-1", "1e400", "=1+1"])
def test_bad_outcomes_change_nothing(browser, studies: Studies, value: str) -> None:
    browser.post("/new", data={**FORM, **BOUNDED})
    browser.post("/studies/Media/ask", data={"n": "1"})
    before = studies.open("Media").head
    answer = browser.post("/studies/Media/tell", data={"trial": "1", "value": value})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    browser.post("/studies/Media/tell", data={"trial": "7", "value": "1"})
    browser.post("/studies/Media/enter", data={"arm": "nobody", "value": "1"})
    browser.post("/studies/Media/ask", data={"n": "1000"})
    browser.post("/studies/Media/ask", data={"n": "1", "arm": "nobody"})
    browser.post("/studies/Media/stop", data={"reason": " "})
    assert studies.open("Media").head == before


def test_a_form_sent_twice_counts_once(browser, studies: Studies) -> None:
    browser.post("/new", data=FORM)
    for _ in range(2):
        browser.post("/studies/Media/ask", data={"n": "2", "key": "k1"})
        browser.post("/studies/Media/enter", data={"arm": "A", "value": "1", "key": "k2"})
        browser.post("/studies/Media/tell", data={"trial": "1", "value": "1"})
    assert studies.open("Media").status().trials == 2
    conflict = browser.post("/studies/Media/tell", data={"trial": "1", "value": "0"})
    assert conflict.status_code == 409


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_harmless_everywhere(browser, studies: Studies, name: str) -> None:
    assert name_of(slug(name)) == name
    study = studies.create(name, [name, "other"], 0.5, "bernoulli", delta=0.1, by="x")
    study.tell(name, 1, note=name, key="k")
    study.tell("other", 0, note="fine")
    study.ask(2)
    study.stop(name)
    at = f"/studies/{slug(name)}"
    for path in ("/", at, at + "/log", at + "/trials/1", at + "/verify", at + "/forecast"):
        answer = browser.get(path)
        assert answer.status_code == 200, path
        # The values of a list to choose from must be exact to be sent back.
        text = re.sub(r'<option value="[^"]*">', "", answer.text)
        for raw in ("<script>alert", "<img src=x", "\u200b", "\u2060"):
            assert raw not in text, path
        assert printable(name) in html.unescape(text)
    data = browser.get(f"/api{at}").json()
    assert data["name"] == data["arms"][0]["arm"] == name
    assert json.loads(browser.get(f"{at}/export/json").text)["study"] == name
    file = browser.get(f"{at}/export/csv")
    assert re.fullmatch(
        r'attachment; filename="[A-Za-z0-9_-]+\.csv"', file.headers["content-disposition"]
    )
    for row in csv.reader(io.StringIO(file.text)):
        assert not any(cell.startswith(("=", "+", "@")) for cell in row)


@pytest.mark.parametrize(
    "name", ["a\x00b", "a\u202eb", "a\nb", " a", "\u200b", "a\ud800b", "x" * 201]
)
def test_names_that_hide_are_refused(api, studies: Studies, name: str) -> None:
    body = {"name": name, "arms": ["a"], "threshold": 0.5, "outcome": "bernoulli"}
    sent = {"content": json.dumps(body), "headers": {"Content-Type": "application/json"}}
    assert api.post("/api/studies", **sent).status_code == 422
    assert studies.list() == []


def test_many_arms_make_a_page_of_bounded_size(browser, studies: Studies) -> None:
    study = studies.create("many", [f"arm {i}" for i in range(3000)], 0.5, "bernoulli")
    study.tell("arm 7", 1)
    answer = browser.get("/studies/many")
    assert answer.status_code == 200
    assert len(answer.text) < 120_000
    assert "Next" in answer.text
    assert "arm 7" in answer.text, "what was tried comes first"
    last = browser.get("/studies/many?sort=name&start=2950").text
    assert "arm 999" in last
    assert "Next" not in last.partition('id="arms"')[2]
    found = browser.get("/studies/many?q=arm 29&only=untried").text
    assert "111 of 3,000 options" in found
    table = browser.get("/studies/many/options.csv").text.splitlines()
    assert len(table) == 3001
    assert table[8].startswith("arm 7,1,0,0,1.0,")
    assert len(browser.get("/studies/many/evidence.json").json()["arms"]) == 2
