"""Each algorithm's error over the best one's, at every instance and time, and what it amounts to.

A spot is an instance at one of its times. The best error there is the least of many noisy ones,
so a ratio to it is biased upwards where little is known. An error is *resolved* if its standard
error is at most 10 %: RESOLVED errors were counted, or splitting found it as precisely. One that is
not counts as no less than what would have been:

* where the best error is resolved, the ratio of every algorithm that is, too, is known;
* where one of the two is not, there is a ratio if it is surely above 1, from the least that the
  algorithm's own error may be (two standard errors less) and the most that the best may be;
* where it is below SMALLEST_ERROR, nobody has one.

The worst ratio is over all of these, the other numbers over the spots of the first kind. The
worst comes with the largest that is sure: at 97.5 %, for each spot by itself, whichever
algorithm is the best there (by Bonferroni), as if errors were independent; those that were counted
are positively correlated, because the algorithms see the same rewards.

An algorithm that depends on the order in which the arms are listed is no yardstick: like a stopped
clock, it is right where the order happens to suit it. S-TaS is scored, but not compared with.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goodarm.extras import LAB, need
from goodarm.league.errors.results import League, LeagueRow
from goodarm.league.players import are_yardsticks
from goodarm.quantiles import student

RESOLVED = 100  # errors: a standard error of 10 %
NOISE = 0.1  # the same, relative to the error
ROUGH = 0.5  # the noise of an error that is hardly known
SMALLEST_ERROR = 1e-6  # smaller errors do not matter
MISS_RATE = 0.025
FREEDOM = 15  # of a standard error by splitting, from 16 populations at the least


@dataclass(frozen=True)
class Spot:
    """An instance at one of its times."""

    instance: str
    time: int


@dataclass(frozen=True)
class Standing:
    """An algorithm's ratios to the best algorithm over all spots."""

    algorithm: str
    worst: float
    worst_sure: float
    where: Spot
    spots: int  # at which the ratio is known; of these are the numbers that follow
    q95: float
    median: float
    mean: float  # geometric
    within_2: float  # the share of spots


def ratios(row: LeagueRow, algorithms: Sequence[str]) -> NDArray[np.float64]:
    """[algorithm, time]: each error over the best, at the least; NaN where nothing is known."""
    best, _ = yardstick(row, algorithms)
    rates, noise = row.estimates()
    exact = np.where(noise <= NOISE, np.maximum(rates / best, 1.0), np.nan)
    least = rates * (1.0 - 2.0 * noise) / best
    ratio = np.where((noise > NOISE) & (noise <= ROUGH) & (least > 1.0), least, exact)
    return np.where((best >= SMALLEST_ERROR) & np.isfinite(best), ratio, np.nan)


def resolved_ratios(row: LeagueRow, algorithms: Sequence[str]) -> NDArray[np.float64]:
    """The same where the best error is resolved, and the algorithm's own, NaN elsewhere."""
    _, best_noise = yardstick(row, algorithms)
    _, noise = row.estimates()
    return np.where((best_noise <= NOISE) & (noise <= NOISE), ratios(row, algorithms), np.nan)


def sure_ratios(row: LeagueRow, algorithms: Sequence[str]) -> NDArray[np.float64]:
    """All ratios, as small as chance allows."""
    need(LAB, "a league's standings")
    _, best_noise = yardstick(row, algorithms)
    _, noise = row.estimates()
    both = np.sqrt(noise**2 + np.where(best_noise <= ROUGH, best_noise, NOISE) ** 2)
    rivals = max(int(are_yardsticks(algorithms).sum()) - 1, 1)
    width = student(FREEDOM, 1.0 - MISS_RATE / rivals)
    return np.asarray(np.maximum(ratios(row, algorithms) * np.exp(-width * both), 1.0))


def yardstick(
    row: LeagueRow, algorithms: Sequence[str]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """[time]: the least error of any algorithm, and its noise (of equal ones, the least).

    An error that is not resolved counts as the least that would have been by counting, or as what
    splitting found and twice its noise, whichever is less. Infinite where no algorithm that is a
    yardstick has an answer yet.
    """
    rates, noise = row.estimates()
    ceiling = np.maximum(row.errors, RESOLVED) / row.runs[:, None]
    if row.rare is not None:
        rough = (row.rare.rates > 0.0) & (row.rare.standard_errors <= ROUGH * row.rare.rates)
        upper = np.where(rough, row.rare.rates + 2.0 * row.rare.standard_errors, np.inf)
        ceiling = np.minimum(ceiling, upper)
    level = np.where(noise <= NOISE, rates, ceiling)
    level[np.isnan(noise) | ~are_yardsticks(algorithms)[:, None]] = np.inf
    best = level.min(axis=0)
    attained = np.isfinite(level) & (level == best)
    return best, np.where(attained, noise, np.inf).min(axis=0)


def matters(best: NDArray[np.float64]) -> NDArray[np.bool_]:
    """[time]: whether a best error exists, and is large enough to matter."""
    return np.asarray((best > SMALLEST_ERROR) & np.isfinite(best))


def unresolved(row: LeagueRow, algorithms: Sequence[str]) -> NDArray[np.bool_]:
    """[algorithm, time]: whether an error is not resolved though it should be."""
    best, _ = yardstick(row, algorithms)
    _, noise = row.estimates()
    return np.asarray((noise > NOISE) & matters(best))


def standings(league: League) -> list[Standing]:
    """Every algorithm's standing, the one with the least worst ratio first.

    An algorithm that has no answer wherever the best error is resolved has none.
    """
    rows, algorithms = league.rows, league.algorithms
    table = np.concatenate([ratios(row, algorithms) for row in rows], axis=1)
    careful = np.concatenate([sure_ratios(row, algorithms) for row in rows], axis=1)
    resolved = np.concatenate([resolved_ratios(row, algorithms) for row in rows], axis=1)
    spots = [Spot(row.entry.instance.name, t) for row in rows for t in row.entry.times]
    scored = []
    for number, algorithm in enumerate(algorithms):
        mine = table[number]
        certain = resolved[number][~np.isnan(resolved[number])]
        if not certain.size:
            continue
        scored.append(
            Standing(
                algorithm=algorithm,
                worst=float(np.nanmax(mine)),
                worst_sure=float(np.nanmax(careful[number])),
                where=spots[int(np.nanargmax(mine))],
                spots=certain.size,
                q95=float(np.quantile(certain, 0.95)),
                median=float(np.median(certain)),
                mean=float(np.exp(np.log(certain).mean())),
                within_2=float((certain <= 2.0).mean()),
            )
        )
    return sorted(scored, key=lambda standing: standing.worst)


def worst_by_column(league: League) -> tuple[list[str], NDArray[np.float64]]:
    """[algorithm, column]: the worst ratio on each instance, or on each random family.

    NaN where nothing is known about an algorithm.
    """
    columns = list(dict.fromkeys(row.entry.family for row in league.rows))
    worst = np.full((len(league.algorithms), len(columns)), np.nan)
    for row in league.rows:
        column = columns.index(row.entry.family)
        here = np.fmax.reduce(ratios(row, league.algorithms), axis=1)
        worst[:, column] = np.fmax(worst[:, column], here)
    return columns, worst


def unresolved_below(row: LeagueRow, algorithms: Sequence[str]) -> float:
    """The error below which ratios on this instance are not known; 0 if all that matter are."""
    best, noise = yardstick(row, algorithms)
    hidden = (noise > NOISE) & matters(best)
    return float(best[hidden].max()) if hidden.any() else 0.0
