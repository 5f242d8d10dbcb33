"""Pictures of the web page, taken by Chromium from a server with studies in every state.

Those of the documentation, docs/images/page_*.png:

    python tools/page_pictures.py

Every page in every state, by day and by night, on a desk and on a phone, to be looked at before a
change of the page is called done; `--only` takes a part of a name:

    python tools/page_pictures.py --rooms /tmp/rooms [--only doses]

They need the extra `web`, playwright, pillow, and a Chromium (tools/system-packages.sh).
"""

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

from playwright.sync_api import Page, sync_playwright

from goodarm.study import Studies

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
TOKEN = "a-token-for-pictures-0123456789"
DESK, PHONE = {"width": 1280, "height": 860}, {"width": 390, "height": 800}
SIZES = {"desk": DESK, "phone": PHONE}
DRAWN = 400  # ms until charts have been drawn anew for another width
LARGEST = 150_000  # bytes of a picture in the documentation


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
    take_rooms(options.rooms, options.only)


if __name__ == "__main__":
    main()
