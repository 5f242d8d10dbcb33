"""Three families for judging that nothing was played on while Prospector was being made.

They were written down before it was fixed, and played once, afterwards: whatever came out is what
docs/research/trials.md says. So they may judge Prospector, and any algorithm older than it; an
algorithm that is changed after a look at these results needs new ones.
"""

import numpy as np
from numpy.random import Generator

from goodarm.league.families import DrawnMeans, Family, between
from goodarm.league.trials.families import RateFamily


def _long_tails(chance: Generator, K: int, D: float) -> DrawnMeans:
    gaps = D * (chance.standard_t(3, K) / 1.5 - 0.5)
    gaps[0] = abs(gaps[0]) + 0.2 * D
    return gaps


def _mirrored(chance: Generator, K: int, D: float) -> DrawnMeans:
    half = D * chance.uniform(0.1, 1.0, K // 2)
    half[:1] = D
    return np.concatenate([half, -half, np.full(K % 2, -D)])


def _any_rates(chance: Generator) -> tuple[float, DrawnMeans]:
    threshold = round(float(chance.uniform(0.1, 0.9)), 2)
    K = round(between(chance, 3, 50))
    return threshold, threshold + chance.uniform(-0.15, 0.08, K)


LATER_FAMILIES = (
    Family(
        "long-tails",
        "D (T/1.5 − 0.5), T from Student's distribution with 3 degrees of freedom, one of them at "
        "least 0.2 D",
        _long_tails,
    ),
    Family("mirrored", "for every arm at 0.1 D to D, one as far below θ", _mirrored),
    RateFamily(
        "any-rates",
        "zeros and ones: a bar of 10 to 90 %, 3 to 50 rates from 15 % below it to 8 % above it",
        _any_rates,
    ),
)
