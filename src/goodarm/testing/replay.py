"""Whether a job's compiled runs and their replay in plain Python are the same."""

from goodarm.algorithms.contract import ANYTIME
from goodarm.run import NONE
from goodarm.simulation.chunk import play_chunk
from goodarm.simulation.job import Job
from goodarm.simulation.loops.kernel import is_error
from goodarm.simulation.loops.replay import trace
from goodarm.testing.contract import ContractError


def check_compiled_equals_plain(job: Job, runs: int) -> None:
    """Raise ContractError unless every stopping time, answer and pull is the same."""
    chunk = play_chunk(job, 0, runs)
    pulls = [0] * job.instance.K
    errors = [0] * len(job.times)
    good, any_good = job.instance.good.astype(int), bool(job.instance.good.any())
    for number in range(runs):
        steps = list(trace(job, number))
        for step in steps:
            pulls[step.arm] += 1
            if job.mode == ANYTIME:
                errors[step.t - 1] += is_error(step.answer, good, any_good)
        if job.mode != ANYTIME:
            plain = (len(steps), max(steps[-1].answer, NONE))
            compiled = (int(chunk.stopping_times[number]), int(chunk.answers[number]))
            if plain != compiled:
                raise ContractError(f"{where(job)}, run {number}: plain {plain}, {compiled=}")
    if pulls != chunk.pulls.tolist():
        raise ContractError(f"{where(job)}: plain pulls {pulls}, compiled {chunk.pulls}")
    if job.mode == ANYTIME and errors != chunk.error_counts.tolist():
        raise ContractError(f"{where(job)}: the errors at some time differ")


def where(job: Job) -> str:
    """The job in a few words."""
    boundary = f", boundary {job.boundary.name}" if job.delta is not None else ""
    return f"{job.algorithm.label} on the {job.instance.name!r} instance, {job.mode} mode{boundary}"
