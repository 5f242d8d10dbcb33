"""Scout: the member of UCB-G that it is, its promises, and what it is for."""

import numpy as np
import pytest
from scipy.stats import binomtest

from goodarm import Instance, instances, simulate
from goodarm.simulation import trace
from goodarm.simulation.job import make_job

MEMBER = "UCB-G[bonus=both,share=yes,bad=floor,trust=0.2]"
TRAP = Instance(0.0, [0.5] + [-0.02] * 5, name="one good arm among near misses")


@pytest.mark.parametrize("name", ["Thr1", "NoA1", "RealL", "TwoG(30, 3)"])
def test_it_is_a_member_of_the_family_run_by_run(name: str) -> None:
    mine, member = simulate(name, ["Scout", MEMBER], delta=0.1, runs=200, cap=3000).values()
    assert (mine.stopping_times == member.stopping_times).all()
    assert (mine.answers == member.answers).all()


def test_the_leader_is_pulled_while_it_has_had_at_most_a_fifth() -> None:
    job = make_job("Scout", instances["Thr2"], "fixed-budget", 400, seed=8)
    arms: list[int] = []
    values: list[float] = []
    explored = 0
    for step in trace(job, 0):
        t = len(arms)
        if t >= 6:
            counts = np.bincount(arms, minlength=6)
            means = np.bincount(arms, weights=values, minlength=6) / counts
            first = int(np.argmax(np.sqrt(counts) * (means - 0.35)))
            if counts[first] <= 0.2 * t:
                assert step.arm == first
            explored += step.arm != first
        arms.append(step.arm)
        values.append(step.value)
    assert explored > 20


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
