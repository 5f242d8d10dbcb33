"""PKGAI: every step against the definition, the published error rates, both widths."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import lambertw

from goodarm.algorithms.pkgai import beta_prior, beta_z
from goodarm.errors import InputError
from goodarm.experiment import Experiment
from goodarm.instance import Instance, instances
from goodarm.run import NONE
from goodarm.simulation.job import make_job
from goodarm.simulation.loops.replay import trace
from goodarm.simulation.runner import simulate

ALL = ("PKGAI(APT_P)", "PKGAI(UCB)", "PKGAI(Unif)", "PKGAI(LCB-G)")
INDEX = {
    "PKGAI(APT_P)": lambda N, d, width: np.sqrt(N) * d,
    "PKGAI(UCB)": lambda N, d, width: d + width,
    "PKGAI(Unif)": lambda N, d, width: -N,
    "PKGAI(LCB-G)": lambda N, d, width: np.sqrt(N) * (d - width),
}

# Error rates printed in the paper, from 1,000 runs: budget, then the rules in the order of ALL.
PUBLISHED = {
    "RealL": (200, (0.004, 0.0, 0.001, 0.001)),
    "IsA1": (700, (0.004, 0.0, 0.0, 0.004)),
    "IsA2": (700, (0.0, 0.0, 0.0, 0.0)),
    "NoA1": (150, (0.0, 0.0, 0.002, 0.0)),
    "NoA2": (700, (0.002, 0.007, 0.021, 0.002)),
}
# NoA2 at T = 700, an independent simulation of 100,000 runs (published.md).
NOA2 = {"PKGAI(APT_P)": 0.0055, "PKGAI(UCB)": 0.0095, "PKGAI(Unif)": 0.021, "PKGAI(LCB-G)": 0.0055}


def job_of(name, instance, budget, seed=0):
    """As the paper has it: sub-Gaussian outcomes."""
    return make_job(name, instance, "fixed-budget", budget, seed, outcome="sub-gaussian")


def check_run(name, instance, budget, beta, steps):
    """Whether every step is one that the definition allows; ties allow several arms."""
    K = instance.K
    N, sums, active = np.zeros(K), np.zeros(K), np.ones(K, dtype=bool)
    for step in steps:
        if step.t <= K:
            assert step.arm == step.t - 1
        else:
            index = INDEX[name](
                N, (sums / N - instance.threshold) / instance.sigmas, np.sqrt(beta / N)
            )
            assert active[step.arm]
            assert index[step.arm] >= index[active].max() - 1e-9
        N[step.arm] += 1.0
        sums[step.arm] += step.value
        if step.t > K:
            d = (sums / N - instance.threshold) / instance.sigmas
            active &= ~(d + np.sqrt(beta / N) < 0.0)
    d = (sums / N - instance.threshold) / instance.sigmas
    lower = d - np.sqrt(beta / N)
    assert len(steps) == budget or not active.any()
    if not active.any() or d[active].max() <= 0.0:
        assert steps[-1].answer == NONE
    else:
        assert active[steps[-1].answer]
        assert lower[steps[-1].answer] >= lower[active].max() - 1e-9
    return active


def wbar(x):
    return float(-lambertw(-math.exp(-x), -1).real)


def z(K, T, delta=0.01):
    return wbar(2.0 * math.log(K / delta) + 2.0 * math.log(2.0 + math.log(T)) + 2.0)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    ("instance", "budget"), [("NoA2", 300), ("IsA1", 200), ("Med2", 150), ("RealL", 200)]
)
def test_every_step_is_the_definitions(name, instance, budget):
    problem = instances[instance]
    for number in range(3):
        steps = list(trace(job_of(name, problem, budget, seed=2), number))
        check_run(name, problem, budget, z(problem.K, budget), steps)


@given(
    means=st.lists(st.sampled_from([0.0, 0.2, 0.5, 0.9]), min_size=1, max_size=7),
    extra=st.integers(0, 80),
    seed=st.integers(0, 2**64 - 1),
    name=st.sampled_from(ALL),
    delta=st.sampled_from([0.01, 0.5, 0.999]),
)
@settings(max_examples=80, deadline=None)
def test_every_step_is_the_definitions_with_ties(means, extra, seed, name, delta):
    instance = Instance(0.5, means, kind="bernoulli")
    budget = instance.K + extra
    steps = list(trace(job_of(f"{name}[delta={delta}]", instance, budget, seed), 0))
    check_run(name, instance, budget, z(instance.K, budget, delta), steps)


@pytest.mark.parametrize("name", ALL)
def test_it_stops_early_when_no_arm_is_left(name):
    instance = Instance(0.0, [-3.0, -2.5, -4.0])
    result = simulate(instance, name, budget=5000, runs=50, seed=1)[name]
    assert (result.answers == NONE).all()
    assert result.stopping_times.max() < 60
    steps = list(trace(job_of(name, instance, 5000, seed=1), 7))
    assert not check_run(name, instance, 5000, z(3, 5000), steps).any()
    assert result.stopping_times[7] == len(steps)


@pytest.mark.parametrize("name", [*ALL, "PKGAI(UCB)[beta=prior]"])
@pytest.mark.parametrize(("instance", "budget"), [("NoA2", 100), ("RealL", 120)])
def test_compiled_is_plain(name, instance, budget):
    result = simulate(instance, name, budget=budget, runs=12, seed=3, outcome="sub-gaussian")[name]
    job = job_of(name, instances[instance], budget, seed=3)
    pulls = np.zeros(job.instance.K, dtype=int)
    for number in range(12):
        steps = list(trace(job, number))
        assert result.answers[number] == steps[-1].answer
        assert result.stopping_times[number] == len(steps)
        pulls += np.bincount([step.arm for step in steps], minlength=job.instance.K)
    assert result.pulls.tolist() == pulls.tolist()


def test_lcb_g_chooses_as_apt_p():
    """√N (d − width) = W − √β: one constant below, so every choice and answer is the same."""
    first, second = simulate(
        "RealL", ["PKGAI(APT_P)", "PKGAI(LCB-G)"], budget=200, runs=500, seed=5
    ).values()
    assert first.answers.tolist() == second.answers.tolist()
    assert first.pulls.tolist() == second.pulls.tolist()


@pytest.mark.parametrize("place", ["choice", "answer"])
def test_ties_are_broken_uniformly(place):
    """Four arms that always give 1; Unif's fifth pull, and the answer after one pull each."""
    instance = Instance(0.5, [1.0] * 4, kind="bernoulli")
    runs = 4000
    result = simulate(
        instance, "PKGAI(Unif)", budget=5 if place == "choice" else 4, runs=runs, seed=8
    )["PKGAI(Unif)"]
    counts = result.pulls - runs if place == "choice" else np.bincount(result.answers, minlength=4)
    assert counts.sum() == runs
    assert ((counts - runs / 4) ** 2).sum() / (runs / 4) < 30.7  # 1e-6, 3 degrees of freedom


