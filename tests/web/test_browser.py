"""The page in a real browser: Debian's or the user's Chromium, driven by Playwright."""

from pathlib import Path

import pytest

from goodarm.study import Study

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
# Unlike a plain look, this waits: a page that is under way need not be there yet.
expect = playwright.expect
PHONE = {"width": 390, "height": 740}


def test_bad_input_is_explained_and_kept(visit, hands) -> None:
    page = visit()
    hands.fill_in(page, "Bad", kind="gaussian")
    page.get_by_label("standard deviation, at most").fill("0,5")
    page.get_by_role("button", name="Create the study").click()
    expect(page.get_by_role("alert")).to_contain_text("not a number")
    assert page.get_by_label("Name").input_value() == "Bad"
    assert page.locator("#gaussian-sigma").get_attribute("aria-invalid") == "true"
    hands.keep(page, "bad-input")
    page.locator("#gaussian-sigma").fill("0.5")
    page.get_by_role("button", name="Create the study").click()
    page.get_by_role("button", name="Begin this trial").click()
    page.locator("#value-1").fill("much")
    page.locator("#value-1").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("is not a number")
    assert page.locator("#value-1").input_value() == "much"
    page.locator("#value-1").fill("0.7")
    page.locator("#value-1").press("Enter")
    page.get_by_role("button", name="Undo").first.click()
    expect(page.locator("#done")).to_contain_text("taken back")


def test_an_unlikely_outcome_is_looked_at_twice(visit, hands) -> None:
    page = visit()
    hands.fill_in(page, "Odd", kind="gaussian")
    page.get_by_label("standard deviation, at most").fill("0.5 0.2")
    page.get_by_role("button", name="Create the study").click()
    page.get_by_role("button", name="Begin this trial").click()
    page.locator("#note-1").fill("by hand")
    page.locator("#value-1").fill("54")
    page.locator("#value-1").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("107 standard deviations")
    assert page.locator("#value-1").input_value() == "54"
    assert page.locator("#note-1").input_value() == "by hand"
    hands.keep(page, "unlikely")
    assert hands.serious(page) == []
    page.get_by_role("button", name="Record").first.click()
    expect(page.get_by_role("alert"), "no box, no record").to_contain_text("107 standard")
    page.get_by_label("It is right, record it").check()
    page.get_by_role("button", name="Record").first.click()
    expect(page.locator("#done")).to_contain_text("Recorded")
    hands.tab(page, "Log")
    expect(page.locator("#log").get_by_text("by hand")).to_have_count(1)


def test_what_waits_leads_to_its_trial(visit, hands) -> None:
    page = visit(viewport=PHONE)
    hands.create(page, "Waits", arms="only")
    page.get_by_role("button", name="Begin this trial").click()
    page.get_by_role("button", name="Suggest").click()
    page.locator("#value-2").fill("1")
    page.locator("#value-2").press("Control+Enter")
    page.get_by_text("1 waits for trial").wait_for()
    hands.keep(page, "waiting")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.locator("#answer").get_by_role("link", name="1", exact=True).click()
    page.get_by_role("button", name="Withdraw").click()
    page.wait_for_url("**/studies/Waits?did=cancelled*")
    expect(page.locator("#answer")).not_to_contain_text("waits for trial")


def test_the_chart_follows_the_stopping_rule(visit, hands) -> None:
    page = visit()
    for rule in ("mixture", "glr"):
        hands.fill_in(page, rule)
        page.get_by_text("More settings").click()
        page.locator(f'input[name=boundary][value="{rule}"]').check()
        page.get_by_role("button", name="Create the study").click()
        page.get_by_role("button", name="Begin this trial").click()
        page.get_by_role("button", name="Yes (1)").click()
        hands.tab(page, "Evidence")
        page.wait_for_selector('svg[aria-label^="evidence, as a share of what is needed against"]')
        expect(page.locator("#evidence text", has_text="ruled out")).to_have_count(1)
        hands.tab(page, "Settings")
        expect(page.locator("#record")).to_contain_text(f"({rule})")


