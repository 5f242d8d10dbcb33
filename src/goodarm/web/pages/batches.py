"""Outcomes of several trials at once: a grid with one submit; all are recorded, or none."""

import csv
import io
import re
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Depends, Request
from starlette.responses import RedirectResponse, Response

from goodarm.errors import InputError
from goodarm.study import Study
from goodarm.web.pages.actions import read_outcome
from goodarm.web.pages.study import back, study_page
from goodarm.web.screens import remember
from goodarm.web.site import TheStudy
from goodarm.web.slugs import slug

router = APIRouter(prefix="/studies/{slug}")
_CELL = re.compile(r"value-([0-9]{1,10})")


class TypedBatch(NamedTuple):
    """What was typed into the grid: outcome and note by trial, where an outcome is filled in."""

    cells: dict[int, tuple[str, str]]
    sure: bool


async def _typed(request: Request) -> TypedBatch:
    form = await request.form()
    texts = {name: text.strip() for name, text in form.items() if isinstance(text, str)}
    numbers = [int(match[1]) for match in map(_CELL.fullmatch, texts) if match]
    cells = {n: (texts[f"value-{n}"], texts.get(f"note-{n}", "")) for n in numbers}
    return TypedBatch({n: cell for n, cell in cells.items() if any(cell)}, bool(texts.get("sure")))


TheTyped = Annotated[TypedBatch, Depends(_typed)]


@router.post("/tell-several")
def tell_several(request: Request, study: TheStudy, typed: TheTyped) -> Response:
    """Record the lines that are filled in; if one of them is wrong, say which, and none."""
    filled = {number: cell for number, cell in typed.cells.items() if cell[0]}
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


def _table(study: Study, cells: dict[int, tuple[str, str]], sure: bool) -> str:
    """The lines as the study takes them, each looked at by itself first."""
    outcome, faults = study.settings.outcome, []
    text = io.StringIO(newline="")
    table = csv.writer(text)
    table.writerow(("trial", "value", "note"))
    for number, (value, note) in cells.items():
        try:
            table.writerow((number, outcome.write(read_outcome(study, value, sure)), note))
        except InputError as error:
            faults.append((number, error))
    if faults:
        number, first = faults[0]
        field, _, said = str(first).partition(": ")
        more = f" ({len(faults) - 1} more lines are wrong, too)" if len(faults) > 1 else ""
        raise type(first)(f"{field}: trial {number}: {said}{more}")
    return text.getvalue()
