"""Each algorithm's mean pulls over the oracle's and over the best one's, and what it amounts to.

A cell is an instance at one δ. The yardstick of the first ratio is the oracle's mean + K − 1; that
of the second the least mean of any algorithm, unless more than one run in a thousand was not done
at the cap: who may never be done is no yardstick (nor is one that depends on the order of the
arms). Where an algorithm has runs at the cap, its mean and its ratios are lower bounds.

The least of several noisy means is too small, so an algorithm as good as the best has a ratio above
1 by chance. The *sure* ratio is the least that is left at 97.5 %, whichever algorithm is the best
(by Bonferroni), as if means were independent; they are positively correlated, because the
algorithms see the same rewards.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goodarm.league.players import are_yardsticks
from goodarm.league.trials.results import TrialsCell, TrialsLeague
from goodarm.numerics import normal_quantile

MISS_RATE = 0.025
MOST_UNFINISHED = 0.001  # of the runs of a yardstick
CLOSE, TOLERABLE = 1.1, 1.3  # ratios to the best


@dataclass(frozen=True)
class CellName:
    """An instance at one δ."""

    instance: str
    delta: float

    def text(self) -> str:
        """For people."""
        return f"{self.instance}, δ = {self.delta:g}"


@dataclass(frozen=True)
class TrialsStanding:
    """An algorithm's ratios over all cells."""

    algorithm: str
    cells: int
    over_oracle_worst: float
    over_oracle_where: CellName
    over_oracle_q95: float
    over_oracle_median: float
    over_best_worst: float
    over_best_where: CellName
    over_best_sure: float  # the largest sure ratio
    over_best_median: float
    close: float  # the share of cells with a ratio to the best of at most 1.1
    perhaps_close: float  # with a sure ratio of at most 1.1: beyond it by chance, perhaps
    tolerable: float  # of at most 1.3
    perhaps_tolerable: float
    tail: float  # the largest 99.9 % quantile over the median
    tail_where: CellName
    unfinished: int  # cells with a run that was not done at the cap


def oracle_ratios(cell: TrialsCell) -> NDArray[np.float64]:
    """[algorithm]: mean pulls over the oracle's and K − 1."""
    return cell.means / cell.yardstick


def best_of(cell: TrialsCell, algorithms: tuple[str, ...]) -> int:
    """The algorithm with the least mean; of those that are nearly always done, if there are any."""
    means = np.where(are_yardsticks(algorithms), cell.means, np.inf)
    nearly = [summary.unfinished <= MOST_UNFINISHED for summary in cell.algorithms]
    done = np.where(nearly, means, np.inf)
    return int((done if np.isfinite(done).any() else means).argmin())


def over_best(cell: TrialsCell, algorithms: tuple[str, ...]) -> NDArray[np.float64]:
    """[algorithm]: mean pulls over the best algorithm's, at least 1."""
    best = cell.means[best_of(cell, algorithms)]
    return np.asarray(np.maximum(cell.means / best, 1.0))


def surely_over_best(cell: TrialsCell, algorithms: tuple[str, ...]) -> NDArray[np.float64]:
    """The same, as small as chance allows."""
    both = np.hypot(cell.noise, cell.noise[best_of(cell, algorithms)])
    rivals = max(int(are_yardsticks(algorithms).sum()) - 1, 1)
    width = normal_quantile(1.0 - MISS_RATE / rivals)
    return np.asarray(np.maximum(over_best(cell, algorithms) * np.exp(-width * both), 1.0))


def trials_standings(league: TrialsLeague) -> list[TrialsStanding]:
    """Every algorithm's standing, the one with the least worst ratio to the best first."""
    cells, algorithms = league.cells, league.algorithms
    if not cells:
        return []
    oracle = np.array([oracle_ratios(cell) for cell in cells])
    best = np.array([over_best(cell, algorithms) for cell in cells])
    sure = np.array([surely_over_best(cell, algorithms) for cell in cells])
    tails = np.array([[summary.tail for summary in cell.algorithms] for cell in cells])
    done = np.array([cell.done for cell in cells])
    names = [CellName(cell.entry.instance.name, cell.delta) for cell in cells]
    standings = [
        TrialsStanding(
            algorithm=algorithm,
            cells=len(cells),
            over_oracle_worst=float(oracle[:, a].max()),
            over_oracle_where=names[oracle[:, a].argmax()],
            over_oracle_q95=float(np.quantile(oracle[:, a], 0.95)),
            over_oracle_median=float(np.median(oracle[:, a])),
            over_best_worst=float(best[:, a].max()),
            over_best_where=names[best[:, a].argmax()],
            over_best_sure=float(sure[:, a].max()),
            over_best_median=float(np.median(best[:, a])),
            close=float((best[:, a] <= CLOSE).mean()),
            perhaps_close=float((sure[:, a] <= CLOSE).mean()),
            tolerable=float((best[:, a] <= TOLERABLE).mean()),
            perhaps_tolerable=float((sure[:, a] <= TOLERABLE).mean()),
            tail=float(tails[:, a].max()),
            tail_where=names[tails[:, a].argmax()],
            unfinished=int((~done[:, a]).sum()),
        )
        for a, algorithm in enumerate(algorithms)
    ]
    return sorted(standings, key=lambda standing: standing.over_best_worst)


def worst_by_family(league: TrialsLeague) -> tuple[list[str], NDArray[np.float64]]:
    """[algorithm, family]: the worst ratio to the best on each family, over instances and δ."""
    families = list(dict.fromkeys(cell.entry.family for cell in league.cells))
    worst = np.ones((len(league.algorithms), len(families)))
    for cell in league.cells:
        column = families.index(cell.entry.family)
        worst[:, column] = np.maximum(worst[:, column], over_best(cell, league.algorithms))
    return families, worst


def imprecise_cells(league: TrialsLeague, precision: float) -> int:
    """How many means have a standard error of more than that share of them."""
    return int(sum((cell.noise > precision).sum() for cell in league.cells))
