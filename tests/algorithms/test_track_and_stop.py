"""Track-and-Stop against its definition, and what the paper says of it."""

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog

from goodarm import Instance, instances, simulate
from goodarm.algorithms import find_algorithm, track_and_stop
from goodarm.errors import InputError
from goodarm.outcomes.record import make_record
from goodarm.rng import decision_uniform, split
from goodarm.simulation import trace
from goodarm.simulation.job import make_job
from goodarm.simulation.loops.replay import plain_run

UNEQUAL = Instance(0.2, [0.4, 0.3, 0.1, -0.5], sigma=[1.0, 2.0, 0.5, 1.0], name="unequal")
BERNOULLI = Instance(0.5, [0.6, 0.6, 0.4, 0.2], kind="bernoulli", name="coins")
BAD_COINS = Instance(0.7, [0.5, 0.5, 0.5], kind="bernoulli", name="bad coins")
SEED = 9


def gaps_at(instance, steps, t):
    arms = np.array([s.arm for s in steps[:t]])
    values = np.array([s.value for s in steps[:t]])
    means = np.array([values[arms == a].mean() for a in range(instance.K)])
    return (means - instance.threshold) / instance.sigmas


def allocation(gaps, t, number):
    """w(t); of several largest means the decision stream's number 1 picks one."""
    if gaps.max() < 0:
        return gaps**-2 / (gaps**-2).sum()
    tied = np.flatnonzero(gaps >= gaps.max() - 1e-12)
    u = decision_uniform(*split(SEED), *split(number), t, 1)
    return np.eye(len(gaps))[tied[int(u * len(tied))]]