@pytest.mark.parametrize("instance", list(PUBLISHED))
def test_published_error_rates(instance):
    """The difference of two proportions is within 4 standard errors, one success added to each."""
    budget, printed = PUBLISHED[instance]
    runs, printed_runs = 4000, 1000
    results = simulate(instance, ALL, budget=budget, runs=runs, seed=12, outcome="sub-gaussian")
    for name, rate in zip(ALL, printed, strict=True):
        ours = results[name].error_rate
        pooled = (ours * runs + rate * printed_runs + 1.0) / (runs + printed_runs + 2.0)
        error = math.sqrt(pooled * (1.0 - pooled) * (1.0 / runs + 1.0 / printed_runs))
        assert abs(ours - rate) <= 4.0 * error, (instance, name, ours, rate)


@pytest.mark.parametrize("name", ALL)
def test_error_on_noa2_is_the_reference(name):
    runs, reference_runs = 20_000, 100_000
    rate = simulate("NoA2", name, budget=700, runs=runs, seed=1)[name].error_rate
    error = math.sqrt(NOA2[name] * (1.0 - NOA2[name]) * (1 / runs + 1 / reference_runs))
    assert abs(rate - NOA2[name]) < 4.0 * error


def test_beta_z():
    assert beta_z(4, 700, 0.01) == pytest.approx(z(4, 700), rel=1e-12)
    assert beta_z(1, 1, 0.5) == pytest.approx(z(1, 1, 0.5), rel=1e-12)
    job = job_of("PKGAI(UCB)[delta=0.2]", instances["NoA2"], 700)
    assert job.algorithm.numbers(job.setting)[1] ** 2 == pytest.approx(z(4, 700, 0.2))


