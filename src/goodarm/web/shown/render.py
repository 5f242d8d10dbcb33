"""Turning data into pages: one Jinja environment, in which everything is escaped."""

import secrets
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import Scope

from goodarm import __version__
from goodarm.study.log.fold import STATES, STATES_IN_SHORT
from goodarm.study.log.kinds import kind_of
from goodarm.study.report.course import event_text, reading_texts, told_text, trial_text
from goodarm.web.server.mounted import root_of, with_root
from goodarm.web.shown.looks import LOOKS, look_of
from goodarm.wording import (
    confidence,
    counted,
    figure,
    limits_text,
    printable,
    sure_at,
    to_the_minute,
    way,
)
from goodarm.wording import share as share_text

TITLES = {
    401: "Please show your token",
    403: "Not allowed",
    404: "Not found",
    405: "Not possible here",
    408: "Too slow",
    409: "That does not fit the study",
    413: "Too large",
    421: "Wrong address",
    422: "Please check the entry",
    429: "Busy",
    500: "Something went wrong",
    503: "Busy",
}

CODES = {  # for programs; where an exception says more, its own kind
    400: "wrong_input",
    401: "no_token",
    403: "not_allowed",
    404: "not_found",
    405: "no_such_method",
    408: "too_slow",
    409: "conflict",
    413: "too_large",
    421: "wrong_address",
    422: "wrong_input",
    429: "busy",
    500: "internal",
    501: "not_installed",
    503: "database",
}


TRIAL_STATES = {
    "open": "waiting for its outcome",
    "told": "has its outcome",
    "cancelled": "withdrawn",
    "expired": "its time ran out",
    "retracted": "outcome taken back",
}


@cache
def environment() -> Environment:
    """The templates of this package."""
    from goodarm.web.forms.outcome import choices
    from goodarm.web.forms.typed import in_plain_words
    from goodarm.web.pages import menu
    from goodarm.web.shown.slugs import slug
    from goodarm.web.shown.words import WORDS, guide_in_page_words, in_page_words

    templates = Environment(
        loader=FileSystemLoader(Path(__file__).parents[1] / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters.update(
        figure=figure,
        share=share_text,
        confidence=confidence,
        counted=counted,
        moment=to_the_minute,
        slug=slug,
        in_page_words=in_page_words,
        in_plain_words=in_plain_words,
        guide_in_page_words=guide_in_page_words,
        printable=printable,
        sure_at=sure_at,
    )
    templates.globals.update(
        menu=menu,
        looks=LOOKS,
        glossary=WORDS,
        version=__version__,
        states=STATES,
        in_short=STATES_IN_SHORT,
        kind_of=kind_of,
        new_key=lambda: secrets.token_hex(12),
        outcome_choices=choices,
        told_text=told_text,
        trial_text=trial_text,
        event_text=event_text,
        reading_texts=reading_texts,
        trial_states=TRIAL_STATES,
        way=way,
        limits_text=limits_text,
    )
    return templates


def page(scope: Scope, template: str, code: int = 200, **values: Any) -> HTMLResponse:
    """A page as a response; every template knows who looks at it."""
    visitor = scope.get("state", {}).get("visitor")
    query = scope.get("query_string", b"").decode("latin-1")
    here = scope["path"] + (f"?{query}" if query else "")
    known = {"visitor": visitor, "look": look_of(scope), "here": here}
    text = environment().get_template(template).render(**known, **values)
    return HTMLResponse(with_root(text, root_of(scope)), code)


def problem(
    scope: Scope, status: int, message: str, retry_after: int | None = None, **more: Any
) -> Response:
    """An error as a page, or as JSON for programs, who may get `more`."""
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    if retry_after is not None:
        headers["Retry-After"] = str(retry_after)
    if scope["path"].startswith("/api/"):
        said = {"error": message, "code": CODES.get(status, CODES[500]), **more}
        return JSONResponse(said, status, headers)
    template = "enter.html" if status == 401 else "problem.html"
    title = TITLES.get(status, "Something went wrong")
    answer = page(scope, template, status, title=title, message=message)
    answer.headers.update(headers)
    return answer
