"""Random instances are what their families' texts say, and always the same."""

import numpy as np
import pytest

from goodarm.league.families import LARGEST_GAP, RANDOM_FAMILIES, Family

NUMBERS = range(60)


@pytest.mark.parametrize("family", RANDOM_FAMILIES, ids=lambda f: f.name)
def test_an_instance_depends_on_family_and_number_alone(family: Family) -> None:
    for number in (0, 7):
        assert family.instance(number) == family.instance(number)
    assert family.instance(0) != family.instance(1)


@pytest.mark.parametrize("family", RANDOM_FAMILIES, ids=lambda f: f.name)
def test_no_mean_is_at_the_threshold_and_sizes_vary(family: Family) -> None:
    drawn = [family.instance(number) for number in NUMBERS]
    assert all((instance.means != instance.threshold).all() for instance in drawn)
    sizes = [instance.K for instance in drawn]
    assert min(sizes) < 5
    assert max(sizes) > 100
    assert max(sizes) <= 200
    gaps = np.concatenate([np.abs(i.means - i.threshold) / i.sigmas for i in drawn])
    assert gaps.max() < 5.0 * LARGEST_GAP


def test_families_without_good_arms_have_none_and_the_others_have_some() -> None:
    for family in RANDOM_FAMILIES:
        good = [family.instance(number).good.any() for number in NUMBERS]
        if family.name.startswith("none"):
            assert not any(good)
        elif family.name not in ("normal", "bernoulli", "outlier"):
            assert all(good)
        else:  # some instances have no good arm
            assert 0.3 < np.mean(good) < 1.0


def test_near_misses_have_one_good_arm_and_bernoulli_arms_are_coins() -> None:
    by_name = {family.name: family for family in RANDOM_FAMILIES}
    assert all(by_name["near-misses"].instance(n).good.sum() == 1 for n in NUMBERS)
    assert by_name["bernoulli"].instance(3).arms[0].kind == "bernoulli"
