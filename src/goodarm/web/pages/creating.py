"""The form that begins a study."""

from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Request
from starlette.responses import RedirectResponse, Response

from goodarm import defaults
from goodarm.errors import InputError
from goodarm.web.failures import status_of
from goodarm.web.forms import (
    explain,
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
    "high": "", "sigma": "", "confidence": "95", "algorithm": defaults.ALGORITHM,
    "budget": "", "seed": "",
}  # fmt: skip
LABELS = {
    "name": "Name", "arms": "Options", "arm": "Options", "threshold": "The bar",
    "lowest": "Lowest", "highest": "Highest", "low": "Lowest", "high": "Highest",
    "sigma": "Standard deviation", "confidence": "How sure", "algorithm": "The rule",
    "budget": "At most so many trials", "seed": "Seed",
}  # fmt: skip
FIELDS = {"arm": "arms", "lowest": "low", "highest": "high"}  # where messages use another name
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
    message, field = (None, "") if error is None else explain(error, LABELS)
    return page(
        request.scope,
        "new.html",
        200 if error is None else status_of(error),
        entered=entered,
        error=message,
        wrong=FIELDS.get(field, field),
        algorithms=live_algorithms(),
    )
