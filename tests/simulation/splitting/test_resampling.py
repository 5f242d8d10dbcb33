"""Resampling against plain reckoning: what a bin keeps, and who is continued how often."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goodarm.simulation.splitting.nearness import BINS
from goodarm.simulation.splitting.resampling import rearrange, resample


class Fixed:
    """A source of random numbers that are all the same."""

    def __init__(self, number: float) -> None:
        self.number = number

    def random(self, shape):
        return np.full(shape, self.number)


@st.composite
def populations(draw):
    """Bins, weights, and the size of an island; the lower a bin, the less it weighs."""
    chance = np.random.default_rng(draw(st.integers(0, 10**6)))
    islands, island = draw(st.integers(1, 3)), draw(st.integers(BINS, BINS + 70))
    there = chance.choice(BINS, draw(st.sampled_from([1, 2, 5, 30, BINS])), replace=False)
    bins = chance.choice(there, islands * island).astype(np.int32)
    steep = draw(st.sampled_from([0.0, 4.0, 13.0]))
    weights = 10.0 ** (-steep * (BINS - bins) / BINS - 3.0 * chance.random(len(bins)))
    return bins, weights / island, island


def groups_of(bins, weights):
    """Of one island: the bin of every run; the lowest, as long as they are light, are one."""
    heap, total = 0, 0.0
    for b in sorted(set(bins.tolist())):
        heap, total = b, total + weights[bins == b].sum()
        if total >= 1e-8:
            break
    return np.maximum(bins, heap)


@settings(max_examples=60)
@given(populations(), st.integers(0, 1000))
def test_every_bin_keeps_its_weight_and_gets_its_places(population, seed) -> None:
    bins, weights, island = population
    source, fresh = resample(bins, weights, island, np.random.default_rng(seed))
    plain, light = np.full(len(bins), -1, dtype=np.int32), np.full(len(bins), np.nan)
    offsets = np.random.default_rng(seed).random((len(bins) // island, BINS))
    rearrange(bins, weights, island, offsets, plain, light)
    assert (source == plain).all()
    assert (fresh == light).all()
    assert (source // island == np.arange(len(bins)) // island).all()  # islands never mix
    assert fresh.sum() == pytest.approx(weights.sum(), rel=1e-9)
    for first in range(0, len(bins), island):
        here = slice(first, first + island)
        groups = groups_of(bins[here], weights[here])
        of_place = groups[source[here] - first]
        sizes = Counter(of_place.tolist())
        assert sorted(sizes) == sorted(set(groups.tolist()))
        assert max(sizes.values()) - min(sizes.values()) <= 1
        for group, size in sizes.items():
            total = weights[here][groups == group].sum()
            assert fresh[here][of_place == group] == pytest.approx([total / size] * size, rel=1e-9)


@settings(max_examples=15)
@given(populations())
def test_a_run_is_continued_in_proportion_to_its_weight(population) -> None:
    """Each time the next whole number up or down; on average over all offsets, exactly."""
    bins, weights, island = population
    fine = 100
    copies = []
    for k in range(fine):
        source, _ = resample(bins, weights, island, Fixed((k + 0.5) / fine))
        copies.append(np.bincount(source, minlength=len(bins)))
    wanted = np.empty(len(bins))
    for first in range(0, len(bins), island):
        here = slice(first, first + island)
        groups = groups_of(bins[here], weights[here])
        names, number = np.unique(groups, return_inverse=True)
        totals = np.bincount(number, weights[here])
        sizes = np.bincount(np.searchsorted(names, groups[source[here] - first]))
        wanted[here] = (sizes / totals)[number] * weights[here]
    assert (np.abs(np.array(copies) - wanted) < 1.0 + 1e-6).all()
    assert np.mean(copies, axis=0) == pytest.approx(wanted, abs=1.0 / fine + 1e-6)


def test_equal_runs_in_one_bin_all_go_on() -> None:
    for number in (0, 77, BINS - 1):
        bins, weights = np.full(300, number, dtype=np.int32), np.full(300, 1.0 / 150)
        source, fresh = resample(bins, weights, 150, Fixed(0.3))
        assert source.tolist() == list(range(300))
        assert fresh == pytest.approx(weights)


def test_a_heavy_run_takes_the_places_of_light_ones() -> None:
    weights = np.array([1.0] + [1e-12] * 199)
    source, fresh = resample(np.full(200, 40, dtype=np.int32), weights, 200, Fixed(0.5))
    assert (source == 0).all()
    assert fresh == pytest.approx(np.full(200, 1.0 / 200))
