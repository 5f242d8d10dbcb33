"""Playing the league of trials: every algorithm on every instance until it stops, or the cap.

All see the same rewards. In stages: a pilot, then as many runs as bring the standard error of the
mean to PRECISION, and at least FEWEST_RUNS so that a 99.9 % quantile means something, as far as the
effort goes; of each stage at most GROWTH times as many as before, because a heavy tail is not seen
in a few runs.
"""

import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithms import Algorithm, find_algorithm
from goodarm.algorithms.contract import FIXED_CONFIDENCE
from goodarm.errors import InputError
from goodarm.league.players import find_players
from goodarm.league.trials.results import TrialsCell, TrialsLeague, summary_of
from goodarm.league.trials.suites import DELTAS, TrialsEntry, cap_of
from goodarm.simulation import RunResult, oracle
from goodarm.simulation.device import player, prepare_many
from goodarm.simulation.job import Job, make_job
from goodarm.simulation.progress import Report
from goodarm.simulation.runner import LARGEST_CHUNK, Task, run_tasks
from goodarm.simulation.store import ChunkStore

QUICK_TRIALS_ALGORITHMS = ("Prospector", "Scout", "APGAI-FE", "APGAI", "TaS")
TRIALS_ALGORITHMS = (*QUICK_TRIALS_ALGORITHMS, "MS", "HDoC", "LUCB-G", "Unif")
# Pulls for each algorithm, instance and δ, at the most, unless the pilot takes more. One among
# many arms counts as several, and so does one of an algorithm that is slow.
TRIALS_EFFORT, QUICK_TRIALS_EFFORT = 50_000_000, 2_000_000
PILOT = {"cpu": 50, "cuda": 2_000}  # on a GPU few runs take as long as many
PRECISION = 0.02
FEWEST_RUNS, MOST_RUNS = 2_000, 50_000
GROWTH = 8
TO_BE_SAFE = 1.2  # times the runs that should do; the spread is only estimated
ENOUGH_MISSING = 0.1  # of the runs: fewer are not worth another stage
MANY_ARMS = 25
SLOW_ALGORITHMS = {"MS": 5.0}
PULLS_OF_A_CHUNK = 2e7


def play_trials(
    entries: Sequence[TrialsEntry],
    algorithms: Sequence[str] = TRIALS_ALGORITHMS,
    deltas: Sequence[float] = DELTAS,
    *,
    effort: float = TRIALS_EFFORT,
    seed: int = 0,
    threads: int | None = None,
    device: str = "cpu",
    store: ChunkStore | None = None,
    report: Callable[[int], Report] | None = None,
    after_stage: Callable[[TrialsLeague], None] | None = None,
) -> TrialsLeague:
    """Simulate every algorithm and the oracle on every entry, at every δ.

    `report(runs of a stage)` makes a listener to its progress; `after_stage` hears of the league
    after each. A `store` keeps what was played, and a later call goes on from there.
    """
    players = find_players(
        algorithms, FIXED_CONFIDENCE, "does not stop by itself; the league is of those that do"
    )
    knowing = [algorithm.label for algorithm in players if "true means" in algorithm.needs]
    if knowing:
        raise InputError(
            f"algorithms: {', '.join(knowing)} knows the means and is no competitor; leave it out"
        )
    labels = tuple(algorithm.label for algorithm in players)
    cells = [
        _Cell(entry, delta, [find_algorithm(oracle.NAME), *players], seed)
        for entry in entries
        for delta in deltas
    ]
    stage = _Stage(cells, effort, device, threads or os.cpu_count() or 1, store)
    began = time.perf_counter()
    while tasks := stage.tasks():
        stage.play(tasks, report(sum(task.runs for _, task in tasks)) if report else _unheard)
        done = tuple(cell.result() for cell in cells)
        league = TrialsLeague(labels, done, seed, stage.pulls, time.perf_counter() - began)
        if after_stage:
            after_stage(league)
    return league


