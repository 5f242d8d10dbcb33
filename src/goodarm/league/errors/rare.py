"""Errors too rare to be counted: the league goes on, by splitting.

In rounds: in each, every algorithm whose error is not known well enough, at a time when it matters,
is played by sixteen more populations on that instance. Only algorithms with the anytime
recommendation are: the answer of a doubling algorithm says nothing about how close its present
evidence is to an error.
"""

import os
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithms import Algorithm, find_algorithm
from goodarm.algorithms.contract import anytime_answer
from goodarm.errors import InputError
from goodarm.inputs import whole
from goodarm.league.errors.results import League, no_rare_errors
from goodarm.league.errors.scores import unresolved
from goodarm.rng import MAX_SEED
from goodarm.simulation.chunk import new_control
from goodarm.simulation.device import player
from goodarm.simulation.loops.kernel import CANCEL
from goodarm.simulation.progress import Report
from goodarm.simulation.splitting import RareErrors
from goodarm.simulation.splitting.estimate import ISLAND, make_population, split_runs
from goodarm.simulation.splitting.nearness import BINS

ISLANDS_PER_ROUND = 16
ARMS_OF_FULL_ISLANDS = 60  # with more, populations are half as large
KEEP_EVERY = 10.0  # seconds
POPULATIONS_AT_ONCE = 8  # on a GPU: while some are sorted, others are played


class Pairing(NamedTuple):
    """An algorithm on an instance, by their positions in the league."""

    row: int
    algorithm: int


def estimate_rare_errors(
    league: League,
    rounds: int = 1,
    *,
    algorithms: Sequence[str | Algorithm] = (),
    only: Sequence[str] = (),
    island: int | None = None,
    threads: int | None = None,
    device: str = "cpu",
    report: Callable[[int], Report] | None = None,
    keep: Callable[[League], None] | None = None,
    patience: float = float("inf"),
) -> League:
    """The league with errors by splitting; `report(pairings to play)` makes a listener to progress.

    The league knows its algorithms by name; those that are not registered must be given as
    `algorithms`; with `only`, nobody else is looked at. After `patience` seconds no more
    populations are started; what is there is kept, and a later call goes on. `keep` hears of the
    league every ten seconds, and after each round.
    """
    whole("rounds", rounds, 0, 10_000)
    if island is not None:
        whole("island", island, BINS, 10**7)
    own = {algorithm.label: algorithm for algorithm in map(find_algorithm, algorithms)}
    if strangers := set(own) - set(league.algorithms):
        raise InputError(
            f"algorithms: {', '.join(sorted(strangers))} not in this league, which is of "
            f"{', '.join(league.algorithms)}"
        )
    players = [own.get(name) or find_algorithm(name) for name in league.algorithms]
    player(device)  # raises what is wrong with it
    inside = threads or os.cpu_count() or 1  # one at a time: a large population takes a gigabyte
    began = last_kept = time.perf_counter()
    for _ in range(rounds):
        pairings = _open_pairings(league, players, only)
        listener = report(len(pairings)) if report else lambda done, pulls: None
        at_first = league
        start = time.perf_counter()
        populations = _Populations(league, players, island, inside, device, began + patience)
        results = populations.play_all(pairings)
        with closing(results):  # so that nothing is played on when a listener breaks off
            for done, (pairing, errors) in enumerate(results, 1):
                seconds = at_first.seconds + time.perf_counter() - start
                league = replace(_pooled(league, pairing, errors), seconds=seconds)
                listener(done, league.pulls - at_first.pulls)
                if keep and time.perf_counter() > last_kept + KEEP_EVERY:
                    keep(league)
                    last_kept = time.perf_counter()
        if keep:
            keep(league)
        if not pairings or time.perf_counter() > began + patience:
            break
    return league


def _open_pairings(
    league: League, players: Sequence[Algorithm], only: Sequence[str]
) -> list[Pairing]:
    """Which algorithms are to be played on which instances, the cheapest first."""
    pairings = [
        Pairing(number, algorithm)
        for number, row in enumerate(league.rows)
        for algorithm in np.flatnonzero(unresolved(row, league.algorithms).any(axis=1)).tolist()
        if players[algorithm].answer is anytime_answer
        and (not only or players[algorithm].label in only)
    ]

    def cost(pairing: Pairing) -> float:
        entry = league.rows[pairing.row].entry
        return entry.times[-1] * float(entry.instance.K)

    return sorted(pairings, key=cost)


@dataclass(frozen=True)
class _Populations:
    """Plays populations of runs, side by side on a GPU, one after the other on a CPU."""

    league: League
    players: Sequence[Algorithm]
    island: int | None
    threads: int
    device: str
    deadline: float
    control: NDArray[np.int64] = field(default_factory=new_control)

    def play_all(self, pairings: Sequence[Pairing]) -> Generator[tuple[Pairing, RareErrors]]:
        """Every pairing with what its populations found, as soon as it is there."""
        workers = 1 if self.device == "cpu" else POPULATIONS_AT_ONCE
        pool = ThreadPoolExecutor(workers, thread_name_prefix="goodarm")
        under_way = {pool.submit(self.play, pairing): pairing for pairing in pairings}
        try:
            for future in as_completed(under_way):
                errors = future.result()
                if errors is not None:
                    yield under_way[future], errors
        except BaseException:
            self.control[CANCEL] = 1
            raise
        finally:
            pool.shutdown(cancel_futures=True)

    def play(self, pairing: Pairing) -> RareErrors | None:
        """One pairing, up to the last time at which its error is not resolved."""
        if time.perf_counter() > self.deadline:
            return None
        league, algorithm = self.league, pairing.algorithm
        row = league.rows[pairing.row]
        before = 0 if row.rare is None else int(row.rare.islands[algorithm].max())
        seed = (league.seed + 1 + before) % MAX_SEED  # no two rounds draw the same
        last = np.flatnonzero(unresolved(row, league.algorithms)[algorithm])[-1]
        job = row.entry.job(self.players[algorithm], seed, looks=last + 1)
        size = self.island or (ISLAND if job.instance.K <= ARMS_OF_FULL_ISLANDS else ISLAND // 2)
        population = make_population(job, ISLANDS_PER_ROUND * size, self.threads, self.device)
        return split_runs(job, ISLANDS_PER_ROUND, size, population, self.control)


def _pooled(league: League, pairing: Pairing, more: RareErrors) -> League:
    """The league with what more populations found."""
    rows = list(league.rows)
    row = rows[pairing.row]
    rare = (row.rare or no_rare_errors(row.errors.shape)).pooled(pairing.algorithm, more)
    rows[pairing.row] = replace(row, rare=rare)
    return replace(league, rows=tuple(rows), pulls=league.pulls + more.pulls)
