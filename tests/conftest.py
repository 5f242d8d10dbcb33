"""Settings for all tests: hypothesis without deadlines, because compilation comes in between."""

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, settings

import goodarm

settings.register_profile(
    "goodarm", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("goodarm")


@pytest.fixture(scope="session")
def published() -> dict:
    """The numbers printed in the paper's tables."""
    path = Path(goodarm.__file__).parent / "paper" / "published.json"
    return json.loads(path.read_text())


@pytest.fixture(scope="session")
def harmless() -> Callable[[str], ElementTree.Element]:
    """Reads a piece of HTML, which must be whole, run nothing and load nothing."""
    page = "html head body main section footer meta title style div figure p pre h1 h2 strong bdi"
    parts = "code span dl dt dd ul li table caption thead tbody tfoot tr th td"
    drawing = "svg line circle rect path text"
    elements = set(f"{page} {parts} {drawing}".split(" "))

    def read(text: str) -> ElementTree.Element:
        root = ElementTree.fromstring(text.removeprefix("<!doctype html>\n"))
        for element in root.iter():
            assert element.tag in elements
            assert not {"src", "href", "srcset", "action"}.intersection(element.attrib)
            assert not any(name.startswith("on") for name in element.attrib)
            sheet = element.text or "" if element.tag == "style" else element.get("style", "")
            assert "url(" not in sheet
            assert "@import" not in sheet
        return root

    return read
