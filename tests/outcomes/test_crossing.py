"""The chance that a certificate ever reaches a level within so many outcomes, and the level for it.

Independent routes: every sequence of a few outcomes, judged by `goodarm.certificate`; and simulated
experiments.
"""

import math
from functools import lru_cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goodarm import certificate
from goodarm.outcomes.crossing import crossing_chance, exact_level

FEW = 7


@lru_cache(maxsize=1000)
def certificates(bar: float, n: int, successes: int) -> tuple[float, float]:
    proof = certificate("bernoulli", threshold=bar, values=[1] * successes + [0] * (n - successes))
    return proof.above, proof.below


def chance_by_hand(bar: float, sign: float, level: float, rate: float, most: int) -> float:
    """Over all sequences: does any beginning of it reach the level?"""
    total = 0.0
    for sequence in product((0, 1), repeat=most):
        sums = np.cumsum(sequence).tolist()
        side = 0 if sign > 0 else 1
        if any(certificates(bar, n, s)[side] >= level for n, s in enumerate(sums, 1)):
            total += rate ** sums[-1] * (1.0 - rate) ** (most - sums[-1])
    return total


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("bar", [0.3, 0.5, 0.85])
def test_the_chance_is_that_of_all_sequences(bar: float, sign: float) -> None:
    for level in (0.2, 0.7, 1.5, 2.3):
        by_hand = chance_by_hand(bar, sign, level, bar, FEW)
        assert crossing_chance(bar, sign, level, FEW) == pytest.approx(by_hand, abs=1e-12)
        easier = bar - 0.1 if sign > 0 else bar + 0.1
        assert chance_by_hand(bar, sign, level, easier, FEW) <= by_hand


@settings(max_examples=25, deadline=None)
@given(
    bar=st.floats(0.02, 0.98),
    sign=st.sampled_from([1.0, -1.0]),
    alpha=st.floats(0.001, 0.4),
    most=st.integers(1, 250),
)
def test_a_level_is_as_safe_as_that_of_ville_and_never_above_it(
    bar: float, sign: float, alpha: float, most: int
) -> None:
    level = exact_level(bar, sign, alpha, most)
    assert 0.0 < level <= -math.log(alpha)
    assert crossing_chance(bar, sign, level, most) <= alpha
    mirrored = crossing_chance(1.0 - bar, -sign, level, most)
    assert crossing_chance(bar, sign, level, most) == pytest.approx(mirrored, abs=1e-9)
    assert crossing_chance(bar, sign, level, most + 1) >= crossing_chance(bar, sign, level, most)


def test_it_uses_nearly_all_of_alpha() -> None:
    for bar in (0.5, 0.85, 0.95):
        for sign in (1.0, -1.0):
            level = exact_level(bar, sign, 0.05, 500)
            assert 0.048 <= crossing_chance(bar, sign, level, 500) <= 0.05
            assert crossing_chance(bar, sign, -math.log(0.05), 500) < 0.04  # Ville's


def test_where_nothing_is_rare_enough_the_level_is_that_of_ville() -> None:
    """0.9^20 is 0.12: not even twenty successes prove anything at 5 %; 0.9^29 is 0.047."""
    assert exact_level(0.9, 1.0, 0.05, 20) == -math.log(0.05)
    level = exact_level(0.9, 1.0, 0.05, 29)
    assert crossing_chance(0.9, 1.0, level, 29) == pytest.approx(0.9**29, rel=1e-9)
    assert exact_level(0.5, 1.0, 1e-9, 100) == -math.log(1e-9)


def test_simulated_walks_reach_the_level_as_often() -> None:
    """With the certificate by its formula: twenty steps in log-odds, heaviest at 1/2."""
    bar, most, walks = 0.85, 300, 20_000
    level = exact_level(bar, 1.0, 0.05, most)
    steps = 4.0 * 1.5 ** -np.arange(20.0)
    weights = 1.0 / (steps / 0.5 + 0.5 / steps)
    n, s = np.arange(most + 1.0)[:, None], np.arange(most + 1.0)
    capital = sum(
        w * np.exp(np.minimum(d * s - n * math.log1p(bar * math.expm1(d)), 99.0))  # s ≤ n counts
        for w, d in zip(weights / weights.sum(), steps, strict=True)
    )
    sums = (np.random.default_rng(1).random((walks, most)) < bar).cumsum(axis=1)
    reached = (np.log(capital)[np.arange(1, most + 1), sums] >= level).any(axis=1).mean()
    chance = crossing_chance(bar, 1.0, level, most)
    assert abs(reached - chance) < 4.0 * math.sqrt(chance / walks)
