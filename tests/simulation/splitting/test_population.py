"""Populations of runs: they go on as single runs do, on a CPU and in the logic for a GPU."""

import math
import os
import subprocess
import sys

import numpy as np
import pytest
from scipy.stats import norm

from goodarm import Instance
from goodarm.simulation import trace
from goodarm.simulation.job import make_job
from goodarm.simulation.splitting.population import Population

SOME = Instance(0.0, [0.5, 0.2, -0.2, -0.6], sigma=[1.0, 2.0, 1.0, 0.5], name="some")
NONE = Instance(0.1, [-0.3, -0.5, -0.4], sigma=[1.0, 1.5, 1.0], name="none")
COINS = Instance(0.5, [0.7, 0.4, 0.2], kind="bernoulli", name="coins")
ALGORITHMS = ("Unif", "Scout", "MS", "DSR-G")  # each is compiled: not more of them
SIZE = 60
FIRST = np.arange(SIZE, dtype=np.int32)


def job_of(algorithm: str, instance: Instance, horizon: int = 40, seed: int = 3):
    return make_job(algorithm, instance, "anytime", horizon, seed, times=[horizon])


def same_states(first: Population, second: Population) -> bool:
    return all(
        np.array_equal(getattr(first.new, name), getattr(second.new, name))
        for name in first.new._fields
        if name != "spare"  # what is left of blocks that are used up
    )


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("instance", [SOME, NONE], ids=lambda instance: instance.name)
def test_a_run_that_is_interrupted_goes_on_as_if_it_were_not(algorithm, instance) -> None:
    """With the same number, a run continues the same stream: at odd and at even counts."""
    whole, pieces = (Population(job_of(algorithm, instance), SIZE) for _ in range(2))
    bins, factors = whole.play(FIRST, 0, 40, 0)
    shares = np.ones(SIZE)
    for begin, end in ((0, 3), (3, 4), (4, 17), (17, 40)):
        found, more = pieces.play(FIRST, begin, end, 0)
        shares *= more
    assert (found == bins).all()
    assert shares == pytest.approx(factors, rel=1e-12)
    assert same_states(whole, pieces)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_runs_that_are_not_stretched_are_the_simulators(algorithm) -> None:
    job = job_of(algorithm, COINS)
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


@pytest.mark.parametrize("algorithm", ["Scout", "MS"])
def test_clones_are_the_same_until_they_are_played_on(algorithm) -> None:
    population = Population(job_of(algorithm, SOME), SIZE)
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
for algorithm, instance in (("Scout", some), ("DSR-G", none), ("MS", some), ("Scout", coins)):
    job = make_job(algorithm, instance, "anytime", 30, 3, times=[30])
    ours, theirs = GpuPopulation(job, size), Population(job, size)
    source = np.arange(size, dtype=np.int32)
    number = 0
    for begin, end in ((0, 2), (2, 7), (7, 20)):
        bins, factors = ours.play(source, begin, end, number)
        wanted, shares = theirs.play(source, begin, end, number)
        assert (bins == wanted).all(), (algorithm, end)
        assert np.allclose(factors, shares, rtol=1e-12), (algorithm, end)
        assert (ours.new.counts.copy_to_host() == theirs.new.counts).all(), (algorithm, end)
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
