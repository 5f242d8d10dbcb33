"""Three families for judging that nothing was played on while Prospector was being made.

They were written down after its last change, and played once: whatever came out is what
docs/research/trials.md says. So they may judge Prospector, and any algorithm older than it; an
algorithm that is changed after a look at these results needs new ones.
"""

import numpy as np
from numpy.random import Generator

from goodarm.league.families import DrawnMeans, Family, between
from goodarm.league.trials.families import RateFamily


def _triangular(chance: Generator, K: int, D: float) -> DrawnMeans:
    gaps = chance.triangular(-2.0 * D, -0.5 * D, D, K)
    gaps[0] = abs(gaps[0]) + 0.1 * D
    return gaps


def _three_levels(chance: Generator, K: int, D: float) -> DrawnMeans:
    levels = D * np.array([chance.uniform(0.5, 1.0), chance.uniform(-0.3, 0.3), -1.0])
    kinds = chance.choice(3, K, p=[0.15, 0.35, 0.5])
    kinds[0] = 0
    return np.asarray(levels[kinds])


def _uplifts(chance: Generator) -> tuple[float, DrawnMeans]:
    threshold = round(between(chance, 0.05, 0.5), 3)
    K = round(between(chance, 2, 25))
    return threshold, threshold * np.exp(chance.normal(-0.05, 0.15, K))


LATER_FAMILIES = (
    Family(
        "triangular",
        "from −2 D to D, most likely −D/2, one of them at least 0.1 D",
        _triangular,
    ),
    Family(
        "three-levels",
        "about 15 % of the arms, at least one, at 0.5 D to D, 35 % at one value from −0.3 D to "
        "0.3 D, the others at −D",
        _three_levels,
    ),
    RateFamily(
        "uplifts",
        "zeros and ones: a bar of 5 to 50 %, 2 to 25 rates, log-normal about 95 % of it with a "
        "spread of 15 %",
        _uplifts,
    ),
)
