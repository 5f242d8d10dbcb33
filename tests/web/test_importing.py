"""Past outcomes on the page and by the API: faults by line, all or none, once."""

import re

import pytest

pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")

from goodarm.remote.importing import MOST_BYTES, MOST_LINES

NEW = {"name": "s", "arms": ["a", "b, c"], "threshold": 0.5, "outcome": "bernoulli", "delta": 0.1}
AT, API = "/studies/s/import", "/api/studies/s/import"
GOOD = 'arm,value,note\na,1,first\n"b, c",0,\na,0,\n'


@pytest.fixture
def study(api, studies):
    api.post("/api/studies", json=NEW)
    return studies.open("s")


def hidden_fields(page: str) -> dict[str, str]:
    """What the button below a preview would send."""
    from html import unescape

    text = re.search(r'<textarea name="data" hidden>\n(.*?)</textarea>', page, re.DOTALL)[1]
    source = re.search(r'name="source" value="([^"]*)"', page)[1]
    return {"data": unescape(text), "source": unescape(source), "confirmed": "yes"}


def test_lines_are_shown_before_they_are_entered(browser, study) -> None:
    shown = browser.post(AT, data={"data": GOOD})
    assert "3 outcomes can be imported" in shown.text
    assert study.trials == []
    done = browser.post(AT, data=hidden_fields(shown.text))
    assert "The outcomes were imported" in done.text
    found = [(trial.arm, trial.value, trial.note) for trial in study.trials]
    assert found == [("a", 1.0, "first"), ("b, c", 0.0, None), ("a", 0.0, None)]
    assert study.trials[0].by == "owner"
    assert any("3 outcomes were imported" in caution.text for caution in study.status().cautions)


def test_the_same_lines_count_once(browser, study) -> None:
    for line_end in ("\n", "\r\n"):
        shown = browser.post(AT, data={"data": GOOD.replace("\n", line_end)}).text
        browser.post(AT, data=hidden_fields(shown))
    assert len(study.trials) == 3
    other = browser.post(AT, data={"data": GOOD + "a,1,\n"}).text
    browser.post(AT, data=hidden_fields(other))
    assert len(study.trials) == 7, "other lines, pasted without a name, are other outcomes"


def test_a_file_that_has_grown_adds_what_is_new(browser, study) -> None:
    for content in (GOOD, GOOD + "a,1,\n"):
        upload = {"data_file": ("pilot.csv", content.encode("utf-8-sig"), "text/csv")}
        shown = browser.post(AT, files=upload).text
        assert 'value="pilot.csv"' in shown
        browser.post(AT, data=hidden_fields(shown))
    assert len(study.trials) == 4
    changed = GOOD.replace("a,1", "a,0")
    told = browser.post(AT, data={"data": changed, "source": "pilot.csv", "confirmed": "yes"})
    assert told.status_code == 409
    assert "line 2: was imported before" in told.text
    assert len(study.trials) == 4


def test_unlikely_lines_are_shown_and_entered_on_a_second_look(browser, studies) -> None:
    made = studies.create("s", ["a", "b, c"], 0.5, "gaussian:0.1", delta=0.1)
    table = 'arm,value\na,0.5\na,54\n"b, c",−54'
    shown = browser.post(AT, data={"data": table}).text
    assert "Look twice at these lines" in shown
    found = re.findall(r'class="n">(\d+)</th><td><bdi>(.*?) standard deviations', shown)
    assert found == [("3", "54 is 535"), ("4", "-54 is 545")]
    refused = browser.post(AT, data=hidden_fields(shown))
    assert refused.status_code == 422
    assert "line 3: " in refused.text
    assert "They are right, record them" in refused.text
    assert made.trials == []
    done = browser.post(AT, data={**hidden_fields(refused.text), "sure": "yes"})
    assert "The outcomes were imported" in done.text
    assert [trial.value for trial in made.trials] == [0.5, 54.0, -54.0]


def test_a_sorted_table_counts_at_one_moment(browser, study) -> None:
    table = "arm,value\n" + "a,1\n" * 42 + "a,0\n" * 58
    browser.post(AT, data={"data": table, "confirmed": "yes"})
    assert (study.status().trials, study.status().decided) == (100, False)


