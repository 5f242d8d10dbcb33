"""Playing studies on sets of means: a few first, to see how long they take, then many.

How many is decided by simulated trials and not by the clock, so that a plan depends on its
question and seed alone.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithms.contract import FIXED_CONFIDENCE
from goodarm.instance import Instance
from goodarm.simulation import AnytimeResult, RunResult
from goodarm.simulation.job import Job, make_job
from goodarm.simulation.progress import no_progress, progress_bar
from goodarm.simulation.simulate import Task, run_tasks

MOST_STUDIES = 100_000
LARGEST_CHUNK = 2_000


@dataclass(frozen=True)
class Endings:
    """How the studies of one algorithm ended: one row a set of means, one column a study."""

    times: NDArray[np.int64]
    answers: NDArray[np.int32]
    stopped: NDArray[np.bool_]
    errors: NDArray[np.bool_]

    @property
    def studies(self) -> int:
        """All studies."""
        return self.times.size


@dataclass(frozen=True)
class Ask:
    """One thing to simulate: an algorithm on sets of means, in one mode."""

    algorithm: str
    instances: Sequence[Instance]
    mode: str
    limit: int
    delta: float | None = None
    times: Sequence[int] | None = None

    def jobs(self, seed: int) -> list[Job]:
        """A job for each set of means, each with random numbers of its own."""
        seeds = np.random.SeedSequence(seed).generate_state(len(self.instances), np.uint64)
        return [
            make_job(
                self.algorithm, instance, self.mode, self.limit, int(own), self.delta, None,
                self.times,
            )
            for own, instance in zip(seeds, self.instances, strict=True)
        ]  # fmt: skip


def play_many(
    ask: Ask, studies: int | None, seed: int, trials: int, pilot: int, show_progress_bar: bool
) -> list[RunResult | AnytimeResult]:
    """So many studies; or, if that is left open, as many as `trials` simulated trials allow.

    The first `pilot` studies tell how long one is. They are never fewer, and are thrown away if
    there are to be more.
    """
    if studies is None and ask.mode == FIXED_CONFIDENCE:
        first = play(ask, pilot, seed, show_progress_bar)
        studies = min(MOST_STUDIES, int(trials / endings(first).times.mean()))
        if studies <= pilot:
            return first
    elif studies is None:
        studies = min(MOST_STUDIES, max(pilot, trials // ask.limit))
    return play(ask, studies, seed, show_progress_bar)


def play(
    ask: Ask, studies: int, seed: int, show_progress_bar: bool
) -> list[RunResult | AnytimeResult]:
    """That many studies, spread evenly over the sets of means: one result a set."""
    runs = max(2, studies // len(ask.instances))
    tasks = [Task(job, runs, min(runs, LARGEST_CHUNK)) for job in ask.jobs(seed)]
    found: dict[int, RunResult | AnytimeResult] = {}
    with progress_bar(runs * len(tasks)) if show_progress_bar else no_progress() as report:
        found.update(run_tasks(tasks, os.cpu_count() or 1, None, None, report))
    return [found[index] for index in range(len(tasks))]


def endings(results: Sequence[RunResult | AnytimeResult]) -> Endings:
    """The endings of all studies of one ask."""
    rows = [result for result in results if isinstance(result, RunResult)]
    return Endings(
        times=np.stack([row.stopping_times for row in rows]),
        answers=np.stack([row.answers for row in rows]),
        stopped=np.stack([row.stopped for row in rows]),
        errors=np.stack([row.errors for row in rows]),
    )
