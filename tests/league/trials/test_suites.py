"""What the algorithms' trials are compared on: by seed, affordable, training apart from judging."""

import math

import numpy as np
import pytest

from goodarm import InputError, Instance
from goodarm.league.trials.families import BAR_FAMILIES, NEAR, RATE_FAMILIES, published_instance
from goodarm.league.trials.later import LATER_FAMILIES
from goodarm.league.trials.suites import (
    AFFORDABLE,
    GROUPS,
    JUDGING,
    LATER,
    TRAINING,
    USUAL_GROUPS,
    cap_of,
    rough_price,
    trials_suite,
)

NUMBERS = range(40)
FAMILIES = (*BAR_FAMILIES, *RATE_FAMILIES, *LATER_FAMILIES)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_an_instance_depends_on_family_and_number_alone(family) -> None:
    for number in (0, 7):
        assert family.instance(number) == family.instance(number)
    assert family.instance(0) != family.instance(1)
    kinds = {family.instance(number).kinds[0] for number in NUMBERS}
    assert len(kinds) == 1


@pytest.mark.parametrize("family", BAR_FAMILIES, ids=lambda family: family.name)
def test_where_arms_are_at_the_bar_one_is_clearly_good(family) -> None:
    instances = [family.instance(number) for number in NUMBERS]
    scale = 0.5 if family.bernoulli else 1.0  # a quarter of the gap, over a sigma of one half
    assert all(instance.gaps.max() > 0.09 * scale for instance in instances)
    near = [np.abs(instance.gaps).min() <= NEAR for instance in instances if instance.K > 4]
    assert np.mean(near) > 0.9


def drawn(name: str) -> list[Instance]:
    (family,) = (family for family in RATE_FAMILIES if family.name == name)
    return [family.instance(number) for number in NUMBERS]


def failures(instance: Instance) -> np.ndarray:
    """As a share of what the bar allows."""
    return (1.0 - instance.means) / (1.0 - instance.threshold)


def test_conversions_are_within_a_quarter_of_a_low_bar() -> None:
    for instance in drawn("conversions"):
        assert 3 <= instance.K <= 8
        assert 0.02 <= instance.threshold <= 0.08
        assert (np.abs(instance.means / instance.threshold - 1.0) <= 0.25).all()


def test_pass_rates_have_at_most_twice_the_failures_that_the_bar_allows() -> None:
    for instance in drawn("pass-rates"):
        assert 4 <= instance.K <= 30
        assert 0.8 <= instance.threshold <= 0.95
        assert failures(instance).min() > 0.399
        assert failures(instance).max() < 2.001


def test_beta_rates_scatter_about_the_bar_as_after_20_to_200_outcomes() -> None:
    """A beta distribution of weight m has the variance θ(1 − θ)/(m + 1)."""
    standardised = []
    for instance in drawn("beta-rates"):
        assert 3 <= instance.K <= 60
        assert 0.05 <= instance.threshold <= 0.6
        scale = math.sqrt(instance.threshold * (1.0 - instance.threshold))
        standardised.extend((instance.means - instance.threshold) / scale)
    assert abs(np.mean(standardised)) < 0.02
    assert 1 / math.sqrt(201) < np.std(standardised) < 1 / math.sqrt(21)


def test_defects_are_log_normal_about_a_fifth_more_than_the_bar_allows() -> None:
    logs = []
    for instance in drawn("defects"):
        assert 3 <= instance.K <= 40
        assert 0.6 <= instance.threshold <= 0.98
        logs.extend(np.log(failures(instance)))
    assert np.median(logs) == pytest.approx(0.2, abs=0.1)
    assert np.std(logs) == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize(
    ("family", "means"),
    [
        ("Unique_Qualified", [0.5] * 7 + [0.65]),
        ("OneQuarter", [0.5] * 6 + [0.65] * 2),
        ("HalfGood", [0.5] * 4 + [0.65] * 4),
        ("AllGood", [0.65] * 8),
        ("AllWorse", [0.25] * 8),
        ("Linear", [0.35 + 0.3 * i / 7 for i in range(8)]),
    ],
)
def test_published_families(family: str, means: list[float]) -> None:
    instance = published_instance(family, 8)
    assert sorted(instance.means) == pytest.approx(means)
    assert instance.threshold == 0.5
    assert (instance.sigmas == 1.0).all()


def test_the_groups_are_apart_and_affordable() -> None:
    entries = {group: trials_suite([group]) for group in GROUPS if group != LATER}
    names = [entry.instance.name for group in entries.values() for entry in group]
    assert len(set(names)) == len(names)
    training = {entry.family for entry in entries[TRAINING]}
    assert training.isdisjoint(entry.family for entry in entries[JUDGING])
    random = [*entries[TRAINING], *entries[JUDGING]]
    assert all(rough_price(entry.instance, 0.05) <= AFFORDABLE for entry in random)
    usual = {entry.group for entry in trials_suite()}
    assert usual == set(USUAL_GROUPS)
    assert not usual & {TRAINING, LATER}
    assert len(trials_suite(quick=True)) < len(trials_suite()) / 3


def test_an_unknown_group() -> None:
    with pytest.raises(InputError, match="did you mean 'judging'"):
        trials_suite(["juding"])


def test_the_rough_price() -> None:
    """Of a good arm to be certified and found, or of bad ones to be ruled out, by hand."""
    one = Instance(0.0, [0.5, 0.0, 0.2])
    assert rough_price(one, 0.05) == pytest.approx(8.0 * (math.log(60.0) + 2.5 + 3.0) + 3)
    none = Instance(0.0, [-0.5, -1.0])
    assert rough_price(none, 0.05) == pytest.approx((math.log(20.0) + 2.5) * (8.0 + 2.0))
    kl = 0.6 * math.log(0.6 / 0.5) + 0.4 * math.log(0.4 / 0.5)
    coin = Instance(0.5, [0.6], kind="bernoulli")
    assert rough_price(coin, 0.1) == pytest.approx((math.log(10.0) + 2.5 + 1.0) / kl + 1)
    assert rough_price(Instance(0.0, [0.0]), 0.1) == math.inf


def test_the_cap_is_fifty_rough_prices_to_two_digits() -> None:
    for entry in trials_suite(["paper"]):
        cap = cap_of(entry.instance, 0.05)
        exact = 50 * rough_price(entry.instance, 0.05)
        assert exact <= cap < 1.1 * exact
        assert float(f"{cap:.1e}") == cap
