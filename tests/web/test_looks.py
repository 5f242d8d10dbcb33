"""Light, dark or as the system has it."""

import pytest

pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")


def look(answer) -> str:
    return answer.text.split('data-look="')[1].split('"')[0]


def test_a_look_is_remembered_and_leads_back(browser) -> None:
    assert look(browser.get("/")) == "system"
    chosen = browser.post("/look", data={"look": "dark", "back": "/plan?outcome=bernoulli"})
    assert str(chosen.url).endswith("/plan?outcome=bernoulli")
    assert look(chosen) == look(browser.get("/")) == "dark"
    assert '<meta name="color-scheme" content="dark">' in chosen.text
    assert 'value="dark" aria-pressed="true"' in chosen.text


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example", "/\\evil.example", ""])
def test_it_leads_to_no_other_server(browser, back: str) -> None:
    browser.follow_redirects = False
    answer = browser.post("/look", data={"look": "light", "back": back})
    assert answer.headers["location"] == "/"


def test_a_look_that_there_is_not(browser, stranger) -> None:
    assert look(stranger.get("/enter", headers={"Cookie": "goodarm_look=plaid"})) == "system"
    assert look(stranger.get("/enter", headers={"Cookie": "goodarm_look=dark"})) == "dark"
    assert browser.post("/look", data={"look": "plaid"}).status_code == 422
