"""Planning an experiment: how many trials will I need, and how will it end?

`question.py` checks what is asked, `guesses.py` turns guesses into instances, `simulations.py`
plays studies on them, `estimates.py` makes numbers with intervals of what came out, `practice.py`
plays them in batches and days. `expectations.py` and `variants.py` are the two halves of the
answer, `protocol.py` says it in a paragraph, `planner.py` is what users call.
"""

from goodarm.planning.by_algorithm import AlgorithmPlan
from goodarm.planning.estimates import Estimate
from goodarm.planning.planner import Plan, plan
from goodarm.planning.schedules import Practice
from goodarm.planning.sensitivity import Variant

__all__ = ["AlgorithmPlan", "Estimate", "Plan", "Practice", "Variant", "plan"]
