"""What forecasts need of outcome models: likelihoods, means, and many outcomes at once."""

import math
import random
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from goodarm.outcomes import Bernoulli, Exponential, Gaussian, Outcome, Poisson, Symmetric
from goodarm.outcomes.drawing import binomial, poisson

MANY = 4_000


def check_frequencies(draw: Callable[[random.Random], int], pmf: Callable[..., object]) -> None:
    """By a χ² test with a fixed seed; counts that are seldom drawn are put together."""
    chance = random.Random(7)
    drawn = np.array([draw(chance) for _ in range(MANY)])
    cells = np.arange(drawn.max() + 1)
    expected = MANY * np.asarray(pmf(cells))
    often = expected >= 5.0
    seen = np.bincount(drawn, minlength=len(cells))[often]
    seen, expected = np.append(seen, MANY - seen.sum()), expected[often]
    expected = np.append(expected, MANY - expected.sum())
    rare = expected > 1e-9 * MANY
    assert seen[~rare].sum() == 0
    if rare.sum() > 1:
        assert stats.chisquare(seen[rare], expected[rare]).pvalue > 1e-3


@pytest.mark.parametrize(("many", "share"), [(1, 0.3), (16, 0.5), (17, 0.04), (400, 0.9), (90, 0)])
def test_binomial_numbers(many: int, share: float) -> None:
    check_frequencies(
        lambda chance: binomial(chance, many, share), lambda k: stats.binom.pmf(k, many, share)
    )
    assert binomial(random.Random(1), many, 1.0) == many


@pytest.mark.parametrize("mean", [0.0, 0.3, 16.0, 16.5, 250.0])
def test_poisson_numbers(mean: float) -> None:
    check_frequencies(lambda chance: poisson(chance, mean), lambda k: stats.poisson.pmf(k, mean))


@pytest.mark.parametrize(
    ("model", "law"),
    [
        (Gaussian((9.0, 2.0)), stats.norm(30 * 1.5, 2.0 * math.sqrt(30))),
        (Exponential(2.0), stats.gamma(60, scale=0.75)),
        (Poisson(), stats.poisson(45.0)),
        (Bernoulli(), stats.binom(30, 0.15)),
    ],
)
def test_many_outcomes_at_once_are_as_many_drawn_one_by_one(model: Outcome, law: object) -> None:
    chance, mean = random.Random(3), 0.15 if model.name == "bernoulli" else 1.5
    told = [model.draw_sum(1, mean, 30, chance) for _ in range(MANY)]
    values = np.array([one.value for one in told if one is not None])
    assert {1.0 if one is None else one.size for one in told} == (
        {1.0} if model.name == "gaussian" else {30.0}
    )
    single = [sum(model.draw_outcome(1, mean, 1.0, chance) for _ in range(30)) for _ in range(1000)]
    for drawn in (values, np.array(single)):
        assert drawn.mean() == pytest.approx(law.mean(), abs=4 * law.std() / math.sqrt(len(drawn)))  # type: ignore[attr-defined]
        assert drawn.std() == pytest.approx(law.std(), rel=0.1)  # type: ignore[attr-defined]


def test_models_that_must_see_every_outcome_draw_none_at_once() -> None:
    for model in (Gaussian(), Symmetric()):
        assert model.draw_sum(0, 1.0, 30, random.Random(1)) is None


@pytest.mark.parametrize(
    ("model", "outcomes", "amount", "law"),
    [
        (Gaussian((9.0, 2.0)), [1.0, -0.5, 4.0], 3, lambda m, x: stats.norm.logpdf(x, m, 2.0)),
        (Gaussian(), [1.0, -0.5, 4.0], 3, lambda m, x: stats.norm.logpdf(x, m, 1.7)),
        (Symmetric(), [1.0, -0.5, 4.0], 3, lambda m, x: stats.norm.logpdf(x, m, 1.7)),
        (Bernoulli(), [1, 0, 0, 0], 4, lambda m, x: stats.bernoulli.logpmf(x, m)),
        (Poisson(), [3, 0, 2], 3, lambda m, x: stats.poisson.logpmf(x, m)),
        (Exponential(2.0), [0.3, 1.2], 2, lambda m, x: stats.gamma.logpdf(x, 2.0, scale=m / 2)),
    ],
)
def test_likelihoods_are_those_of_the_outcomes(
    model: Outcome, outcomes: list[float], amount: float, law: Callable[..., object]
) -> None:
    means = np.array([0.05, 0.2, 0.5, 0.9])
    found = model.log_likelihoods(1, sum(outcomes), amount, means, 1.7**2)
    expected = [np.sum(law(mean, np.array(outcomes))) for mean in means.tolist()]
    assert found - found[0] == pytest.approx(np.array(expected) - expected[0], abs=1e-12)


@pytest.mark.parametrize(
    ("model", "threshold", "scale", "back"),
    [
        (Gaussian((9.0, 2.0)), 1.0, 2.0, lambda mean: mean),
        (Gaussian(), 1.0, 3.0, lambda mean: mean),
        (Symmetric(), 1.0, 3.0, lambda mean: mean),
        (Bernoulli(), 0.04, 1.0, lambda mean: np.log(mean / (1.0 - mean))),
        (Poisson(), 3.0, 1.0, np.log),
        (Exponential(2.0), 3.0, 1.0, np.log),
    ],
)
def test_means_lie_so_far_from_the_threshold(
    model: Outcome, threshold: float, scale: float, back: Callable[..., object]
) -> None:
    steps = np.array([-1.5, -0.1, 0.0, 0.3, 2.0])
    found = back(model.means_near(1, threshold, steps, 9.0))
    assert found - back(np.array([threshold])) == pytest.approx(scale * steps, abs=1e-12)  # type: ignore[operator]
