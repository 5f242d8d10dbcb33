"""Instances for the league of trials: arms at the threshold, rates near a bar, published ones.

* A published comparison: Z. Li and W. C. Cheung, "Near Optimal Non-asymptotic Sample Complexity of
  1-Identification", ICML (2025), with six families of Gaussian arms (σ = 1, θ = 0.5) of any size.
* Random families in which most arms are at the threshold, or within 0.01 of it: what a stopping
  rule finds hardest, and what a league of errors cannot have.
* Rates as people have them: conversions of a few per cent, and tests passed nine times in ten.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from goodarm.instance import Instance
from goodarm.league.families import DrawnMeans, Family, between, chance_of

BAR = 0.5  # θ of the published families
GAP, WORSE_GAP = 0.15, 0.25  # of good arms above it; of all arms below it, where none is good
NEAR = 0.01  # standard deviations from the threshold: nobody will tell such an arm from it


def _share_at_gap(share: float) -> Callable[[int], DrawnMeans]:
    """That share of the arms is at θ + 0.15, at least one, the others are exactly at θ."""

    def means(K: int) -> DrawnMeans:
        return np.where(np.arange(K) < max(1, int(K * share)), BAR + GAP, BAR)

    return means


PUBLISHED_FAMILIES: Mapping[str, tuple[str, Callable[[int], DrawnMeans]]] = {
    "Unique_Qualified": ("one arm at 0.65, all others at θ", _share_at_gap(0.0)),
    "OneQuarter": ("a quarter of the arms at 0.65, the others at θ", _share_at_gap(0.25)),
    "HalfGood": ("half of the arms at 0.65, the others at θ", _share_at_gap(0.5)),
    "AllGood": ("all arms at 0.65", _share_at_gap(1.0)),
    "Linear": (
        "evenly spaced from 0.35 to 0.65",
        lambda K: np.linspace(BAR - GAP, BAR + GAP, K),
    ),
    "AllWorse": ("no good arm: all at 0.25", lambda K: np.full(K, BAR - WORSE_GAP)),
}


def published_instance(family: str, K: int) -> Instance:
    """The instance of that size, its arms in random order."""
    _, means = PUBLISHED_FAMILIES[family]
    shuffled = chance_of(family, K).permutation(means(K))
    return Instance(BAR, shuffled.tolist(), name=f"{family}({K})")


def _one_clear(chance: Generator, K: int, D: float) -> DrawnMeans:
    return np.where(np.arange(K) == 0, D, 0.0)


def _one_clear_some_near(chance: Generator, K: int, D: float) -> DrawnMeans:
    near = chance.uniform(-NEAR, NEAR, K)
    return np.concatenate([[D], np.where(np.arange(1, K) % 2 == 1, 0.0, near[1:])])


def _thirds(chance: Generator, K: int, D: float) -> DrawnMeans:
    good = min(int(chance.integers(1, 4)), K - 1)
    kinds = np.stack(
        [np.zeros(K - good), chance.uniform(-NEAR, NEAR, K - good), -D * chance.random(K - good)]
    )
    rest = kinds[np.arange(K - good) % 3, np.arange(K - good)]
    return np.concatenate([D * chance.uniform(0.5, 1.5, good), rest])


def _haze(chance: Generator, K: int, D: float) -> DrawnMeans:
    return np.concatenate([[D], chance.uniform(-NEAR, NEAR, K - 1)])


def _good_share(chance: Generator, K: int, D: float) -> DrawnMeans:
    good = max(1, int(K * chance.choice([0.1, 0.3])))
    heights = D * chance.uniform(0.3, 1.0, good)
    heights[0] = D
    return np.concatenate([heights, np.zeros(K - good)])


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


def _two_humps(chance: Generator, K: int, D: float) -> DrawnMeans:
    is_high = chance.random(K) < chance.uniform(0.05, 0.5)
    is_high[0] = True
    high, low = chance.normal(0.7 * D, 0.2 * D, K), chance.normal(-0.5 * D, 0.3 * D, K)
    return np.where(is_high, np.maximum(high, 0.2 * D), low)


def _halving(chance: Generator, K: int, D: float) -> DrawnMeans:
    sizes = np.maximum(D * 0.5 ** np.arange(K), 0.02 * D)
    signs = np.where(np.arange(K) % 2 == 0, 1.0, -1.0)
    return np.asarray(signs * sizes * chance.uniform(0.7, 1.3, K))


def _long_tails(chance: Generator, K: int, D: float) -> DrawnMeans:
    gaps = D * (chance.standard_t(3, K) / 1.5 - 0.5)
    gaps[0] = abs(gaps[0]) + 0.2 * D
    return gaps


def _mirrored(chance: Generator, K: int, D: float) -> DrawnMeans:
    half = D * chance.uniform(0.1, 1.0, K // 2)
    half[:1] = D
    return np.concatenate([half, -half, np.full(K % 2, -D)])


BAR_FAMILIES = (
    Family("at-bar", "one arm at D, all others at θ", _one_clear, training=True),
    Family(
        "around-bar",
        "one arm at D; of the others half at θ and half within 0.01 of it",
        _one_clear_some_near,
        training=True,
    ),
    Family(
        "thirds",
        "1 to 3 arms at 0.5 D to 1.5 D; of the others a third each at θ, within 0.01 of it, and "
        "uniform from −D to 0",
        _thirds,
    ),
    Family("haze", "one arm at D, the others within 0.01 of θ", _haze),
    Family("some-at-bar", "10 or 30 % of the arms at 0.3 D to D, the others at θ", _good_share),
    Family(
        "bar-coins",
        "zeros and ones: means as in thirds, a quarter as far from the threshold",
        _thirds,
        bernoulli=True,
    ),
)
# Played once each, to judge Prospector before its last changes; see later.py.
EARLIER_JUDGES = (
    Family(
        "half-normal",
        "up to 30 % of the arms, at least one, half-normal above θ with scale D, the others "
        "half-normal below it with scale 0.1 D",
        _half_normal,
    ),
    Family("cliff", "half of the arms at θ, a quarter at D/4, a quarter at D", _cliff),
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
    Family(
        "long-tails",
        "D (T/1.5 − 0.5), T from Student's distribution with 3 degrees of freedom, one of them at "
        "least 0.2 D",
        _long_tails,
    ),
    Family("mirrored", "for every arm at 0.1 D to D, one as far below θ", _mirrored),
)


@dataclass(frozen=True)
class RateFamily:
    """A way to draw a threshold and rates, for arms of zeros and ones."""

    name: str
    text: str
    draw: Callable[[Generator], tuple[float, DrawnMeans]]
    training: bool = False

    def instance(self, number: int) -> Instance:
        """The instance of that number."""
        chance = chance_of(self.name, number)
        threshold, rates = self.draw(chance)
        shuffled = chance.permutation(np.clip(rates, 1e-3, 1.0 - 1e-3))
        name = f"{self.name} {number}"
        return Instance(threshold, shuffled.tolist(), kind="bernoulli", name=name)


def _conversions(chance: Generator) -> tuple[float, DrawnMeans]:
    threshold = round(between(chance, 0.02, 0.08), 3)
    K = int(chance.integers(3, 9))
    return threshold, threshold * chance.uniform(0.75, 1.25, K)


def _pass_rates(chance: Generator) -> tuple[float, DrawnMeans]:
    threshold = round(float(chance.uniform(0.8, 0.95)), 2)
    K = round(between(chance, 4, 30))
    return threshold, threshold + (1.0 - threshold) * chance.uniform(-1.0, 0.6, K)


def _beta_rates(chance: Generator) -> tuple[float, DrawnMeans]:
    threshold = round(float(chance.uniform(0.05, 0.6)), 2)
    weight = between(chance, 20.0, 200.0)  # as many outcomes as one would have to have seen
    K = round(between(chance, 3, 60))
    return threshold, chance.beta(weight * threshold, weight * (1.0 - threshold), K)


def _defect_rates(chance: Generator) -> tuple[float, DrawnMeans]:
    threshold = round(float(chance.uniform(0.6, 0.98)), 2)
    K = round(between(chance, 3, 40))
    failures = (1.0 - threshold) * np.exp(chance.normal(0.2, 0.5, K))
    return threshold, 1.0 - np.minimum(failures, 0.95)


def _any_rates(chance: Generator) -> tuple[float, DrawnMeans]:
    threshold = round(float(chance.uniform(0.1, 0.9)), 2)
    K = round(between(chance, 3, 50))
    return threshold, threshold + chance.uniform(-0.15, 0.08, K)


RATE_FAMILIES = (
    RateFamily(
        "conversions", "a bar of 2 to 8 %, 3 to 8 rates within 25 % of the bar", _conversions
    ),
    RateFamily(
        "pass-rates",
        "a bar of 80 to 95 %, 4 to 30 rates; failures from 0.4 to 2 times what the bar allows",
        _pass_rates,
    ),
    RateFamily(
        "beta-rates",
        "a bar of 5 to 60 %, 3 to 60 rates from a beta distribution about it, as wide as after 20 "
        "to 200 outcomes",
        _beta_rates,
    ),
    RateFamily(
        "defects",
        "a bar of 60 to 98 %, 3 to 40 rates; failures log-normal about 1.2 times what it allows",
        _defect_rates,
    ),
    RateFamily(
        "any-rates",
        "a bar of 10 to 90 %, 3 to 50 rates from 15 % below it to 8 % above it",
        _any_rates,
    ),
)
CONVERSIONS = Instance(
    0.04, [0.03, 0.035, 0.04, 0.045, 0.05], kind="bernoulli", name="five variants"
)
PROMPTS = Instance(
    0.9, [0.85] * 4 + [0.88] * 4 + [0.92] * 4, kind="bernoulli", name="twelve prompts"
)
FIXED_RATES = {
    CONVERSIONS: "conversions of 3, 3.5, 4, 4.5 and 5 %, bar 4 %",
    PROMPTS: "four prompts each that pass 85, 88 and 92 % of the tests, bar 90 %",
}
