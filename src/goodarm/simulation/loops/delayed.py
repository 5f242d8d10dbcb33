"""Runs that hear of outcomes late: pulls are begun in blocks, and their outcomes come later.

A block is a batch, or a day's trials. The outcomes of a block become known at its end, or `delay`
blocks after that. The algorithm meanwhile chooses as in a live study: an outcome still to come
counts as one that leaves its arm's mean as it is (`Experiment.next_arm`). The run ends when the
stopping rule speaks on what is known; every pull begun until then counts.

The n-th reward of an arm in a run is that of the ordinary loop, so blocks of one pull without delay
give the very same runs.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithms.contract import FIXED_CONFIDENCE
from goodarm.run import CONTINUE, NONE, THRESHOLD, IntSequence, Run, copy_state, reset
from goodarm.simulation.chunk import Chunk, empty_chunk, new_control
from goodarm.simulation.job import Job
from goodarm.simulation.loops.compiler import Parts, compiled, parts_of, register
from goodarm.simulation.loops.kernel import CANCEL, PROGRESS, Tally
from goodarm.simulation.loops.rewards import Arms
from goodarm.simulation.loops.truth import array_run
from goodarm.step import Step


@dataclass(frozen=True)
class Schedule:
    """`block` pulls are begun at a time; their outcomes are known `delay` blocks later."""

    block: int
    delay: int = 0


class DelayedOrders(NamedTuple):
    """What is asked of the loop: to play runs first..last−1, in blocks of this size."""

    timed: bool  # until the stopping rule speaks
    block: int
    first: int
    last: int
    limit: int  # pulls of a run


class Waiting(NamedTuple):
    """Pulls without outcomes: their arms, and where the last blocks end; both are rings."""

    arms: IntSequence
    ends: IntSequence


class DelayedPlayer:
    """Plays chunks of runs on a schedule, for `run_tasks`; keeps how many blocks each run took.

    In the chunks, a run's stopping time is the number of pulls that were begun.
    """

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self._blocks: dict[tuple[int, int], NDArray[np.int64]] = {}

    def __call__(
        self, job: Job, first: int, last: int, control: NDArray[np.int64] | None = None
    ) -> Chunk:
        """Play runs first..last−1 of a job."""
        chunk, blocks = play_delayed(job, self.schedule, first, last, control)
        self._blocks[id(job), first] = blocks
        return chunk

    def blocks(self, job: Job) -> NDArray[np.int64]:
        """The number of blocks of every run of this very job that was played."""
        mine = sorted(first for owner, first in self._blocks if owner == id(job))
        return np.concatenate([self._blocks[id(job), first] for first in mine])


def play_delayed(
    job: Job,
    schedule: Schedule,
    first: int,
    last: int,
    control: NDArray[np.int64] | None = None,
) -> tuple[Chunk, NDArray[np.int64]]:
    """Runs first..last−1 of a job on a schedule, and the number of blocks that each took."""
    play = compiled(parts_of(job), make_delayed_kernel, (copy_state, mean_so_far))
    chunk = empty_chunk(job, first, last)
    blocks = np.zeros(last - first, dtype=np.int64)
    arms, run = array_run(job)
    ahead = array_run(job)[1]._replace(key=run.key)  # both make the same random decisions
    most_waiting = min(schedule.block * (schedule.delay + 1), job.limit)
    waiting = Waiting(
        np.zeros(most_waiting, dtype=np.int64), np.zeros(schedule.delay + 1, dtype=np.int64)
    )
    orders = DelayedOrders(job.mode == FIXED_CONFIDENCE, schedule.block, first, first, job.limit)
    tally = Tally(*(getattr(chunk, name) for name in Tally._fields))
    shared = new_control() if control is None else control
    # The first call compiles, or loads from the cache, outside the time measured.
    play(orders, arms, run, ahead, waiting, tally, blocks, shared)
    began = time.perf_counter()
    play(orders._replace(last=last), arms, run, ahead, waiting, tally, blocks, shared)
    chunk.seconds = time.perf_counter() - began
    return chunk, blocks


def make_delayed_kernel(parts: Parts, stamp: str, decorate: Callable[[Any], Any]) -> Any:
    """The loop over runs on a schedule; see `kernel.make_kernel`."""
    start, _, receive, judge, answer = parts.step
    draw = parts.draw
    begin = make_begin(parts.step)
    register((begin,))

    def play(
        orders: DelayedOrders,
        arms: Arms,
        run: Run,
        ahead: Run,
        waiting: Waiting,
        tally: Tally,
        blocks: IntSequence,
        control: IntSequence,
    ) -> None:
        len(stamp)
        timed, block, first, last, limit = orders
        ends = waiting.ends
        for number in range(first, last):
            run.key[2] = number & 0xFFFFFFFF
            run.key[3] = (number >> 32) & 0xFFFFFFFF
            reset(run)
            start(run)
            pulls = outcomes = block_count = 0
            result = CONTINUE
            while result == CONTINUE:
                goal = min(pulls + block, limit)
                if pulls < goal:
                    pulls = begin(run, ahead, waiting.arms, outcomes, pulls, goal)
                if pulls == outcomes:
                    break  # nothing to begin, nothing to wait for
                ends[block_count % len(ends)] = pulls
                block_count += 1
                # The oldest end that is kept is that of the block whose outcomes come in now.
                due = ends[block_count % len(ends)] if block_count >= len(ends) else 0
                control[PROGRESS] += due - outcomes if due > outcomes else 0
                while outcomes < due and result == CONTINUE:
                    arm = waiting.arms[outcomes % len(waiting.arms)]
                    value = draw(arms, run, arm)
                    outcomes += 1
                    receive(run, outcomes, arm, value)
                    if timed:
                        result = judge(run, outcomes, arm)
                if control[CANCEL] != 0:
                    return
            for a in range(len(run.counts)):
                tally.pulls[a] += run.counts[a]
            index = number - first
            tally.stopping_times[index] = pulls
            blocks[index] = block_count
            tally.stopped[index] = result != CONTINUE or pulls < limit
            if result == CONTINUE:
                result = answer(run, outcomes)
            tally.answers[index] = max(result, NONE)  # no answer yet counts as none

    return decorate(play)


def make_begin(step: Step) -> Callable[..., int]:
    """The function that begins a block; plain, like those that it is made of."""
    choose, receive = step.choose, step.receive

    def begin(
        run: Run, ahead: Run, waiting: IntSequence, outcomes: int, pulls: int, goal: int
    ) -> int:
        """Choose arms until `goal` pulls are begun, or nothing is left; the number begun then."""
        copy_state(ahead, run)
        for t in range(outcomes, goal):  # first what is waited for, then what is new
            if t == pulls:
                arm = choose(ahead, t)
                if arm < 0:  # NO_ARM
                    break
                waiting[t % len(waiting)] = arm
                pulls += 1
            arm = waiting[t % len(waiting)]
            mean = mean_so_far(ahead, arm)
            receive(ahead, t + 1, arm, mean)
        return pulls

    return begin


def mean_so_far(run: Run, arm: int) -> float:
    """What an outcome still to come is taken for; the threshold for an arm without outcomes."""
    if run.counts[arm] == 0:
        return run.levels[THRESHOLD]
    return run.sums[arm] / run.counts[arm]
