"""Small simulations, as JSON: begin one, then look until it is finished."""

from typing import Any

from fastapi import APIRouter

from goodarm.errors import InputError
from goodarm.instance import Instance, instances
from goodarm.web.api.shapes import NewPlan, PlanShape
from goodarm.web.plan import Question, known_algorithm
from goodarm.web.site import TheSite

router = APIRouter(tags=["planning"])


@router.post("/plan", status_code=202, response_model=PlanShape)
def begin(body: NewPlan, site: TheSite) -> dict[str, Any]:
    """How many trials would I need? Begin a simulation."""
    if (body.delta is None) == (body.horizon is None):
        raise InputError("give either delta or horizon")
    names = tuple(known_algorithm(name) for name in body.algorithms)
    question = Question(_instance(body), names, body.delta, body.horizon, body.runs, body.seed)
    return site.planner.submit(question).to_dict()


@router.get("/plan/{number}", response_model=PlanShape)
def show(number: str, site: TheSite) -> dict[str, Any]:
    """Progress, then results."""
    return site.planner.find(number).to_dict()


def _instance(body: NewPlan) -> Instance:
    if body.instance is not None:
        if body.instance not in instances.names:  # never a file
            raise InputError(f"instance: choose from {', '.join(instances.names)}")
        return instances[body.instance]
    if body.means is None or body.threshold is None:
        raise InputError("give an instance, or means with a threshold")
    sigma = body.sigma if body.kind == "gaussian" else None
    return Instance(body.threshold, body.means, body.kind, sigma, name="your guess")
