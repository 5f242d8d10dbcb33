"""The page of words: what each of them means."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from goodarm.web.shown.render import page

router = APIRouter()


@router.get("/words")
def words(request: Request) -> Response:
    """Every word that the page uses in a sense of its own."""
    return page(request.scope, "words.html")
