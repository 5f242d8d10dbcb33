"""One run replayed in plain Python, step by step: the best debugger, and what an audit needs."""

from collections.abc import Iterator
from dataclasses import dataclass

from goodarm.algorithms.contract import ANYTIME, FIXED_CONFIDENCE
from goodarm.run import CONTINUE, Run, evidence, reset
from goodarm.simulation.job import Job
from goodarm.simulation.loops.rewards import Arms, make_draw
from goodarm.simulation.loops.truth import list_run
from goodarm.step import make_step


@dataclass(frozen=True)
class TraceStep:
    """One observation and what follows from it; arms count from 0, `answer` −1 is "none"."""

    t: int
    arm: int
    value: float
    count: int
    mean: float
    evidence: float
    answer: int
    level: float | None  # what the evidence must reach to stop
    final: bool


def plain_run(job: Job, number: int) -> tuple[Arms, Run]:
    """The run of that number as lists, before its first pull."""
    arms, run = list_run(job, number)
    reset(run)
    job.algorithm.start(run)
    return arms, run


def trace(job: Job, number: int) -> Iterator[TraceStep]:
    """Replay a run: the same functions that the simulator compiles, called as plain Python."""
    algorithm = job.algorithm
    _, choose, receive, judge, answer = make_step(algorithm, job.outcome)
    draw = make_draw(job.instance.families)
    arms, run = plain_run(job, number)
    timed = job.mode == FIXED_CONFIDENCE
    for t in range(job.limit):
        arm = choose(run, t)
        if arm < 0:  # NO_ARM
            return
        value = draw(arms, run, arm)
        receive(run, t + 1, arm, value)
        result = judge(run, t + 1, arm) if timed else CONTINUE
        stopped = result != CONTINUE
        yield TraceStep(
            t=t + 1,
            arm=arm,
            value=value,
            count=run.counts[arm],
            mean=run.sums[arm] / run.counts[arm],
            evidence=evidence(run, arm),
            answer=result if stopped else answer(run, t + 1),
            level=_level(job, t + 1),
            final=stopped or (t + 1 == job.limit and job.mode != ANYTIME),
        )
        if stopped:
            return


def _level(job: Job, t: int) -> float | None:
    """What the evidence must reach to stop; for certificates, the least that can do."""
    if job.mode != FIXED_CONFIDENCE or job.algorithm.own_stopping:
        return None
    return job.boundary.least_evidence(t)
