"""Charts in a real browser: close up and back, as files, in the same colours, on the same scale."""

from pathlib import Path

import pytest

from goodarm.study import Studies

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = playwright.expect
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 740}
LONG = "a name that somebody has copied from a label"
# Where the line of the bar is, and where the number of the same value stands below it.
PLACES = """() => {
  const middle = (e) => { const box = e.getBoundingClientRect(); return box.x + box.width / 2; };
  const numbers = [...document.querySelectorAll("#arms .axis text")];
  const number = numbers.find((e) => e.textContent === "0.5");
  return [middle(number), ...[...document.querySelectorAll("#arms .bar")].map(middle)];
}"""


@pytest.fixture(scope="module")
def drawn(server) -> str:
    """A study with some outcomes, and its address."""
    study = Studies(server.database).create("Drawn", ["A", LONG, "C"], 0.5, "bernoulli", delta=0.05)
    study.tell_many([("A", 1.0), (LONG, 0.0), ("C", 1.0), ("A", 1.0), (LONG, 0.0), ("A", 0.0)] * 3)
    return "/studies/Drawn"


def test_the_numbers_below_the_intervals_are_those_of_the_intervals(visit, drawn) -> None:
    page = visit()
    page.goto(drawn)
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        number, *bars = page.evaluate(PLACES)
        assert len(bars) == 3
        assert bars == pytest.approx([number] * 3, abs=1.0), size


def test_a_stretch_is_looked_at_closely_and_left_again(visit, drawn) -> None:
    page = visit()
    page.goto(f"{drawn}/evidence")
    chart = page.locator('.chart[data-chart="outcomes"]')
    dots = chart.locator("svg[role=img] :is(ellipse, rect, polyline:not([stroke-width='1']))")
    chart.locator("svg[role=img]").wait_for()
    every = dots.count()
    chart.get_by_role("button", name="Latest half").click()
    back = chart.get_by_role("button", name="Show all of it")
    back.wait_for()
    assert dots.count() < every
    back.click()
    expect(back).to_have_count(0)
    assert dots.count() == every
    chart.scroll_into_view_if_needed()
    box = chart.locator("svg[role=img]").bounding_box()
    page.mouse.move(box["x"] + 200, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 400, box["y"] + 100)
    page.mouse.up()
    back.wait_for()
    assert dots.count() < every
    chart.locator("svg[role=img]").dblclick()
    expect(back).to_have_count(0)


def test_charts_are_files_that_need_no_page(visit, drawn, tmp_path: Path) -> None:
    page = visit(color_scheme="dark")
    page.goto(f"{drawn}/evidence")
    chart = page.locator('.chart[data-chart="evidence"]')
    chart.locator("svg[role=img]").wait_for()
    for kind in ("SVG", "PNG"):
        with page.expect_download() as download:
            chart.get_by_role("button", name=kind).click()
        assert download.value.suggested_filename == f"evidence.{kind.lower()}"
        download.value.save_as(tmp_path / kind)
    assert (tmp_path / "PNG").read_bytes().startswith(b"\x89PNG")
    svg = (tmp_path / "SVG").read_text()
    assert "var(" not in svg, "colours are written out"
    assert "ruled out" in svg
    assert "a name that" in svg


def test_an_option_has_one_colour_in_all_charts(visit, drawn) -> None:
    page = visit(viewport=PHONE)
    page.goto(f"{drawn}/evidence")
    page.locator('.chart[data-chart="outcomes"] .legend').wait_for()
    named = "es => es.map(e => [e.firstChild.textContent.slice(0, 6), e.getAttribute('fill')])"
    lines = page.locator('.chart[data-chart="evidence"] text[font-weight]').evaluate_all(named)
    sample = """es => es.map(e => [e.textContent.trim().slice(0, 6),
        e.querySelector("[fill^=var]")?.getAttribute("fill")
        ?? e.querySelector("[stroke]").getAttribute("stroke")])"""
    legend = page.locator('.chart[data-chart="outcomes"] .legend > span').evaluate_all(sample)
    assert len(legend) == 3
    assert dict(legend) == dict(lines)
    assert len(set(dict(lines).values())) == 3
