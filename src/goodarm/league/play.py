"""Playing the league: every rule on every instance, with common random numbers.

All outcomes count as sub-Gaussian with the arms' scales, as they did in every published league.
"""

import os
import time
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithms import Algorithm, find_algorithm
from goodarm.algorithms.contract import ANYTIME
from goodarm.errors import InputError
from goodarm.league.results import UNDEFINED, League, Row
from goodarm.league.scores import ORDERED, RESOLVED, SMALLEST, unresolved
from goodarm.league.suites import Entry
from goodarm.simulation import AnytimeResult
from goodarm.simulation.chunk import Chunk
from goodarm.simulation.device import player, prepare_many
from goodarm.simulation.job import SUB_GAUSSIAN, Job, make_job
from goodarm.simulation.progress import Report
from goodarm.simulation.runner import LARGEST_CHUNK, Task, run_tasks
from goodarm.simulation.store import ChunkStore

RULES = (
    "Scout", "APGAI", "APGAI-FE", "Unif", "MS", "TaS", "HDoC", "APT-G", "S-TaS",
    "S-TaS[order=desc]", "DSR-G", "DSH-G", "DSH-G-WR", "UCB-G", "UCB-G[bonus=moss,weight=2]",
    "UCB-G[bonus=time,weight=2,bad=apgai]",
)  # fmt: skip
QUICK_RULES = ("Scout", "APGAI", "APGAI-FE", "Unif", "MS", "TaS", "HDoC", "UCB-G")
EFFORT, QUICK_EFFORT = 10_000_000, 5_000_000  # pulls for each rule and instance, at the most
FEWEST_RUNS, MOST_RUNS = 1_000, round(RESOLVED / SMALLEST)
# Shares of the effort: who errs often does not need all of it.
STAGES = (1 / 64, 1 / 16, 1 / 4, 1.0)
ARMS_FOR_FREE = 8  # a step costs more with more arms; so there are fewer runs
PULLS_OF_A_CHUNK = 4e9  # on a GPU: below what would get a kernel of its own


def runs_of(entry: Entry, effort: float) -> int:
    """How many runs so much effort allows on an instance."""
    size = max(1.0, entry.instance.K / ARMS_FOR_FREE)
    return int(np.clip(effort / (entry.times[-1] * size), FEWEST_RUNS, MOST_RUNS))


def play_league(
    entries: Sequence[Entry],
    rules: Sequence[str] = RULES,
    *,
    effort: float = EFFORT,
    seed: int = 0,
    threads: int | None = None,
    device: str = "cpu",
    store: ChunkStore | None = None,
    report: Callable[[int], Report] | None = None,
    after_stage: Callable[[League], None] | None = None,
) -> League:
    """Simulate every rule on every entry; `report(runs in all)` makes a listener to progress.

    In stages: a rule whose errors are all resolved, wherever the best is of a size that matters,
    is not played further on that instance. `after_stage` hears of what is known after each.
    """
    found = _checked(rules)
    labels = tuple(algorithm.label for algorithm in found)
    tables = [_Table(entry, found, effort, seed) for entry in entries]
    play = player(device)
    workers = threads or os.cpu_count() or 1
    tasks = [task for table in tables for task in table.tasks(1.0, device)]
    workers = prepare_many(device, [(task.job, task.size) for task in tasks], workers)
    most = sum(table.most * len(rules) for table in tables)
    listener = report(most) if report else lambda runs, pulls: None
    pulls = 0
    began = time.perf_counter()
    for share in STAGES:
        pulls = _play_stage(tables, share, pulls, device, workers, store, listener, play)
        rows = tuple(Row(t.entry, t.runs.copy(), t.errors.copy()) for t in tables)
        league = League(labels, rows, seed, pulls, time.perf_counter() - began)
        if after_stage:
            after_stage(league)
    return league


class _Table:
    """What is known about one instance so far."""

    def __init__(self, entry: Entry, rules: Sequence[Algorithm], effort: float, seed: int) -> None:
        self.entry, self.most = entry, runs_of(entry, effort)
        self.rules = [rule.label for rule in rules]
        last = entry.times[-1]
        self.jobs = [
            make_job(
                rule, entry.instance, ANYTIME, last, seed, times=entry.times, outcome=SUB_GAUSSIAN
            )
            for rule in rules
        ]
        self.runs = np.zeros(len(rules), dtype=np.int64)
        self.errors = np.zeros((len(rules), len(entry.times)), dtype=np.int64)

    def goal(self, share: float) -> int:
        """So many runs make that share."""
        return max(int(share * self.most), FEWEST_RUNS)

    def tasks(self, share: float, device: str) -> list[Task]:
        """What is to be played so that every rule has had that share of its runs, if it must."""
        goal = self.goal(share)
        size = int(PULLS_OF_A_CHUNK / self.entry.times[-1]) if device != "cpu" else LARGEST_CHUNK
        return [
            Task(job, int(goal - runs), min(size, int(goal - runs)), int(runs))
            for job, runs, open_ in zip(self.jobs, self.runs, self.unresolved(), strict=True)
            if open_ and goal > runs
        ]

    def unresolved(self) -> NDArray[np.bool_]:
        """[rule]: whether it errs too seldom at some place to be known, so far."""
        if not self.runs.any():
            return np.ones(len(self.rules), dtype=np.bool_)
        row = Row(self.entry, self.runs, self.errors)
        return np.asarray(unresolved(row, self.rules).any(axis=1))

    def add(self, job: Job, result: AnytimeResult) -> None:
        """Take in what a task gave."""
        rule = next(place for place, mine in enumerate(self.jobs) if mine is job)
        known = result.defined & (self.errors[rule] != UNDEFINED)
        self.runs[rule] += result.runs
        self.errors[rule] = np.where(known, self.errors[rule] + result.error_counts, UNDEFINED)


def _play_stage(
    tables: Sequence[_Table], share: float, pulls: int, device: str, workers: int,
    store: ChunkStore | None, listener: Report, play: Callable[..., Chunk],
) -> int:  # fmt: skip
    """Play until every rule that must has had its share; the number of pulls, earlier included."""
    tasks = [(table, task) for table in tables for task in table.tasks(share, device)]
    goal = sum(table.goal(share) * len(table.rules) for table in tables)
    before = goal - sum(task.runs for _, task in tasks)  # what need not be played counts as done
    earlier = pulls
    played = run_tasks(
        [task for _, task in tasks], workers, None, store,
        lambda runs, more: listener(before + runs, earlier + more), play,
    )  # fmt: skip
    for place, result in played:
        assert isinstance(result, AnytimeResult)
        table, task = tasks[place]
        table.add(task.job, result)
        pulls += int(result.pulls.sum())
    return pulls


def _checked(rules: Sequence[str]) -> list[Algorithm]:
    found = [find_algorithm(rule) for rule in rules]
    for algorithm in found:
        if ANYTIME not in algorithm.settings:
            raise InputError(
                f"rules: {algorithm.label} needs a budget or a confidence level; the league is of "
                "anytime rules"
            )
    labels = tuple(algorithm.label for algorithm in found)
    if all(algorithm.name in ORDERED for algorithm in found):
        raise InputError(
            f"rules: {', '.join(labels)} depend on the order of the arms; add one to compare with"
        )
    if len(labels) < 2 or len(set(labels)) < len(labels):
        raise InputError(f"rules: give at least two different ones, not {', '.join(labels)}")
    return found
