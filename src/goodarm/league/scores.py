"""A rule's error over the best rule's, at every instance and time, and what that amounts to.

The best error is the least of many noisy ones, so a ratio to it is biased upwards where few errors
were seen. So no error counts as less than RESOLVED errors in so many runs: a ratio to such a level
can only be too small. And the worst ratio comes with the largest that is sure: at 97.5 %, for each
place by itself, as if the two errors were independent; they are positively correlated, because the
rules see the same rewards.

A rule that depends on the order in which the arms are listed is no yardstick: like a clock that
stands still, it is right where the order happens to suit it. S-TaS is scored, but not compared
with.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goodarm.league.results import UNDEFINED, League, Row
from goodarm.numerics import normal_quantile

RESOLVED = 100  # errors: known within 10 %
ORDERED = ("S-TaS",)  # rules that depend on the order of the arms
SURE = normal_quantile(0.975)


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
    q95: float
    median: float
    mean: float  # geometric
    within_2: float  # the share of places


def ratios(row: Row, rules: Sequence[str]) -> NDArray[np.float64]:
    """[rule, time]: each error over the best; NaN where the rule has no answer yet."""
    known = row.errors != UNDEFINED
    level = _yardstick(row, rules)
    return np.where(known, np.maximum(row.errors, level) / level, np.nan)


def sure_ratios(row: Row, rules: Sequence[str]) -> NDArray[np.float64]:
    """The same, as small as chance allows."""
    errors = np.maximum(row.errors, 1)
    noise = np.sqrt(1.0 / errors + 1.0 / _yardstick(row, rules))
    return np.fmax(ratios(row, rules) * np.exp(-SURE * noise), 1.0)


def _yardstick(row: Row, rules: Sequence[str]) -> NDArray[np.float64]:
    """The least number of errors at each time, or the least that is resolved."""
    counts = np.array([rule.partition("[")[0] not in ORDERED for rule in rules])
    known = (row.errors != UNDEFINED) & counts[:, None]
    return np.asarray(np.maximum(np.where(known, row.errors, np.inf).min(axis=0), RESOLVED))


def standings(league: League) -> list[Standing]:
    """Every rule's standing, the one with the least worst ratio first.

    A rule that never has an answer has none.
    """
    found = [ratios(row, league.rules) for row in league.rows]
    sure = [sure_ratios(row, league.rules) for row in league.rows]
    places = [Place(row.entry.instance.name, t) for row in league.rows for t in row.entry.times]
    table, careful = np.concatenate(found, axis=1), np.concatenate(sure, axis=1)
    made = []
    for number, rule in enumerate(league.rules):
        mine = table[number]
        known = mine[~np.isnan(mine)]
        if not known.size:
            continue
        made.append(
            Standing(
                rule=rule,
                worst=float(known.max()),
                worst_sure=float(np.nanmax(careful[number])),
                where=places[int(np.nanargmax(mine))],
                q95=float(np.quantile(known, 0.95)),
                median=float(np.median(known)),
                mean=float(np.exp(np.log(known).mean())),
                within_2=float((known <= 2.0).mean()),
            )
        )
    return sorted(made, key=lambda standing: standing.worst)


def worst_by_column(league: League) -> tuple[list[str], NDArray[np.float64]]:
    """[rule, column]: the worst ratio on each instance, those of a random family taken together.

    NaN where a rule never has an answer.
    """
    columns = list(dict.fromkeys(row.entry.family for row in league.rows))
    worst = np.full((len(league.rules), len(columns)), np.nan)
    for row in league.rows:
        place = columns.index(row.entry.family)
        here = np.fmax.reduce(ratios(row, league.rules), axis=1)
        worst[:, place] = np.fmax(worst[:, place], here)
    return columns, worst


def deepest_resolved(row: Row) -> float:
    """The error that is known within 10 % on this instance."""
    return RESOLVED / row.runs
