"""How near a run is to an error, and how first outcomes are stretched towards one."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from goodarm import Instance
from goodarm.outcomes import Gaussian
from goodarm.outcomes.record import make_record
from goodarm.rng import uniform
from goodarm.run import new_run
from goodarm.simulation.splitting.nearness import (
    BINS,
    CELLS,
    LOWEST,
    LOWEST_NONE,
    WIDTH,
    WIDTH_NONE,
    bin_of,
    largest_sum,
    margin,
    steepness,
    stretch,
    tails,
)

SOME = Instance(0.0, [0.5, 0.2, -0.2, -0.6], sigma=[1.0, 2.0, 1.0, 0.5], name="some")
NONE = Instance(0.1, [-0.3, -0.5, -0.4], sigma=[1.0, 1.5, 1.0], name="none")
COINS = Instance(0.5, [0.7, 0.4, 0.2], kind="bernoulli", name="coins")
BELOW = Instance(
    0.0, [-0.5, -0.2, 0.2, 0.6], sigma=[1.0, 2.0, 1.0, 0.5], goal="below", name="less is good"
)


def spread_evenly(g, tail: int, *breaks: float) -> float:
    """E[weight · g(quantile)], piece by piece."""

    def weighted(u: float) -> float:
        quantile, weight = stretch(u, tail)
        return weight * g(quantile)

    edges = sorted({0.0, 0.2, 0.2 + 0.8e-8, *breaks, 1.0})
    return sum(quad(weighted, a, b, limit=200, epsabs=1e-13)[0] for a, b in pairwise(edges))


@pytest.mark.parametrize("tail", [-1, 1])
def test_stretched_outcomes_have_their_mean_weight(tail: int) -> None:
    for g in (lambda q: 1.0, lambda q: q, lambda q: math.sqrt(1 - q), lambda q: math.cos(5 * q)):
        assert spread_evenly(g, tail) == pytest.approx(quad(g, 0.0, 1.0)[0], rel=1e-7)


@pytest.mark.parametrize("tail", [-1, 1])
@pytest.mark.parametrize("depth", [1e-2, 1e-6])
def test_the_tail_has_its_weight_and_more_runs(tail: int, depth: float) -> None:
    def beyond(q: float) -> float:
        return float((q if tail < 0 else 1.0 - q) < depth)

    begin, end = 0.2 * math.log(depth) / math.log(1e-8), 0.2 + 0.8 * depth
    assert spread_evenly(beyond, tail, begin, end) == pytest.approx(depth, rel=1e-5)
    u = (np.arange(20_000) + 0.5) / 20_000
    often = np.mean([beyond(stretch(float(x), tail)[0]) for x in u])
    assert often == pytest.approx(end - begin, abs=1e-3)  # seldom only in weight
    assert often > 5.0 * depth


def test_no_uniform_number_is_stretched_to_0_or_1() -> None:
    at = int(0.2 * 2**52)  # where the two parts meet
    words = [0, 1, at - 1, at, at + 1, 2**52 - 2, 2**52 - 1]
    numbers = [uniform(w >> 20, (w & (2**20 - 1)) << 12) for w in words]
    assert numbers[2] < 0.2 < numbers[4]
    for u in numbers:
        for tail in (-1, 1):
            quantile, weight = stretch(u, tail)
            assert 0.0 < quantile < 1.0
            assert 0.0 < weight <= 1.25


histories = st.lists(st.tuples(st.integers(0, 3), st.floats(-4.0, 4.0)), max_size=25)


record = make_record(Gaussian.functions)


def played(instance: Instance, history):
    """A run with these outcomes, and what each arm saw, standardised."""
    run = new_run(instance.threshold, instance.sigmas.tolist(), 0)
    seen: list[list[float]] = [[] for _ in range(instance.K)]
    for number, value in history:
        arm = number % instance.K
        record(run, arm, value)
        seen[arm].append((value - instance.threshold) / instance.sigmas[arm])
    return run, seen


def check_bin(found: int, wrong: bool, low: float, width: float, distance: float) -> None:
    assert 0 <= found < BINS
    assert found % 2 == int(wrong)
    place = found // 2
    slack = 1e-9 * (1.0 + abs(distance)) if math.isfinite(distance) else 0.0
    assert place == 0 or distance >= low + place * width - slack
    assert place == CELLS - 1 or distance < low + (place + 1) * width + slack


@given(histories, st.lists(st.booleans(), min_size=4, max_size=4).filter(any), st.booleans())
def test_the_margin_where_some_arm_is_good(history, good, wrong) -> None:
    run, seen = played(SOME, history)
    W = [sum(x) / math.sqrt(len(x)) if x else 0.0 for x in seen]
    G = max(w for w, is_good in zip(W, good, strict=True) if is_good)
    B = max((w for w, is_good in zip(W, good, strict=True) if not is_good), default=0.0)
    expected = G - max(B, 0.0) if G > 0.0 else min(G - B, 0.0)
    assert margin(run, good) == pytest.approx(expected, abs=1e-9)
    check_bin(bin_of(run, wrong, good, True, steepness(SOME)), wrong, LOWEST, WIDTH, expected)


@given(histories, st.booleans())
def test_the_largest_sum_where_no_arm_is_good(history, wrong) -> None:
    run, seen = played(NONE, history)
    gaps = (NONE.threshold - NONE.means) / NONE.sigmas
    sums = [2.0 * gap * sum(x) for gap, x in zip(gaps, seen, strict=True) if x]
    expected = max(sums, default=-math.inf)
    steep = steepness(NONE)
    assert largest_sum(run, steep) == pytest.approx(expected, abs=1e-9)
    found = bin_of(run, wrong, [0] * NONE.K, False, steep)
    check_bin(found, wrong, LOWEST_NONE, WIDTH_NONE, -expected)


def test_how_steep_is_what_makes_a_martingale() -> None:
    """E exp(2|δ| Z) = 1 for the standardised outcome Z of an arm that is not good."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    for a, steep in enumerate(steepness(NONE)):
        outcomes = NONE.means[a] + NONE.sigmas[a] * nodes
        z = (outcomes - NONE.threshold) / NONE.sigmas[a]
        mean = (weights * np.exp(steep * z)).sum() / weights.sum()
        assert mean == pytest.approx(1.0, rel=1e-12)


def test_a_walk_comes_back_as_seldom_as_the_martingale_says() -> None:
    """At most exp(−2 d S), and not much less: steps are small beside the way back."""
    d, depth, walks = 0.1, 10.0, 10_000
    chance = np.random.default_rng(8)
    steps = chance.normal(-d, 1.0, (walks, 800)).cumsum(axis=1)
    back = (steps.max(axis=1) >= depth).mean()
    bound = math.exp(-2.0 * d * depth)
    noise = math.sqrt(bound / walks)
    # A walk overshoots by 0.583 on average, as if the way were so much longer (Siegmund).
    assert abs(back - math.exp(-2.0 * d * (depth + 0.583))) < 5.0 * noise
    assert back < bound + 2.0 * noise


def test_first_outcomes_are_stretched_towards_errors() -> None:
    assert tails(SOME).tolist() == [-1, -1, 0, 0]
    assert tails(BELOW).tolist() == [1, 1, 0, 0]
    assert tails(NONE).tolist() == [1, 1, 1]
    assert tails(COINS).tolist() == [0, 0, 0]
