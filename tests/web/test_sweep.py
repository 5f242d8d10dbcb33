"""Every page in every state, by day and by night, on a desk and on a phone: no barriers, it fits.

One browser walks through the rooms of the gallery once. Each room is looked at in two ways, and
from room to room they change places, so that all four meet every kind of page.
"""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from goodarm.study import Studies

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
spec = spec_from_file_location("gallery", Path(__file__).with_name("gallery.py"))
assert spec is not None
assert spec.loader is not None
gallery = module_from_spec(spec)
spec.loader.exec_module(gallery)
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 740}
WAYS = ((("light", DESK), ("dark", PHONE)), (("dark", DESK), ("light", PHONE)))
# Of what can be pressed, words in a running text are not asked to be as high as a thumb is wide.
TOO_SMALL = """() => [...document.querySelectorAll(
    "button:not(.term), .button, select, summary, .tabs a, nav a, input:not([type=hidden])")]
  .map((e) => e.matches("[type=checkbox], [type=radio]") ? e.closest("label") ?? e : e)
  .filter((e) => e.checkVisibility() && e.offsetHeight > 1 && e.offsetHeight < 43.5)
  .map((e) => `${e.offsetHeight} px: ${e.outerHTML.slice(0, 120)}`)"""
TWICE = """() => [...document.querySelectorAll("[id]")].map((e) => e.id)
  .filter((id, i, all) => all.indexOf(id) !== i)"""


def look_around(page, hands, name: str, number: int) -> list[str]:
    """What is wrong with the page that is open."""
    wrong = [f"{name}: twice {one}" for one in page.evaluate(TWICE)]
    for i, (scheme, size) in enumerate(WAYS[number % 2]):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        where = f"{name}, {scheme}, {size['width']} px"
        hands.keep(page, where)
        # What the two ways differ in is how it looks; the rest is the same page.
        rules = [] if i == 0 else ["color-contrast"]
        wrong += [f"{where}: {one}" for one in hands.serious(page, *rules)]
        if page.evaluate("document.documentElement.scrollWidth") > size["width"]:
            wrong.append(f"{where}: wider than the screen")
        if size is PHONE:
            wrong += [f"{where}: {one}" for one in page.evaluate(TOO_SMALL)]
    return wrong


@pytest.fixture(scope="module")
def furnished(server) -> None:
    gallery.furnish(Studies(server.database))


def test_no_barriers_before_there_is_anything(visit, hands) -> None:
    page = visit()
    wrong = look_around(page, hands, "no study yet", 0)
    page.context.clear_cookies()
    page.goto("/")
    assert wrong + look_around(page, hands, "signing in", 1) == []


def test_every_room_has_no_barriers_and_fits(visit, furnished, hands) -> None:
    page = visit()
    wrong: list[str] = []
    for number, room in enumerate(gallery.ROOMS):
        page.goto(room.path)
        page.locator(room.wait).first.wait_for()
        wrong += look_around(page, hands, room.name, number)
    assert wrong == []


def test_what_comes_by_doing_has_no_barriers(visit, furnished, hands) -> None:
    page = visit()
    page.goto(gallery.STUDY)
    page.get_by_role("button", name="Begin this trial").click()
    page.locator("[data-digit]").first.wait_for()
    page.get_by_role("button", name="Recommendation").press("Enter")
    page.locator("#word-recommendation:popover-open").wait_for()
    wrong = look_around(page, hands, "a word explained", 0)
    page.keyboard.press("Escape")
    page.goto("/studies/Yield")
    page.locator("#value-7").fill("54321")
    page.locator("#value-7").press("Enter")
    page.locator("#sure-7").wait_for()
    wrong += look_around(page, hands, "an odd outcome", 1)
    page.goto("/new")
    page.get_by_label("Name").fill("Bad")
    page.get_by_label("Options, one per line").fill("A")
    page.locator('input[value="bernoulli"]').check()
    page.get_by_label("The bar", exact=True).fill("0,5")
    page.get_by_role("button", name="Create the study").click()
    page.locator("#error").wait_for()
    assert wrong + look_around(page, hands, "a form with a mistake", 0) == []
