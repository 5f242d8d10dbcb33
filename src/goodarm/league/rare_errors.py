"""Errors too rare to be counted: the league goes on, by splitting.

In rounds: in each, every rule whose error is not known well enough, at a place where it matters, is
played by sixteen more populations on that instance. Only rules with the anytime recommendation are:
the answer of a doubling rule says nothing about how close its present evidence is to an error.
Outcomes count as sub-Gaussian, as in `play`.
"""

import os
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from dataclasses import replace

import numpy as np

from goodarm.algorithms import Algorithm, find_algorithm
from goodarm.algorithms.contract import ANYTIME, anytime_answer
from goodarm.errors import InputError
from goodarm.league.results import League, no_rare
from goodarm.league.scores import unresolved
from goodarm.rng import MAX_SEED
from goodarm.simulation.chunk import new_control
from goodarm.simulation.device import player
from goodarm.simulation.job import SUB_GAUSSIAN, make_job, whole
from goodarm.simulation.loops.kernel import CANCEL
from goodarm.simulation.progress import Report
from goodarm.simulation.splitting import RareErrors
from goodarm.simulation.splitting.estimate import ISLAND, make_population, split_runs
from goodarm.simulation.splitting.nearness import BINS

ISLANDS = 16  # a round
MANY_ARMS = 60  # with more, populations are half as large
KEEP_EVERY = 10.0  # seconds
SIDE_BY_SIDE = 8  # populations on a GPU: while some are sorted, others are played

Place = tuple[int, int]  # of a row, and of a rule


def go_deeper(
    league: League,
    rounds: int = 1,
    *,
    rules: Sequence[str | Algorithm] = (),
    island: int | None = None,
    threads: int | None = None,
    device: str = "cpu",
    report: Callable[[int], Report] | None = None,
    keep: Callable[[League], None] | None = None,
    patience: float = float("inf"),
) -> League:
    """The league with errors by splitting; `report(rules to play)` makes a listener to progress.

    The league knows its rules by name; those that are not registered must be given as `rules`.
    After `patience` seconds no more populations are started; what is there is kept, and a later
    call goes on. `keep` hears of what is known every ten seconds, and after each round.
    """
    whole("rounds", rounds, 0, 10_000)
    if island is not None:
        whole("island", island, BINS, 10**7)
    given = {algorithm.label: algorithm for algorithm in map(find_algorithm, rules)}
    if strangers := set(given) - set(league.rules):
        raise InputError(
            f"rules: {', '.join(sorted(strangers))} not in this league, which is of "
            f"{', '.join(league.rules)}"
        )
    algorithms = [given.get(name) or find_algorithm(name) for name in league.rules]
    player(device)  # raises what is wrong with it
    inside = threads or os.cpu_count() or 1  # one at a time: a large population takes a gigabyte
    began = kept = time.perf_counter()
    for _ in range(rounds):
        open_ = _open_places(league, algorithms)
        listener = report(len(open_)) if report else lambda done, pulls: None
        at_first = league
        spent = time.perf_counter()
        played = _play_all(league, algorithms, open_, island, inside, device, began + patience)
        with closing(played):  # so that nothing is played on when a listener breaks off
            for done, (place, found) in enumerate(played, 1):
                seconds = at_first.seconds + time.perf_counter() - spent
                league = replace(_pooled(league, place, found), seconds=seconds)
                listener(done, league.pulls - at_first.pulls)
                if keep and time.perf_counter() > kept + KEEP_EVERY:
                    keep(league)
                    kept = time.perf_counter()
        if keep:
            keep(league)
        if not open_ or time.perf_counter() > began + patience:
            break
    return league


def _open_places(league: League, algorithms: Sequence[Algorithm]) -> list[Place]:
    """Which rules are to be played on which instances, the cheapest first."""
    found = [
        (number, rule)
        for number, row in enumerate(league.rows)
        for rule in np.flatnonzero(unresolved(row, league.rules).any(axis=1)).tolist()
        if algorithms[rule].answer is anytime_answer
    ]

    def cost(place: Place) -> float:
        entry = league.rows[place[0]].entry
        return entry.times[-1] * float(entry.instance.K)

    return sorted(found, key=cost)


def _play_all(
    league: League,
    algorithms: Sequence[Algorithm],
    places: Sequence[Place],
    island: int | None,
    threads: int,
    device: str,
    deadline: float,
) -> Generator[tuple[Place, RareErrors]]:
    """Every place with what its populations found, as soon as it is there.

    A rule is played up to the last time at which it is not resolved.
    """
    control = new_control()

    def play(place: Place) -> RareErrors | None:
        if time.perf_counter() > deadline:
            return None
        row, rule = league.rows[place[0]], place[1]
        before = 0 if row.rare is None else int(row.rare.islands[rule].max())
        seed = (league.seed + 1 + before) % MAX_SEED  # no two rounds draw the same
        last = np.flatnonzero(unresolved(row, league.rules)[rule])[-1]
        times = row.entry.times[: last + 1]
        instance = row.entry.instance
        job = make_job(
            algorithms[rule], instance, ANYTIME, times[-1], seed, times=times, outcome=SUB_GAUSSIAN
        )
        size = island or (ISLAND if instance.K <= MANY_ARMS else ISLAND // 2)
        population = make_population(job, ISLANDS * size, threads, device)
        return split_runs(job, ISLANDS, size, population, control)

    workers = 1 if device == "cpu" else SIDE_BY_SIDE
    pool = ThreadPoolExecutor(workers, thread_name_prefix="goodarm")
    under_way = {pool.submit(play, place): place for place in places}
    try:
        for future in as_completed(under_way):
            found = future.result()
            if found is not None:
                yield under_way[future], found
    except BaseException:
        control[CANCEL] = 1
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _pooled(league: League, place: Place, found: RareErrors) -> League:
    """The league with what more populations found."""
    rows = list(league.rows)
    row = rows[place[0]]
    rare = (row.rare or no_rare(row.errors.shape)).pooled(place[1], found)
    rows[place[0]] = replace(row, rare=rare)
    return replace(league, rows=tuple(rows), pulls=league.pulls + found.pulls)