def _unheard(runs: int, pulls: int) -> None:
    """Nobody listens."""


@dataclass
class _Times:
    """What is known of one algorithm in one cell."""

    job: Job
    times: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    capped: int = 0
    wrong: int = 0

    def wanted(self, effort: float, pilot: int) -> int:
        """How many runs there should be after the next stage."""
        runs = len(self.times)
        if runs == 0:
            return pilot
        mean, spread = float(self.times.mean()), float(self.times.std(ddof=1))
        needed = math.ceil(TO_BE_SAFE * (spread / mean / PRECISION) ** 2)
        affordable = int(effort / (mean * _cost_of_a_pull(self.job)))
        return min(max(needed, FEWEST_RUNS), affordable, MOST_RUNS, GROWTH * runs)

    def task(self, effort: float, device: str) -> Task | None:
        """What is to be played next, if anything."""
        runs = len(self.times)
        more = self.wanted(effort, PILOT[device]) - runs
        if more <= ENOUGH_MISSING * runs:
            return None
        fit = PULLS_OF_A_CHUNK / self.expected if device == "cpu" else LARGEST_CHUNK
        size = more if runs == 0 else max(1, min(more, int(fit), LARGEST_CHUNK))
        return Task(self.job, more, size, runs)

    @property
    def expected(self) -> float:
        """Pulls of a run, about: at first all that is known is the cap."""
        return float(self.times.mean()) if len(self.times) else float(self.job.limit)

    def add(self, result: RunResult) -> None:
        """Take in what a task gave."""
        self.times = np.concatenate([self.times, result.stopping_times.astype(np.int32)])
        self.capped += int((~result.stopped).sum())
        self.wrong += int(result.errors.sum())


class _Cell:
    """One instance at one δ, with the oracle first."""

    def __init__(
        self, entry: TrialsEntry, delta: float, players: Sequence[Algorithm], seed: int
    ) -> None:
        self.entry, self.delta = entry, delta
        self.cap = cap_of(entry.instance, delta)
        self.players = [
            _Times(make_job(algorithm, entry.instance, FIXED_CONFIDENCE, self.cap, seed, delta))
            for algorithm in players
        ]

    def result(self) -> TrialsCell:
        """What is known so far."""
        oracle, *rest = (summary_of(p.times, p.capped, p.wrong) for p in self.players)
        return TrialsCell(self.entry, self.delta, self.cap, oracle, tuple(rest))


@dataclass
class _Stage:
    """Plays what is still wanted, and counts the pulls, stage by stage."""

    cells: Sequence[_Cell]
    effort: float
    device: str
    threads: int
    store: ChunkStore | None
    pulls: int = 0

    def tasks(self) -> list[tuple[_Times, Task]]:
        """What is to be played next, the longest first, so that none is waited for at the end."""
        wanted = [
            (times, task)
            for cell in self.cells
            for times in cell.players
            if (task := times.task(self.effort, self.device)) is not None
        ]
        return sorted(wanted, key=_cost, reverse=True)

    def play(self, pairs: Sequence[tuple[_Times, Task]], report: Report) -> None:
        """Play these."""
        play = player(self.device)
        tasks = [task for _, task in pairs]
        sizes = [(task.job, task.size) for task in tasks]
        workers = prepare_many(self.device, sizes, self.threads)
        for index, result in run_tasks(tasks, workers, None, self.store, report, play):
            assert isinstance(result, RunResult)
            pairs[index][0].add(result)
            self.pulls += int(result.pulls.sum())


def _cost(pair: tuple[_Times, Task]) -> float:
    """Of the first chunk, about."""
    times, task = pair
    return task.size * times.expected * _cost_of_a_pull(times.job)


def _cost_of_a_pull(job: Job) -> float:
    slow = SLOW_ALGORITHMS.get(job.algorithm.name, 1.0)
    return slow * max(1.0, job.instance.K / MANY_ARMS)
