"""Playing the league: every algorithm on every instance, with common random numbers.

All outcomes count as sub-Gaussian with the arms' scales, as they did in every published league.
"""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithms import Algorithm
from goodarm.algorithms.contract import ANYTIME
from goodarm.league.errors.results import NO_ANSWER, League, LeagueRow
from goodarm.league.errors.scores import RESOLVED, SMALLEST_ERROR, unresolved
from goodarm.league.errors.suites import LeagueEntry
from goodarm.league.players import find_players
from goodarm.simulation import AnytimeResult
from goodarm.simulation.chunk import Chunk
from goodarm.simulation.device import player, prepare_many
from goodarm.simulation.job import Job
from goodarm.simulation.progress import Report
from goodarm.simulation.runner import LARGEST_CHUNK, Task, run_tasks
from goodarm.simulation.store import ChunkStore

_BEST_KNOWN = ("Prospector", "Scout", "APGAI", "APGAI-FE", "Unif", "MS", "TaS", "HDoC")
QUICK_LEAGUE_ALGORITHMS = (*_BEST_KNOWN, "UCB-G")
LEAGUE_ALGORITHMS = (
    *_BEST_KNOWN,
    "APT-G",
    "S-TaS",
    "S-TaS[order=desc]",
    "DSR-G",
    "DSH-G",
    "DSH-G-WR",
    "UCB-G",
    "UCB-G[bonus=moss,weight=2]",
    "UCB-G[bonus=time,weight=2,bad=apgai]",
)
# Pulls for each algorithm and instance, at the most.
LEAGUE_EFFORT, QUICK_LEAGUE_EFFORT = 10_000_000, 5_000_000
FEWEST_RUNS_EACH, MOST_RUNS_EACH = 1_000, round(RESOLVED / SMALLEST_ERROR)
# Shares of the effort: who errs often does not need all of it.
STAGES = (1 / 64, 1 / 16, 1 / 4, 1.0)
ARMS_FOR_FREE = 8  # a step costs more with more arms; so there are fewer runs
PULLS_OF_A_CHUNK = 4e9  # on a GPU: below what would get a kernel of its own


def runs_of(entry: LeagueEntry, effort: float) -> int:
    """How many runs this effort allows on an instance."""
    a_run = entry.times[-1] * max(1.0, entry.instance.K / ARMS_FOR_FREE)
    return int(np.clip(effort / a_run, FEWEST_RUNS_EACH, MOST_RUNS_EACH))


def play_league(
    entries: Sequence[LeagueEntry],
    algorithms: Sequence[str] = LEAGUE_ALGORITHMS,
    *,
    effort: float = LEAGUE_EFFORT,
    seed: int = 0,
    threads: int | None = None,
    device: str = "cpu",
    store: ChunkStore | None = None,
    report: Callable[[int], Report] | None = None,
    after_stage: Callable[[League], None] | None = None,
) -> League:
    """Simulate every algorithm on every entry; `report(runs in all)` makes a listener to progress.

    In stages: an algorithm whose errors are all resolved, wherever the best is of a size that
    matters, is not played further on that instance. `after_stage` hears of the league after each.
    """
    players = find_players(
        algorithms,
        ANYTIME,
        "needs a budget or a confidence level; the league is of anytime algorithms",
    )
    labels = tuple(algorithm.label for algorithm in players)
    tables = [_Table(entry, players, effort, seed) for entry in entries]
    play = player(device)
    workers = threads or os.cpu_count() or 1
    tasks = [task for table in tables for task in table.tasks(1.0, device)]
    workers = prepare_many(device, [(task.job, task.size) for task in tasks], workers)
    most = sum(table.most * len(algorithms) for table in tables)
    listener = report(most) if report else lambda runs, pulls: None
    stage = _Stage(tables, device, workers, store, listener, play)
    began = time.perf_counter()
    for share in STAGES:
        stage.play_to(share)
        rows = tuple(LeagueRow(t.entry, t.runs.copy(), t.errors.copy()) for t in tables)
        league = League(labels, rows, seed, stage.pulls, time.perf_counter() - began)
        if after_stage:
            after_stage(league)
    return league


class _Table:
    """What is known about one instance so far."""

    def __init__(
        self, entry: LeagueEntry, players: Sequence[Algorithm], effort: float, seed: int
    ) -> None:
        self.entry, self.most = entry, runs_of(entry, effort)
        self.algorithms = [algorithm.label for algorithm in players]
        self.jobs = [entry.job(algorithm, seed) for algorithm in players]
        self.runs = np.zeros(len(players), dtype=np.int64)
        self.errors = np.zeros((len(players), len(entry.times)), dtype=np.int64)

    def goal(self, share: float) -> int:
        """How many runs make that share."""
        return max(int(share * self.most), FEWEST_RUNS_EACH)

    def tasks(self, share: float, device: str) -> list[Task]:
        """What is to be played until every algorithm has had its share of runs, if it must."""
        goal = self.goal(share)
        size = int(PULLS_OF_A_CHUNK / self.entry.times[-1]) if device != "cpu" else LARGEST_CHUNK
        return [
            Task(job, int(goal - runs), min(size, int(goal - runs)), int(runs))
            for job, runs, open_ in zip(self.jobs, self.runs, self.unresolved(), strict=True)
            if open_ and goal > runs
        ]

    def unresolved(self) -> NDArray[np.bool_]:
        """[algorithm]: whether it errs too seldom at some time to be known, so far."""
        if not self.runs.any():
            return np.ones(len(self.algorithms), dtype=np.bool_)
        row = LeagueRow(self.entry, self.runs, self.errors)
        return np.asarray(unresolved(row, self.algorithms).any(axis=1))

    def add(self, job: Job, result: AnytimeResult) -> None:
        """Take in what a task gave."""
        mine = next(index for index, other in enumerate(self.jobs) if other is job)
        answered = result.defined & (self.errors[mine] != NO_ANSWER)
        self.runs[mine] += result.runs
        self.errors[mine] = np.where(answered, self.errors[mine] + result.error_counts, NO_ANSWER)


@dataclass
class _Stage:
    """Plays all tables up to a share of their runs, and counts the pulls, stage by stage."""

    tables: Sequence[_Table]
    device: str
    workers: int
    store: ChunkStore | None
    listener: Report
    play: Callable[..., Chunk]
    pulls: int = 0

    def play_to(self, share: float) -> None:
        """Play until every algorithm that must has had its share."""
        tasks = [(table, task) for table in self.tables for task in table.tasks(share, self.device)]
        goal = sum(table.goal(share) * len(table.algorithms) for table in self.tables)
        before = goal - sum(task.runs for _, task in tasks)  # what need not be played is done
        earlier = self.pulls

        def hear(runs: int, pulls: int) -> None:
            self.listener(before + runs, earlier + pulls)

        wanted = [task for _, task in tasks]
        for index, result in run_tasks(wanted, self.workers, None, self.store, hear, self.play):
            assert isinstance(result, AnytimeResult)
            table, task = tasks[index]
            table.add(task.job, result)
            self.pulls += int(result.pulls.sum())
