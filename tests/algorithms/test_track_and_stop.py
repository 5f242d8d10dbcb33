"""Track-and-Stop against its definition, and what the paper says of it."""

import math
from fractions import Fraction

import numpy as np
import pytest

from goodarm import Instance, instances, simulate
from goodarm.algorithms import track_and_stop
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


@pytest.mark.parametrize("instance", [instances["NoA2"], BERNOULLI], ids=lambda i: i.name)
def test_the_allocations_sum_to_the_time(instance) -> None:
    """One allocation is added an observation, from the K-th on."""
    job = make_job("TaS", instance, "anytime", 300, SEED)
    algorithm = job.algorithm
    _, run = plain_run(job, 0)
    record = make_record(job.outcome.functions)
    for step in trace(job, 0):
        record(run, step.arm, step.value)
        algorithm.observe(run, step.t, step.arm, step.value)
        total = sum(run.floats[: instance.K])
        assert total == pytest.approx(max(step.t - instance.K + 1, 0), rel=1e-12)


@pytest.mark.parametrize("instance", [UNEQUAL, BERNOULLI, BAD_COINS], ids=lambda i: i.name)
def test_compiled_equals_plain(instance) -> None:
    result = simulate(instance, "TaS", delta=0.1, cap=1500, runs=6, seed=4)["TaS"]
    job = make_job("TaS", instance, "fixed-confidence", 1500, 4, 0.1)
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
    job = make_job("TaS", coins, "fixed-budget", 30, seed=SEED)
    before = [[s.arm for s in trace(job, number)] for number in range(200)]

    def spread_with_one_rounding(run) -> None:
        K = len(run.counts)
        share = Fraction(1.0 / sum(run.floats[K + a] for a in range(K)))
        for a in range(K):
            run.floats[a] = float(share * Fraction(run.floats[K + a]) + Fraction(run.floats[a]))

    monkeypatch.setattr(track_and_stop, "spread", spread_with_one_rounding)
    assert [[s.arm for s in trace(job, number)] for number in range(200)] == before
