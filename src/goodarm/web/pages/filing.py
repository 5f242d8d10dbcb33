"""Where a study is found: putting it away, bringing it back, its tags."""

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from goodarm.errors import InputError
from goodarm.study import Study
from goodarm.study.tags import BETWEEN
from goodarm.web.forms.typed import optional_text
from goodarm.web.pages.study import back, study_page
from goodarm.web.shown.slugs import slug
from goodarm.web.site import TheStudy

router = APIRouter(prefix="/studies/{slug}")
Text = Annotated[str, Form()]
TAB = "settings"


@router.post("/archive")
def archive(request: Request, study: TheStudy, reason: Text = "", key: Text = "") -> Response:
    """Leave it out of the list."""
    work = lambda: study.archive(optional_text(reason), optional_text(key))  # noqa: E731
    return _file(request, study, "archived", work)


@router.post("/unarchive")
def unarchive(request: Request, study: TheStudy, reason: Text = "", key: Text = "") -> Response:
    """Have it in the list again."""
    work = lambda: study.unarchive(optional_text(reason), optional_text(key))  # noqa: E731
    return _file(request, study, "unarchived", work)


@router.post("/tag")
def tag(
    request: Request, study: TheStudy, tags: Text = "", before: Text = "", key: Text = ""
) -> Response:
    """Other tags than those that the form showed `before`; what others did meanwhile stays."""
    new, old = _read(tags), _read(before)
    work = lambda: study.tag(new, set(old) - set(new), optional_text(key))  # noqa: E731
    return _file(request, study, "tagged", work, tags=tags)


@router.get("/archive")
@router.get("/unarchive")
@router.get("/tag")
def reload(study: TheStudy) -> Response:
    """The address of an error page, opened anew."""
    return RedirectResponse(f"/studies/{slug(study.name)}/{TAB}", 303)


def _file(
    request: Request, study: Study, did: str, work: Callable[[], object], **typed: str
) -> Response:
    try:
        work()
    except InputError as error:
        return study_page(request, study, error, TAB, **typed)
    return back(study, did)


def _read(text: str) -> list[str]:
    return [tag.strip().lower() for tag in text.split(BETWEEN.strip()) if tag.strip()]
