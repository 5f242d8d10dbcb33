"""Choosing between light and dark."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from goodarm.web.shown.looks import COOKIE, KEPT_FOR, check_look

router = APIRouter()
Text = Annotated[str, Form()]


@router.post("/look")
def choose(request: Request, look: Text = "", back: Text = "/") -> Response:
    """Remember the choice, and go back to the page where it was made."""
    is_own = back.startswith("/") and not back.startswith(("//", "/\\"))
    answer = RedirectResponse(back if is_own else "/", 303)
    is_safe = request.url.scheme == "https"
    answer.set_cookie(
        COOKIE, check_look(look), KEPT_FOR, httponly=True, samesite="lax", secure=is_safe
    )
    return answer
