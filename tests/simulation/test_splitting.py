"""Splitting: its parts against plain reckonings, its estimates against counts and exact errors."""

import json
import math
import os
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

from goodarm import InputError, Instance, simulate
from goodarm.outcomes import Gaussian
from goodarm.outcomes.record import make_record
from goodarm.rng import uniform
from goodarm.run import new_run
from goodarm.simulation import trace
from goodarm.simulation.chunk import new_control
from goodarm.simulation.job import make_job
from goodarm.simulation.loops.kernel import CANCEL
from goodarm.simulation.splitting import RareErrors, rare_errors
from goodarm.simulation.splitting.estimate import looks, split_runs
from goodarm.simulation.splitting.nearness import (
    BINS,
    LOW,
    LOW_NONE,
    PLACES,
    WIDTH,
    WIDTH_NONE,
    bin_of,
    largest_sum,
    margin,
    steepness,
    stretch,
    tails,
)
from goodarm.simulation.splitting.population import Population
from goodarm.simulation.splitting.resampling import rearrange, resample

SOME = Instance(0.0, [0.5, 0.2, -0.2, -0.6], sigma=[1.0, 2.0, 1.0, 0.5], name="some")
NONE = Instance(0.1, [-0.3, -0.5, -0.4], sigma=[1.0, 1.5, 1.0], name="none")
COINS = Instance(0.5, [0.7, 0.4, 0.2], kind="bernoulli", name="coins")
BELOW = Instance(
    0.0, [-0.5, -0.2, 0.2, 0.6], sigma=[1.0, 2.0, 1.0, 0.5], goal="below", name="less is good"
)
RULES = ("Unif", "Scout", "MS", "DSR-G")  # each is compiled: not more of them
COUNTED = Path(__file__).parents[2] / "docs" / "data" / "error_decay.json"


def name_of(instance: Instance) -> str:
    return instance.name


def job_of(rule: str, instance: Instance, horizon: int = 40, seed: int = 3):
    return make_job(rule, instance, "anytime", horizon, seed, times=[horizon])


# Resampling.


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


# Nearness.


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
    assert place == PLACES - 1 or distance < low + (place + 1) * width + slack


@given(histories, st.lists(st.booleans(), min_size=4, max_size=4).filter(any), st.booleans())
def test_the_margin_where_some_arm_is_good(history, good, wrong) -> None:
    run, seen = played(SOME, history)
    W = [sum(x) / math.sqrt(len(x)) if x else 0.0 for x in seen]
    G = max(w for w, is_good in zip(W, good, strict=True) if is_good)
    B = max((w for w, is_good in zip(W, good, strict=True) if not is_good), default=0.0)
    expected = G - max(B, 0.0) if G > 0.0 else min(G - B, 0.0)
    assert margin(run, good) == pytest.approx(expected, abs=1e-9)
    check_bin(bin_of(run, wrong, good, True, steepness(SOME)), wrong, LOW, WIDTH, expected)


@given(histories, st.booleans())
def test_the_largest_sum_where_no_arm_is_good(history, wrong) -> None:
    run, seen = played(NONE, history)
    gaps = (NONE.threshold - NONE.means) / NONE.sigmas
    sums = [2.0 * gap * sum(x) for gap, x in zip(gaps, seen, strict=True) if x]
    expected = max(sums, default=-math.inf)
    steep = steepness(NONE)
    assert largest_sum(run, steep) == pytest.approx(expected, abs=1e-9)
    found = bin_of(run, wrong, [0] * NONE.K, False, steep)
    check_bin(found, wrong, LOW_NONE, WIDTH_NONE, -expected)


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


# Populations.

SIZE = 60
FIRST = np.arange(SIZE, dtype=np.int32)


