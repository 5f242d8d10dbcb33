"""Outcomes of several trials at once: a grid with one submit; all are recorded, or none."""

import csv
import io
import re
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Depends, Request
from starlette.responses import RedirectResponse, Response

from goodarm.errors import InputError
from goodarm.study import Study
from goodarm.web.forms.measuring import measurements, read_told, told_texts
from goodarm.web.pages.study import back, study_page
from goodarm.web.shown.slugs import slug
from goodarm.web.site import TheStudy
from goodarm.web.visitors.screens import remember

router = APIRouter(prefix="/studies/{slug}")
_CELL = re.compile(r"(value[0-9]{0,2}|note)-([0-9]{1,10})")
NOTE = "note"


class TypedBatch(NamedTuple):
    """What was typed into the grid: by trial, what its inputs and its note have."""

    cells: dict[int, dict[str, str]]
    sure: bool


async def _typed(request: Request) -> TypedBatch:
    form = await request.form()
    cells: dict[int, dict[str, str]] = {}
    for name, text in form.items():
        match = _CELL.fullmatch(name)
        if match and isinstance(text, str) and text.strip():
            cells.setdefault(int(match[2]), {})[match[1]] = text.strip()
    return TypedBatch(cells, bool(form.get("sure")))


TheTyped = Annotated[TypedBatch, Depends(_typed)]


@router.post("/tell-several")
def tell_several(request: Request, study: TheStudy, typed: TheTyped) -> Response:
    """Record the lines that are filled in; if one of them is wrong, say which, and none."""
    filled = {number: cell for number, cell in typed.cells.items() if cell.keys() - {NOTE}}
    try:
        if not filled:
            raise InputError("value: nothing is filled in; type an outcome into a line")
        study.tell_csv(io.StringIO(_table(study, filled, typed.sure)), sure=typed.sure)
    except InputError as error:
        return study_page(request, study, error, cells=typed.cells)
    if len(filled) == 1:
        return remember(request, back(study, "told", next(iter(filled))))
    return remember(request, back(study, "told-several"))


@router.get("/tell-several")
def reload(study: TheStudy) -> Response:
    """The address of an error page, opened anew."""
    return RedirectResponse(f"/studies/{slug(study.name)}", 303)


def _table(study: Study, cells: dict[int, dict[str, str]], sure: bool) -> str:
    """The lines as the study takes them, each looked at by itself first."""
    asked, faults = measurements(study.settings), []
    text = io.StringIO(newline="")
    table = csv.writer(text)
    names = [one.name for one in asked] if study.settings.criteria else ["value"]
    table.writerow(("trial", *names, NOTE))
    for number, cell in cells.items():
        try:
            told = told_texts(asked, read_told(study, cell, sure))
            table.writerow((number, *told, cell.get(NOTE, "")))
        except InputError as error:
            faults.append((number, error))
    if faults:
        number, first = faults[0]
        field, _, said = str(first).partition(": ")
        more = f" ({len(faults) - 1} more lines are wrong, too)" if len(faults) > 1 else ""
        raise type(first)(f"{field}: trial {number}: {said}{more}")
    return text.getvalue()
