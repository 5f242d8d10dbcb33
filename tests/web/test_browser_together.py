"""Several people on one study, and a server that comes back: real browsers, a real server."""

import pytest

from goodarm.study import Study

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = playwright.expect
TOKEN = "a-token-for-the-tests-0123456789"
PEOPLE, ROUNDS = 5, 3


def test_five_browsers_work_on_one_study(visit, server, hands) -> None:
    first = visit()
    hands.create(first, "Five", arms="A\nB\nC")
    pages = [first, *(visit() for _ in range(PEOPLE - 1))]
    for page in pages[1:]:
        page.goto(first.url)
    for page in pages:
        page.get_by_role("button", name="Begin this trial").click()
    told: dict[int, float] = {}
    for _ in range(ROUNDS):
        shown = []
        for page in pages:  # nobody waits for the others
            entry = page.locator("form.trial")
            shown.append(int(entry.get_attribute("data-trial")))
            told[shown[-1]] = float(shown[-1] % 2)
            page.keyboard.press(f"{shown[-1] % 2}")
        assert len(set(shown)) == PEOPLE, "no trial is on two screens"
        for page, number in zip(pages, shown, strict=True):
            page.locator(f'form.trial:not([data-trial="{number}"])').wait_for()
    study = Study.load("Five", f"sqlite:///{server.database}")
    assert len(told) == PEOPLE * ROUNDS
    assert {number: study.trial(number).value for number in told} == told
    assert study.status().trials == len(told)
    assert len(study.pending) == PEOPLE
    assert study.verify().ok


def test_a_server_that_comes_back_hears_what_was_typed_meanwhile(
    new_server, chromium, hands
) -> None:
    own = new_server.start()
    context = chromium.new_context(base_url=own.url)
    page = context.new_page()
    page.goto(f"/enter?token={TOKEN}")
    hands.fill_in(page, "Restarted", kind="gaussian")
    page.get_by_role("button", name="Create the study").click()
    page.get_by_role("button", name="Begin this trial").click()
    page.locator("#value-1").wait_for()
    expect(page.locator("#live")).to_have_text("live")
    own.kill()
    expect(page.locator("#live")).to_have_text("reconnecting")
    page.locator("#value-1").fill("2.71828")
    page.locator("#value-1").press("Enter")
    expect(page.locator("#kept")).to_contain_text("2.71828")
    own.start(own.port)
    expect(page.locator("#undo, #done")).to_contain_text("2.71828")
    expect(page.locator("#kept")).to_be_hidden()
    expect(page.locator("#live")).to_have_text("live")
    assert Study.load("Restarted", f"sqlite:///{own.database}").trial(1).value == 2.71828
    context.close()


def test_a_tab_that_watches_hears_of_a_stop(visit, server, hands) -> None:
    mine = visit()
    hands.create(mine, "Ended")
    watching = visit()
    watching.goto(mine.url)
    expect(watching.locator("#live")).to_have_text("live")
    Study.load("Ended", f"sqlite:///{server.database}", by="Ada").stop("the supplier is gone")
    for page in (mine, watching):
        expect(page.locator("#state")).to_contain_text("stopped")
        expect(page.locator("#next")).to_contain_text("the supplier is gone")
        expect(page.get_by_role("button", name="Begin this trial")).to_have_count(0)