def same_states(first: Population, second: Population) -> bool:
    return all(
        np.array_equal(getattr(first.new, name), getattr(second.new, name))
        for name in first.new._fields
        if name != "spare"  # what is left of blocks that are used up
    )


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("instance", [SOME, NONE], ids=name_of)
def test_a_run_that_is_interrupted_goes_on_as_if_it_were_not(rule, instance) -> None:
    """With the same number, a run continues the same stream: at odd and at even counts."""
    whole, pieces = (Population(job_of(rule, instance), SIZE) for _ in range(2))
    bins, factors = whole.play(FIRST, 0, 40, 0)
    shares = np.ones(SIZE)
    for begin, end in ((0, 3), (3, 4), (4, 17), (17, 40)):
        found, more = pieces.play(FIRST, begin, end, 0)
        shares *= more
    assert (found == bins).all()
    assert shares == pytest.approx(factors, rel=1e-12)
    assert same_states(whole, pieces)


@pytest.mark.parametrize("rule", RULES)
def test_runs_that_are_not_stretched_are_the_simulators(rule) -> None:
    job = job_of(rule, COINS)
    population = Population(job, SIZE)
    _, factors = population.play(FIRST, 0, 40, 0)
    assert (factors == 1.0).all()
    for number in (0, 7, SIZE - 1):
        steps = list(trace(job, number))
        for a in range(COINS.K):
            values = [step.value for step in steps if step.arm == a]
            assert population.new.counts[a, number] == len(values)
            assert population.new.sums[a, number] == sum(values)


def test_bins_and_factors_are_those_of_the_states() -> None:
    population = Population(job_of("Unif", SOME), 2000)
    bins, factors = population.play(np.arange(2000, dtype=np.int32), 0, 4, 0)
    gaps = population.new.sums / SOME.sigmas[:, None]  # θ is 0, and every arm was pulled once
    G, B = gaps[:2].max(axis=0), gaps[2:].max(axis=0)
    assert ((bins & 1) == (np.maximum(B, 0.0) >= G)).all()
    assert (bins & 1).any()
    assert factors.mean() == pytest.approx(1.0, abs=0.05)
    expected = np.ones(2000)
    for arm in (0, 1):  # the good ones
        v = norm.cdf(gaps[arm] - SOME.means[arm] / SOME.sigmas[arm])
        expected /= 0.8 + 0.2 / (v * math.log(1e8))
    deep = factors > 1e-6  # deeper, Φ of a rounded number is not the quantile
    assert factors[deep] == pytest.approx(expected[deep], rel=1e-6)


@pytest.mark.parametrize("rule", ["Scout", "MS"])
def test_clones_are_the_same_until_they_are_played_on(rule) -> None:
    population = Population(job_of(rule, SOME), SIZE)
    population.play(FIRST, 0, 9, 0)
    original = population.new.sums[:, 7].copy()
    chosen = np.full(SIZE, 7, dtype=np.int32)
    bins, factors = population.play(chosen, 9, 9, SIZE)
    assert (population.new.sums == original[:, None]).all()
    assert len(set(bins.tolist())) == 1
    assert (factors == 1.0).all()
    population.play(chosen, 9, 20, 2 * SIZE)
    assert (population.new.counts.sum(axis=0) == 20).all()
    assert len({tuple(sums) for sums in population.new.sums.T}) == SIZE


def test_new_numbers_give_new_outcomes() -> None:
    first, second = (Population(job_of("Unif", SOME), SIZE) for _ in range(2))
    for population, number in ((first, 0), (second, SIZE)):
        population.play(FIRST, 0, 9, 0)
        population.play(FIRST, 9, 13, number)
        assert (population.new.counts.sum(axis=0) == 13).all()
    assert (first.new.sums != second.new.sums).all()


# Estimates.


def close(found: RareErrors, rates, noise, times=5.0) -> None:
    """The same within so many standard errors, which are small enough to say something."""
    rates = np.asarray(rates)
    both = np.hypot(found.standard_errors, noise)
    assert (found.standard_errors < 0.3 * rates).all()
    assert (np.abs(found.error_rates - rates) <= times * both).all()


@pytest.mark.parametrize(
    ("rule", "instance", "outcome"),
    [(rule, instance, "sub-gaussian") for rule in RULES for instance in (SOME, NONE, COINS)]
    + [("Scout", COINS, "bernoulli"), ("Scout", BELOW, "sub-gaussian")],
)
def test_estimates_agree_with_counts(rule, instance, outcome) -> None:
    times = [20, 40, 60]
    found = rare_errors(instance, rule, times, outcome=outcome, islands=16, island=512, seed=5)
    counted = simulate(
        instance, rule, horizon=60, times=times, outcome=outcome, runs=20_000, seed=1
    )[rule]
    assert counted.defined.all()
    p = counted.error_counts / 20_000
    close(found, p, np.sqrt(p * (1.0 - p) / 20_000))


