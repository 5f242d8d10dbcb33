"""The form that begins a study."""

from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Request
from starlette.responses import RedirectResponse, Response

from goodarm.errors import InputError
from goodarm.web.failures import status_of
from goodarm.web.forms import (
    optional_whole,
    read_arms,
    read_number,
    read_outcome,
    read_percent,
    typed,
)
from goodarm.web.naming import slug
from goodarm.web.render import page
from goodarm.web.site import TheSite, TheVisitor
from goodarm.web.views import live_algorithms

router = APIRouter()
BLANK = {
    "name": "", "arms": "", "threshold": "", "goal": "above", "outcome": "", "low": "",
    "high": "", "sigma": "", "confidence": "95", "algorithm": "APGAI-FE", "budget": "", "seed": "",
}  # fmt: skip
LABELS = {
    "name": "Name", "arms": "Options", "threshold": "The bar", "low": "Lowest", "high": "Highest",
    "sigma": "Standard deviation", "confidence": "How sure", "algorithm": "The rule",
    "budget": "At most so many trials", "seed": "Seed",
}  # fmt: skip
FIELDS = {**{name: name for name in LABELS}, "arm": "arms", "lowest": "low", "highest": "high"}
Text = Annotated[str, Form()]


@router.get("/new")
def blank(request: Request) -> Response:
    """The empty form."""
    return _form(request, BLANK)


@router.post("/new")
def create(
    request: Request,
    site: TheSite,
    visitor: TheVisitor,
    name: Text = "",
    arms: Text = "",
    arms_file: Annotated[bytes, File()] = b"",
    threshold: Text = "",
    goal: Text = "",
    outcome: Text = "",
    low: Text = "",
    high: Text = "",
    sigma: Text = "",
    confidence: Text = "",
    algorithm: Text = "",
    budget: Text = "",
    seed: Text = "",
) -> Response:
    """Create the study, or show the form again with what is wrong."""
    entered = {**BLANK, **typed({key: v for key, v in locals().items() if key in BLANK})}
    try:
        study = site.studies.create(
            name.strip(),
            read_arms(arms, arms_file),
            read_number("threshold", threshold),
            read_outcome(outcome, low, high, sigma),
            by=visitor.name,
            delta=read_percent("confidence", confidence),
            algorithm=algorithm or BLANK["algorithm"],
            goal=goal or BLANK["goal"],
            budget=optional_whole("budget", budget),
            seed=optional_whole("seed", seed),
        )
    except InputError as error:
        return _form(request, entered, error)
    return RedirectResponse(f"/studies/{slug(study.name)}", 303)


def _form(request: Request, entered: dict[str, Any], error: InputError | None = None) -> Response:
    field, _, rest = "", "", ""
    if error is not None:
        # Messages begin with the field that they are about; people know it by its label.
        field, _, rest = str(error).partition(": ")
    known = FIELDS.get(field.split(" ")[0], "")
    message = None if error is None else f"{LABELS[known]}: {rest}" if known else str(error)
    return page(
        request.scope,
        "new.html",
        200 if error is None else status_of(error),
        entered=entered,
        error=message,
        wrong=known,
        algorithms=live_algorithms(),
    )
