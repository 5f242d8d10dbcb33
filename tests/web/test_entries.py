"""Entries on a study's page: bound to their trial, exact, asked about, never lost on the way."""

import re

import pytest

pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")

from goodarm.study import Studies
from goodarm.web.visitors.screen_claims import Screen, ScreenClaims

AT = "/studies/s"
ORIGIN = "http://127.0.0.1:8765"
OWN = re.compile(r'action="/(leave|look)"')  # of the browser itself
PRESSED = re.compile(r'<button(?! type="button")')  # what sends a form, unlike a word of help


@pytest.fixture
def study(studies: Studies):
    return studies.create("s", ["A", "B"], 5.0, "gaussian", delta=0.05)


def new_browser(app):
    from starlette.testclient import TestClient

    headers = {"Origin": ORIGIN, "Sec-Fetch-Site": "same-origin"}
    return TestClient(app, base_url=ORIGIN, headers=headers, follow_redirects=True)


def another(app, browser):
    """A second browser of the same person."""
    made = new_browser(app)
    made.cookies.update(
        {name: value for name, value in browser.cookies.items() if not name.endswith("_screen")}
    )
    return made


def shown(page) -> list[int]:
    return [int(number) for number in re.findall(r'data-trial="(\d+)"', page.text)]


def test_a_trial_is_on_one_screen_until_it_is_let_go(app, browser, study) -> None:
    other = another(app, browser)
    assert shown(browser.post(f"{AT}/ask", data={"n": "2"})) == [1, 2]
    assert shown(other.get(AT)) == []
    assert shown(other.post(f"{AT}/ask", data={"n": "1"})) == [3]
    assert "Take it over" in other.get(AT).text
    assert shown(other.post(f"{AT}/take", data={"trial": "2"})) == [2, 3]
    lost = browser.post(f"{AT}/claims", data={"trials": "1,2"}).json()
    assert lost == [2]
    assert shown(browser.get(AT)) == [1]
    assert shown(browser.post(f"{AT}/let-go", data={"trial": "1"})) == []
    assert "nobody’s screen" in browser.get(AT).text
    assert shown(other.get(AT, headers={"X-Trials": "2,3"})) == [2, 3], "looking again takes none"
    assert shown(other.get(AT)) == [1, 2, 3]


def test_leaving_a_page_lets_go_of_what_no_later_page_shows(app, browser, study) -> None:
    other = another(app, browser)
    browser.post(f"{AT}/ask", data={"n": "1"})
    first, second = (
        re.search(r'data-view="([^"]+)"', browser.get(AT).text)[1]
        for _ in range(2)  # type: ignore[index]
    )
    left = browser.post(f"{AT}/let-go", data={"trial": "1", "view": first})
    assert left.status_code == 204
    assert shown(other.get(AT)) == []
    browser.post(f"{AT}/let-go", data={"trial": "1", "view": second})
    assert shown(other.get(AT)) == [1]


def test_a_claim_runs_out(monkeypatch, study) -> None:
    clock = [0.0]
    monkeypatch.setattr("goodarm.web.visitors.screen_claims.monotonic", lambda: clock[0])
    claims, mine, theirs = ScreenClaims(), Screen("m", "me"), Screen("t", None)
    study.ask(2)
    assert len(claims.share_out("s", study.pending, mine, "v").mine) == 2
    clock[0] = 80.0
    assert claims.claim("s", [1], mine, "v") == [1]
    clock[0] = 100.0
    shares = claims.share_out("s", study.pending, theirs, "w")
    assert [trial.number for trial in shares.mine] == [2]
    assert [(trial.number, screen) for trial, screen in shares.others] == [(1, mine)]


def test_an_outcome_that_others_were_faster_with_is_given_back(browser, study) -> None:
    browser.post(f"{AT}/ask", data={"n": "1"})
    study.tell(1, 4.5)
    answer = browser.post(f"{AT}/tell", data={"trial": "1", "value": "4.75"})
    assert answer.status_code == 409
    assert "trial 1 has the outcome 4.5, not 4.75" in answer.text
    assert "study.correct" not in answer.text
    assert 'name="value" inputmode="decimal" size="10" required value="4.75"' in answer.text


def test_what_was_recorded_is_shown_to_the_last_digit(browser, study) -> None:
    study.tell("A", 1234.56, sure=True)
    study.tell("B", 0.1 + 0.2)
    for path in (f"{AT}/trials", f"{AT}/log", f"{AT}/trials/1", f"{AT}/trials/2"):
        text = browser.get(path).text
        assert ("1234.56" in text) or path.endswith("2"), path
        assert ("0.30000000000000004" in text) or path.endswith("1"), path