def with_floor(shares, least):
    """max(w − λ, least) with sum 1, λ by bisection."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if np.maximum(shares - middle, least).sum() > 1.0:
            low = middle
        else:
            high = middle
    return np.maximum(shares - low, least)


@pytest.mark.parametrize("floor", [0.5, 1.0])
@pytest.mark.parametrize(
    "instance", [instances["NoA2"], UNEQUAL, BERNOULLI, BAD_COINS], ids=lambda i: i.name
)
def test_tracks_the_allocation_with_a_floor(instance, floor) -> None:
    K = instance.K
    raised = 0
    for number in range(3):
        spec = f"TaS[floor={floor}]"
        job = make_job(spec, instance, "anytime", 200, SEED, outcome="sub-gaussian")
        steps = list(trace(job, number))
        wanted = np.zeros(K)
        for t in range(K, len(steps)):
            least = floor / math.sqrt(K**2 + t)
            shares = allocation(gaps_at(instance, steps, t), t, number)
            raised += (shares < least).any() and shares.max() < 1.0
            wanted += with_floor(shares, least)
            counts = np.bincount([s.arm for s in steps[:t]], minlength=K)
            assert (wanted - counts)[steps[t].arm] >= (wanted - counts).max() - 1e-7
    assert raised > 10 or instance.means.max() > instance.threshold


def test_the_floor_moves_no_share_further_than_needed() -> None:
    """The largest difference is the least that a linear program finds."""
    rng = np.random.default_rng(4)
    for K in (1, 2, 5, 12):
        job = make_job("TaS[floor=1]", Instance(0.0, [-1.0] * K), "anytime", 2 * K, SEED)
        _, run = plain_run(job, 0)
        for _ in range(10):
            inverse_squares = rng.standard_normal(K) ** -2
            shares = inverse_squares / inverse_squares.sum()
            least = rng.uniform(0.2, 0.95) / K
            for a in range(K):
                run.floats[a], run.floats[K + a], run.gaps[a] = 0.0, inverse_squares[a], -1.0
            track_and_stop.add_with_floor(run, 0, least)
            moved = np.array(run.floats[:K])
            assert moved.sum() == pytest.approx(1.0, abs=1e-12)
            assert moved.min() >= least
            rows = np.vstack([np.eye(K), -np.eye(K)])
            best = linprog(
                np.append(np.zeros(K), 1.0),
                A_ub=np.column_stack([rows, -np.ones(2 * K)]),
                b_ub=np.concatenate([shares, -shares]),
                A_eq=[[1.0] * K + [0.0]],
                b_eq=[1.0],
                bounds=[(least, 1.0)] * K + [(0.0, None)],
            )
            assert np.abs(moved - shares).max() == pytest.approx(best.fun, abs=1e-9)


# The means of 1,000 runs and their standard errors, δ = 0.001, θ = 0.5, σ = 1: what Li and Cheung
# (2025) recorded of their Track-and-Stop.
RECORDED = [
    ([0.65] + [0.5] * 9, 3148.9, 101.6),
    ([0.65] * 2 + [0.5] * 8, 2366.1, 31.8),
    ([0.65] * 10, 2257.4, 28.9),
    ([0.25] * 10, 7364.9, 34.3),
    ([0.65] * 5 + [0.5] * 15, 3171.0, 33.4),
]


@pytest.mark.parametrize(("means", "mean", "error"), RECORDED)
def test_with_floor_1_it_is_the_one_that_see_was_compared_with(means, mean, error) -> None:
    instance = Instance(0.5, means, name="recorded")
    result = simulate(instance, "TaS[floor=1]", delta=0.001, boundary="glr", runs=600, seed=8)
    ours = result["TaS[floor=1]"]
    assert abs(ours.mean - mean) < 3.5 * math.hypot(ours.se, error)


def test_a_floor_is_at_most_one() -> None:
    with pytest.raises(InputError, match=r"floor.*from 0 .*to 1"):
        find_algorithm("TaS[floor=2]")
    for text in ("TaS[floor=0.123456789]", "TaS[floor=1]", "TaS"):
        assert pickle.loads(pickle.dumps(find_algorithm(text))).label == text


@pytest.mark.parametrize(
    "instance",
    [instances["NoA2"], instances["Thr2"], UNEQUAL, BERNOULLI, BAD_COINS],
    ids=lambda i: i.name,
)
def test_tracks_the_allocation(instance) -> None:
    K = instance.K
    forced = 0
    for number in range(4):
        job = make_job("TaS", instance, "anytime", 250, SEED, outcome="sub-gaussian")
        steps = list(trace(job, number))
        wanted = np.zeros(K)
        for t in range(K, len(steps)):
            wanted += allocation(gaps_at(instance, steps, t), t, number)
            counts = np.bincount([s.arm for s in steps[:t]], minlength=K)
            if (counts <= math.sqrt(t) - K / 2).any():
                forced += 1
                assert counts[steps[t].arm] == counts.min()
            else:
                assert (wanted - counts)[steps[t].arm] >= (wanted - counts).max() - 1e-9
    assert forced > 10


@pytest.mark.parametrize("spec", ["TaS", "TaS[floor=1]"])
@pytest.mark.parametrize("instance", [instances["NoA2"], BERNOULLI], ids=lambda i: i.name)
def test_the_allocations_sum_to_the_time(instance, spec) -> None:
    """One allocation is added an observation, from the K-th on."""
    job = make_job(spec, instance, "anytime", 300, SEED)
    algorithm = job.algorithm
    _, run = plain_run(job, 0)
    record = make_record(job.outcome.functions)
    for step in trace(job, 0):
        record(run, step.arm, step.value)
        algorithm.observe(run, step.t, step.arm, step.value)
        total = sum(run.floats[: instance.K])
        assert total == pytest.approx(max(step.t - instance.K + 1, 0), rel=1e-12)


@pytest.mark.parametrize("spec", ["TaS", "TaS[floor=1]"])
@pytest.mark.parametrize("instance", [UNEQUAL, BERNOULLI, BAD_COINS], ids=lambda i: i.name)
def test_compiled_equals_plain(instance, spec) -> None:
    result = simulate(instance, spec, delta=0.1, cap=1500, runs=6, seed=4)[spec]
    job = make_job(spec, instance, "fixed-confidence", 1500, 4, 0.1)
    for number in range(6):
        steps = list(trace(job, number))
        assert len(steps) == result.stopping_times[number]
        assert steps[-1].answer == result.answers[number]


def test_more_good_arms_hurt_the_others_but_not_tas_and_apgai() -> None:
    """The paper's figure on TwoG: APGAI does not depend on the number of good arms, TaS is close
    to it, and the rules with an exploration bonus for every good arm are worse, and get worse."""
    rules = ["APGAI", "TaS", "HDoC", "LUCB-G", "MS"]
    few, many = (
        simulate(f"TwoG:100:{g}", rules, delta=0.01, boundary="glr", runs=150) for g in (5, 95)
    )
    assert many["APGAI"].mean < 1.05 * few["APGAI"].mean
    for result in (few, many):
        assert result["TaS"].mean < 2 * result["APGAI"].mean
        for name in ("HDoC", "LUCB-G", "MS"):
            assert result[name].mean > 2.5 * result["TaS"].mean
    for name in ("HDoC", "LUCB-G", "MS"):
        assert many[name].mean - few[name].mean > 4 * math.hypot(many[name].se, few[name].se)


@pytest.mark.parametrize("name", ["NoA1", "NoA2"])
def test_without_a_good_arm_apgai_is_best_and_uniform_far_worse_than_all(name) -> None:
    rules = ["APGAI", "TaS", "HDoC", "LUCB-G", "MS", "S-TaS"]
    result = simulate(
        name, [*rules, "Unif"], delta=0.01, boundary="glr", cap=60_000, runs=200, seed=2
    )
    best = result["APGAI"].mean
    assert all(best <= result[rule].mean for rule in rules)
    assert all(result["Unif"].mean > 1.4 * result[rule].mean for rule in rules)
    assert result["Unif"].mean > 1.8 * best


def test_how_a_machine_rounds_decides_nothing(monkeypatch) -> None:
    """A GPU adds a product with one rounding, not two; with few coins that used to break ties."""
    coins = Instance(0.3, [0.01, 0.12, 0.14], kind="bernoulli", name="three coins")
    runs = [
        (make_job(spec, coins, "fixed-budget", 30, seed=SEED), number)
        for spec, count in (("TaS", 200), ("TaS[floor=1]", 40))
        for number in range(count)
    ]
    before = [[s.arm for s in trace(job, number)] for job, number in runs]

    def spread_with_one_rounding(run) -> None:
        K = len(run.counts)
        share = Fraction(1.0 / sum(run.floats[K + a] for a in range(K)))
        for a in range(K):
            run.floats[a] = float(share * Fraction(run.floats[K + a]) + Fraction(run.floats[a]))

    def floor_with_one_rounding(run, top, least) -> None:
        K = len(run.counts)
        shares = np.eye(K)[top] if run.gaps[top] >= 0 else np.array(run.floats[K : 2 * K])
        for a, share in enumerate(with_floor(shares / shares.sum(), least)):
            run.floats[a] = float(Fraction(run.floats[a]) + Fraction(share))

    monkeypatch.setattr(track_and_stop, "spread", spread_with_one_rounding)
    monkeypatch.setattr(track_and_stop, "add_with_floor", floor_with_one_rounding)
    assert [[s.arm for s in trace(job, number)] for job, number in runs] == before
