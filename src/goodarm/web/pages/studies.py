"""All studies in a list; a demonstration in one click."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from goodarm.web.demo import create_demo
from goodarm.web.pages import MenuEntry
from goodarm.web.render import page
from goodarm.web.site import TheSite, TheVisitor
from goodarm.web.slugs import slug

MENU = MenuEntry(1, "Studies", "/")
router = APIRouter()
ON_ONE_PAGE = 50
MOST_PAGES = 10_000


@router.get("/")
def list_studies(request: Request, site: TheSite, q: str = "", start: int = 0) -> Response:
    """The studies, the latest changed first."""
    search = q.strip()[:200]
    first = min(max(start, 0), MOST_PAGES * ON_ONE_PAGE)
    entries = site.studies.list(search or None, limit=ON_ONE_PAGE + 1, offset=first)
    return page(
        request.scope,
        "studies.html",
        studies=entries[:ON_ONE_PAGE],
        search=search,
        start=first,
        before=max(0, first - ON_ONE_PAGE) if first else None,
        after=first + ON_ONE_PAGE if len(entries) > ON_ONE_PAGE else None,
    )


@router.post("/demo")
def demo(site: TheSite, visitor: TheVisitor) -> Response:
    """A study to play with."""
    study = create_demo(site.studies, visitor.name)
    return RedirectResponse(f"/studies/{slug(study.name)}", 303)
