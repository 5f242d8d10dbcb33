"""Intervals cover as often as they say, also where runs share their means."""

import numpy as np
import pytest

from goodarm.planning.simulations import Estimate, mean_of, share_by_row, share_of


@pytest.mark.parametrize("rows", [1, 50])
def test_the_mean_is_covered(rows: int) -> None:
    generator = np.random.default_rng(1)
    covered = 0
    for _ in range(1000):
        shared = generator.normal(size=(rows, 1)) if rows > 1 else 0.0
        found = mean_of(100.0 + shared + generator.normal(size=(rows, 40)))
        covered += found.low <= 100.0 <= found.high
    assert 910 <= covered <= 980


@pytest.mark.parametrize("rows", [1, 50])
def test_a_share_is_covered(rows: int) -> None:
    generator = np.random.default_rng(2)
    covered = 0
    for _ in range(1000):
        chance = generator.uniform(0.1, 0.5, size=(rows, 1)) if rows > 1 else 0.3
        found = share_of(generator.random((rows, 200)) < chance)
        covered += found.low <= 0.3 <= found.high
    assert 920 <= covered <= 985


def test_a_skewed_mean_is_covered_from_both_sides() -> None:
    """A symmetric interval would be too low: about 91 % here, and 8 in 100 below the mean."""
    generator = np.random.default_rng(3)
    found = [mean_of(generator.lognormal(size=(1, 100))) for _ in range(1000)]
    truth = np.exp(0.5)
    assert sum(e.low <= truth <= e.high for e in found) >= 925
    assert sum(e.high < truth for e in found) <= 60


def test_an_interval_for_mirrored_values_is_the_mirror_image() -> None:
    values = np.random.default_rng(4).exponential(size=(1, 50))
    here, there = mean_of(values), mean_of(-values)
    assert (here.low, here.high) == pytest.approx((-there.high, -there.low))
    assert here.high - here.value > here.value - here.low, "the long tail is on this side"


def test_all_alike() -> None:
    assert mean_of(np.full((3, 4), 7)) == Estimate(7.0, 7.0, 7.0)


def test_nothing_seen_is_not_nothing_possible() -> None:
    assert share_of(np.zeros((1, 1000), dtype=bool)).high == pytest.approx(0.0038, abs=1e-4)
    # A hundred sets of means say no more than a hundred runs.
    assert share_by_row(np.zeros(100), 100_000).high == pytest.approx(0.037, abs=1e-3)


def test_an_interval_stays_within_what_was_seen() -> None:
    found = mean_of(np.array([[1.0, 1.0, 1.0, 100.0]]))
    assert found.low >= 1.0
    assert found.high <= 100.0
