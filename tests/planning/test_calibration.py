"""A plan's 95 % intervals contain what a large, independent simulation finds: 95 times in 100.

One plan proves nothing: one in twenty is meant to miss. So many small plans are made, each with a
seed of its own, and those that hit are counted.
"""

import numpy as np
import pytest
from scipy import stats

from goodarm import Instance, plan, simulate
from goodarm.outcomes import Bernoulli
from goodarm.planning.question import draw_means, read_guess
from goodarm.planning.simulations import (
    Allowance,
    Estimate,
    Scenario,
    Simulator,
    endings,
    mean_of,
)
from goodarm.simulation.chunk import play_chunk
from goodarm.simulation.job import make_job

POINTS = [0.3, 0.4, 0.8]
RANGES = ["0.3..0.45", 0.4, "0.7..0.9"]
BAR, DELTA, LIMIT, RUNS = 0.5, 0.05, 100_000, 400


def mean_trials(algorithm: str, guesses: list, seed: int) -> Estimate:
    """The interval of a small plan, without its other parts."""
    sets = draw_means([read_guess(guess, Bernoulli()) for guess in guesses], seed)
    problems = [Instance(BAR, row.tolist(), kind="bernoulli") for row in sets]
    scenario = Scenario(algorithm, problems, "fixed-confidence", LIMIT, DELTA)
    simulator = Simulator(seed, RUNS, 1.0, None, lambda share: None)
    return mean_of(endings(simulator.many(scenario, Allowance(1, 1))).times)


def assert_calibrated(algorithm: str, guesses: list, truth: float, plans: int) -> None:
    found = [mean_trials(algorithm, guesses, seed) for seed in range(plans)]
    hits = sum(interval.low <= truth <= interval.high for interval in found)
    assert stats.binomtest(hits, plans, 0.95).pvalue > 0.001, f"{hits} of {plans}"


@pytest.mark.parametrize("guesses", [POINTS, RANGES])
def test_the_intervals_looked_at_here_are_those_of_a_plan(guesses: list) -> None:
    question = {"threshold": BAR, "outcome": "bernoulli", "delta": DELTA}
    made = plan(guesses, **question, runs=RUNS, seed=3, algorithms=["APGAI"])
    assert made.algorithms[0].trials.mean == mean_trials("APGAI", guesses, 3)


@pytest.mark.parametrize("algorithm", ["APGAI-FE", "APGAI"])
def test_with_a_guess_for_each_option(algorithm: str) -> None:
    instance = Instance(BAR, POINTS, kind="bernoulli")
    large = simulate(instance, algorithm, delta=DELTA, cap=LIMIT, runs=500_000, seed=2**40)
    assert_calibrated(algorithm, POINTS, large[algorithm].mean, plans=300)


@pytest.mark.slow
def test_with_ranges() -> None:
    """The truth is an average over sets of means that no plan has drawn."""
    sets = np.random.default_rng(2**40).uniform([0.3, 0.4, 0.7], [0.45, 0.4, 0.9], size=(4000, 3))
    times = []
    for number, means in enumerate(sets):
        instance = Instance(BAR, means.tolist(), kind="bernoulli")
        job = make_job("APGAI-FE", instance, "fixed-confidence", LIMIT, 2**40 + number, DELTA)
        times.append(play_chunk(job, 0, 20).stopping_times.mean())
    assert_calibrated("APGAI-FE", RANGES, float(np.mean(times)), plans=150)
