"""How many trials would I need? A form, a small simulation, and what came out."""

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from goodarm.errors import InputError
from goodarm.instance import Instance, instances
from goodarm.web.failures import status_of
from goodarm.web.forms import read_means, read_number, read_percent, read_whole
from goodarm.web.plan import MOST_ALGORITHMS, Question, known_algorithm, known_algorithms
from goodarm.web.render import page
from goodarm.web.site import TheSite

router = APIRouter(prefix="/plan")
BLANK: dict[str, Any] = {
    "instance": "", "means": "0.4 0.5 0.6 0.7", "threshold": "0.5", "kind": "bernoulli",
    "sigma": "1", "chosen": ["APGAI-FE", "Unif"], "question": "time", "confidence": "95",
    "horizon": "500", "runs": "200",
}  # fmt: skip
Text = Annotated[str, Form()]


@router.get("")
def blank(request: Request) -> Response:
    """The form."""
    return _form(request, BLANK)


@router.post("")
def begin(
    request: Request,
    site: TheSite,
    instance: Text = "",
    means: Text = "",
    threshold: Text = "",
    kind: Text = "",
    sigma: Text = "",
    chosen: Annotated[list[str] | None, Form()] = None,
    question: Text = "time",
    confidence: Text = "",
    horizon: Text = "",
    runs: Text = "",
) -> Response:
    """Begin a simulation, or show the form again with what is wrong."""
    entered = {
        "instance": instance, "means": means, "threshold": threshold, "kind": kind,
        "sigma": sigma, "chosen": chosen or [], "question": question, "confidence": confidence,
        "horizon": horizon, "runs": runs,
    }  # fmt: skip
    try:
        delta = read_percent("confidence", confidence) if question != "curve" else None
        if question != "curve" and delta is None:
            raise InputError("confidence: write how sure you want to be; 95 is usual")
        plan = site.planner.submit(
            Question(
                _instance(instance, means, threshold, kind, sigma),
                tuple(known_algorithm(name) for name in chosen or []),
                delta,
                read_whole("horizon", horizon) if question == "curve" else None,
                read_whole("runs", runs),
            )
        )
    except InputError as error:
        return _form(request, {**BLANK, **entered}, error)
    return RedirectResponse(f"/plan/{plan.number}", 303)


@router.get("/{number}")
def show(request: Request, number: str, site: TheSite) -> Response:
    """Progress, then results."""
    plan = site.planner.find(number)
    longest = max((r["stopping_time"]["q95"] for r in plan.results if "stopping_time" in r),
                  default=1.0)  # fmt: skip
    return page(request.scope, "plan_result.html", plan=plan, longest=longest)


@router.get("/{number}/results.json")
def results(number: str, site: TheSite) -> dict[str, Any]:
    """The data of the chart."""
    return site.planner.find(number).to_dict()


def _instance(name: str, means: str, threshold: str, kind: str, sigma: str) -> Instance:
    if name:
        if name not in instances.names:
            raise InputError("instance: choose from the list")
        return instances[name]
    if kind not in ("bernoulli", "gaussian"):
        raise InputError("kind: choose yes/no or numbers")
    scale = read_number("sigma", sigma) if kind == "gaussian" else None
    return Instance(
        read_number("threshold", threshold), read_means(means), kind, scale, name="your guess"
    )


def _form(request: Request, entered: dict[str, Any], error: InputError | None = None) -> Response:
    return page(
        request.scope,
        "plan.html",
        200 if error is None else status_of(error),
        entered=entered,
        error=None if error is None else str(error),
        algorithms=known_algorithms(),
        instances=[(name, instances.describe(name)) for name in instances.names],
        most=MOST_ALGORITHMS,
    )
