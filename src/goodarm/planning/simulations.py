"""Playing runs on sets of means, and numbers with intervals from what came out.

A few runs are played first, to see how long they take, then many. How many is decided by simulated
pulls and not by the clock, so that a plan depends on its question and seed alone.

What came out is a table: one row for each set of means, one column for each run on it. The rows
are independent of each other, the runs of a row only given its means. So with several rows the
standard error is that of the row averages.

Stopping times have long right tails, and so do row averages: a symmetric interval would miss high
means too often. The mean's interval is therefore Hall's, which corrects for skewness.
Reference: Hall, "On the removal of skewness by transformation", JRSS B 54 (1992).
"""

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithms import find_algorithm
from goodarm.algorithms.contract import FIXED_CONFIDENCE
from goodarm.instance import Instance
from goodarm.numerics import normal_quantile
from goodarm.outcomes import Outcome
from goodarm.simulation import AnytimeResult, RunResult, wilson
from goodarm.simulation.chunk import Chunk, play_chunk
from goodarm.simulation.job import SUB_GAUSSIAN, Job, make_job
from goodarm.simulation.loops.delayed import DelayedPlayer, Schedule
from goodarm.simulation.runner import Task, chunk_size, run_tasks

MOST_RUNS_PLANNED = 100_000
LEVEL = 0.95
CERTIFICATES = "mixture"  # the boundary that goes by them
PILOT = 0.2  # the part of a simulation's progress that the first few runs are taken for

Report = Callable[[float], None]  # hears the share that is done


@dataclass(frozen=True)
class Estimate:
    """A simulated number and its 95 % interval, which covers the chance in simulating it.

    Where `high` is None, runs were given up before they ended: `value` is what they had come to by
    then, so the number is larger, and nobody knows by how much.
    """

    value: float
    low: float
    high: float | None

    def in_words(self, decimals: int = 0) -> str:
        """The number, or what it exceeds where runs were given up."""
        text = f"{self.value:,.{decimals}f}"
        return text if self.high is not None else f"more than {text}"


@dataclass(frozen=True)
class Endings:
    """How the runs of one algorithm ended: one row per set of means, one column per run."""

    times: NDArray[np.int64]  # trials begun
    answers: NDArray[np.int32]
    stopped: NDArray[np.bool_]
    errors: NDArray[np.bool_]

    @property
    def runs(self) -> int:
        """All runs."""
        return self.times.size


@dataclass(frozen=True)
class Allowance:
    """How many runs to play: at least `fewest`, and more as long as that number of pulls lasts."""

    fewest: int
    pulls: int


@dataclass(frozen=True)
class Scenario:
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
        algorithm = find_algorithm(self.algorithm)
        boundary = algorithm.chosen.get("boundary") or algorithm.boundary
        # Other boundaries, and algorithms that stop by themselves, know the outcomes' scale alone.
        is_certified = boundary == CERTIFICATES and not algorithm.own_stopping
        return [
            make_job(
                algorithm,
                instance,
                self.mode,
                self.limit,
                int(own),
                self.delta,
                times=self.times,
                outcome=self.outcome if is_certified else SUB_GAUSSIAN,
            )
            for own, instance in zip(seeds, self.instances, strict=True)
        ]


