"""Playing a range of runs of one job: the unit of work that any executor can carry out."""

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithms.contract import ANYTIME, FIXED_BUDGET, FIXED_CONFIDENCE
from goodarm.simulation.compile_errors import blame_algorithm
from goodarm.simulation.job import Job
from goodarm.simulation.loops.compiler import compiled, parts_of
from goodarm.simulation.loops.kernel import (
    ANYTIME_MODE,
    BUDGET_MODE,
    CONFIDENCE_MODE,
    Orders,
    Tally,
    is_error,
    make_kernel,
)
from goodarm.simulation.loops.truth import array_run

MODES = {FIXED_CONFIDENCE: CONFIDENCE_MODE, FIXED_BUDGET: BUDGET_MODE, ANYTIME: ANYTIME_MODE}
NO_LIMIT_ON_STEPS = np.iinfo(np.int64).max


@dataclass
class Chunk:
    """What runs first..last−1 of a job gave."""

    first: int
    last: int
    stopping_times: NDArray[np.int64]
    answers: NDArray[np.int32]
    stopped: NDArray[np.bool_]
    error_counts: NDArray[np.int64]
    undefined_counts: NDArray[np.int64]
    pulls: NDArray[np.int64]
    seconds: float

    def add_counts(self, other: "Chunk") -> None:
        """Take in another chunk of an anytime job: all that it has is counts."""
        self.first = min(self.first, other.first)
        self.last = max(self.last, other.last)
        self.error_counts += other.error_counts
        self.undefined_counts += other.undefined_counts
        self.pulls += other.pulls
        self.seconds += other.seconds


def new_control() -> NDArray[np.int64]:
    """The two numbers that a caller shares with a running chunk: cancel flag, steps so far."""
    return np.zeros(2, dtype=np.int64)


def empty_chunk(job: Job, first: int, last: int) -> Chunk:
    """A chunk with room for its results."""
    runs = 0 if job.mode == ANYTIME else last - first
    marks = len(job.times) if job.mode == ANYTIME else 0
    return Chunk(
        first=first,
        last=last,
        stopping_times=np.zeros(runs, dtype=np.int64),
        answers=np.zeros(runs, dtype=np.int32),
        stopped=np.zeros(runs, dtype=np.bool_),
        error_counts=np.zeros(marks, dtype=np.int64),
        undefined_counts=np.zeros(marks, dtype=np.int64),
        pulls=np.zeros(job.instance.K, dtype=np.int64),
        seconds=0.0,
    )


def play_chunk(job: Job, first: int, last: int, control: NDArray[np.int64] | None = None) -> Chunk:
    """Play runs first..last−1. The result depends on the job and those numbers alone."""
    play = compiled(parts_of(job), make_kernel, (is_error,))
    chunk = empty_chunk(job, first, last)
    arms, run = array_run(job)
    orders = Orders(
        mode=MODES[job.mode],
        first=first,
        last=first,
        limit=job.limit,
        times=np.append(job.times, NO_LIMIT_ON_STEPS),  # the loop looks one beyond the last
        good=job.instance.good.astype(np.int64),
        any_good=bool(job.instance.good.any()),
    )
    tally = Tally(*(getattr(chunk, name) for name in Tally._fields))
    shared = new_control() if control is None else control
    try:
        play(orders, arms, run, tally, shared)  # compiles, outside the time measured
    except Exception as error:
        blame_algorithm(job, error)
        raise
    began = time.perf_counter()
    play(orders._replace(last=last), arms, run, tally, shared)
    chunk.seconds = time.perf_counter() - began
    return chunk
