"""Playing studies on sets of means: a few first, to see how long they take, then many.

How many is decided by simulated trials and not by the clock, so that a plan depends on its
question and seed alone.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithms import find_algorithm
from goodarm.algorithms.contract import FIXED_CONFIDENCE
from goodarm.instance import Instance
from goodarm.outcomes import Outcome
from goodarm.simulation import AnytimeResult, RunResult
from goodarm.simulation.chunk import Chunk, play_chunk
from goodarm.simulation.job import SUB_GAUSSIAN, Job, make_job
from goodarm.simulation.loops.delayed import DelayedPlayer, Schedule
from goodarm.simulation.runner import Task, chunk_size, run_tasks

MOST_STUDIES = 100_000
CERTIFICATES = "mixture"  # the boundary that goes by them
PILOT = 0.2  # the part of a simulation's progress that the first few studies are taken for

Share = Callable[[float], None]


@dataclass(frozen=True)
class Endings:
    """How the studies of one algorithm ended: one row a set of means, one column a study."""

    times: NDArray[np.int64]  # trials begun
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
    outcome: Outcome | None = None  # what the outcomes are taken for, where certificates decide

    def jobs(self, seed: int) -> list[Job]:
        """A job for each set of means, each with random numbers of its own."""
        seeds = np.random.SeedSequence(seed).generate_state(len(self.instances), np.uint64)
        rule = find_algorithm(self.algorithm)
        named = rule.chosen.get("boundary") or rule.boundary
        # Other boundaries, and rules that stop by themselves, know the outcomes' scale alone.
        certified = named == CERTIFICATES and not rule.own_stopping
        return [
            make_job(
                rule,
                instance,
                self.mode,
                self.limit,
                int(own),
                self.delta,
                times=self.times,
                outcome=self.outcome if certified else SUB_GAUSSIAN,
            )
            for own, instance in zip(seeds, self.instances, strict=True)
        ]


class Simulator:
    """Plays the simulations of one plan, one after another, and says how far it is.

    `report` hears the share of the plan that is done; what it raises ends the plan.
    """

    def __init__(
        self, seed: int, studies: int | None, effort: float, threads: int | None, report: Share
    ) -> None:
        self._seed = seed
        self._studies = studies
        self._effort = effort
        self._threads = threads or os.cpu_count() or 1
        self._report = report
        self._done = 0
        self._expected = 1

    def expect(self, simulations: int) -> None:
        """Say how many simulations there will be in all."""
        self._expected = max(simulations, 1)

    def many(self, ask: Ask, trials: int, fewest: int) -> list[RunResult | AnytimeResult]:
        """As many studies as were asked for; else as many as that number of trials allows.

        The `fewest` that are played in any case tell how long one is. They are thrown away if
        there are to be more.
        """
        affordable = trials * self._effort
        studies, share = self._studies, self._within(0.0, 1.0)
        if studies is None and ask.mode == FIXED_CONFIDENCE:
            first = self._play(ask, fewest, self._within(0.0, PILOT))
            studies = min(MOST_STUDIES, int(affordable / endings(first).times.mean()))
            if studies <= fewest:
                self._done += 1
                return first
            share = self._within(PILOT, 1.0)
        elif studies is None:
            studies = min(MOST_STUDIES, max(fewest, int(affordable / ask.limit)))
        results = self._play(ask, studies, share)
        self._done += 1
        return results

    def on_schedule(
        self, ask: Ask, schedule: Schedule, known: Endings, trials: int, fewest: int
    ) -> tuple[Endings, NDArray[np.int64]]:
        """The first of these `known` studies again, on a schedule; and how many blocks each took.

        They have the same rewards, so that each can be compared with itself.
        """
        studies = known.studies
        if self._studies is None:
            begun = min(
                float(known.times.mean()) + schedule.block * (1 + schedule.delay), ask.limit
            )
            # A trial is chosen, replayed while it is waited for, and entered.
            affordable = int(trials * self._effort / (begun * (2 + schedule.delay)))
            studies = min(studies, max(fewest, affordable))
        player = DelayedPlayer(schedule)
        sets = min(studies, len(ask.instances))  # where studies are long, the first ones must do
        jobs = ask.jobs(self._seed)[:sets]
        fewer = replace(ask, instances=ask.instances[:sets])
        results = self._play(fewer, studies, self._within(0.0, 1.0), jobs, player)
        self._done += 1
        return endings(results), np.stack([player.blocks(job) for job in jobs])

    def _play(
        self, ask: Ask, studies: int, share: Share, jobs: Sequence[Job] | None = None,
        play: Callable[..., Chunk] = play_chunk,
    ) -> list[RunResult | AnytimeResult]:  # fmt: skip
        """That many studies, spread evenly over the sets of means: one result a set."""
        least = 2 if len(ask.instances) == 1 else 1  # what a standard error needs
        runs = max(least, studies // len(ask.instances))
        every = jobs or ask.jobs(self._seed)
        total = runs * len(every)
        size = min(runs, chunk_size(total, self._threads))
        tasks = [Task(job, runs, size) for job in every]
        found: dict[int, RunResult | AnytimeResult] = dict(
            run_tasks(
                tasks, self._threads, None, None, lambda done, pulls: share(done / total), play
            )
        )
        return [found[index] for index in range(len(tasks))]

    def _within(self, low: float, high: float) -> Share:
        """Progress of a part of the present simulation, told as progress of the plan."""
        return lambda share: self._report(
            min((self._done + low + (high - low) * share) / self._expected, 1.0)
        )


def endings(results: Sequence[RunResult | AnytimeResult]) -> Endings:
    """The endings of all studies of one ask."""
    rows = [result for result in results if isinstance(result, RunResult)]
    return Endings(
        times=np.stack([row.stopping_times for row in rows]),
        answers=np.stack([row.answers for row in rows]),
        stopped=np.stack([row.stopped for row in rows]),
        errors=np.stack([row.errors for row in rows]),
    )
