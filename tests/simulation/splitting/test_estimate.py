"""Estimates of rare errors against counts and exact errors."""

import json
import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

from goodarm import InputError, Instance, simulate
from goodarm.simulation.chunk import new_control
from goodarm.simulation.job import make_job
from goodarm.simulation.loops.kernel import CANCEL
from goodarm.simulation.splitting import RareErrors, rare_errors
from goodarm.simulation.splitting.estimate import looks, split_runs
from goodarm.simulation.splitting.nearness import BINS
from goodarm.simulation.splitting.population import Population

SOME = Instance(0.0, [0.5, 0.2, -0.2, -0.6], sigma=[1.0, 2.0, 1.0, 0.5], name="some")
NONE = Instance(0.1, [-0.3, -0.5, -0.4], sigma=[1.0, 1.5, 1.0], name="none")
COINS = Instance(0.5, [0.7, 0.4, 0.2], kind="bernoulli", name="coins")
BELOW = Instance(
    0.0, [-0.5, -0.2, 0.2, 0.6], sigma=[1.0, 2.0, 1.0, 0.5], goal="below", name="less is good"
)
ALGORITHMS = ("Unif", "Scout", "MS", "DSR-G")  # each is compiled: not more of them
COUNTED = Path(__file__).parents[3] / "docs" / "data" / "error_decay.json"


def close(found: RareErrors, rates, noise, times=5.0) -> None:
    """The same within that many standard errors, which are small enough to say something."""
    rates = np.asarray(rates)
    both = np.hypot(found.standard_errors, noise)
    assert (found.standard_errors < 0.3 * rates).all()
    assert (np.abs(found.error_rates - rates) <= times * both).all()


@pytest.mark.parametrize(
    ("algorithm", "instance", "outcome"),
    [
        (algorithm, instance, "sub-gaussian")
        for algorithm in ALGORITHMS
        for instance in (SOME, NONE, COINS)
    ]
    + [("Scout", COINS, "bernoulli"), ("Scout", BELOW, "sub-gaussian")],
)
def test_estimates_agree_with_counts(algorithm, instance, outcome) -> None:
    times = [20, 40, 60]
    found = rare_errors(instance, algorithm, times, outcome=outcome, islands=16, island=512, seed=5)
    counted = simulate(
        instance, algorithm, horizon=60, times=times, outcome=outcome, runs=20_000, seed=1
    )[algorithm]
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
    ("name", "algorithm", "times"),
    [("NoA1", "Unif", [250, 330, 370]), ("Thr1", "MS", [180, 260, 340])],
)
def test_estimates_agree_with_a_hundred_million_runs(name, algorithm, times) -> None:
    rows = json.loads(COUNTED.read_text())
    row = next(r for r in rows if (r["instance"], r["rule"]) == (name, algorithm))
    counts = np.array(row["counts"])
    indices = [min(range(60), key=lambda i, t=t: abs(row["times"][i] - t)) for t in times]
    runs = row["runs_per_part"] * len(counts)
    p = counts.sum(axis=0)[indices] / runs
    assert 1e-6 < p[-1] < 2e-4
    asked = [row["times"][index] for index in indices]
    found = rare_errors(name, algorithm, asked, islands=8, island=1024, seed=4, threads=2)
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


def test_it_ends_where_the_algorithm_hardly_errs() -> None:
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
    job, control = make_job("Unif", NONE, "anytime", 40, 3, times=[40]), new_control()
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
    ("algorithm", "times", "how", "message"),
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
def test_wrong_input(algorithm, times, how, message) -> None:
    with pytest.raises(InputError, match=message):
        rare_errors("NoA1", algorithm, times, **how)


def test_before_an_algorithm_has_an_answer_nothing_is_estimated() -> None:
    found = rare_errors("Thr1", "DSR-G", [5, 11, 200], islands=2, island=BINS)
    played = simulate("Thr1", "DSR-G", horizon=200, times=[5, 11, 200], runs=20)["DSR-G"]
    assert (np.isnan(found.error_rates) == ~played.defined).all()
    assert played.defined.tolist() == [False, False, True]
