"""The form that begins a study."""

from typing import Annotated

from fastapi import APIRouter, Form, Request, UploadFile
from starlette.responses import RedirectResponse, Response

from goodarm import defaults
from goodarm.errors import InputError
from goodarm.inputs import read_number
from goodarm.study.declared import AS_ASKED, AS_TOLD, MIXTURE, PAPERS
from goodarm.web.forms import question as question_form
from goodarm.web.forms.outcome import (
    TypedOutcome,
    filled_outcome,
    outcome_input,
    outcome_labels,
    read_declared,
)
from goodarm.web.forms.question import QUESTIONS, QuestionForm
from goodarm.web.forms.typed import explain, optional_whole, read_arms, read_percent, upload
from goodarm.web.server.failures import status_of
from goodarm.web.shown.render import page
from goodarm.web.shown.slugs import slug
from goodarm.web.shown.views import live_algorithms
from goodarm.web.site import TheSite, TheVisitor

router = APIRouter()
LABELS = {
    "name": "Name",
    "arms": "Options",
    "arm": "Options",
    "threshold": "The bar",
    "confidence": "How sure",
    "algorithm": "The algorithm",
    "boundary": "When the study stops",
    "decide": "When an outcome counts",
    "budget": "The most trials",
    "seed": "Seed",
    **question_form.LABELS,
}
INPUTS = {"arm": "arms", "criterion": "criteria"}  # where messages use another name
STOPPING_RULES = (
    (MIXTURE, "By certificates of the outcome model", "The fewest trials."),
    (PAPERS, "By the paper’s boundary", "As in the paper; it takes more trials."),
)
WAITS = (
    "It waits for those of its option that were asked before it, so that no delay can hurt. "
    "Withdraw what will not come."
)
COUNTING = (
    (AS_ASKED, "In the order of asking", WAITS),
    (AS_TOLD, "As soon as it is told", "Only where delays have nothing to do with the outcomes."),
)


class StudyForm(QuestionForm):
    """What was typed into the form."""

    name: str = ""
    arms: str = ""
    arms_file: UploadFile | None = None
    threshold: str = ""
    goal: str = "above"
    confidence: str = ""
    algorithm: str = defaults.ALGORITHM
    boundary: str = MIXTURE
    decide: str = AS_ASKED
    budget: str = ""
    seed: str = ""


@router.get("/new")
def blank(request: Request, outcome: str = "") -> Response:
    """The form, in which the address may have filled in some fields already."""
    asked = request.query_params
    fields = set(StudyForm.model_fields) - {"arms_file"}
    known = {field: asked[field] for field in fields & set(asked)}
    form = StudyForm.model_validate({"confidence": "95", **known})
    return _form(request, form, filled_outcome(outcome))


@router.post("/new")
def create(
    request: Request,
    site: TheSite,
    visitor: TheVisitor,
    declared: TypedOutcome,
    form: Annotated[StudyForm, Form()],
) -> Response:
    """Create the study, or show the form again with what is wrong."""
    try:
        more = form.settings()
        # Several measurements have outcomes and bars of their own, a control stands for the bar.
        is_whole = "criteria" in more
        has_bar = form.threshold.strip() or not (is_whole or "control" in more)
        has_outcome = declared.get("outcome") or not is_whole
        study = site.studies.create(
            form.name.strip(),
            read_arms(form.arms, upload(form.arms_file)),
            read_number("threshold", form.threshold) if has_bar else None,
            read_declared(declared) if has_outcome else None,
            by=visitor.name,
            delta=read_percent("confidence", form.confidence),
            algorithm=form.algorithm,
            goal=form.goal,
            boundary=form.boundary,
            decide=form.decide,
            budget=optional_whole("budget", form.budget),
            seed=optional_whole("seed", form.seed),
            **more,
        )
    except InputError as error:
        return _form(request, form, declared, error)
    return RedirectResponse(f"/studies/{slug(study.name)}", 303)


def _form(
    request: Request, form: StudyForm, declared: dict[str, str], error: InputError | None = None
) -> Response:
    message, field = (
        (None, "") if error is None else explain(error, {**LABELS, **outcome_labels(declared)})
    )
    return page(
        request.scope,
        "new.html",
        200 if error is None else status_of(error),
        entered={**form.model_dump(exclude={"arms_file"}), **declared},
        error=message,
        wrong=outcome_input(declared, INPUTS.get(field, field)),
        is_planned=request.query_params.get("from") == "plan",
        stopping_rules=STOPPING_RULES,
        counting=COUNTING,
        algorithms=live_algorithms(),
        questions=QUESTIONS,
        asks_more=form.is_more,
    )
