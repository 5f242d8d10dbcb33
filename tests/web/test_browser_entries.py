"""Entering outcomes in a real browser: by keyboard, by two at once, without a connection."""

import pytest

from goodarm.study import Study

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
# Unlike a plain look, this waits: a page that is under way need not be there yet.
expect = playwright.expect


def test_a_study_by_keyboard_alone_to_its_end(visit, hands) -> None:
    page = visit()
    hands.create(page, "Keyboard")
    hands.press(page, "Enter", 'button:text("Begin this trial")')
    done = page.get_by_text("The study has ended")
    for number in range(1, 101):
        form = f'form.trial:has(input[name=trial][value="{number}"])'
        page.locator(form).or_(done).first.wait_for()
        if done.count():
            break
        option = page.locator(form).locator("strong").inner_text()
        hands.press(page, "1" if option == "B" else "0", f'{form} button:text("Yes (1)")')
    expect(page.locator("#answer")).to_contain_text("B is above 0.5")
    hands.keep(page, "finished")
    hands.tab(page, "Settings")
    page.get_by_role("link", name="Verify the log").click()
    expect(page.locator("main")).to_contain_text("The log is sound")
    page.go_back()
    for kind in ("CSV", "JSON", "Parquet"):
        with page.expect_download() as download:
            page.get_by_role("link", name=kind).click()
        assert download.value.suggested_filename == f"Keyboard.{kind.lower()}"


def test_two_browsers_never_tell_each_others_trial(visit, server, hands) -> None:
    mine, theirs = visit(), visit()
    hands.create(mine, "Shared")
    theirs.goto(mine.url)
    theirs.get_by_text("Record an outcome that was not suggested").click()
    theirs.locator("#own-note").fill("half a sentence")
    mine.get_by_role("button", name="Begin this trial").click()
    first = mine.locator('form.trial:has(input[value="1"])')
    first.wait_for()
    expect(theirs.locator("#others")).to_contain_text("Trial 1, A, is on a screen of")
    expect(theirs.locator("form.trial")).to_have_count(0)
    assert theirs.locator("#own-note").input_value() == "half a sentence"
    mine.locator("#note-1").fill("typed here")
    # They take it over and record it, while it is still shown here.
    theirs.get_by_role("button", name="Take it over").click()
    hands.press(theirs, "1", "#yes-1")
    expect(theirs.get_by_role("button", name="Undo: ")).to_have_count(1)
    expect(mine.locator("#changed")).to_contain_text("recorded trial 1; you have no trial")
    expect(mine.locator("form.trial")).to_have_count(0)
    expect(mine.locator("#others")).to_contain_text("Trial 2")
    # Two tabs of one browser share their trials; the second one changes under the first.
    tab = theirs.context.new_page()
    tab.goto(theirs.url)
    hands.press(tab, "1", "#yes-2")
    tab.locator("#yes-3").wait_for()
    expect(theirs.locator("#changed")).to_contain_text("trial 2; you now have trial 3")
    hands.keep(theirs, "changed")
    assert hands.serious(theirs) == []
    study = Study.load("Shared", f"sqlite:///{server.database}")
    before = study.seq
    theirs.keyboard.press("0")
    expect(theirs.locator("#changed")).to_contain_text("press again if you mean trial 3")
    assert study.seq == before
    theirs.keyboard.press("0")
    theirs.locator("#yes-4").wait_for()
    assert [study.trial(n).value for n in (1, 2, 3)] == [1.0, 1.0, 0.0]


PASTED = """text => {
    const data = new DataTransfer();
    data.setData("text", text);
    const init = { clipboardData: data, bubbles: true, cancelable: true };
    document.activeElement.dispatchEvent(new ClipboardEvent("paste", init));
}"""


def test_a_batch_by_keyboard_and_from_a_spreadsheet(visit, hands) -> None:
    page = visit(color_scheme="dark", viewport={"width": 390, "height": 800})
    hands.fill_in(page, "Batch", kind="gaussian")
    page.get_by_role("button", name="Create the study").click()
    page.locator("#n").fill("5")
    page.locator("#n").press("Enter")
    hands.press(page, "4", "#value-1")
    page.keyboard.press("Enter")
    hands.press(page, "ArrowUp", "#value-2")
    hands.press(page, "ArrowDown", "#value-1")
    page.evaluate(PASTED, "0.5\twarm\n0.75\n3\n8\n9")
    expect(page.locator("#changed")).to_contain_text("4 lines were filled in; 1 did not fit")
    page.evaluate(PASTED, "5\t1.25\tlate\n4\t1\n")  # trials by their numbers
    expect(page.locator("#changed")).to_contain_text("2 lines were filled in")
    values = [page.locator(f"#value-{n}").input_value() for n in range(1, 6)]
    assert values == ["4", "0.5", "0.75", "1", "1.25"]
    hands.keep(page, "grid")
    assert hands.serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.keyboard.press("Control+Enter")
    page.locator("#done", has_text="all of them").wait_for()
    hands.tab(page, "Trials")
    rows = page.locator("#all-trials tbody tr")
    expect(rows.filter(has_text="warm")).to_contain_text("0.5")
    expect(rows.filter(has_text="late")).to_contain_text("1.25")


def test_an_entry_is_kept_until_the_server_hears_it(visit, server, hands) -> None:
    page = visit()
    hands.fill_in(page, "Cut off", kind="gaussian")
    page.get_by_role("button", name="Create the study").click()
    expect(page.locator("#live")).to_have_text("live")
    page.get_by_role("button", name="Begin this trial").click()
    page.locator("#value-1").wait_for()
    page.context.set_offline(True)
    page.locator("#value-1").fill("12.34567")
    page.locator("#value-1").press("Enter")
    expect(page.locator("#kept")).to_contain_text("12.34567")
    expect(page.locator("#live")).to_have_text("reconnecting")
    hands.keep(page, "kept")
    page.context.set_offline(False)
    expect(page.locator("#undo, #done")).to_contain_text("12.34567")
    expect(page.locator("#kept")).to_be_hidden()
    expect(page.locator("#live")).to_have_text("live")
    cookies = page.context.cookies()
    page.context.clear_cookies()
    page.locator("#value-2").fill("0.25")
    page.locator("#value-2").press("Enter")
    expect(page.locator("#kept")).to_contain_text("signed out")
    expect(page.locator("#live")).to_have_text("signed out")
    page.context.add_cookies(cookies)
    page.get_by_role("button", name="Send it now").click()
    expect(page.locator("#undo, #done")).to_contain_text("0.25")
