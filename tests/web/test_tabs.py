"""What is under the tabs of a study's page: options, trials, settings; a page for each option."""

import csv
import html
import io
import re

import pytest

pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")

from goodarm.study import Studies
from goodarm.web.shown.options import BEST_FIRST, ORDERS, WHICH, OptionsAsked, options_shown

AT = "/studies/s"


@pytest.fixture
def study(studies: Studies):
    made = studies.create("s", [f"o{i}" for i in range(30)], 0.5, "bernoulli", delta=0.2)
    made.tell_many([(f"o{i}", float(i % 3 == 0)) for i in range(28) for _ in range(1 + i % 9)])
    return made


@pytest.mark.parametrize("sort", ["", *ORDERS, *(f"-{name}" for name in ORDERS), "nonsense"])
def test_every_option_is_on_one_page_of_the_table(study, sort: str, monkeypatch) -> None:
    monkeypatch.setattr("goodarm.web.shown.options.ON_ONE_PAGE", 7)
    status, start, seen = study.status(), 0, []
    while start is not None:
        shown = options_shown(status, OptionsAsked(sort=sort, start=start))
        seen += [row.arm for row in shown.forest.rows]
        start = shown.after
    assert sorted(arm.name for arm in seen) == sorted(arm.arm for arm in status.arms)
    column = (sort or BEST_FIRST).removeprefix("-")
    if column in ORDERS:
        known = [ORDERS[column](arm)[1] for arm in seen if not ORDERS[column](arm)[0]]
        assert known == sorted(known, reverse=(sort or BEST_FIRST).startswith("-"))
        if column in ("average", "evidence"):
            assert {arm.count for arm in seen[-2:]} == {0}, "what was not tried comes last"


def test_filters_part_the_options(study) -> None:
    study.tell_many([("o0", 1.0)] * 40 + [("o1", 0.0)] * 40)
    status = study.status()
    counts = {name: options_shown(status, OptionsAsked(only=name)).found for name in WHICH}
    assert counts["named"] + counts["open"] + counts["out"] == counts[""] == 30
    assert counts["untried"] == 2
    assert counts["named"]
    assert counts["out"]


def test_an_option_has_a_page_a_chart_and_a_file(browser, study) -> None:
    study.retract(study.tell("o3", 0).number, "a slip")
    told = [trial for trial in study.trials if trial.arm == "o3" and trial.value is not None]
    page = browser.get(f"{AT}/options/4").text
    assert "o3" in page
    data = browser.get(f"{AT}/options/4/outcomes.json").json()["outcomes"]
    assert [(one["trial"], one["value"]) for one in data] == [(t.number, t.value) for t in told]
    rows = list(csv.DictReader(io.StringIO(browser.get(f"{AT}/options/4.csv").text)))
    assert [float(row["value"]) for row in rows] == [trial.value for trial in told]
    for wrong in ("0", "31", "x", "1e3"):
        assert browser.get(f"{AT}/options/{wrong}").status_code in (404, 422)
    everything = browser.get(f"{AT}/outcomes.json").json()["outcomes"]
    assert len(everything) == study.status().trials


def test_every_trial_is_on_one_page_of_trials(browser, study) -> None:
    seen, address = [], f"{AT}/trials"
    while address:
        text = browser.get(address).text
        table = text.partition('id="all-trials"')[2]
        seen += [int(n) for n in re.findall(r'<td class="n"><a href="[^"]+">(\d+)</a>', table)]
        older = re.search(r'<a href="([^"]+)" data-swap>Older', table)
        address = html.unescape(older[1]) if older else ""
    assert seen == list(range(study.last_trial, 0, -1))


def test_a_study_is_renamed_on_its_page(browser, study, studies: Studies) -> None:
    wrong = browser.post(f"{AT}/rename", data={"name": " ", "reason": "x"})
    assert wrong.status_code == 422
    assert "Give it another name" in wrong.text
    page = browser.post(f"{AT}/rename", data={"name": "spring/2", "reason": "clearer"})
    assert page.url.path == "/studies/spring~2f2/settings"
    assert "spring/2" in page.text
    assert studies.open("spring/2").status().events == study.seq
    assert browser.get(f"{AT}/rename").status_code == 404


def test_a_study_is_put_away_and_tagged_on_its_page(browser, study, studies: Studies) -> None:
    studies.create("other", ["a"], 0.5, "bernoulli").tag(["autumn"])
    page = browser.post(f"{AT}/tag", data={"tags": "Spring, lab 3 ,", "before": ""})
    assert "The tags were saved." in page.text
    assert study.tags == ("lab 3", "spring")
    study.tag(["meanwhile"])
    browser.post(f"{AT}/tag", data={"tags": "spring, new", "before": "lab 3, spring"})
    assert study.tags == ("meanwhile", "new", "spring"), "what others did meanwhile stays"
    wrong = browser.post(f"{AT}/tag", data={"tags": "x" * 51, "before": ""})
    assert wrong.status_code == 422
    assert f'value="{"x" * 51}"' in wrong.text
    listed = lambda address: {  # noqa: E731
        name for name in ("s", "other") if f'href="/studies/{name}"' in browser.get(address).text
    }
    assert (listed("/"), listed("/?tag=autumn"), listed("/?tag=Spring")) == (
        {"s", "other"},
        {"other"},
        {"s"},
    )
    page = browser.post(f"{AT}/archive", data={"reason": "last year"})
    assert "was put away" in page.text
    assert (listed("/"), listed("/?archived=yes"), listed("/?tag=spring")) == (
        {"other"},
        {"s"},
        set(),
    )
    assert "1 study" in browser.get("/").text
    assert "Bring it back" in browser.get(f"{AT}/settings").text
    browser.post(f"{AT}/unarchive")
    assert listed("/") == {"s", "other"}
    assert [stored.kind for stored in study.events()][-2:] == ["archived", "unarchived"]
    for action in ("archive", "unarchive", "tag"):
        assert browser.get(f"{AT}/{action}").url.path == f"{AT}/settings"