def test_every_fault_is_named_with_its_line(browser, study) -> None:
    lines = ["arm,value,at", "a,1,", "x,1,", "a,much,", "a,0.5,", "a,1", ",1,", "a,1,yesterday"]
    for confirmed in ("", "yes"):
        told = browser.post(AT, data={"data": "\n".join(lines), "confirmed": confirmed})
        assert told.status_code == 422
        assert "6 lines cannot be used" in told.text
        found = re.findall(r'class="n">(\d+)</th><td><bdi>(.*?)</bdi>', told.text)
        assert [int(line) for line, _ in found] == [3, 4, 5, 6, 7, 8]
        for (_, message), said in zip(
            found,
            ("no option", "not a number", "neither 0 nor 1", "2 cells", "missing", "at"),
            strict=True,
        ):
            assert said in message
        assert "a,0.5," in told.text, "what was pasted is there to be put right"
        assert "pasted " not in told.text, "once put right, these are other lines"
        assert study.trials == []


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"data": ""}, "header"),
        ({"data": "a,1"}, "header"),
        ({"data": "arm,value,key\na,1,k"}, "header"),
        ({"data": "arm,value"}, "no line"),
        ({"data": GOOD, "source": "x" * 300}, "Where they come from"),
        ({"data": "arm,value\n" + "a,1\n" * (MOST_LINES + 1)}, f"{MOST_LINES:,} are taken"),
        ({"data": "arm,value,note\na,1," + "x" * MOST_BYTES}, f"{MOST_BYTES:,} are taken"),
    ],
)
def test_what_cannot_be_read_at_all(browser, study, form: dict, said: str) -> None:
    told = browser.post(AT, data={"confirmed": "yes", **form})
    assert told.status_code == 422
    assert said in told.text
    assert study.trials == []


def test_bytes_that_are_no_text(browser, study) -> None:
    upload = {"data_file": ("x.csv", b"\xff\xfe\x00", "text/csv")}
    assert "not text in UTF-8" in browser.post(AT, files=upload).text
    both = browser.post(AT, data={"data": GOOD}, files={"data_file": ("x.csv", GOOD.encode())})
    assert "not both" in both.text


def test_hostile_cells_stay_text(browser, study) -> None:
    told = browser.post(AT, data={"data": "arm,value\n<script>alert(1)</script>,1"})
    assert "<script>alert" not in told.text
    assert "&lt;script&gt;" in told.text


def test_who_may_only_look(app, tokens, study) -> None:
    from starlette.testclient import TestClient

    secret = tokens.create("guest", "read")
    guest = TestClient(
        app, base_url="http://127.0.0.1:8765", headers={"Authorization": f"Bearer {secret}"}
    )
    assert guest.post(AT, data={"data": GOOD, "confirmed": "yes"}).status_code == 403
    assert guest.post(API, json={"csv": GOOD}).status_code == 403
    assert "Check the lines" not in guest.get(AT).text
    assert study.trials == []


def test_another_site_cannot_import(browser, study) -> None:
    told = browser.post(
        AT, data={"data": GOOD, "confirmed": "yes"}, headers={"Origin": "http://evil.example"}
    )
    assert told.status_code == 403
    assert study.trials == []


def test_by_the_api(api, study) -> None:
    assert api.post(API, json={"csv": GOOD, "source": "p"}).json() == {"added": 3, "already": 0}
    longer = {"csv": GOOD + "a,1,", "source": "p"}
    assert api.post(API, json=longer).json() == {"added": 1, "already": 3}
    bad = api.post(API, json={"csv": "arm,value\nx,1\na,7"})
    assert bad.status_code == 422
    assert "line 2: there is no option" in bad.json()["error"]
    assert "line 3: " in bad.json()["error"]
    assert "tmp" not in bad.json()["error"]
    body = '{"csv": "arm,value,note\\na,1,\\ud800"}'
    odd = api.post(API, content=body, headers={"Content-Type": "application/json"})
    assert odd.status_code in (400, 422)
    assert len(study.trials) == 4
    assert study.verify().ok


def test_the_same_lines_again_are_said_to_be_there_already(browser, study) -> None:
    once = {"data": "arm,value\na,1", "confirmed": "yes"}
    first = browser.post(AT, data=once)
    count = len(study.trials)
    again = browser.post(AT, data=once)
    assert "The outcomes were imported." in first.text
    assert "give them another source" in again.text
    assert len(study.trials) == count
    more = browser.post(AT, data={**once, "source": "the second day"})
    assert "The outcomes were imported." in more.text
    assert len(study.trials) == count + 1


def test_some_lines_again_are_left_alone_and_said_to_be(browser, study) -> None:
    source = {"confirmed": "yes", "source": "growing"}
    browser.post(AT, data={**source, "data": "arm,value\na,1"})
    count = len(study.trials)
    grown = browser.post(AT, data={**source, "data": "arm,value\na,1\na,0"})
    assert "had brought before" in grown.text
    assert len(study.trials) == count + 1
