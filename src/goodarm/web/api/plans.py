"""How many trials would I need? As JSON: ask, then look until the plan is finished."""

from typing import Any

from fastapi import APIRouter

from goodarm.remote.plans import question_of
from goodarm.web.api.shapes import NewPlan, PlanShape
from goodarm.web.site import TheSite

router = APIRouter(tags=["planning"])


@router.post("/plan", status_code=202, response_model=PlanShape)
def begin_plan(body: NewPlan, site: TheSite) -> dict[str, Any]:
    """How many trials would I need? Begin to simulate."""
    return site.planner.submit(question_of(body, body.algorithms)).to_dict()


@router.get("/plan/{number}", response_model=PlanShape)
def show_plan(number: str, site: TheSite) -> dict[str, Any]:
    """Progress, then the plan."""
    return site.planner.find(number).to_dict()
