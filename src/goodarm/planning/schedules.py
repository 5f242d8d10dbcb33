"""What a study takes in practice: trials in batches, or so many a day, and outcomes that are late.

Every study is played again on the schedule: the rule chooses without the outcomes that are still
to come, as a live study does (see `goodarm.simulation.loops.delayed`). It has the same rewards as
the study that was played one trial at a time, so the two are compared study by study.
"""

from dataclasses import dataclass

import numpy as np

from goodarm.planning.estimates import Estimate, mean_of, share_of
from goodarm.planning.question import Question
from goodarm.planning.simulations import Ask, Endings, Simulator

FEWEST = 30  # studies
TRIALS_EACH = 5_000_000  # simulated for each algorithm and schedule


@dataclass(frozen=True)
class Practice:
    """A study whose trials are begun `size` at a time, in batches or days.

    Outcomes are known when their batch or day ends, or `delay` batches or days after that. Trials
    count from when they are begun, batches and days until the study ends.
    """

    unit: str  # "batches" or "days"
    size: int
    delay: int
    studies: int
    trials: Estimate
    extra: Estimate  # trials, over what the same studies take one at a time
    units: Estimate
    median: float  # of the units
    q90: float
    unfinished: Estimate
    error: Estimate


def practice(
    question: Question, ask: Ask, alone: Endings, simulator: Simulator
) -> tuple[Practice, ...]:
    """What each schedule asked for makes of the studies that were played one trial at a time."""
    found = []
    for unit, schedule in question.schedules:
        end, units = simulator.on_schedule(ask, schedule, alone, TRIALS_EACH, FEWEST)
        sets, each = end.times.shape
        median, q90 = (float(q) for q in np.quantile(units, (0.5, 0.9)))
        found.append(
            Practice(
                unit=unit,
                size=schedule.block,
                delay=schedule.delay,
                studies=end.studies,
                trials=mean_of(end.times),
                extra=mean_of(end.times - alone.times[:sets, :each]),
                units=mean_of(units),
                median=median,
                q90=q90,
                unfinished=share_of(~end.stopped),
                error=share_of(end.errors),
            )
        )
    return tuple(found)
