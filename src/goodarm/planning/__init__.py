"""Planning an experiment: how many trials will I need, and how will it end?

`question.py` checks what is asked and turns guesses into instances, `simulations.py` plays runs on
them and makes numbers with intervals of what came out. `by_algorithm.py`, `schedules.py` and
`sensitivity.py` are the parts of the answer, `recommending.py` names the best algorithm,
`protocol.py` says it all in a paragraph; `planner.py` is what users call. `inquiries/` is
the same for every other question.
"""

from goodarm.planning.by_algorithm import AlgorithmPlan, TrialsUntilSure
from goodarm.planning.inquiries import (
    ArmExpected,
    CostUntilSure,
    InquiryAlgorithmPlan,
    InquiryPlan,
    plan_inquiry,
)
from goodarm.planning.planner import Plan, plan
from goodarm.planning.question import PlanRequest
from goodarm.planning.recommending import Recommendation
from goodarm.planning.schedules import SchedulePlan
from goodarm.planning.sensitivity import SensitivityCase
from goodarm.planning.simulations import Estimate

__all__ = [
    "AlgorithmPlan",
    "ArmExpected",
    "CostUntilSure",
    "Estimate",
    "InquiryAlgorithmPlan",
    "InquiryPlan",
    "Plan",
    "PlanRequest",
    "Recommendation",
    "SchedulePlan",
    "SensitivityCase",
    "TrialsUntilSure",
    "plan",
    "plan_inquiry",
]