def test_the_exact_error_of_uniform_sampling_without_a_good_arm() -> None:
    instance = Instance(0.0, [-0.5, -0.6], name="two bad")
    n = np.array([4, 16, 40, 64, 88])
    exact = -np.expm1(sum(norm.logcdf(gap * np.sqrt(n)) for gap in (0.5, 0.6)))
    assert exact[-1] < 2e-6
    close(rare_errors(instance, "Unif", 2 * n, islands=16, island=1024, seed=2), exact, 0.0)


def test_the_exact_error_of_uniform_sampling_with_a_good_arm() -> None:
    """The good arm is below θ, or above and the other further."""
    instance = Instance(0.0, [0.6, -0.4], name="good and bad")
    n = np.array([4, 16, 40, 64])
    exact = []
    for good, bad in zip(0.6 * np.sqrt(n), -0.4 * np.sqrt(n), strict=True):

        def behind(w: float, good=good, bad=bad) -> float:
            return norm.pdf(w - good) * norm.sf(w - bad)

        exact.append(norm.cdf(-good) + quad(behind, 0.0, good + 9.0, epsabs=1e-14)[0])
    assert exact[-1] < 2e-6
    close(rare_errors(instance, "Unif", 2 * n, islands=16, island=1024, seed=2), exact, 0.0)


@pytest.mark.parametrize(
    ("name", "rule", "times"),
    [("NoA1", "Unif", [250, 330, 370]), ("Thr1", "MS", [180, 260, 340])],
)
def test_estimates_agree_with_a_hundred_million_runs(name, rule, times) -> None:
    rows = json.loads(COUNTED.read_text())
    row = next(r for r in rows if (r["instance"], r["rule"]) == (name, rule))
    counts = np.array(row["counts"])
    places = [min(range(60), key=lambda i, t=t: abs(row["times"][i] - t)) for t in times]
    runs = row["runs_per_part"] * len(counts)
    p = counts.sum(axis=0)[places] / runs
    assert 1e-6 < p[-1] < 2e-4
    asked = [row["times"][place] for place in places]
    found = rare_errors(name, rule, asked, islands=8, island=1024, seed=4, threads=2)
    close(found, p, np.sqrt(p / runs))


def test_a_seed_gives_one_result_however_many_threads() -> None:
    def estimates(**how):
        how = {"seed": 1} | how
        return rare_errors(SOME, "Scout", [10, 50], islands=3, island=200, **how).estimates

    first = estimates()
    assert (first == estimates()).all()
    assert (first == estimates(threads=2)).all()
    assert (first == estimates(threads=7)).all()
    assert (first != estimates(seed=2)).all()
    assert len(set(first[:, 1].tolist())) == 3  # islands differ


def test_means_and_standard_errors_of_the_islands() -> None:
    found = RareErrors((1, 2), np.array([[1.0, 0.0], [3.0, 0.0], [5.0, np.nan]]), 0)
    assert found.error_rates[0] == 3.0
    assert found.standard_errors[0] == pytest.approx(2.0 / math.sqrt(3.0))
    assert math.isnan(found.error_rates[1])
    assert math.isnan(found.standard_errors[1])


def test_it_ends_where_the_rule_hardly_errs() -> None:
    instance = Instance(0.0, [-2.0, -2.0], name="easy")
    found = rare_errors(instance, "Unif", [4, 20, 40, 80], islands=4, island=500)
    assert 0.0 < found.error_rates[1] < 1e-8 < found.error_rates[0]
    assert np.isnan(found.estimates[:, 2:]).all()
    assert found.pulls == 4 * 500 * 20


def test_times_are_sorted_and_taken_once() -> None:
    found = rare_errors(NONE, "Unif", [30, 6, 30], islands=2, island=150)
    assert found.times == (6, 30)
    assert found.pulls == 300 * 30
    in_order = rare_errors(NONE, "Unif", [6, 30], islands=2, island=150)
    assert (found.estimates == in_order.estimates).all()


