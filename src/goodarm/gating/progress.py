"""How far it is to the answer: a line for those who wait."""

import math
from typing import NamedTuple

from goodarm.experiment import Experiment


class Headway(NamedTuple):
    """Outcomes so far, how sure they make the answer, and about how many more it takes."""

    trials: int
    confidence: float
    left: int | None  # None if unknown


def headway(experiment: Experiment, trials: int) -> Headway:
    """How far an experiment has come with so many outcomes."""
    return Headway(trials, experiment.confidence, expected_left(experiment))


def expected_left(experiment: Experiment) -> int | None:
    """About how many more trials it takes if outcomes go on as they have; None if unknown.

    A rough figure for a person who waits: certificates grow in proportion to the trials.
    """
    if experiment.delta is None or not experiment.uses_certificates:
        return None
    levels = experiment.boundary.levels
    leader = experiment.recommendation
    if leader is None:
        arms = [arm for arm, active in enumerate(experiment.run.active) if active]
        side, level = 1, levels.none
    else:
        arms, side, level = [leader], 0, levels.name
    total = 0.0
    for arm in arms:
        now = experiment.certificates(arm)[side]
        if now <= 0.0:
            return None
        total += experiment.run.counts[arm] * max(level / now - 1.0, 0.0)
    return math.ceil(total)
