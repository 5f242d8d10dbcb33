"""Three families for judging that nothing was played on while Prospector was being made.

They were written down before it was fixed, and played once, afterwards: whatever came out is what
docs/research/trials.md says. So they may judge Prospector, and any algorithm older than it; an
algorithm that is changed after a look at these results needs new ones.
"""

import numpy as np
from numpy.random import Generator

from goodarm.league.families import DrawnMeans, Family, between
from goodarm.league.trials.families import RateFamily


def _two_humps(chance: Generator, K: int, D: float) -> DrawnMeans:
    is_high = chance.random(K) < chance.uniform(0.05, 0.5)
    is_high[0] = True
    high, low = chance.normal(0.7 * D, 0.2 * D, K), chance.normal(-0.5 * D, 0.3 * D, K)
    return np.where(is_high, np.maximum(high, 0.2 * D), low)


def _halving(chance: Generator, K: int, D: float) -> DrawnMeans:
    sizes = np.maximum(D * 0.5 ** np.arange(K), 0.02 * D)
    signs = np.where(np.arange(K) % 2 == 0, 1.0, -1.0)
    return np.asarray(signs * sizes * chance.uniform(0.7, 1.3, K))


def _defect_rates(chance: Generator) -> tuple[float, DrawnMeans]:
    threshold = round(float(chance.uniform(0.6, 0.98)), 2)
    K = round(between(chance, 3, 40))
    failures = (1.0 - threshold) * np.exp(chance.normal(0.2, 0.5, K))
    return threshold, 1.0 - np.minimum(failures, 0.95)


LATER_FAMILIES = (
    Family(
        "two-humps",
        "5 to 50 % of the arms, at least one, normal about 0.7 D, the others normal about −0.5 D",
        _two_humps,
    ),
    Family(
        "halving",
        "D, −D/2, D/4, …, each 0.7 to 1.3 times that, none nearer to θ than 0.014 D",
        _halving,
    ),
    RateFamily(
        "defects",
        "zeros and ones: a bar of 60 to 98 %, 3 to 40 rates, failures log-normal about 1.2 times "
        "what the bar allows",
        _defect_rates,
    ),
)
