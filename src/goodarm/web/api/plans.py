"""How many trials would I need? As JSON: ask, then look until the plan is finished."""

from typing import Any

from fastapi import APIRouter

from goodarm.csv_tables import recorded_outcomes
from goodarm.planning import PlanRequest
from goodarm.web.api.changes import declared
from goodarm.web.api.shapes import NewPlan, PlanShape
from goodarm.web.importing import pasted_text
from goodarm.web.planner import plannable_algorithm
from goodarm.web.site import TheSite

router = APIRouter(tags=["planning"])


@router.post("/plan", status_code=202, response_model=PlanShape)
def begin(body: NewPlan, site: TheSite) -> dict[str, Any]:
    """How many trials would I need? Begin to simulate."""
    fields = body.model_dump(exclude={"data", "algorithms", "outcome"})
    request = PlanRequest(
        **fields,
        outcome=declared(body.outcome),
        # Never the text itself, which would be taken for the name of a file.
        data=None if body.data is None else recorded_outcomes(pasted_text(body.data), "data"),
        algorithms=[plannable_algorithm(name) for name in body.algorithms],
    )
    return site.planner.submit(request.checked()).to_dict()


@router.get("/plan/{number}", response_model=PlanShape)
def show(number: str, site: TheSite) -> dict[str, Any]:
    """Progress, then the plan."""
    return site.planner.find(number).to_dict()