def test_hostile_names_stay_text(visit, hands) -> None:
    page = visit()
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    hands.create(
        page, "<script>alert(1)</script>", arms="<img src=x onerror=alert(2)>\n'\"><b>bold"
    )
    page.get_by_role("button", name="Begin this trial").click()
    page.get_by_role("button", name="Yes (1)").click()
    page.locator("#yes-2").wait_for()
    hands.tab(page, "Evidence")
    page.wait_for_selector(".chart svg[role=img]")
    assert page.get_by_text("<img src=x onerror=alert(2)>").count() >= 3
    expect(page.locator("main img, main b")).to_have_count(0)
    assert dialogs == []


def test_without_scripts(visit, hands) -> None:
    page = visit(java_script_enabled=False)
    hands.create(page, "Plain")
    page.get_by_role("button", name="Begin this trial").click()
    for value in ("Yes (1)", "No (0)", "Yes (1)"):
        page.get_by_role("button", name=value).click()
        expect(page.locator("main")).to_contain_text("Recorded")
    page.get_by_role("link", name="How many more trials?").click()
    expect(page.locator("main")).to_contain_text("more trials until")
    hands.keep(page, "no-javascript")


@pytest.mark.parametrize(("scheme", "width"), [("light", "desk"), ("dark", "phone")])
def test_a_plan_shows_progress_and_results(visit, scheme: str, width: str, hands) -> None:
    size = PHONE if width == "phone" else {"width": 1280, "height": 800}
    allowed = ["clipboard-read", "clipboard-write"]
    page = visit(color_scheme=scheme, viewport=size, permissions=allowed)
    page.goto("/plan")
    page.get_by_label("Guesses").fill("old: 0.3\nnew: 0.7..0.9")
    page.get_by_label("In batches of").fill("10")
    page.get_by_label("Trials a day").fill("7")
    page.get_by_label("Outcomes known").fill("2")
    page.get_by_role("button", name="Simulate").click()
    page.wait_for_selector("progress")
    page.wait_for_selector(".chart svg[role=img]", timeout=120_000)
    words = page.locator("main").inner_text()
    for said in ("APGAI-FE", "new", "In batches of 10", "At 7 trials a day", "Another bar"):
        assert said in words
    page.get_by_role("button", name="Copy the paragraph").click()
    page.get_by_text("Copied.").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.locator("#protocol").inner_text()
    hands.keep(page, f"plan-result-{width}-{scheme}")
    assert hands.serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_a_plan_without_scripts(visit, hands) -> None:
    page = visit(java_script_enabled=False)
    page.goto("/plan")
    page.get_by_label("Nothing.").check()
    page.get_by_label("number of options").fill("2")
    page.get_by_role("button", name="Simulate").click()
    page.get_by_text("For your protocol").wait_for(
        timeout=120_000
    )  # the page looks again by itself
    assert not page.get_by_role("button", name="Copy the paragraph").is_visible()


def test_where_nothing_may_be_copied_the_paragraph_is_marked(visit, hands) -> None:
    page = visit(permissions=["clipboard-read"])
    page.goto("/plan")
    page.get_by_text("More settings").click()
    page.get_by_label("Simulated runs for each algorithm").fill("50")
    page.get_by_role("button", name="Simulate").click()
    page.get_by_role("button", name="Copy the paragraph").click(timeout=120_000)
    page.get_by_text("press Ctrl-C").wait_for()
    assert page.evaluate("getSelection().toString()") == page.locator("#protocol").inner_text()
    page.get_by_role("link", name="Create this study").click()
    page.get_by_label("Name").fill("As planned")
    page.get_by_role("button", name="Create the study").click()
    expect(page.locator("#answer")).to_contain_text("an average above 0.5")


