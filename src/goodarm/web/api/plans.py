"""How many trials would I need? As JSON: ask, then look until the plan is finished."""

from typing import Any

from fastapi import APIRouter

from goodarm.planning.question import ask
from goodarm.web.api.shapes import NewPlan, PlanShape
from goodarm.web.plan import known_algorithm
from goodarm.web.site import TheSite
from goodarm.web.tables import read_text, recorded_outcomes

router = APIRouter(tags=["planning"])


@router.post("/plan", status_code=202, response_model=PlanShape)
def begin(body: NewPlan, site: TheSite) -> dict[str, Any]:
    """How many trials would I need? Begin to simulate studies."""
    question = ask(
        means=None if body.means is None else list(body.means),
        unknown=body.unknown,
        # Never the text itself, which would be taken for the name of a file.
        data=None if body.data is None else recorded_outcomes(read_text(body.data, b"")),
        threshold=body.threshold,
        outcome=body.outcome,
        goal=body.goal,
        names=body.names,
        delta=body.delta,
        budget=body.budget,
        algorithms=[known_algorithm(name) for name in body.algorithms],
        batch=body.batch,
        per_day=body.per_day,
        delay=body.delay,
        studies=body.studies,
        seed=body.seed,
    )
    return site.planner.submit(question).to_dict()


@router.get("/plan/{number}", response_model=PlanShape)
def show(number: str, site: TheSite) -> dict[str, Any]:
    """Progress, then the plan."""
    return site.planner.find(number).to_dict()
