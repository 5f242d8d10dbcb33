"""What the means of a study's arms may be, given the outcomes of all of them.

The means are taken for a sample of one population: a Cauchy distribution around some centre, of
some width, both counted from the threshold in a unit of the outcome model's in which 1 is much (σ,
or a logarithm of odds). Which centre and which width, the study's own outcomes say, by Bayes' rule
from a table of both that is evenly spread over magnitudes: so arms may be close to each other, and
to the threshold, and it is not taken for granted that they are. Its tails are heavy, as one arm
is often unlike the others. Given the population, every arm's mean has its own posterior.

Against a control there is no threshold: distances are counted from the control's mean as it was
seen, and the control is one of the sample. How good that is, follows from the means that are drawn.

All this happens on a grid of distances from the threshold, the finer the nearer to it, so that any
outcome model that knows its likelihood will do. The table was fixed on the leagues' training
families; `bench/forecast_coverage.py` judges it on others.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from goodarm.outcomes import Outcome
from goodarm.outcomes.contract import Floats

_SIZES = [0.05 * 2.0**i for i in range(6)]
CENTRES = (*(-size for size in reversed(_SIZES)), 0.0, *_SIZES)
WIDTHS = tuple(0.02 * 2.0**i for i in range(7))
NEAREST, FARTHEST, FINENESS = 0.004, 8.0, 1.15  # the grid's cells, each so much wider than the last
NEAR_ENOUGH = 0.1  # standard errors of the arm that is known best: the width of the first cell
MOST_TO_LEARN_FROM = 500  # arms


@dataclass(frozen=True, slots=True)
class SeenArm:
    """What is known of an arm, and where distances of its mean are counted from."""

    count: int
    amount: float
    total: float
    centre: float


class PossibleMeans:
    """The means that a study's arms may have, to be drawn for one future after another."""

    def __init__(self, arms: Sequence[SeenArm], kind: Outcome, scatter: float) -> None:
        """`scatter` is the variance of outcomes around their arms' means; NaN if unknown."""
        self._arms, self._kind, self._scatter = arms, kind, scatter
        self._spreads: dict[float, list[float]] = {}  # by centre
        self._edges = _edges(max(arm.count for arm in arms))
        self._middles = 0.5 * (self._edges[1:] + self._edges[:-1])
        self._shares = _shares(self._edges)
        self._likelihoods: dict[int, Floats] = {}  # by arm
        tried = [number for number, arm in enumerate(arms) if arm.count]
        some = tried[:: -(-len(tried) // MOST_TO_LEARN_FROM) or 1]
        log = sum((np.log(self._shares @ self._likelihood(arm)) for arm in some), np.zeros(1))
        self._chances = (np.exp(log - log.max()) * np.ones(len(self._shares))).cumsum()

    def draw(self, chance: Random) -> int:
        """Which population the arms are from, by its number."""
        return _drawn(self._chances, chance)

    def draw_mean(self, arm: int, population: int, chance: Random) -> float:
        """The mean of an arm that is from this population."""
        weights = self._shares[population] * self._likelihood(arm)
        cell = _drawn(weights.cumsum(), chance)
        step = chance.uniform(self._edges[cell], self._edges[cell + 1])
        return float(self._means(arm, np.array([step]))[0])

    def _likelihood(self, arm: int) -> Floats:
        """Of the arm's outcomes, by cell; the largest is 1, and none is quite 0."""
        if arm not in self._likelihoods:
            seen, means = self._arms[arm], self._means(arm, self._middles)
            logs = self._kind.log_likelihoods(
                arm, seen.total, seen.amount, means, self._variance(arm)
            )
            self._likelihoods[arm] = np.exp(np.maximum(logs - logs.max(), -600.0))
        return self._likelihoods[arm]

    def _means(self, arm: int, steps: Floats) -> Floats:
        return self._kind.means_near(arm, self._arms[arm].centre, steps, self._variance(arm))

    def _variance(self, arm: int) -> float:
        """The scatter; a guess where nothing is known, and something where outcomes are alike."""
        centre = self._arms[arm].centre
        if centre not in self._spreads:
            self._spreads[centre] = self._kind.spreads(centre, len(self._arms))
        guess = self._spreads[centre][arm] ** 2
        return max(self._scatter, 1e-6 * guess) if self._scatter == self._scatter else guess


def _edges(most: int) -> Floats:
    """The edges of the cells, for arms with at most so many outcomes."""
    first = min(NEAREST, NEAR_ENOUGH / math.sqrt(max(most, 1)))
    cells = math.ceil(math.log(FARTHEST / first, FINENESS))
    right = first * FINENESS ** np.arange(cells + 1)
    return np.concatenate([-right[::-1], right])


def _shares(edges: Floats) -> Floats:
    """[population, cell]: the share of arms that lie there."""
    centres, widths = np.meshgrid(CENTRES, WIDTHS)
    standard = (edges - centres.reshape(-1, 1)) / widths.reshape(-1, 1)
    shares = np.diff(np.arctan(standard), axis=1)
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _drawn(cumulated: Floats, chance: Random) -> int:
    """A position, by weights that were added up."""
    place = int(np.searchsorted(cumulated, chance.random() * cumulated[-1], side="right"))
    return min(place, len(cumulated) - 1)
