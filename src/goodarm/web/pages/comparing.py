"""Studies side by side: what each asks, what it says, and how its options stand."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from goodarm.errors import InputError
from goodarm.web.shown.compared import MOST_SIDES, Side, compare
from goodarm.web.shown.render import page
from goodarm.web.site import TheSite, TheVisitor

router = APIRouter()
MOST_OFFERED = 100  # other studies to add


@router.get("/compare")
def show(
    request: Request,
    site: TheSite,
    visitor: TheVisitor,
    study: Annotated[list[str] | None, Query()] = None,
) -> Response:
    """The chosen studies; with fewer than two of them, only what can be chosen."""
    chosen = list(dict.fromkeys(study or []))
    if len(chosen) > MOST_SIDES:
        raise InputError(f"study: {len(chosen)} at once; the page compares up to {MOST_SIDES}")
    sides = [Side.of(site.open(one, visitor), one) for one in chosen]
    names = {side.status.name for side in sides}
    others = [one.name for one in site.studies.list(None, MOST_OFFERED) if one.name not in names]
    return page(
        request.scope,
        "compare.html",
        sides=sides,
        comparison=compare(sides),
        others=others,
        is_full=len(sides) == MOST_SIDES,
    )
