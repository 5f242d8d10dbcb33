"""Scout: the member of UCB-G that it is, its promises, and what it is for."""

import numpy as np
import pytest
from scipy.stats import binomtest, norm

from goodarm import Instance, instances, simulate
from goodarm.simulation import trace
from goodarm.simulation.job import make_job

MEMBER = "UCB-G[bonus=both,share=sure,bad=floor,prior=1,patience=2]"
TRAP = Instance(0.0, [0.5] + [-0.02] * 5, name="one good arm among near misses")


@pytest.mark.parametrize("name", ["Thr1", "NoA1", "RealL", "TwoG(30, 3)"])
def test_it_is_a_member_of_the_family_run_by_run(name: str) -> None:
    mine, member = simulate(name, ["Scout", MEMBER], delta=0.1, runs=200, cap=3000).values()
    assert (mine.stopping_times == member.stopping_times).all()
    assert (mine.answers == member.answers).all()


@pytest.mark.parametrize("number", range(4))
def test_every_choice_is_what_the_definition_says(number: int) -> None:
    """Worked out anew from the outcomes alone, with numpy and scipy."""
    instance = instances["Thr2"]
    K, bar = instance.K, instance.threshold
    job = make_job("Scout", instance, "fixed-budget", 600, seed=8)
    arms: list[int] = []
    values: list[float] = []
    rose = np.zeros(K)
    followed = explored = 0
    for step in trace(job, number):
        t = len(arms)
        if t >= K:
            counts = np.bincount(arms, minlength=K)
            gaps = np.bincount(arms, weights=values, minlength=K) / counts - bar
            evidence = np.sqrt(counts) * gaps
            first = int(np.argmax(evidence))
            if evidence[first] > 0.0 and counts[first] <= 3 * rose[first]:
                expected = first
                followed += 1
            else:
                m = max((2.0 * norm.cdf(evidence[evidence > 0.0]) - 1.0).sum(), 1.0)
                f = np.log(t / K) * np.maximum(np.log(t / (K * counts)), 0.0) / m
                if evidence[first] < 0.0:
                    f = np.maximum(f, evidence[first] ** 2)
                cautious = np.where(gaps > 0.0, gaps * counts / (counts + 1), gaps)
                index = cautious + np.sqrt(f / counts)
                expected = int(np.argmax(index))
                if np.sort(index)[-1] - np.sort(index)[-2] < 1e-9:
                    expected = step.arm  # a tie, or nearly
                explored += expected != first
            assert step.arm == expected
        arms.append(step.arm)
        values.append(step.value)
        mine = [v for a, v in zip(arms, values, strict=True) if a == step.arm]
        above = np.mean(mine) > bar
        rose[step.arm] = (rose[step.arm] or len(mine)) if above else 0
    assert followed > 0
    assert explored > 10


@pytest.mark.parametrize(
    "instance", [TRAP, instances["NoA2"], instances["Thr2"]], ids=lambda i: i.name
)
def test_no_arm_is_forgotten(instance: Instance) -> None:
    """The least number of pulls keeps growing: every arm is pulled infinitely often."""
    least = []
    for budget in (300, 3_000, 30_000):
        job = make_job("Scout", instance, "fixed-budget", budget, seed=1)
        counts = np.array(
            [np.bincount([s.arm for s in trace(job, n)], minlength=instance.K) for n in range(3)]
        )
        least.append(counts.min())
    assert least[0] < least[1] < least[2]


def test_it_finds_the_hidden_good_arm_where_apgai_does_not() -> None:
    found = simulate("Thr2", ["Scout", "APGAI"], horizon=1000, times=[1000], runs=8_000, seed=5)
    scout, apgai = (int(r.error_counts[0]) for r in found.values())
    assert apgai > 60  # about 1.4 % of the runs
    assert binomtest(scout, scout + apgai, 0.1, alternative="less").pvalue < 1e-4


@pytest.mark.parametrize("name", ["Thr1", "Thr2", "Med2", "IsA1", "NoA1", "IsA2", "NoA2", "RealL"])
def test_it_stops_about_as_soon_as_the_best(name: str) -> None:
    rules = ["Scout", "APGAI-FE", "TaS", "MS", "HDoC"]
    found = simulate(name, rules, delta=0.01, boundary="glr", runs=150, seed=9, cap=20_000)
    least = min(result.mean for result in found.values())
    assert found["Scout"].mean < 1.3 * least
    assert found["Scout"].error_rate <= 0.01
