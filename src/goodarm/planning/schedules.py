"""What a study takes in practice: trials in batches or by the day, and outcomes that are late.

Every run is played again on the schedule: the algorithm chooses without the outcomes that are still
to come, as a live study does (see `goodarm.simulation.loops.delayed`). It has the same rewards as
the run that was played one trial at a time, so the two are compared run by run.
"""

from dataclasses import dataclass

from goodarm.planning.question import PlanQuestion
from goodarm.planning.simulations import (
    Allowance,
    Endings,
    Estimate,
    Scenario,
    Simulator,
    mean_of,
    quantile_of,
    share_of,
)
from goodarm.wording import counted

PER_SCHEDULE = Allowance(fewest=30, pulls=5_000_000)  # and per algorithm
ONE = {"batches": "batch", "days": "day"}


@dataclass(frozen=True)
class SchedulePlan:
    """A study whose trials are begun `size` at a time, in batches or days.

    Outcomes are known when their batch or day ends, or `delay` batches or days after that. Trials
    count from when they are begun, batches and days until the study ends. What runs that were given
    up leave unknown is None.
    """

    unit: str  # "batches" or "days"
    size: int
    delay: int
    runs: int
    trials: Estimate
    extra: Estimate | None  # trials, over what the same runs take one at a time
    units: Estimate
    median: float | None  # of the units
    q90: float | None
    unfinished: Estimate
    error_rate: Estimate
    limit: int  # units that a run was given

    @property
    def pace(self) -> str:
        """ "In batches of 10", "At 7 trials a day"."""
        if self.unit == "batches":
            return f"In batches of {self.size}"
        return f"At {counted(self.size, 'trial')} a day"

    @property
    def known_when(self) -> str:
        """When outcomes are known: "when the batch ends", "2 days later"."""
        if self.delay == 0:
            return f"when the {ONE[self.unit]} ends"
        return f"{counted(self.delay, ONE[self.unit], self.unit)} later"


def play_schedules(
    question: PlanQuestion, scenario: Scenario, alone: Endings, simulator: Simulator
) -> list[tuple[SchedulePlan, Endings]]:
    """What each schedule asked for makes of the runs that were played one trial at a time."""
    played = []
    for unit, schedule in question.schedules:
        end, units = simulator.on_schedule(scenario, schedule, alone, PER_SCHEDULE)
        sets, each = end.times.shape
        cut_off = question.cut_off(end.stopped)
        alone_cut_off = question.cut_off(alone.stopped)[:sets, :each]
        is_paired = not (cut_off.any() or alone_cut_off.any())
        plan = SchedulePlan(
            unit=unit,
            size=schedule.block,
            delay=schedule.delay,
            runs=end.runs,
            trials=mean_of(end.times, cut_off),
            extra=mean_of(end.times - alone.times[:sets, :each]) if is_paired else None,
            units=mean_of(units, cut_off),
            median=quantile_of(units, 0.5, cut_off),
            q90=quantile_of(units, 0.9, cut_off),
            unfinished=share_of(~end.stopped),
            error_rate=share_of(end.errors),
            limit=-(-question.limit // schedule.block),
        )
        played.append((plan, end))
    return played
