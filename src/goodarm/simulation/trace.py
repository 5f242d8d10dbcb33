"""One run replayed in plain Python, step by step: the best debugger, and what an audit needs."""

from collections.abc import Iterator
from dataclasses import dataclass

from goodarm.algorithms.contract import ANYTIME, FIXED_CONFIDENCE
from goodarm.run import CONTINUE, NO_ARM, Run, evidence, new_run, record
from goodarm.simulation.job import Job
from goodarm.simulation.rewards import Arms, draw, recorded_outcomes


@dataclass(frozen=True)
class Step:
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
    instance, algorithm = job.instance, job.algorithm
    floats, ints = algorithm.memory(instance.K)
    run = new_run(
        instance.threshold,
        instance.sigmas.tolist(),
        job.seed,
        number,
        job.boundary.numbers,
        algorithm.numbers(job.setting),
        floats,
        ints,
    )
    table, starts = recorded_outcomes(instance)
    arms = Arms(
        kinds=instance.kinds.tolist(),
        means=instance.means.tolist(),
        sigmas=instance.sigmas.tolist(),
        table=table.tolist(),
        starts=starts.tolist(),
        spare=[0.0] * instance.K,
    )
    algorithm.start(run)
    return arms, run


def trace(job: Job, number: int) -> Iterator[Step]:
    """Replay a run: the same functions that the simulator compiles, called as plain Python."""
    algorithm, K = job.algorithm, job.instance.K
    arms, run = plain_run(job, number)
    timed = job.mode == FIXED_CONFIDENCE
    for t in range(job.limit):
        arm = t if algorithm.sweep and t < K else algorithm.choose(run, t)
        if arm == NO_ARM:
            return
        value = draw(arms, run, arm)
        record(run, arm, value)
        algorithm.observe(run, t + 1, arm, value)
        result = algorithm.verdict(run, t + 1, arm) if timed else CONTINUE
        stopped = result != CONTINUE
        shown = timed and not algorithm.own_stopping and job.boundary.slope > 0.0
        yield Step(
            t=t + 1,
            arm=arm,
            value=value,
            count=run.counts[arm],
            mean=run.sums[arm] / run.counts[arm],
            evidence=evidence(run, arm),
            answer=result if stopped else algorithm.answer(run, t + 1),
            level=job.boundary.level(t + 1) if shown else None,
            final=stopped or (t + 1 == job.limit and job.mode != ANYTIME),
        )
        if stopped:
            return
