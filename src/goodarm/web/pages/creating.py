"""The form that begins a study."""

from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Request
from starlette.responses import RedirectResponse, Response

from goodarm import defaults
from goodarm.errors import InputError
from goodarm.inputs import read_number
from goodarm.study.settings import AS_ASKED, AS_TOLD, MIXTURE, PAPERS
from goodarm.web.failures import status_of
from goodarm.web.forms import (
    explain,
    optional_whole,
    read_arms,
    read_percent,
    typed,
)
from goodarm.web.outcome_form import (
    TypedOutcome,
    blank_outcome,
    outcome_input,
    outcome_labels,
    read_declared,
)
from goodarm.web.render import page
from goodarm.web.site import TheSite, TheVisitor
from goodarm.web.slugs import slug
from goodarm.web.views import live_algorithms

router = APIRouter()
BLANK = {
    "name": "", "arms": "", "threshold": "", "goal": "above", "confidence": "95",
    "algorithm": defaults.ALGORITHM, "boundary": MIXTURE, "decide": AS_ASKED, "budget": "",
    "seed": "",
}  # fmt: skip
LABELS = {
    "name": "Name", "arms": "Options", "arm": "Options", "threshold": "The bar",
    "confidence": "How sure", "algorithm": "The rule", "boundary": "When the study stops",
    "decide": "When an outcome counts", "budget": "At most so many trials", "seed": "Seed",
}  # fmt: skip
FIELDS = {"arm": "arms"}  # where messages use another name
RULES = (
    (MIXTURE, "By certificates of the outcome model", "The fewest trials."),
    (PAPERS, "By the paper’s boundary", "As in the paper; it takes more trials."),
)
COUNTING = (
    (AS_ASKED, "In the order of asking", "It waits for those of its option that were asked "
     "before it, so that no delay can hurt. Withdraw what will not come."),
    (AS_TOLD, "As soon as it is told", "Only where delays have nothing to do with the outcomes."),
)  # fmt: skip
Text = Annotated[str, Form()]


@router.get("/new")
def blank(request: Request) -> Response:
    """The empty form."""
    return _form(request, {**BLANK, **blank_outcome()})


@router.post("/new")
def create(
    request: Request,
    site: TheSite,
    visitor: TheVisitor,
    declared: TypedOutcome,
    name: Text = "",
    arms: Text = "",
    arms_file: Annotated[bytes, File()] = b"",
    threshold: Text = "",
    goal: Text = "",
    confidence: Text = "",
    algorithm: Text = "",
    boundary: Text = "",
    decide: Text = "",
    budget: Text = "",
    seed: Text = "",
) -> Response:
    """Create the study, or show the form again with what is wrong."""
    known = {key: v for key, v in locals().items() if key in BLANK}
    entered = {**BLANK, **typed(known), **declared}
    try:
        study = site.studies.create(
            name.strip(),
            read_arms(arms, arms_file),
            read_number("threshold", threshold),
            read_declared(declared),
            by=visitor.name,
            delta=read_percent("confidence", confidence),
            algorithm=algorithm or BLANK["algorithm"],
            goal=goal or BLANK["goal"],
            boundary=boundary or BLANK["boundary"],
            decide=decide or BLANK["decide"],
            budget=optional_whole("budget", budget),
            seed=optional_whole("seed", seed),
        )
    except InputError as error:
        return _form(request, entered, error)
    return RedirectResponse(f"/studies/{slug(study.name)}", 303)


def _form(request: Request, entered: dict[str, Any], error: InputError | None = None) -> Response:
    labels = {**LABELS, **outcome_labels(entered)}
    message, field = (None, "") if error is None else explain(error, labels)
    return page(
        request.scope,
        "new.html",
        200 if error is None else status_of(error),
        entered=entered,
        error=message,
        wrong=outcome_input(entered, FIELDS.get(field, field)),
        rules=RULES,
        counting=COUNTING,
        algorithms=live_algorithms(),
    )
