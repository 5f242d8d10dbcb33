"""All studies in a list; a demonstration in one click."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from goodarm.study.tags import LONGEST_TAG
from goodarm.web.demo import create_demo
from goodarm.web.pages import MenuEntry
from goodarm.web.shown.render import page
from goodarm.web.shown.slugs import slug
from goodarm.web.site import TheSite, TheVisitor

MENU = MenuEntry(1, "Studies", "/")
router = APIRouter()
ON_ONE_PAGE = 50
MOST_PAGES = 10_000


@dataclass(frozen=True)
class StudiesAsked:
    """Which studies are to be shown."""

    search: str = ""
    tag: str = ""
    archived: bool = False

    @property
    def is_everything(self) -> bool:
        """Whether nothing is left out but what was put away."""
        return self == StudiesAsked()

    def kind(self) -> dict[str, Any]:
        """The same for `Studies.list`, but for the name."""
        return {"tag": self.tag or None, "archived": self.archived}

    def address(self, **changes: object) -> str:
        """The same with changes, as an address."""
        given = {"q": self.search, "tag": self.tag, "archived": "yes" if self.archived else ""}
        query = urlencode({name: value for name, value in {**given, **changes}.items() if value})
        return f"/?{query}" if query else "/"


@router.get("/")
def list_studies(
    request: Request,
    site: TheSite,
    q: str = "",
    tag: str = "",
    archived: str = "",
    start: int = 0,
) -> Response:
    """The studies, the latest changed first."""
    asked = StudiesAsked(q.strip()[:200], tag.strip()[:LONGEST_TAG], bool(archived))
    first = min(max(start, 0), MOST_PAGES * ON_ONE_PAGE)
    every, kind = site.studies, asked.kind()
    entries = every.list(asked.search or None, ON_ONE_PAGE + 1, first, **kind)
    return page(
        request.scope,
        "studies.html",
        studies=entries[:ON_ONE_PAGE],
        asked=asked,
        tags=every.tags(),
        put_away=every.count(archived=True),
        start=first,
        before=max(0, first - ON_ONE_PAGE) if first else None,
        after=first + ON_ONE_PAGE if len(entries) > ON_ONE_PAGE else None,
    )


@router.post("/demo")
def demo(site: TheSite, visitor: TheVisitor) -> Response:
    """A study to play with."""
    study = create_demo(site.studies, visitor.name)
    return RedirectResponse(f"/studies/{slug(study.name)}", 303)
