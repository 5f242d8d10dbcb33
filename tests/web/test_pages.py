"""A page is one file: it is found by itself, behind the gate, and in the menu if it wants to be."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")

from goodarm.web import pages

PAGE = """
from fastapi import APIRouter, Request
from starlette.responses import Response
from goodarm.web.pages import MenuEntry
from goodarm.web.shown.render import page

MENU = MenuEntry(9, "Hello <you>", "/hello")
router = APIRouter()


@router.get("/hello")
def hello(request: Request) -> Response:
    return page(request.scope, "problem.html", title="Hello", message="It works.")
"""


@pytest.fixture
def new_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A file more in the folder of pages."""
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "hello.py").write_text(PAGE)
    monkeypatch.setattr(pages, "__path__", [*pages.__path__, str(folder)])
    pages._modules.cache_clear()
    yield
    pages._modules.cache_clear()
    del sys.modules["goodarm.web.pages.hello"]
    del pages.hello


def test_a_new_file_is_a_page(new_page, stranger, browser) -> None:
    assert stranger.get("/hello").status_code == 401
    assert "It works." in browser.get("/hello").text
    assert '<a href="/hello">Hello &lt;you&gt;</a>' in browser.get("/").text


def test_the_menu(browser) -> None:
    assert [entry.title for entry in pages.menu()] == ["Studies", "Plan", "Outcomes"]
    text = browser.get("/").text
    assert text.index('<a href="/">Studies') < text.index('"/plan"') < text.index('"/api"')