def test_it_can_be_cancelled() -> None:
    job, control = job_of("Unif", NONE), new_control()
    control[CANCEL] = 1
    found = split_runs(job, 2, 150, Population(job, 300), control)
    assert np.isnan(found.estimates).all()
    assert found.pulls == 300


@given(st.sets(st.integers(1, 5000), min_size=1, max_size=5))
def test_looks_come_after_every_pull_at_first_and_at_every_time(times) -> None:
    found = looks(sorted(times))
    assert found == sorted(set(found))
    assert times <= set(found)
    assert found[-1] == max(times)
    assert found[: min(40, max(times))] == list(range(1, min(40, max(times)) + 1))
    for before, after in pairwise(found):
        assert after <= 1.025 * (before + 1) + 1


@pytest.mark.parametrize(
    ("rule", "times", "how", "message"),
    [
        ("Unif", [], {}, "times: the list is empty"),
        ("Unif", [0], {}, "times: 0 is outside"),
        ("Unif", [2.5], {}, "times: 2.5 is not a whole number"),
        ("Unif", [10], {"islands": 1}, "islands: 1 is outside 2"),
        ("Unif", [10], {"island": BINS - 1}, f"island: {BINS - 1} is outside {BINS}"),
        ("Unif", [10], {"device": "gpu"}, "device"),
        ("Unif", [10], {"seed": -1}, "seed"),
        ("LUCB-G", [10], {}, "LUCB-G.*anytime"),
        ("Unify", [10], {}, "did you mean 'Unif'"),
    ],
)
def test_wrong_input(rule, times, how, message) -> None:
    with pytest.raises(InputError, match=message):
        rare_errors("NoA1", rule, times, **how)


# On a GPU.

SIMULATED = """
import warnings
warnings.simplefilter("error")
import numpy as np
from goodarm import Instance
from goodarm.simulation.job import make_job
from goodarm.simulation.splitting.gpu import GpuPopulation
from goodarm.simulation.splitting.population import Population

some = Instance(0.0, [0.5, -0.2, 0.1])
none = Instance(0.5, [0.3, 0.2, 0.1], kind=["bernoulli", "gaussian", "gaussian"])
chance = np.random.default_rng(0)
size = 150  # more than a block
coins = Instance(0.3, [0.2, 0.4, 0.5], kind="bernoulli", goal="below")
for rule, instance in (("Scout", some), ("DSR-G", none), ("MS", some), ("Scout", coins)):
    job = make_job(rule, instance, "anytime", 30, 3, times=[30])
    ours, theirs = GpuPopulation(job, size), Population(job, size)
    source = np.arange(size, dtype=np.int32)
    number = 0
    for begin, end in ((0, 2), (2, 7), (7, 20)):
        bins, factors = ours.play(source, begin, end, number)
        wanted, shares = theirs.play(source, begin, end, number)
        assert (bins == wanted).all(), (rule, end)
        assert np.allclose(factors, shares, rtol=1e-12), (rule, end)
        assert (ours.new.counts.copy_to_host() == theirs.new.counts).all(), (rule, end)
        source = chance.integers(0, size, size).astype(np.int32)
        number += size
    assert len(set(bins.tolist())) > 5
print("equal")
"""


def test_the_gpus_logic_in_numbas_simulator() -> None:
    pytest.importorskip("numba_cuda", reason="numba-cuda is not installed")
    done = subprocess.run(
        [sys.executable, "-c", SIMULATED],
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
    )
    assert done.stdout == "equal\n", done.stderr[-3000:]


def test_before_a_rule_has_an_answer_nothing_is_estimated() -> None:
    found = rare_errors("Thr1", "DSR-G", [5, 11, 200], islands=2, island=BINS)
    played = simulate("Thr1", "DSR-G", horizon=200, times=[5, 11, 200], runs=20)["DSR-G"]
    assert (np.isnan(found.error_rates) == ~played.defined).all()
    assert played.defined.tolist() == [False, False, True]
