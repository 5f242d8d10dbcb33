"""Handing in a token, which begins a session; leaving; and which sessions there are."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from goodarm.remote.failures import NotFoundError
from goodarm.web.shown.render import page, problem
from goodarm.web.site import TheSite
from goodarm.web.visitors.gate import address_of
from goodarm.web.visitors.sessions import LONGEST_SESSION

router = APIRouter()


@router.get("/enter")
def enter_by_link(request: Request, site: TheSite, token: str = "") -> Response:
    """The link that was printed at the start: its token begins a session and leaves the address."""
    if not token:
        return page(
            request.scope, "enter.html", title="Welcome", message="Paste your token to begin."
        )
    return _admit(request, site, token)


@router.post("/enter")
def enter_by_form(request: Request, site: TheSite, token: Annotated[str, Form()] = "") -> Response:
    """A token that was pasted."""
    return _admit(request, site, token.strip())


@router.get("/sessions")
def list_sessions(request: Request, site: TheSite) -> Response:
    """Where this visitor is signed in."""
    own = request.state.session
    sessions = [] if own is None else reversed(site.access.sessions_beside(own))
    current = None if own is None else site.access.sessions.find(own)
    return page(request.scope, "sessions.html", sessions=list(sessions), current=current)


@router.post("/sessions/end")
def end_session(request: Request, site: TheSite, number: Annotated[str, Form()] = "") -> Response:
    """End a session of the visitor's own token."""
    own = request.state.session
    beside = [] if own is None else site.access.sessions_beside(own)
    if number not in [session.number for session in beside]:
        raise NotFoundError("there is no such session of yours; it may have ended")
    site.access.sessions.end_numbered(number)
    return RedirectResponse("/sessions", 303)


@router.post("/leave")
def leave(request: Request, site: TheSite) -> Response:
    """End the session, and forget the cookie."""
    if request.state.session is not None:
        site.access.sessions.end(request.state.session)
    answer = RedirectResponse("/enter", 303)
    answer.delete_cookie(site.cookie)
    return answer


def _admit(request: Request, site: TheSite, token: str) -> Response:
    device = request.headers.get("user-agent", "")
    session = site.access.sign_in(token, device, address_of(request.scope))
    if session is None:
        return problem(request.scope, 401, "That token is not valid here.")
    answer = RedirectResponse("/", 303)
    answer.set_cookie(
        site.cookie,
        session,
        max_age=int(LONGEST_SESSION),
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return answer
