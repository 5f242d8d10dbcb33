"""Studies that hear of outcomes late: trials are begun in blocks, and their outcomes come later.

A block is a batch, or a day's trials. The outcomes of a block become known at its end, or `delay`
blocks after that. The rule meanwhile chooses as in a live study: an outcome still to come counts
as a trial that leaves its arm's mean as it is (`Experiment.next_arm`). The study ends when the
stopping rule speaks on what is known; every trial begun until then counts.

The n-th reward of an arm in a run is that of the ordinary loop, so blocks of one trial without
delay give the very same runs.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithms.contract import FIXED_CONFIDENCE
from goodarm.run import CONTINUE, NONE, THRESHOLD, Run, copy_state, reset
from goodarm.simulation.chunk import Chunk, empty_chunk, new_control
from goodarm.simulation.job import Job
from goodarm.simulation.loops.compiler import Parts, compiled, parts_of, register
from goodarm.simulation.loops.kernel import CANCEL, STEPS
from goodarm.simulation.loops.truth import array_run
from goodarm.step import Step


@dataclass(frozen=True)
class Schedule:
    """So many trials are begun at a time; each block's outcomes are known `delay` blocks later."""

    block: int
    delay: int = 0


class DelayedPlayer:
    """Plays chunks of runs on a schedule, for `run_tasks`; keeps how many blocks each run took.

    In the chunks, a run's stopping time is the number of trials that were begun.
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
    job: Job, schedule: Schedule, first: int, last: int,
    control: NDArray[np.int64] | None = None,
) -> tuple[Chunk, NDArray[np.int64]]:  # fmt: skip
    """Runs first..last−1 of a job on a schedule, and the number of blocks that each took."""
    play = compiled(parts_of(job), make_delayed_kernel, (copy_state, mean_so_far))
    chunk = empty_chunk(job, first, last)
    blocks = np.zeros(last - first, dtype=np.int64)
    arms, run = array_run(job)
    _, ahead = array_run(job)
    ahead = ahead._replace(key=run.key)  # both runs make the same random decisions
    most_waiting = min(schedule.block * (schedule.delay + 1), job.limit)
    waiting = np.zeros(most_waiting, dtype=np.int64)
    ends = np.zeros(schedule.delay + 1, dtype=np.int64)
    shared = new_control() if control is None else control

    def call(start: int, end: int) -> None:
        play(
            job.mode == FIXED_CONFIDENCE, arms, run, ahead, waiting, ends,
            schedule.block, start, end, job.limit,
            chunk.stopping_times, blocks, chunk.answers, chunk.stopped, chunk.pulls, shared,
        )  # fmt: skip

    call(first, first)  # compiles, or loads from the cache, outside the time measured
    began = time.perf_counter()
    call(first, last)
    chunk.seconds = time.perf_counter() - began
    return chunk, blocks


def make_delayed_kernel(parts: Parts, stamp: str, decorate: Callable[[Any], Any]) -> Any:
    """The loop over runs on a schedule; see `kernel.make_kernel`."""
    start, _, receive, judge, answer = parts.step
    draw = parts.draw
    begin = make_begin(parts.step)
    register((begin,))

    def play(  # type: ignore[no-untyped-def]
        timed, arms, run, ahead, waiting, ends, block, first, last, limit,
        trials, blocks, answers, stopped, pulls, control,
    ):  # fmt: skip
        len(stamp)
        K = len(run.counts)
        room = len(waiting)
        key = run.key
        for number in range(first, last):
            key[2] = number & 0xFFFFFFFF
            key[3] = (number >> 32) & 0xFFFFFFFF
            reset(run)
            start(run)
            begun = 0
            known = 0
            gone = 0  # blocks
            result = CONTINUE
            while result == CONTINUE:
                goal = min(begun + block, limit)
                if begun < goal:
                    begun = begin(run, ahead, waiting, known, begun, goal)
                if begun == known:
                    break  # nothing to begin, nothing to wait for
                ends[gone % len(ends)] = begun
                gone += 1
                # The oldest end that is kept is that of the block whose outcomes come in now.
                due = ends[gone % len(ends)] if gone >= len(ends) else 0
                control[STEPS] += due - known if due > known else 0
                while known < due and result == CONTINUE:
                    arm = waiting[known % room]
                    value = draw(arms, run, arm)
                    known += 1
                    receive(run, known, arm, value)
                    if timed:
                        result = judge(run, known, arm)
                if control[CANCEL] != 0:
                    return
            for a in range(K):
                pulls[a] += run.counts[a]
            place = number - first
            trials[place] = begun
            blocks[place] = gone
            stopped[place] = result != CONTINUE or begun < limit
            if result == CONTINUE:
                result = answer(run, known)
            answers[place] = max(result, NONE)  # no answer yet counts as none

    return decorate(play)


def make_begin(step: Step) -> Callable[..., int]:
    """The function that begins a block; plain, like those that it is made of."""
    choose, receive = step.choose, step.receive

    def begin(run: Run, ahead: Run, waiting: Any, known: int, begun: int, goal: int) -> int:
        """Choose trials until `goal` are begun, or nothing is left; the number begun then."""
        copy_state(ahead, run)
        for t in range(known, goal):  # first what is waited for, then what is new
            if t == begun:
                arm = choose(ahead, t)
                if arm < 0:  # NO_ARM
                    break
                waiting[t % len(waiting)] = arm
                begun += 1
            arm = waiting[t % len(waiting)]
            mean = mean_so_far(ahead, arm)
            receive(ahead, t + 1, arm, mean)
        return begun

    return begin


def mean_so_far(run: Run, arm: int) -> float:
    """What an outcome still to come is taken for; the threshold for an arm without outcomes."""
    if run.counts[arm] == 0:
        return run.levels[THRESHOLD]  # type: ignore[no-any-return]
    return run.sums[arm] / run.counts[arm]  # type: ignore[no-any-return]