def test_the_look_is_changed_at_once_and_remembered(visit) -> None:
    page = visit(color_scheme="light")
    page.goto("/words")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    with page.expect_response("**/look"):
        page.get_by_role("button", name="Dark").click()
    assert page.evaluate(ground) != light
    page.goto("/")
    assert page.evaluate(ground) != light
    expect(page.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", "true")


def test_past_outcomes_are_imported(visit, tmp_path, hands) -> None:
    page = visit()
    hands.create(page, "Imported")
    page.get_by_text("Import past outcomes").click()
    page.get_by_label("Lines with a header").fill("arm,value\nA,1\nC,1\nB,2")
    page.get_by_role("button", name="Check the lines").click()
    expect(page.locator("main")).to_contain_text("2 lines cannot be used")
    expect(page.get_by_role("row", name="3", exact=False).first).to_contain_text("no option 'C'")
    hands.keep(page, "import-faults")
    assert hands.serious(page) == []
    path = tmp_path / "pilot.csv"
    path.write_text("arm,value\nA,1\nB,0\nB,1\n")
    page.get_by_label("Lines with a header").fill("")
    page.get_by_label("or a CSV file").set_input_files(path)
    page.get_by_role("button", name="Check the lines").click()
    expect(page.locator("main")).to_contain_text("3 outcomes can be imported")
    hands.keep(page, "import-preview")
    assert hands.serious(page) == []
    page.get_by_role("button", name="Import them").click()
    expect(page.locator("#done")).to_contain_text("were imported")
    hands.tab(page, "Log")
    expect(page.locator("#log").get_by_text("(imported)")).to_have_count(3)


def test_a_measurement_of_unknown_scatter(visit, hands) -> None:
    page = visit(java_script_enabled=False)
    hands.fill_in(page, "Yield")
    page.get_by_role("link", name="Which is mine?").click()
    page.get_by_label("Any other number").check()
    page.get_by_role("button", name="Next").click()
    expect(page.locator("#advice")).to_contain_text("gaussian")
    page.get_by_role("link", name="New study with it").click()
    assert page.locator("#gaussian-sigma").input_value() == ""
    page.get_by_label("Name").fill("Yield")
    page.get_by_label("Options, one per line").fill("A\nB")
    page.get_by_label("The bar", exact=True).fill("2")
    page.get_by_role("button", name="Create the study").click()
    hands.tab(page, "Settings")
    expect(page.locator("#record")).to_contain_text("a number whose scatter is not known")
    hands.tab(page, "Options")
    page.get_by_role("button", name="Begin this trial").click()
    page.get_by_label("Outcome").first.fill("2.4")
    page.get_by_role("button", name="Record").first.click()
    row = page.locator("#arms tbody tr").first
    expect(row).to_contain_text("2.4")
    expect(row.locator("svg.end"), "one outcome says nothing of the scatter").to_have_count(2)
    hands.keep(page, "unknown-scatter")


@pytest.mark.parametrize(("scheme", "width"), [("light", "desk"), ("dark", "phone")])
def test_a_report_is_accessible_fits_and_loads_nothing(
    chromium, tmp_path: Path, scheme: str, width: str, hands
) -> None:
    size = {"width": 390, "height": 740} if width == "phone" else {"width": 1280, "height": 800}
    arms = ["<img src=x onerror=alert(1)>", "a name that is rather long" * 4]
    study = Study.create("s", arms, 0.5, "bernoulli", storage=tmp_path / "s.db", delta=0.05)
    study.tell_many([(arms[0], 1), (arms[1], 0)] * 15)
    study.tell(arms[0], 0)
    study.amend(0.45, reason="<b>lower</b> " * 20)
    context = chromium.new_context(color_scheme=scheme, viewport=size)
    page, heard, asked = context.new_page(), [], []
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    address = study.report(tmp_path / "r.html").as_uri()
    page.goto(address)
    hands.keep(page, f"report-{width}-{scheme}")
    assert page.get_by_text(arms[0]).first.is_visible()
    assert (heard, asked) == ([], [address])
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert hands.serious(page) == []
    context.close()


def test_counts_are_told_and_pasted(visit, hands) -> None:
    page = visit(viewport=PHONE)
    hands.create(page, "Counts")
    page.get_by_text("Record an outcome that was not suggested").click()
    page.locator("#own-arm").fill("A")
    page.locator("#own-value").fill("370/1000")
    page.get_by_role("button", name="Record").click()
    page.get_by_role("button", name="Undo: A = 370/1000").wait_for()
    expect(page.locator("#answer")).to_contain_text("1,000")
    page.get_by_text("Import past outcomes").click()
    page.get_by_label("Lines with a header").fill("arm,successes,trials\nA,60,200\nB,40,100")
    page.get_by_role("button", name="Check the lines").click()
    expect(page.locator("main")).to_contain_text("300 outcomes can be imported, on 2 lines")
    expect(page.get_by_role("cell", name="60/200")).to_have_count(1)
    hands.keep(page, "import-counts")
    page.get_by_role("button", name="Import them").click()
    hands.tab(page, "Log")
    page.locator("#log").get_by_text("40/100").wait_for()
    expect(page.locator("#answer")).to_contain_text("1,300")
    hands.keep(page, "counts")
    assert hands.serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
