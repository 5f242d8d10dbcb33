"""Handing in a token, which becomes a cookie; and leaving."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from goodarm.web.render import page, problem
from goodarm.web.site import TheSite

router = APIRouter()
KEPT_FOR = 30 * 86_400  # seconds


@router.get("/enter")
def enter_by_link(request: Request, site: TheSite, token: str = "") -> Response:
    """The link that was printed at the start: its token becomes a cookie and leaves the address."""
    if not token:
        return page(
            request.scope, "enter.html", title="Welcome", message="Paste your token to begin."
        )
    return _admit(request, site, token)


@router.post("/enter")
def enter_by_form(request: Request, site: TheSite, token: Annotated[str, Form()] = "") -> Response:
    """A token that was pasted."""
    return _admit(request, site, token.strip())


@router.post("/leave")
def leave(site: TheSite) -> Response:
    """Forget the cookie."""
    answer = RedirectResponse("/enter", 303)
    answer.delete_cookie(site.cookie)
    return answer


def _admit(request: Request, site: TheSite, token: str) -> Response:
    if site.access.visitor(token) is None:
        return problem(request.scope, 401, "That token is not valid here.")
    answer = RedirectResponse("/", 303)
    answer.set_cookie(
        site.cookie,
        token,
        max_age=KEPT_FOR,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return answer
