"""Small slips that no other test of the outcome models would notice; see bench/mutants.py."""

import math
import random
import statistics

import numpy as np
import pytest
from scipy import integrate, stats

from goodarm.experiment import Experiment
from goodarm.outcomes import (
    Bernoulli,
    Bounded,
    Exponential,
    Gaussian,
    Poisson,
    certificate,
    find_outcome,
    outcomes,
)
from goodarm.outcomes.choosing import some_threshold
from goodarm.outcomes.comparable import counts, durations, share
from goodarm.outcomes.contract import Seen
from goodarm.outcomes.watches.uneven_durations import UnevenDurations


@pytest.mark.parametrize(("p", "q"), [(0.2, 0.5), (0.0, 0.3), (1.0, 0.6), (0.7, 0.1)])
def test_the_divergence_of_shares_is_that_of_two_coins(p: float, q: float) -> None:
    expected = float(stats.entropy([p, 1.0 - p], [q, 1.0 - q]))
    assert share(10.0, 30.0).kl(10.0 + 20.0 * p, 10.0 + 20.0 * q) == pytest.approx(expected)


def test_a_share_that_is_impossible_is_infinitely_far() -> None:
    assert share(0.0, 1.0).kl(0.5, 0.0) == share(0.0, 1.0).kl(0.5, 1.0) == math.inf


@pytest.mark.parametrize(("p", "q"), [(2.0, 3.0), (0.4, 0.1), (0.0, 0.7)])
def test_the_divergence_of_counts_is_the_sum_over_all_counts(p: float, q: float) -> None:
    k = np.arange(80)
    expected = float(stats.entropy(stats.poisson.pmf(k, p), stats.poisson.pmf(k, q)))
    assert counts().kl(p, q) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("shape", "p", "q"), [(1.0, 2.0, 3.0), (4.0, 1.5, 0.5)])
def test_the_divergence_of_durations_is_the_integral(shape: float, p: float, q: float) -> None:
    one, other = (stats.gamma(shape, scale=mean / shape) for mean in (p, q))
    expected, _ = integrate.quad(lambda x: one.pdf(x) * (one.logpdf(x) - other.logpdf(x)), 0, 60)
    assert durations(shape).kl(p, q) == pytest.approx(expected, rel=1e-6)


def test_what_has_two_ends_can_be_compared_and_what_has_one_cannot() -> None:
    assert Bounded(0.0, 1.0).comparable(0) is not None
    assert Bounded(0.0, None).comparable(0) is None
    assert Bounded(None, 1.0).comparable(0) is None


def test_drawn_outcomes_have_the_range_the_mean_and_the_scatter() -> None:
    chance, model = random.Random(3), Bounded(10.0, 20.0)
    drawn = [model.draw_outcome(0, 13.0, 4.0, chance) for _ in range(4000)]
    assert 10.0 <= min(drawn) < max(drawn) <= 20.0
    assert statistics.mean(drawn) == pytest.approx(13.0, abs=0.15)
    assert statistics.variance(drawn) == pytest.approx(4.0, rel=0.1)


def test_limits_of_several_arms_are_those_of_each() -> None:
    sums, exposures = np.array([2000.0, 1.0, 40.0]), np.array([10.0, 30.0, 40.0])

    def limits(which: list[int]) -> list[list[float]]:
        kept = np.array([[x] for x in exposures[which]])
        seen = Seen(np.array(which), exposures[which], sums[which], kept)
        return [found.tolist() for found in Poisson().limits(seen, 5.0, 0.05, 0.05)]

    together, apart = limits([0, 1, 2]), [limits([a]) for a in range(3)]
    for side in (0, 1):
        assert together[side] == pytest.approx([one[side][0] for one in apart], rel=1e-6)


@pytest.mark.parametrize(("value", "answer"), [(3.0, "A"), (-3.0, None)])
def test_measurements_of_unknown_scatter_decide(value: float, answer: str | None) -> None:
    experiment = Experiment(["A"], 0.0, outcome=Gaussian(), delta=0.05)
    for number in range(12):
        experiment.tell("A", value + 0.1 * (number % 5))
    assert experiment.finished
    named = None if experiment.conclusion is None else experiment.names[experiment.conclusion]
    assert named == answer


@pytest.mark.parametrize("name", sorted(outcomes))
def test_some_threshold_is_one_that_the_model_takes(name: str) -> None:
    model = outcomes[name](*{"bounded": (0.0, None), "gaussian": (1.0,)}.get(name, ()))
    assert model.check_threshold(some_threshold(model)) == some_threshold(model)


def test_names_and_spreads() -> None:
    assert find_outcome("binomial") == Bernoulli()
    assert Exponential(4.0).spreads(6.0, 3) == [3.0, 3.0, 3.0]


def test_a_notebook_shows_all_that_a_certificate_says() -> None:
    made = certificate("bernoulli", 0.5, [1.0] * 9 + [0.0])
    shown = made._repr_html_()
    for fact in str(made).split("\n")[1:]:
        assert all(word in shown for word in fact.split() if word.isalpha()), fact


def test_the_doubt_about_durations_names_their_scatter() -> None:
    chance, watch = random.Random(1), UnevenDurations(1.0, 1.0)
    values = [chance.lognormvariate(0.0, 2.0) for _ in range(400)]
    state = [0.0] * watch.memory
    for value in values:
        watch.see(state, 0, value, 1.0)
    ratio = statistics.pstdev(values) / statistics.mean(values)
    said = watch.doubt({0: state}, 1)
    assert said is not None
    assert f"of {ratio:.3g} times their mean" in said
