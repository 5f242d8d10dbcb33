"""UCB-G against its definition, by brute force over whole histories."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from goodarm import InputError, Instance, find_algorithm, instances, simulate
from goodarm.simulation import trace
from goodarm.simulation.job import make_job

UNEQUAL = Instance(0.2, [0.4, 0.3, 0.1, -0.5], sigma=[1.0, 2.0, 0.5, 1.0], name="unequal")
CASES = (instances["NoA2"], instances["Thr1"], instances["RealL"], UNEQUAL)


def log_plus(x: float) -> float:
    return max(math.log(x), 0.0)


def counts_when_it_rose(values, threshold) -> int:
    """How many outcomes an arm had when its mean last rose above the threshold."""
    means = np.cumsum(values) / np.arange(1, len(values) + 1)
    below = np.flatnonzero(means <= threshold)
    return int(below[-1]) + 2 if below.size else 1


def allowed(instance, arms, values, o) -> set[int]:
    """The arms that the definition allows after this history."""
    t, K = len(arms), instance.K
    counts = np.array([(arms == a).sum() for a in range(K)])
    means = np.array([values[arms == a].mean() for a in range(K)])
    d = (means - instance.threshold) / instance.sigmas
    W = np.sqrt(counts) * d
    leaders = {a for a in range(K) if math.isclose(W[a], W.max(), rel_tol=1e-9, abs_tol=1e-12)}
    if t % o["lead"] != 0 or (o["bad"] == "apgai" and W.max() <= 0.0):
        return leaders
    if o["trust"] > 0.0 and any(counts[a] <= o["trust"] * t for a in leaders):
        return leaders
    if o["patience"] > 0.0 and W.max() > 0.0:
        rose = {a: counts_when_it_rose(values[arms == a], instance.threshold) for a in leaders}
        if any(counts[a] <= (1.0 + o["patience"]) * rose[a] for a in leaders):
            return leaders
    f = np.full(K, o["weight"])
    if o["bonus"] in ("time", "eager"):
        f = f * math.log(t)
    if o["bonus"] in ("rounds", "both"):
        f = f * log_plus(t / K)
    if o["bonus"] in ("moss", "both", "eager"):
        f = f * np.array([log_plus(t / (K * n)) for n in counts])
    if o["bonus"] == "pace":
        f = f * np.maximum(t / (K * counts) - 1.0, 0.0)
    if o["share"] == "yes":
        f = f / max((d > 0.0).sum(), 1)
    if o["share"] == "sure":
        f = f / max((2.0 * norm.cdf(W[W > 0.0]) - 1.0).sum(), 1.0)
    if o["bad"] == "floor" and W.max() < 0.0:
        f = np.maximum(f, W.max() ** 2)
    index = np.where(d > 0.0, d * counts / (counts + o["prior"]), d) + np.sqrt(f / counts)
    return {a for a in range(K) if math.isclose(index[a], index.max(), rel_tol=1e-9, abs_tol=1e-9)}


options = st.fixed_dictionaries(
    {
        "bonus": st.sampled_from(["time", "rounds", "moss", "both", "pace", "eager"]),
        "weight": st.sampled_from([0.5, 1.0, 2.0, 4.0]),
        "share": st.sampled_from(["no", "yes", "sure"]),
        "bad": st.sampled_from(["index", "apgai", "floor"]),
        "lead": st.sampled_from([1, 2, 3]),
        "trust": st.sampled_from([0.0, 0.0, 0.25, 0.5]),
        "prior": st.sampled_from([0.0, 1.0, 3.0]),
        "patience": st.sampled_from([0.0, 0.5, 2.0, 6.0]),
    }
)


@settings(max_examples=80, deadline=None)
@given(options, st.sampled_from(CASES), st.integers(0, 50))
def test_every_choice_is_one_that_the_definition_allows(o, instance, number) -> None:
    text = ",".join(f"{key}={value}" for key, value in o.items())
    job = make_job(f"UCB-G[{text}]", instance, "fixed-budget", 60, seed=4, outcome="sub-gaussian")
    steps = list(trace(job, number))
    arms = np.array([s.arm for s in steps])
    values = np.array([s.value for s in steps])
    for t in range(instance.K, len(steps)):
        assert arms[t] in allowed(instance, arms[:t], values[:t], o)


@pytest.mark.parametrize("instance", CASES, ids=lambda instance: instance.name)
def test_eager_is_ln_t_times_the_lag(instance) -> None:
    plain = {
        "bonus": "eager",
        "weight": 1.5,
        "share": "no",
        "bad": "index",
        "lead": 1,
        "trust": 0.0,
        "prior": 0.0,
        "patience": 0.0,
    }
    spec = "UCB-G[bonus=eager,weight=1.5]"
    job = make_job(spec, instance, "fixed-budget", 60, seed=9, outcome="sub-gaussian")
    for number in range(5):
        steps = list(trace(job, number))
        arms = np.array([s.arm for s in steps])
        values = np.array([s.value for s in steps])
        for t in range(instance.K, len(steps)):
            assert arms[t] in allowed(instance, arms[:t], values[:t], plain)


@pytest.mark.parametrize("name", ["Thr1", "NoA2", "RealL"])
def test_weight_2_of_ln_t_is_hdocs_index(name: str) -> None:
    found = simulate(
        name, ["HDoC", "UCB-G[bonus=time,weight=2]"], horizon=300, runs=500, seed=2
    ).values()
    first, second = found
    assert (first.error_counts == second.error_counts).all()
    assert (first.pulls == second.pulls).all()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("UCB-G[bonus=log]", "choose from time, rounds, moss, both, pace, eager"),
        ("UCB-G[weight=0]", "positive"),
        ("UCB-G[weight=nan]", "positive"),
        ("UCB-G[lead=0]", "whole number from 1"),
        ("UCB-G[trust=1]", "from 0 to 1"),
        ("UCB-G[wait=2]", "did you mean 'weight'"),
    ],
)
def test_wrong_options(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        find_algorithm(spec)