class Simulator:
    """Plays the simulations of one plan, one after another, and says how far it is.

    `report` hears the share of the plan that is done; what it raises ends the plan.
    """

    def __init__(
        self, seed: int, runs: int | None, effort: float, threads: int | None, report: Report
    ) -> None:
        self._seed = seed
        self._runs = runs
        self._effort = effort
        self._threads = threads or os.cpu_count() or 1
        self._report = report
        self._done = 0
        self._expected = 1

    def expect(self, simulations: int) -> None:
        """Say how many simulations there will be in all."""
        self._expected = max(simulations, 1)

    def many(self, scenario: Scenario, allowance: Allowance) -> list[RunResult | AnytimeResult]:
        """As many runs as were asked for; else as many as the allowance lasts.

        The fewest that are played in any case tell how long one is. They are thrown away if there
        are to be more.
        """
        affordable = allowance.pulls * self._effort
        runs, report = self._runs, self._within(0.0, 1.0)
        if runs is None and scenario.mode == FIXED_CONFIDENCE:
            first = self._play(scenario, allowance.fewest, self._within(0.0, PILOT))
            runs = min(MOST_RUNS_PLANNED, int(affordable / endings(first).times.mean()))
            if runs <= allowance.fewest:
                self._done += 1
                return first
            report = self._within(PILOT, 1.0)
        elif runs is None:
            runs = min(MOST_RUNS_PLANNED, max(allowance.fewest, int(affordable / scenario.limit)))
        results = self._play(scenario, runs, report)
        self._done += 1
        return results

    def on_schedule(
        self, scenario: Scenario, schedule: Schedule, alone: Endings, allowance: Allowance
    ) -> tuple[Endings, NDArray[np.int64]]:
        """The first of the runs played `alone` again, on a schedule; and each one's blocks.

        They have the same rewards, so that each can be compared with itself.
        """
        runs = alone.runs
        if self._runs is None:
            in_waiting = schedule.block * (1 + schedule.delay)
            begun = min(float(alone.times.mean()) + in_waiting, scenario.limit)
            # A trial is chosen, replayed while it is waited for, and entered.
            affordable = int(allowance.pulls * self._effort / (begun * (2 + schedule.delay)))
            runs = min(runs, max(allowance.fewest, affordable))
        player = DelayedPlayer(schedule)
        sets = min(runs, len(scenario.instances))  # where runs are long, the first sets must do
        jobs = scenario.jobs(self._seed)[:sets]
        fewer = replace(scenario, instances=scenario.instances[:sets])
        results = self._play(fewer, runs, self._within(0.0, 1.0), jobs, player)
        self._done += 1
        return endings(results), np.stack([player.blocks(job) for job in jobs])

    def _play(
        self,
        scenario: Scenario,
        runs: int,
        report: Report,
        jobs: Sequence[Job] | None = None,
        play: Callable[..., Chunk] = play_chunk,
    ) -> list[RunResult | AnytimeResult]:
        """That many runs, spread evenly over the sets of means: one result per set."""
        least = 2 if len(scenario.instances) == 1 else 1  # what a standard error needs
        runs_each = max(least, runs // len(scenario.instances))
        every = jobs or scenario.jobs(self._seed)
        total = runs_each * len(every)
        size = min(runs_each, chunk_size(total, self._threads))
        tasks = [Task(job, runs_each, size) for job in every]
        results: dict[int, RunResult | AnytimeResult] = dict(
            run_tasks(
                tasks, self._threads, None, None, lambda done, pulls: report(done / total), play
            )
        )
        return [results[index] for index in range(len(tasks))]

    def _within(self, low: float, high: float) -> Report:
        """Progress of a part of the present simulation, told as progress of the plan."""
        return lambda share: self._report(
            min((self._done + low + (high - low) * share) / self._expected, 1.0)
        )


def endings(results: Sequence[RunResult | AnytimeResult]) -> Endings:
    """The endings of all runs of one scenario."""
    rows = [result for result in results if isinstance(result, RunResult)]
    return Endings(
        times=np.stack([row.stopping_times for row in rows]),
        answers=np.stack([row.answers for row in rows]),
        stopped=np.stack([row.stopped for row in rows]),
        errors=np.stack([row.errors for row in rows]),
    )


def mean_of(table: NDArray[np.generic], cut_off: NDArray[np.bool_] | None = None) -> Estimate:
    """The mean over all runs; its interval stays within what was seen.

    `cut_off` marks runs that would have gone on: with any of them, the mean is a lower bound.
    """
    values = np.asarray(table, dtype=np.float64)
    low, high = _mean_interval(values.mean(axis=1) if len(values) > 1 else values[0])
    least, most = float(values.min()), float(values.max())
    is_bound = cut_off is not None and bool(cut_off.any())
    return Estimate(float(values.mean()), max(low, least), None if is_bound else min(high, most))


def quantile_of(
    table: NDArray[np.generic], level: float, cut_off: NDArray[np.bool_]
) -> float | None:
    """A quantile over all runs; None where it lies beyond what `cut_off` left to be seen."""
    if cut_off.any() and cut_off.mean() >= 1.0 - level:
        return None
    return float(np.quantile(np.asarray(table, dtype=np.float64), level))


def share_of(table: NDArray[np.generic]) -> Estimate:
    """The share of runs for which something holds."""
    return share_by_row(np.asarray(table, dtype=np.float64).mean(axis=1), table.size)


def share_by_row(shares: NDArray[np.float64], runs: int) -> Estimate:
    """The same from the share of each row; `runs` are all of them together.

    Wilson's interval, with the number of independent runs that would be as informative: from the
    number of rows, where they alone are independent, up to the number of runs.
    """
    rows = len(shares)
    centre = float(shares.mean())
    count = float(runs)
    if rows > 1:
        variance = float(shares.var(ddof=1)) / rows
        informative = centre * (1.0 - centre) / variance if variance > 0.0 else 0.0
        count = min(max(informative, float(rows)), count)
    whole = round(count)
    low, high = wilson(np.asarray(centre * whole), np.asarray(whole), LEVEL)
    return Estimate(centre, min(float(low), centre), max(float(high), centre))


def _mean_interval(values: NDArray[np.float64]) -> tuple[float, float]:
    """An interval for the mean of independent values, which may be skewed."""
    count, centre = len(values), float(values.mean())
    spread = float(values.std())
    if spread == 0.0:
        return centre, centre
    skewness = float(((values - centre) ** 3).mean()) / spread**3
    z = normal_quantile(0.5 + 0.5 * LEVEL)
    t = z + (z**3 + z) / (4.0 * (count - 1))  # Student's quantile, to first order
    bend = skewness / (3.0 * math.sqrt(count))
    standard_error = spread / math.sqrt(count - 1)
    low, high = (centre - standard_error * _unbent(side, bend) for side in (t, -t))
    return low, high


def _unbent(value: float, bend: float) -> float:
    """The t statistic x whose transform x + bend·x² + bend²·x³/3 + bend/2 is this value."""
    if abs(bend) < 1e-9:
        return value
    return float(np.cbrt(1.0 + 3.0 * bend * (value - bend / 2.0)) - 1.0) / bend
