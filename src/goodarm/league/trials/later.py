"""Three families for judging that nothing was played on while Prospector was being made.

They were written down before it was fixed, and played once, afterwards: whatever came out is what
docs/research/trials.md says. So they may judge Prospector, and any algorithm older than it; an
algorithm that is changed after a look at these results needs new ones.
"""

import numpy as np
from numpy.random import Generator

from goodarm.league.families import DrawnMeans, Family, between
from goodarm.league.trials.families import RateFamily


def _half_normal(chance: Generator, K: int, D: float) -> DrawnMeans:
    good = max(1, int(K * chance.uniform(0.0, 0.3)))
    heights = np.abs(chance.normal(0.0, D, good))
    slightly = -np.abs(chance.normal(0.0, 0.1 * D, K - good))
    return np.concatenate([heights, slightly])


def _cliff(chance: Generator, K: int, D: float) -> DrawnMeans:
    at_bar = K // 2
    low = max(1, (K - at_bar) // 2)
    high = K - at_bar - low
    return np.concatenate([np.zeros(at_bar), np.full(low, 0.25 * D), np.full(high, D)])


def _beta_rates(chance: Generator) -> tuple[float, DrawnMeans]:
    threshold = round(float(chance.uniform(0.05, 0.6)), 2)
    weight = between(chance, 20.0, 200.0)  # as many outcomes as one would have to have seen
    K = round(between(chance, 3, 60))
    return threshold, chance.beta(weight * threshold, weight * (1.0 - threshold), K)


LATER_FAMILIES = (
    Family(
        "half-normal",
        "up to 30 % of the arms, at least one, half-normal above θ with scale D, the others "
        "half-normal below it with scale 0.1 D",
        _half_normal,
    ),
    Family("cliff", "half of the arms at θ, a quarter at D/4, a quarter at D", _cliff),
    RateFamily(
        "beta-rates",
        "zeros and ones: a bar of 5 to 60 %, 3 to 60 rates from a beta distribution about it, as "
        "wide as after 20 to 200 outcomes",
        _beta_rates,
    ),
)
