"""How many trials would I need? A form, simulated studies, and what came out."""

from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Request
from starlette.responses import RedirectResponse, Response

from goodarm.errors import InputError
from goodarm.inputs import read_number
from goodarm.planning import Plan
from goodarm.planning.planner import RECOMMENDED
from goodarm.planning.protocol import known_when
from goodarm.planning.question import Question, ask
from goodarm.web.failures import status_of
from goodarm.web.forms import (
    explain,
    optional_whole,
    read_guesses,
    read_percent,
    read_whole,
    typed,
)
from goodarm.web.outcome_form import (
    TypedOutcome,
    blank_outcome,
    outcome_input,
    outcome_labels,
    read_declared,
)
from goodarm.web.plan import MOST_ALGORITHMS, known_algorithm, known_algorithms
from goodarm.web.render import page
from goodarm.web.site import TheSite
from goodarm.web.tables import read_text, recorded_outcomes
from goodarm.web.views import round_numbers

router = APIRouter(prefix="/plan")
BLANK: dict[str, Any] = {
    "known": "guess", "means": "0.3 0.4 0.3..0.6 0.7", "unknown": "", "data": "",
    "goal": "above", "threshold": "0.5", "confidence": "95", "budget": "", "batch": "",
    "per_day": "", "delay": "", "chosen": list(RECOMMENDED), "studies": "", "seed": "",
}  # fmt: skip
LABELS = {
    "means": "Guesses", "unknown": "Number of options", "data": "Recorded outcomes",
    "threshold": "The bar", "confidence": "How sure", "delta": "How sure",
    "budget": "At most so many trials", "batch": "Batches", "per_day": "Trials a day",
    "delay": "Outcomes known later", "algorithms": "Rules", "studies": "Simulated studies",
    "seed": "Seed", "options": "Options",
}  # fmt: skip
FIELDS = {"delta": "confidence"}
Text = Annotated[str, Form()]


@router.get("")
def blank(request: Request) -> Response:
    """The form."""
    return _form(request, {**BLANK, **blank_outcome("bernoulli")})


@router.post("")
def begin(
    request: Request,
    site: TheSite,
    declared: TypedOutcome,
    known: Text = "",
    means: Text = "",
    unknown: Text = "",
    data: Text = "",
    data_file: Annotated[bytes, File()] = b"",
    goal: Text = "",
    threshold: Text = "",
    confidence: Text = "",
    budget: Text = "",
    batch: Text = "",
    per_day: Text = "",
    delay: Text = "",
    chosen: Annotated[list[str] | None, Form()] = None,
    studies: Text = "",
    seed: Text = "",
) -> Response:
    """Begin to simulate, or show the form again with what is wrong."""
    entered = {key: value for key, value in locals().items() if key in BLANK} | declared
    try:
        asked = site.planner.submit(_question(typed(entered), chosen or [], data_file))
    except InputError as error:
        return _form(request, {**entered, "chosen": chosen or []}, error)
    return RedirectResponse(f"/plan/{asked.number}", 303)


@router.get("/{number}")
def show(request: Request, number: str, site: TheSite) -> Response:
    """Progress, then the plan."""
    asked = site.planner.find(number)
    over, made = asked.is_over, asked.plan  # in this order: it may end in between
    return page(
        request.scope,
        "plan_result.html",
        asked=asked,
        over=over,
        plan=made,
        axis=None if made is None else _axis(made),
        known_when=known_when,
    )


@router.get("/{number}/results.json")
def results(number: str, site: TheSite) -> dict[str, Any]:
    """The data of the chart."""
    return site.planner.find(number).to_dict()


def _question(form: dict[str, str], chosen: list[str], data_file: bytes) -> Question:
    """What the form asks; of the three ways to speak of the options, the one that is chosen."""
    names, means, unknown, data = None, None, None, None
    if form["known"] == "data":
        data = recorded_outcomes(read_text(form["data"], data_file))
    elif form["known"] == "unknown":
        unknown = read_whole("unknown", form["unknown"])
    else:
        names, means = read_guesses(form["means"])
    return ask(
        means=means,
        unknown=unknown,
        data=data,
        threshold=read_number("threshold", form["threshold"]),
        outcome=read_declared(form),
        goal=form["goal"] or "above",
        names=names,
        delta=read_percent("confidence", form["confidence"]),
        budget=optional_whole("budget", form["budget"]),
        algorithms=[known_algorithm(name) for name in chosen],
        batch=optional_whole("batch", form["batch"]),
        per_day=optional_whole("per_day", form["per_day"]),
        delay=optional_whole("delay", form["delay"]) or 0,
        studies=optional_whole("studies", form["studies"]),
        seed=optional_whole("seed", form["seed"]) or 0,
    )


def _axis(made: Plan) -> dict[str, Any]:
    """The scale of the picture of trials: from 0 to where the longest studies end."""
    lengths = [a.trials.quantiles["0.95"] for a in made.algorithms if a.trials is not None]
    longest = max(lengths, default=1.0)
    return {
        "longest": longest,
        "ticks": [(round(95 * tick / longest, 2), tick) for tick in round_numbers(0.0, longest)],
    }


def _form(request: Request, entered: dict[str, Any], error: InputError | None = None) -> Response:
    labels = {**LABELS, **outcome_labels(entered)}
    message, field = (None, "") if error is None else explain(error, labels)
    # The first one chosen is the one that the protocol speaks of.
    guides = dict(known_algorithms())
    order = [*RECOMMENDED, *(name for name in guides if name not in RECOMMENDED)]
    return page(
        request.scope,
        "plan.html",
        200 if error is None else status_of(error),
        entered=entered,
        error=message,
        wrong=outcome_input(entered, FIELDS.get(field, field)),
        algorithms=[(name, guides[name]) for name in order],
        most=MOST_ALGORITHMS,
    )
