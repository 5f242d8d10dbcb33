"""Telling one browser from another, also where two people share a token."""

import re
import secrets
from collections.abc import Sequence

from fastapi import Request
from starlette.responses import Response

from goodarm.study import Study, Trial
from goodarm.web.visitors.screen_claims import Screen, ScreenClaims, Shares

KEPT_FOR = 30 * 86_400  # seconds
SHOWN = "x-trials"  # a page that looks again says in this header which trials it shows
VIEW = "x-view"  # and in this one which page it is
MOST_KNOWN = 200
_NUMBER = re.compile(r"[A-Za-z0-9_-]{16}")


def screen_of(request: Request) -> Screen:
    """The browser that a request comes from."""
    state = request.state
    if not hasattr(state, "screen"):
        number = request.cookies.get(_cookie(request), "")
        state.new_screen = _NUMBER.fullmatch(number) is None
        number = secrets.token_urlsafe(12) if state.new_screen else number
        state.screen = Screen(number, _who(state))
    screen = state.screen
    assert isinstance(screen, Screen)
    return screen


def view_of(request: Request) -> str:
    """The page that is on it: that which asks, if it will stay; otherwise a new one."""
    given = request.headers.get(VIEW, "")
    return given if _NUMBER.fullmatch(given) else secrets.token_urlsafe(12)


def claims_of(request: Request) -> ScreenClaims:
    """Which trial is on which screen."""
    claims = request.app.state.site.claims
    assert isinstance(claims, ScreenClaims)
    return claims


def shares_of(request: Request, study: Study, pending: Sequence[Trial], view: str) -> Shares:
    """The open trials as the page shows them; who may not write claims nothing."""
    if not request.state.visitor.may_write:
        return Shares((), tuple((trial, None) for trial in pending))
    shown = request.headers.get(SHOWN)
    known = None if shown is None else numbers_in(shown)
    return claims_of(request).share_out(study.name, pending, screen_of(request), view, known)


def numbers_in(text: str) -> set[int]:
    """Numbers of trials with commas between them; anything else is left out."""
    return {int(part) for part in text.split(",")[:MOST_KNOWN] if re.fullmatch("[0-9]{1,10}", part)}


def remember(request: Request, answer: Response) -> Response:
    """Give the browser its number, if it has none yet. It opens nothing, so it is no secret."""
    screen = screen_of(request)
    if request.state.new_screen:
        answer.set_cookie(
            _cookie(request),
            screen.number,
            max_age=KEPT_FOR,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
    return answer


def _cookie(request: Request) -> str:
    return f"{request.app.state.site.cookie}_screen"


def _who(state: object) -> str | None:
    name = getattr(getattr(state, "visitor", None), "name", None)
    return name if isinstance(name, str) else None
