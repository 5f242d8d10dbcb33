"""Playing the league: every rule on every instance, with common random numbers."""

import os
import time
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithms import find_algorithm
from goodarm.algorithms.contract import ANYTIME
from goodarm.errors import InputError
from goodarm.league.results import UNDEFINED, League, Row
from goodarm.league.scores import ORDERED
from goodarm.league.suite import Entry
from goodarm.simulation import AnytimeResult
from goodarm.simulation.device import player, prepare_many
from goodarm.simulation.job import make_job
from goodarm.simulation.simulate import Task, run_tasks
from goodarm.simulation.store import ChunkStore

RULES = (
    "Scout", "APGAI", "APGAI-FE", "Unif", "MS", "TaS", "HDoC", "APT-G", "S-TaS",
    "S-TaS[order=desc]", "DSR-G", "DSH-G", "DSH-G-WR", "UCB-G", "UCB-G[bonus=moss,weight=2]",
    "UCB-G[bonus=time,weight=2,bad=apgai]",
)  # fmt: skip
QUICK_RULES = ("Scout", "APGAI", "APGAI-FE", "Unif", "MS", "TaS", "HDoC", "UCB-G")
EFFORT, QUICK_EFFORT = 10_000_000, 5_000_000  # pulls for each rule and instance
FEWEST_RUNS, MOST_RUNS = 1_000, 100_000_000
ARMS_FOR_FREE = 8  # a step costs more with more arms; so there are fewer runs

Report = Callable[[int, int], None]


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
) -> League:
    """Simulate every rule on every entry; `report(runs in all)` makes a listener to progress."""
    labels = _checked(rules)
    jobs = [
        make_job(rule, entry.instance, ANYTIME, entry.times[-1], seed, None, None, entry.times)
        for entry in entries
        for rule in rules
    ]
    runs = [runs_of(entry, effort) for entry in entries for _ in rules]
    tasks = [Task(job, number, number) for job, number in zip(jobs, runs, strict=True)]
    play = player(device)
    workers = threads or os.cpu_count() or 1
    workers = prepare_many(device, list(zip(jobs, runs, strict=True)), workers)
    listener = report(sum(runs)) if report else lambda runs, pulls: None
    found: dict[int, NDArray[np.int64]] = {}
    pulls = 0
    began = time.perf_counter()
    for place, result in run_tasks(tasks, workers, None, store, listener, play):
        assert isinstance(result, AnytimeResult)
        found[place] = np.where(result.defined, result.error_counts, UNDEFINED)
        pulls += int(result.pulls.sum())
    width = len(rules)
    rows = tuple(
        Row(entry, runs[i * width], np.stack([found[i * width + j] for j in range(width)]))
        for i, entry in enumerate(entries)
    )
    return League(labels, rows, seed, pulls, time.perf_counter() - began)


def _checked(rules: Sequence[str]) -> tuple[str, ...]:
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
    return labels
