"""How many trials would I need? A form, simulated runs, and what came out."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request, UploadFile
from pydantic import BaseModel
from starlette.responses import RedirectResponse, Response

from goodarm.csv_tables import recorded_outcomes
from goodarm.errors import InputError
from goodarm.extras import LAB, need
from goodarm.inputs import read_number
from goodarm.planning import AlgorithmPlan, Plan, PlanRequest
from goodarm.planning.question import COMPARED, Guess
from goodarm.remote.bodies import MOST_PLANNED
from goodarm.remote.importing import pasted_text
from goodarm.remote.plans import MOST_ALGORITHMS, plannable_algorithm, plannable_algorithms
from goodarm.showing.scale import round_numbers
from goodarm.web.forms.outcome import (
    TypedOutcome,
    filled_outcome,
    outcome_input,
    outcome_labels,
    read_declared,
)
from goodarm.web.forms.planned import address_of_form
from goodarm.web.forms.typed import (
    explain,
    optional_number,
    optional_whole,
    read_guesses,
    read_percent,
    read_whole,
    upload,
)
from goodarm.web.pages import MenuEntry
from goodarm.web.server.failures import status_of
from goodarm.web.shown.render import page
from goodarm.web.site import TheSite

MENU = MenuEntry(2, "Plan", "/plan")
router = APIRouter(prefix="/plan")
LABELS = {
    "means": "Guesses",
    "unknown": "Number of options",
    "data": "Recorded outcomes",
    "threshold": "The bar",
    "scatter": "Scatter",
    "confidence": "How sure",
    "delta": "How sure",
    "budget": "The most trials",
    "batch": "Batches",
    "per_day": "Trials a day",
    "delay": "Outcomes known later",
    "algorithms": "Algorithms",
    "runs": "Simulated runs",
    "seed": "Seed",
    "arms": "Options",
}
INPUTS = {"delta": "confidence"}
PICTURE_WIDTH = 95.0  # per cent of the picture that the longest interval takes


class PlanForm(BaseModel):
    """What was typed into the form."""

    basis: str = ""  # of the three ways to speak of the options, the one that is chosen
    means: str = ""
    unknown: str = ""
    data: str = ""
    data_file: UploadFile | None = None
    goal: str = ""
    threshold: str = ""
    scatter: str = ""
    confidence: str = ""
    budget: str = ""
    batch: str = ""
    per_day: str = ""
    delay: str = ""
    algorithms: list[str] = []
    runs: str = ""
    seed: str = ""


BLANK = PlanForm(
    basis="guess",
    means="0.3 0.4 0.3..0.6 0.7",
    goal="above",
    threshold="0.5",
    confidence="95",
    algorithms=list(COMPARED),
)


@dataclass(frozen=True)
class TrialsRow:
    """An algorithm in the table of trials, and where its marks are, in per cent of the width."""

    plan: AlgorithmPlan
    ranges: tuple[tuple[float, float], ...]  # 90 of 100 runs, half of the runs
    median: float | None


@router.get("")
def blank(request: Request, outcome: str = "bernoulli") -> Response:
    """The form, filled in as an example."""
    need(LAB, "a plan")
    return _form(request, BLANK, filled_outcome(outcome))


@router.post("")
def begin(
    request: Request, site: TheSite, declared: TypedOutcome, form: Annotated[PlanForm, Form()]
) -> Response:
    """Begin to simulate, or show the form again with what is wrong."""
    try:
        ticket = site.planner.submit(_request(form, declared).checked())
    except InputError as error:
        return _form(request, form, declared, error)
    return RedirectResponse(f"/plan/{ticket.number}", 303)


@router.get("/{number}")
def show(request: Request, number: str, site: TheSite) -> Response:
    """Progress, then the plan."""
    ticket = site.planner.find(number)
    is_over, plan = ticket.is_over, ticket.plan  # in this order: it may end in between
    rows, ticks = ([], []) if plan is None else _picture(plan)
    return page(
        request.scope,
        "plan_result.html",
        ticket=ticket,
        is_over=is_over,
        plan=plan,
        rows=rows,
        ticks=ticks,
        form=None if plan is None else address_of_form(plan.question, plan.recommended.algorithm),
    )


@router.get("/{number}/results.json")
def results(number: str, site: TheSite) -> dict[str, Any]:
    """The data of the chart."""
    return site.planner.find(number).to_dict()


def _request(form: PlanForm, declared: dict[str, str]) -> PlanRequest:
    names: list[str] | None = None
    means: list[Guess] | None = None
    unknown, data = None, None
    if form.basis == "data":
        data = recorded_outcomes(pasted_text(form.data, upload(form.data_file)), "data")
    elif form.basis == "unknown":
        unknown = read_whole("unknown", form.unknown)
        names = _numbered(unknown)
    else:
        named, guesses = read_guesses(form.means)
        names, means = named or _numbered(len(guesses)), list(guesses)
    return PlanRequest(
        threshold=read_number("threshold", form.threshold),
        outcome=read_declared(declared),
        means=means,
        unknown=unknown,
        data=data,
        scatter=optional_number("scatter", form.scatter),
        delta=read_percent("confidence", form.confidence),
        budget=optional_whole("budget", form.budget),
        goal=form.goal or "above",
        names=names,
        algorithms=[plannable_algorithm(name) for name in form.algorithms],
        batch=optional_whole("batch", form.batch),
        per_day=optional_whole("per_day", form.per_day),
        delay=optional_whole("delay", form.delay) or 0,
        runs=optional_whole("runs", form.runs),
        seed=optional_whole("seed", form.seed) or 0,
    )


def _picture(plan: Plan) -> tuple[list[TrialsRow], list[tuple[float, float]]]:
    """The rows of the picture of trials, and its ticks: from 0 to where the longest runs end."""
    rows = [a for a in plan.algorithms if a.trials is not None]
    quantiles = [a.trials.quantiles for a in rows if a.trials is not None]
    ends = [q for each in quantiles for q in each.values() if q is not None]
    # What lies beyond the limit runs out of the picture.
    longest = max(ends, default=float(plan.question.limit))

    def position(trials: float | None) -> float:
        return 100.0 if trials is None else round(PICTURE_WIDTH * trials / longest, 2)

    def row(a: AlgorithmPlan, q: dict[str, float | None]) -> TrialsRow:
        pairs = (("0.05", "0.95"), ("0.25", "0.75"))
        ranges = tuple((position(q[low]), position(q[high])) for low, high in pairs)
        return TrialsRow(a, ranges, None if q["0.5"] is None else position(q["0.5"]))

    ticks = [(position(tick), tick) for tick in round_numbers(0.0, longest)]
    return [row(a, q) for a, q in zip(rows, quantiles, strict=True)], ticks


def _form(
    request: Request, form: PlanForm, declared: dict[str, str], error: InputError | None = None
) -> Response:
    message, field = (
        (None, "") if error is None else explain(error, {**LABELS, **outcome_labels(declared)})
    )
    # The first one chosen is the one that the protocol speaks of.
    guides = plannable_algorithms()
    order = dict.fromkeys((*COMPARED, *guides))
    return page(
        request.scope,
        "plan.html",
        200 if error is None else status_of(error),
        entered={**form.model_dump(exclude={"data_file"}), **declared},
        error=message,
        wrong=outcome_input(declared, INPUTS.get(field, field)),
        algorithms=[(name, guides[name]) for name in order],
        most=MOST_ALGORITHMS,
    )


def _numbered(count: int) -> list[str] | None:
    """Names for options that have none; where there are too many, the planner says so."""
    return [f"option {i}" for i in range(1, count + 1)] if count <= MOST_PLANNED else None