def test_a_far_out_number_is_asked_about(browser, study) -> None:
    study.ask()
    for path, form in (("tell", {"trial": "1"}), ("enter", {"arm": "A"})):
        asked = browser.post(f"{AT}/{path}", data={"value": "5123", **form})
        assert asked.status_code == 422
        assert "times as large as any average" in asked.text
        assert study.status().trials == 0
    browser.post(f"{AT}/tell", data={"trial": "1", "value": "5123", "sure": "yes"})
    assert study.trial(1).value == 5123.0


def test_a_correction_says_what_it_did_and_keeps_what_was_typed(browser, study) -> None:
    study.tell("A", 4.0)
    at = f"{AT}/trials/1/corrected"
    same = browser.post(at, data={"value": "4.0", "reason": "a slip"})
    assert "nothing was changed" in same.text
    assert "keeps both" not in same.text
    for bad in ({"value": "4,1", "reason": "a slip"}, {"value": "4.1", "reason": ""}):
        answer = browser.post(at, data=bad)
        assert answer.status_code == 422
        assert 'value="4' in answer.text
        assert bad["reason"] in answer.text
        assert "Right outcome" in answer.text
    assert study.trial(1).value == 4.0
    assert "keeps both" in browser.post(at, data={"value": "4.1", "reason": "a slip"}).text


@pytest.mark.parametrize("path", ["ask", "tell", "enter", "undo", "stop", "extend", "amend"])
def test_the_address_of_an_error_page_can_be_opened_anew(browser, study, path) -> None:
    wrong = browser.post(f"{AT}/{path}", data={"trial": "x", "n": "x", "threshold": "x"})
    assert wrong.status_code == 422
    before = study.seq
    assert browser.get(str(wrong.url)).url.path == AT
    assert browser.get(f"{AT}/trials/1/corrected").status_code == 404
    assert study.seq == before


def test_a_token_that_may_only_look_sees_no_button_of_a_change(app, browser, study, tokens) -> None:
    study.tell("A", 4.0)
    study.ask()
    token = tokens.create("reader", "read")
    reader = new_browser(app)
    reader.get(f"/enter?token={token}")
    for path in (AT, f"{AT}/trials/1", f"{AT}/import", "/new", "/plan", "/", f"{AT}/log"):
        text = reader.get(path).text
        forms = re.findall(r"<form[^>]*method=\"post\"[^>]*>.*?</form>", text, re.DOTALL)
        buttons = [form for form in forms if PRESSED.search(form) and not OWN.search(form)]
        assert buttons == [], path


def test_a_grid_of_trials_is_recorded_whole_or_not_at_all(browser, study) -> None:
    page = browser.post(f"{AT}/ask", data={"n": "4"})
    assert shown(page) == [1, 2, 3, 4]
    before = study.seq
    typed = {"value-1": "4.5", "value-2": "4,7", "note-2": "dim", "value-3": "", "note-3": "later"}
    wrong = browser.post(f"{AT}/tell-several", data=typed)
    assert wrong.status_code == 422
    assert "trial 2: &#39;4,7&#39; is not a number" in wrong.text
    for kept in ('value="4.5"', 'value="4,7"', 'value="dim"', 'value="later"'):
        assert kept in wrong.text
    assert "nothing is filled in" in browser.post(f"{AT}/tell-several", data={}).text
    asked = browser.post(f"{AT}/tell-several", data={**typed, "value-2": "47000"})
    assert "trial 2: 47000 is 9,400 times as large" in asked.text
    assert study.seq == before
    done = browser.post(f"{AT}/tell-several", data={**typed, "value-2": "4.7"})
    assert "all of them" in done.text
    assert [study.trial(n).value for n in (1, 2, 3)] == [4.5, 4.7, None]
    assert study.trial(2).note == "dim"
    assert shown(done) == [3, 4]
    study.tell(3, 5.0)
    clash = browser.post(f"{AT}/tell-several", data={"value-3": "6", "value-4": "6"})
    assert clash.status_code == 409
    assert study.trial(4).value is None


@pytest.mark.parametrize("form", [{"value": "37 of 1000"}, {"count": "37", "of": "1000"}])
def test_counts_are_typed_as_people_say_them(browser, studies, form) -> None:
    made = studies.create("s", ["A"], 0.5, "bernoulli")
    made.ask()
    assert "Recorded" in browser.post(f"{AT}/tell", data={"trial": "1", **form}).text
    assert (made.trial(1).value, made.trial(1).size) == (37.0, 1000.0)


def test_an_entry_is_undone_with_a_reason(browser, study) -> None:
    study.tell("A", 4.0)
    browser.post(f"{AT}/undo", data={"trial": "1", "reason": "wrong vial"})
    assert study.trial(1).reason == "wrong vial"
