"""Limits of the arms' means, as a gate shows them beside its answer.

They are those of a study: each holds at all times and for any number of outcomes, with the arm's
share of δ. The answer may come earlier than they reach the bar, because its levels are computed for
the budget (`exact.py`); then the limit is the bar itself.
"""

from goodarm.certainty import Limits, limit_risks, limits_in_range, up_to_the_answer
from goodarm.experiment import Experiment
from goodarm.instance.instance import ABOVE
from goodarm.outcomes.contract import seen
from goodarm.stopping import parse_boundary


def shown_limits(experiment: Experiment, bar: float, delta: float, goal: str) -> Limits:
    """Lower and upper limits of every arm; None where there is none."""
    model, K = experiment.model, len(experiment.names)
    some = seen(experiment.run, model.memory)
    if not len(some.arms):
        return [None] * K, [None] * K
    levels = parse_boundary(experiment.boundary_name, K, delta).levels
    low, high = model.limits(some, bar, *limit_risks(levels, goal == ABOVE))
    if experiment.finished:
        low, high = up_to_the_answer(experiment.conclusion, some, bar, goal, low, high)
    return limits_in_range(model, K, some, low, high)