@pytest.mark.parametrize(
    ("instance", "budget", "expected"),
    [
        (instances["NoA2"], 700, 696 / (4 * (1 / 0.01 + 1 / 0.16 + 1 / 0.25 + 1 / 0.36))),
        (instances["IsA2"], 700, 693 / (4 * 7 * (1.0 + 0.1) ** -2)),
        # σ = 1/2 doubles the gaps: the best arm is 0.3 above, the nearest bad one 0.14 below.
        (instances["RealL"], 200, 182 / (4 * 18 * (0.6 + 0.28) ** -2)),
        (instances["NoA2"], 4, 0.0),  # nothing is left after the first pulls
        (Instance(0.0, [0.5, 1.0]), 10, 8 / (4 * 2 * 1.0**-2)),  # no bad arm
        (Instance(0.0, [0.0, -0.5]), 10, 8 / (4 * 2 * 0.5**-2)),  # a mean at θ is good
        (Instance(0.0, [0.0, 0.0]), 10, 0.0),
        (Instance(0.0, [-1e-200, -1.0]), 10, 0.0),  # H_1 is beyond any double
    ],
)
def test_beta_prior(instance, budget, expected):
    name = "PKGAI(Unif)[beta=prior]"
    job = job_of(name, instance, budget)
    assert beta_prior(job.setting) == pytest.approx(expected, rel=1e-9, abs=1e-300)
    steps = list(trace(job, 1))
    check_run("PKGAI(Unif)", instance, budget, beta_prior(job.setting), steps)


@pytest.mark.parametrize("name", ALL)
def test_prior_knowledge_keeps_the_theorems_bound(name):
    """NoA2 at T = 5000: β = 11.05, so the error is at most 2KT e^−2β = 1e-5."""
    spec = f"{name}[beta=prior]"
    result = simulate("NoA2", spec, budget=5000, runs=1000, seed=1)[spec]
    assert result.error_rate == 0.0
    assert result.mean < 5000  # and it stops early in most runs


def test_prior_knowledge_where_less_is_good():
    for means in ([0.3, -0.1, -0.4], [-0.3, -0.1, -0.4]):
        above, below = Instance(0.0, means), Instance(0.0, -np.array(means), goal="below")
        one, two = (job_of("PKGAI(UCB)[beta=prior]", each, 50) for each in (above, below))
        assert one.algorithm.numbers(one.setting) == two.algorithm.numbers(two.setting)


def test_prior_knowledge_is_for_simulations_only():
    with pytest.raises(InputError, match="true means"):
        Experiment(3, threshold=0.5, algorithm="PKGAI(UCB)[beta=prior]", budget=100)
    experiment = Experiment(3, threshold=0.5, algorithm="PKGAI(UCB)", budget=100)
    assert experiment.ask() == 0


def test_options_and_names():
    assert job_of("pkgai(ucb)[beta=PRIOR]", instances["NoA2"], 50).algorithm.label == (
        "PKGAI(UCB)[beta=prior]"
    )
    with pytest.raises(InputError, match="write z"):
        job_of("PKGAI(UCB)[beta=q]", instances["NoA2"], 50)
    with pytest.raises(InputError, match="strictly between 0 and 1"):
        job_of("PKGAI(UCB)[delta=1]", instances["NoA2"], 50)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("K", [1, 2, 5])
def test_smallest_budget(name, K):
    instance = Instance(0.0, [0.5 - 0.3 * a for a in range(K)])
    steps = list(trace(job_of(name, instance, K), 3))
    assert [step.arm for step in steps] == list(range(K))
    check_run(name, instance, K, z(K, K), steps)
    with pytest.raises(InputError, match="budget"):
        simulate(instance, name, budget=K - 1, runs=1)


def test_it_is_a_fixed_budget_rule_only():
    with pytest.raises(InputError, match="fixed-budget"):
        simulate("NoA2", "PKGAI(UCB)", delta=0.1, runs=1)


def test_outcomes_that_were_not_asked_for():
    """A dropped arm stays out, and an arm that was never pulled is not dropped but comes first."""
    experiment = Experiment(3, threshold=0.0, algorithm="PKGAI(APT_P)", budget=100)
    for value in (-9.0, -9.0, -9.0, 1.0):
        experiment.tell(0, value)  # at t = 4 = K + 1 all pulled arms are looked at
    assert experiment.ask() == 1
    assert experiment.ask() == 2
    experiment.tell(1, -0.5)
    experiment.tell(2, -0.6)
    experiment.tell(0, 50.0)
    assert experiment.ask() == 1
