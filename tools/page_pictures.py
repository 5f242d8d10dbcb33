"""Pictures of the web page, taken by Chromium from a server with studies in every state.

Those of the documentation, docs/images/page_*.png:

    python tools/page_pictures.py

Every page in every state, by day and by night, on a desk and on a phone, to be looked at before a
change of the page is called done; `--only` takes a part of a name:

    python tools/page_pictures.py --rooms /tmp/rooms [--only doses]

They need the extra `web`, playwright, pillow, and a Chromium (tools/system-packages.sh).
"""

import io
import os
import re
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from goodarm.study import Studies

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
TOKEN = "a-token-for-pictures-0123456789"
DESK, PHONE = {"width": 1280, "height": 860}, {"width": 390, "height": 800}
SIZES = {"desk": DESK, "phone": PHONE}
DRAWN = 400  # ms until charts have been drawn anew for another width
MOST_OF_A_TABLE = 760  # pixels
COLOURS = 256  # in a picture of the documentation
GAP = 24  # between two screens beside each other


def gallery() -> Any:
    """The studies and the rooms that the tests walk through, too."""
    spec = spec_from_file_location("gallery", ROOT / "tests" / "web" / "gallery.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def served() -> Iterator[str]:
    """The address of a server with the studies of the gallery."""
    with TemporaryDirectory() as folder:
        database = Path(folder) / "studies.db"
        gallery().furnish(Studies(database, create=True))
        command = Path(sys.executable).with_name("goodarm")
        own = {"GOODARM_TOKEN": TOKEN, "GOODARM_TOKENS": str(Path(folder) / "tokens.json")}
        server = subprocess.Popen(
            [command, "serve", "--port", "0", "--storage", str(database)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "LOGNAME": "Ada", **own},
        )
        try:
            assert server.stdout is not None
            found = re.search(r"(http://127\.0\.0\.1:\d+)/enter", server.stdout.readline())
            assert found is not None
            yield found[1]
        finally:
            server.terminate()
            server.wait()


@contextmanager
def visited() -> Iterator[Page]:
    """A browser that has signed in."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with served() as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_context(base_url=address, viewport=DESK).new_page()
        page.goto(f"/enter?token={TOKEN}")
        yield page
        browser.close()


def dress(page: Page, size: str, scheme: str) -> None:
    """The page as wide and as light as that."""
    page.set_viewport_size(SIZES[size])
    page.emulate_media(color_scheme=scheme)
    page.wait_for_timeout(DRAWN)


def seen(page: Page, path: str, wait: str, size: str = "desk", scheme: str = "light") -> Page:
    """The page at that address, once it is complete."""
    page.goto(path)
    dress(page, size, scheme)
    page.locator(wait).first.wait_for()
    page.wait_for_timeout(DRAWN)
    return page


def look(page: Page, last: str) -> Image.Image:
    """From the top of a page to the end of that part."""
    return _picture(page.screenshot(full_page=True, clip=_until(page, last)))


def screen(page: Page) -> Image.Image:
    """What a phone shows at once."""
    return _picture(page.screenshot())


def take_documentation(page: Page) -> dict[str, Image.Image]:
    """The pictures of docs/web.md."""
    study, chart = "/studies/Cell~20culture", ".chart svg[role=img]"
    taken = {"study": look(seen(page, study, "#glance-forecast strong"), "#arms")}
    seen(page, f"{study}/evidence", chart, scheme="dark")
    taken["evidence"] = _picture(page.locator("#evidence").locator("xpath=..").screenshot())
    seen(page, "/studies/Many", "#arms", scheme="dark").get_by_label("Search").fill("Compound 1")
    page.get_by_role("button", name="Show").click()
    page.get_by_text("100 of 200 options").wait_for()
    options = page.locator("#arms").bounding_box()
    assert options is not None
    taken["options"] = _picture(
        page.screenshot(full_page=True, clip={**options, "height": MOST_OF_A_TABLE})
    )
    seen(page, "/compare?study=Cell~20culture&study=Second~20culture", chart)
    taken["compare"] = _picture(page.locator(".card:has(.sides-of-options)").screenshot())
    seen(page, study, "#begin", "phone", "dark").locator("#begin").click()
    page.locator("[data-digit]").first.wait_for()
    trial = screen(page)
    seen(page, "/studies/Batch", "#grid", "phone").locator("#next").scroll_into_view_if_needed()
    for number, value in ((6, "2.31"), (7, "1.94"), (8, "2.05")):
        page.locator(f"#value-{number}").fill(value)
    page.evaluate("scrollTo(0, document.querySelector('#next').offsetTop - 8)")
    grid = screen(page)
    seen(page, f"{study}/evidence", chart, "phone", "dark")
    page.evaluate("scrollTo(0, document.querySelector('#tabs').offsetTop)")
    taken["phone"] = beside([trial, grid, screen(page)])
    return taken


def beside(pictures: list[Image.Image]) -> Image.Image:
    """Several screens on one picture."""
    width = sum(one.width for one in pictures) + GAP * (len(pictures) - 1)
    made = Image.new("RGB", (width, max(one.height for one in pictures)), "#b8c2bd")
    left = 0
    for one in pictures:
        made.paste(one, (left, 0))
        left += one.width + GAP
    return made


def keep(picture: Image.Image, path: Path) -> None:
    """A PNG of few colours, so that the repository stays small; thin lines keep theirs, too."""
    few = picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size:,} bytes")


def _picture(taken: bytes) -> Image.Image:
    return Image.open(io.BytesIO(taken)).convert("RGB")


def _until(page: Page, last: str) -> dict[str, float]:
    box = page.locator(last).bounding_box()
    assert box is not None
    return {"x": 0.0, "y": 0.0, "width": DESK["width"], "height": box["y"] + box["height"] + 10}


def take_rooms(folder: Path, only: str) -> None:
    """Every room, four times."""
    folder.mkdir(parents=True, exist_ok=True)
    with visited() as page:
        for room in gallery().ROOMS:
            if only not in room.name:
                continue
            page.goto(room.path)
            page.locator(room.wait).first.wait_for()
            for size in SIZES:
                for scheme in ("light", "dark"):
                    dress(page, size, scheme)
                    whole = page.evaluate("document.documentElement.scrollHeight")
                    page.set_viewport_size({**SIZES[size], "height": whole})
                    page.screenshot(path=folder / f"{room.name}-{size}-{scheme}.png")


def main() -> None:
    parser = ArgumentParser(description="Pictures of the web page.")
    parser.add_argument("--rooms", type=Path, help="a folder for every page in every state")
    parser.add_argument("--only", default="", help="only rooms with this in their names")
    options = parser.parse_args()
    if options.rooms:
        take_rooms(options.rooms, options.only)
        return
    with visited() as page:
        for name, picture in take_documentation(page).items():
            keep(picture, IMAGES / f"page_{name}.png")


if __name__ == "__main__":
    main()
