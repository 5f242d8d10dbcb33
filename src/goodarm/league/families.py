"""Random instances from documented families, for comparing algorithms on more than the paper's.

Both leagues draw from them. (The paper's own families TwoG and LinG come at the sizes SIZED.)

Every family draws the number of arms from 2 to 200 and a size D of the gaps from 0.2 to 1.5
standard deviations, both uniform on a logarithmic scale, and then the means. An algorithm may be
tuned on the training families; the others are held out, to judge it. An instance depends on its
family's name and its number alone.
"""

import zlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from goodarm.instance import Instance

DrawnMeans = NDArray[np.float64]
SIZED = (
    "TwoG(10, 1)",
    "TwoG(10, 5)",
    "TwoG(30, 3)",
    "TwoG(100, 0)",
    "TwoG(100, 5)",
    "TwoG(100, 30)",
    "TwoG(200, 20)",
    "LinG(10, 3)",
    "LinG(30, 5)",
    "LinG(100, 5)",
    "LinG(100, 30)",
)
ARMS_FROM, ARMS_TO = 2, 200
SMALLEST_GAP, LARGEST_GAP = 0.2, 1.5


def chance_of(name: str, number: int) -> Generator:
    """The random numbers of an instance, from its family's name and its number alone."""
    return np.random.default_rng([zlib.crc32(name.encode()), number])


@dataclass(frozen=True)
class Family:
    """A way to draw the means of K arms, as gaps to the threshold, from a size D."""

    name: str
    text: str
    draw: Callable[[Generator, int, float], DrawnMeans]
    training: bool = False
    bernoulli: bool = False

    def instance(self, number: int) -> Instance:
        """The instance of that number."""
        chance = chance_of(self.name, number)
        K = round(between(chance, ARMS_FROM, ARMS_TO))
        in_order = self.draw(chance, K, between(chance, SMALLEST_GAP, LARGEST_GAP))
        gaps = chance.permutation(in_order)  # the order of the arms is to tell nothing
        name = f"{self.name} {number}"
        if not self.bernoulli:
            return Instance(0.0, gaps.tolist(), name=name)
        threshold = float(chance.uniform(0.3, 0.7))
        means = np.clip(threshold + 0.25 * gaps, 0.01, 0.99)
        return Instance(threshold, means.tolist(), kind="bernoulli", name=name)


def between(chance: Generator, low: float, high: float) -> float:
    """A number between the two, uniform on a logarithmic scale."""
    return float(np.exp(chance.uniform(np.log(low), np.log(high))))


def _many_between(chance: Generator, low: float, high: float, size: int) -> DrawnMeans:
    return np.asarray(np.exp(chance.uniform(np.log(low), np.log(high), size)))


def _groups(chance: Generator, K: int, D: float) -> DrawnMeans:
    good = max(1, int(K * chance.choice([0.05, 0.2, 0.5])))
    bad = -D * between(chance, 0.2, 2.5)
    return np.where(np.arange(K) < good, D, bad)


def _uniform(chance: Generator, K: int, D: float) -> DrawnMeans:
    gaps = D * chance.uniform(-2.0, 1.0, K)
    gaps[0] = abs(gaps[0]) + 0.2 * D
    return gaps


def _none_equal(chance: Generator, K: int, D: float) -> DrawnMeans:
    return np.full(K, -D)


def _none_uniform(chance: Generator, K: int, D: float) -> DrawnMeans:
    return -D * chance.uniform(0.2, 1.5, K)


def _ladder(chance: Generator, K: int, D: float) -> DrawnMeans:
    steps = np.linspace(D, -D * between(chance, 0.3, 3.0), K)
    return np.where(np.abs(steps) < 0.05 * D, -0.05 * D, steps)


def _near_misses(chance: Generator, K: int, D: float) -> DrawnMeans:
    return np.concatenate([[D], -_many_between(chance, 0.05 * D, D, K - 1)])


def _normal(chance: Generator, K: int, D: float) -> DrawnMeans:
    gaps = chance.normal(-0.5 * D, D, K)
    return np.where(np.abs(gaps) < 0.05 * D, -0.05 * D, gaps)


def _none_geometric(chance: Generator, K: int, D: float) -> DrawnMeans:
    return -_many_between(chance, 0.2 * D, 3.0 * D, K)


def _crowd(chance: Generator, K: int, D: float) -> DrawnMeans:
    good = min(int(chance.integers(1, 4)), K - 1)
    below = np.maximum(chance.exponential(0.4 * D, K - good), 0.03 * D)
    return np.concatenate([D * chance.uniform(0.5, 1.5, good), -below])


def _two_scales(chance: Generator, K: int, D: float) -> DrawnMeans:
    barely = int(0.3 * (K - 1))
    rest = -D * chance.uniform(0.1, 1.0, K - 1 - barely)
    return np.concatenate([[D], np.full(barely, 0.15 * D), rest])


def _none_close(chance: Generator, K: int, D: float) -> DrawnMeans:
    close = min(int(chance.integers(1, 4)), K)
    near, far = chance.uniform(0.2, 0.4, close), chance.uniform(1.0, 2.0, K - close)
    return -D * np.concatenate([near, far])


def _outlier(chance: Generator, K: int, D: float) -> DrawnMeans:
    gaps = -D * chance.uniform(0.3, 1.5, K)
    if chance.random() < 0.5:
        gaps[0] = D * chance.uniform(1.0, 2.0)
    return gaps


RANDOM_FAMILIES = (
    Family(
        "groups",
        "1 arm, or 5, 20 or 50 % of them, at D; the rest equal, −0.2 D to −2.5 D",
        _groups,
        training=True,
    ),
    Family(
        "uniform", "uniform from −2 D to D, one of them at least 0.2 D", _uniform, training=True
    ),
    Family("none-equal", "no good arm: all at −D", _none_equal, training=True),
    Family(
        "none-uniform", "no good arm: uniform from −1.5 D to −0.2 D", _none_uniform, training=True
    ),
    Family(
        "near-misses",
        "one arm at D, the others −0.05 D to −D, uniform in the logarithm",
        _near_misses,
        training=True,
    ),
    Family(
        "bernoulli",
        "zeros and ones: threshold 0.3 to 0.7, means as in normal, a quarter as far from it",
        _normal,
        training=True,
        bernoulli=True,
    ),
    Family("ladder", "evenly spaced from D down to −0.3 D to −3 D", _ladder),
    Family("normal", "normal about −D/2 with standard deviation D: some good, or none", _normal),
    Family(
        "none-geometric", "no good arm: −0.2 D to −3 D, uniform in the logarithm", _none_geometric
    ),
    Family(
        "crowd",
        "1 to 3 arms at 0.5 D to 1.5 D, the others below θ, exponential with mean 0.4 D",
        _crowd,
    ),
    Family(
        "two-scales",
        "one arm at D, 30 % at 0.15 D, the others uniform from −D to −0.1 D",
        _two_scales,
    ),
    Family(
        "none-close", "no good arm: 1 to 3 at −0.4 D to −0.2 D, the others −2 D to −D", _none_close
    ),
    Family(
        "coins",
        "zeros and ones: means as in crowd, a quarter as far from the threshold",
        _crowd,
        bernoulli=True,
    ),
    Family(
        "outlier", "uniform from −1.5 D to −0.3 D; in half of them one arm at D to 2 D", _outlier
    ),
)
