"""A rule's error over the best rule's, at every instance and time, and what that amounts to.

A place is an instance at one of its times. The best error there is the least of many noisy ones,
so a ratio to it is biased upwards where little is known. An error is *resolved* if its standard
error is at most 10 %: RESOLVED errors were counted, or splitting found it as precisely. One that is
not counts as no less than what would have been:

* where the best error is resolved, the ratio of every rule that is, too, is known;
* where one of the two is not, there is a ratio if it is surely above 1, from the least that the
  rule's own error may be (two standard errors less) and the most that the best may be;
* where it is below SMALLEST, nobody has one.

The worst ratio is over all of these, the other numbers over the places of the first kind. The
worst comes with the largest that is sure: at 97.5 %, for each place by itself, whichever rule is
the best there (by Bonferroni), as if errors were independent; those that were counted are
positively correlated, because the rules see the same rewards.

A rule that depends on the order in which the arms are listed is no yardstick: like a clock that
stands still, it is right where the order happens to suit it. S-TaS is scored, but not compared
with.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from goodarm.league.results import League, Row

RESOLVED = 100  # errors: a standard error of 10 %
NOISE = 0.1  # the same, relative to the error
ROUGH = 0.5  # the noise of an error that is hardly known
SMALLEST = 1e-6  # smaller errors do not matter
ORDERED = ("S-TaS",)  # rules that depend on the order of the arms
UNSURE = 0.025
FREEDOM = 15  # of a standard error by splitting, from 16 populations at the least


@dataclass(frozen=True)
class Place:
    """Where in the league a ratio was seen."""

    instance: str
    time: int


@dataclass(frozen=True)
class Standing:
    """A rule's ratios to the best rule over all places."""

    rule: str
    worst: float
    worst_sure: float
    where: Place
    places: int  # at which the ratio is known; of these are the numbers that follow
    q95: float
    median: float
    mean: float  # geometric
    within_2: float  # the share of places


def ratios(row: Row, rules: Sequence[str]) -> NDArray[np.float64]:
    """[rule, time]: each error over the best, at the least; NaN where nothing is known."""
    best, _ = yardstick(row, rules)
    rates, noise = row.estimates()
    known = np.where(noise <= NOISE, np.maximum(rates / best, 1.0), np.nan)
    least = rates * (1.0 - 2.0 * noise) / best
    found = np.where((noise > NOISE) & (noise <= ROUGH) & (least > 1.0), least, known)
    return np.where((best >= SMALLEST) & np.isfinite(best), found, np.nan)


def resolved_ratios(row: Row, rules: Sequence[str]) -> NDArray[np.float64]:
    """The same where the best error is resolved, and the rule's own, NaN elsewhere."""
    _, best_noise = yardstick(row, rules)
    _, noise = row.estimates()
    return np.where((best_noise <= NOISE) & (noise <= NOISE), ratios(row, rules), np.nan)


def sure_ratios(row: Row, rules: Sequence[str]) -> NDArray[np.float64]:
    """All ratios, as small as chance allows."""
    _, best_noise = yardstick(row, rules)
    _, noise = row.estimates()
    both = np.sqrt(noise**2 + np.where(best_noise <= ROUGH, best_noise, NOISE) ** 2)
    rivals = max(int(_is_yardstick(rules).sum()) - 1, 1)
    width = float(stdtrit(FREEDOM, 1.0 - UNSURE / rivals))
    return np.asarray(np.maximum(ratios(row, rules) * np.exp(-width * both), 1.0))


def yardstick(row: Row, rules: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """[time]: the least error of any rule, and its noise (of rules that are equal, the least).

    An error that is not resolved counts as the least that would have been by counting, or as what
    splitting found and twice its noise, whichever is less. Infinite where no rule that is a
    yardstick has an answer yet.
    """
    rates, noise = row.estimates()
    ceiling = np.maximum(row.errors, RESOLVED) / row.runs[:, None]
    if row.rare is not None:
        rough = (row.rare.rates > 0.0) & (row.rare.errors <= ROUGH * row.rare.rates)
        upper = np.where(rough, row.rare.rates + 2.0 * row.rare.errors, np.inf)
        ceiling = np.minimum(ceiling, upper)
    level = np.where(noise <= NOISE, rates, ceiling)
    level[np.isnan(noise) | ~_is_yardstick(rules)[:, None]] = np.inf
    best = level.min(axis=0)
    known = np.isfinite(level) & (level == best)
    return best, np.where(known, noise, np.inf).min(axis=0)


def matters(best: NDArray[np.float64]) -> NDArray[np.bool_]:
    """[time]: whether a best error exists, and is of a size to be told."""
    return np.asarray((best > SMALLEST) & np.isfinite(best))


def unresolved(row: Row, rules: Sequence[str]) -> NDArray[np.bool_]:
    """[rule, time]: whether an error is not resolved though it should be."""
    best, _ = yardstick(row, rules)
    _, noise = row.estimates()
    return np.asarray((noise > NOISE) & matters(best))


def _is_yardstick(rules: Sequence[str]) -> NDArray[np.bool_]:
    return np.array([rule.partition("[")[0] not in ORDERED for rule in rules])


def standings(league: League) -> list[Standing]:
    """Every rule's standing, the one with the least worst ratio first.

    A rule that has no answer wherever the best error is resolved has none.
    """
    rows, rules = league.rows, league.rules
    table = np.concatenate([ratios(row, rules) for row in rows], axis=1)
    careful = np.concatenate([sure_ratios(row, rules) for row in rows], axis=1)
    resolved = np.concatenate([resolved_ratios(row, rules) for row in rows], axis=1)
    places = [Place(row.entry.instance.name, t) for row in rows for t in row.entry.times]
    made = []
    for number, rule in enumerate(rules):
        mine = table[number]
        known = resolved[number][~np.isnan(resolved[number])]
        if not known.size:
            continue
        made.append(
            Standing(
                rule=rule,
                worst=float(np.nanmax(mine)),
                worst_sure=float(np.nanmax(careful[number])),
                where=places[int(np.nanargmax(mine))],
                places=known.size,
                q95=float(np.quantile(known, 0.95)),
                median=float(np.median(known)),
                mean=float(np.exp(np.log(known).mean())),
                within_2=float((known <= 2.0).mean()),
            )
        )
    return sorted(made, key=lambda standing: standing.worst)


def worst_by_column(league: League) -> tuple[list[str], NDArray[np.float64]]:
    """[rule, column]: the worst ratio on each instance, those of a random family taken together.

    NaN where nothing is known about a rule.
    """
    columns = list(dict.fromkeys(row.entry.family for row in league.rows))
    worst = np.full((len(league.rules), len(columns)), np.nan)
    for row in league.rows:
        place = columns.index(row.entry.family)
        here = np.fmax.reduce(ratios(row, league.rules), axis=1)
        worst[:, place] = np.fmax(worst[:, place], here)
    return columns, worst


def unresolved_below(row: Row, rules: Sequence[str]) -> float:
    """The error below which ratios on this instance are not known; 0 if all that matter are."""
    best, noise = yardstick(row, rules)
    hidden = (noise > NOISE) & matters(best)
    return float(best[hidden].max()) if hidden.any() else 0.0
