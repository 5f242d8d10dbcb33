"""The public certificate of one sequence of outcomes."""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodarm
from goodarm.errors import InputError
from goodarm.outcomes import Bernoulli, Gaussian, certificate


def test_a_certificate_says_what_it_is_about() -> None:
    proof = certificate("bounded:0:10", 5, [4, 6, 7.5], alpha=0.1)
    assert proof.outcome == "bounded:0:10"
    assert (proof.threshold, proof.alpha, proof.count) == (5.0, 0.1, 3)
    assert proof.mean == pytest.approx(17.5 / 3)
    assert proof.to_dict()["above"] == proof.above
    assert proof == goodarm.certificate("bounded:0:10", 5, iter([4, 6, 7.5]), alpha=0.1)


@pytest.mark.parametrize(
    ("outcome", "ends"),
    [("bernoulli", (0, 1)), ("bounded:-1:3", (-1, 3)), ("gaussian:2", (None,) * 2)],
)
def test_without_outcomes_nothing_is_proved(outcome: str, ends: tuple) -> None:
    proof = certificate(outcome, 0.5, [])
    assert (proof.count, proof.mean, proof.above, proof.below) == (0, None, 0.0, 0.0)
    assert (proof.lower, proof.upper) == ends


@settings(max_examples=30)
@given(st.lists(st.sampled_from([0, 1]), min_size=1, max_size=60), st.randoms())
def test_the_order_of_outcomes_does_not_matter(values: list[int], chance: random.Random) -> None:
    shuffled = list(values)
    chance.shuffle(shuffled)
    assert certificate("bernoulli", 0.4, values) == certificate("bernoulli", 0.4, shuffled)


def test_limits_reach_the_threshold_when_the_certificate_reaches_its_level() -> None:
    chance, alpha = random.Random(4), 0.05
    seen = {True: 0, False: 0}
    for outcome, draw in (
        (Bernoulli(), lambda mean: float(chance.random() < mean)),
        (Gaussian(0.4), lambda mean: chance.gauss(mean, 0.4)),
    ):
        for mean in (0.3, 0.7):
            values: list[float] = []
            for _ in range(60):
                values.append(draw(mean))
                proof = certificate(outcome, 0.5, values, alpha)
                assert proof.lower is not None
                assert proof.upper is not None
                assert (proof.lower >= 0.5) == (proof.above >= -math.log(alpha))
                assert (proof.upper < 0.5) == (proof.below >= -math.log(alpha))
                seen[proof.lower >= 0.5 or proof.upper < 0.5] += 1
    assert min(seen.values()) > 30


@pytest.mark.parametrize(
    ("outcome", "threshold", "sized", "single", "mean"),
    [
        ("bernoulli", 0.4, [(3, 5), 1], [1, 1, 1, 0, 0, 1], 4 / 6),
        ("poisson", 2, [(3, 1.5), (4, 2.5)], [(7, 4.0)], 7 / 4),
        ("exponential", 2, [(5.0, 0), (1.0, 1)], [(6.0, 1)], 6.0),
    ],
)
def test_outcomes_with_sizes(
    outcome: str, threshold: float, sized: list, single: list, mean: float
) -> None:
    proof, other = (certificate(outcome, threshold, values) for values in (sized, single))
    assert proof.mean == other.mean == pytest.approx(mean)
    ours, theirs = ((one.above, one.below, one.lower, one.upper) for one in (proof, other))
    assert ours == pytest.approx(theirs)


def test_while_nothing_has_ended_there_is_no_mean() -> None:
    assert certificate("exponential", 1, [(5.0, 0)]).mean is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("bernoulli", 0.5, [1, 0, 2]), "values: number 3: value: 2 is neither 0 nor 1"),
        (("bounded:0:1", 0.5, [0.2, 1.5]), "values: number 2: value: 1.5 is outside"),
        (("gaussian:1", 0.5, [math.nan]), "values: number 1: value: nan is not a number"),
        (("gaussian:1", 0.5, [1e13]), "values: number 1: .*standard deviations"),
        (("bernoulli", 0.5, [(3, 2)]), "values: number 1: value: 3 of 2"),
        (("gaussian:1", 0.5, [(3, 2)]), "values: number 1: size: .*gaussian outcomes have none"),
        (("bernoulli", 0.5, [(3, 2, 1)]), r"\(3, 2, 1\) is not a value with its size"),
        (("bernoulli", 1.0, [1]), "threshold: 1 is not between 0 and 1"),
        (("gaussian:1,2", 0.5, [1.0]), "sigma: 2 values, but the number of arms is 1"),
        (("bernoulli", 0.5, [1], 0.0), "alpha: 0.0 is not strictly between 0 and 1"),
        (("bernoulli", 0.5, [1], 1.0), "alpha: 1.0 is not strictly between 0 and 1"),
        (("bernoulli", 0.5, [1], "x"), "alpha: 'x' is not a number"),
    ],
)
def test_wrong_input(arguments: tuple, message: str) -> None:
    with pytest.raises(InputError, match=message):
        certificate(*arguments)
