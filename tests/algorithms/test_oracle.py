"""Oracle: it pulls what certainty costs and nothing else, and nobody can use it by mistake."""

import math

import pytest

from goodarm import Experiment, InputError, Instance, certificate, plan, simulate
from goodarm.outcomes import Gaussian
from goodarm.simulation import trace
from goodarm.simulation.job import make_job
from goodarm.stopping import parse_boundary
from goodarm.study.algorithms import live_algorithm

DELTA = 0.1
COINS = Instance(0.5, [0.6, 0.9, 0.3], kind="bernoulli", name="coins")
SCALES = Instance(0.0, [0.9, 0.5, -1.0], sigma=[2.0, 0.5, 1.0], name="scales")
FEWER = Instance(0.5, [0.7, 0.45, 0.1], kind="bernoulli", goal="below", name="fewer")
NONE = Instance(0.0, [-0.8, -1.5, -1.0], sigma=[1.0, 2.0, 0.5], name="none good")
NO_COIN = Instance(0.5, [0.1, 0.05], kind="bernoulli", name="no good coin")
NONE_FEWER = Instance(0.5, [0.9, 0.95], kind="bernoulli", goal="below", name="none is fewer")


def runs_of(instance: Instance, count: int, **asked: object) -> list[list]:
    job = make_job("Oracle", instance, "fixed-confidence", 5000, seed=3, delta=DELTA, **asked)
    return [list(trace(job, number)) for number in range(count)]


def proofs(instance: Instance, arm: int, values: list[float]) -> tuple[float, float]:
    """The certificates for "good" and for "bad" of an arm, by the public function."""
    coin = instance.kinds[arm] == "bernoulli"
    model = instance.own_outcome if coin else Gaussian(instance.sigmas[arm])
    proof = certificate(model, instance.threshold, values)
    sides = proof.above, proof.below
    return sides if instance.goal == "above" else sides[::-1]


@pytest.mark.parametrize(("instance", "best"), [(COINS, 1), (SCALES, 1), (FEWER, 2)])
def test_a_good_arm_is_pulled_until_its_own_certificate(instance: Instance, best: int) -> None:
    """The best arm alone, to the level that K arms ask for."""
    level = parse_boundary("mixture", instance.K, DELTA).levels.name
    for steps in runs_of(instance, 6):
        assert {step.arm for step in steps} == {best}
        assert (steps[-1].answer, steps[-1].final) == (best, True)
        values = [step.value for step in steps]
        reached = [proofs(instance, best, values[: n + 1])[0] >= level for n in range(len(values))]
        assert reached.index(True) == len(values) - 1


@pytest.mark.parametrize("instance", [NONE, NO_COIN, NONE_FEWER], ids=lambda i: i.name)
def test_where_none_is_good_each_arm_is_pulled_until_it_is_ruled_out(instance: Instance) -> None:
    """As many pulls as the arms need, one by one."""
    level = parse_boundary("mixture", instance.K, DELTA).levels.none
    said_none = 0
    for steps in runs_of(instance, 6):
        if steps[-1].answer != -1:
            continue  # a bad arm was named, as happens in at most one run of ten
        said_none += 1
        for arm in range(instance.K):
            values = [step.value for step in steps if step.arm == arm]
            out = [proofs(instance, arm, values[: n + 1])[1] >= level for n in range(len(values))]
            assert out.index(True) == len(values) - 1
        arms = [step.arm for step in steps]
        assert arms == sorted(arms)
    assert said_none > 3


def test_with_one_arm_it_is_what_everyone_is() -> None:
    for mean in (0.7, -0.7):
        oracle, other = simulate(
            Instance(0.0, [mean]), ["Oracle", "APGAI"], delta=DELTA, runs=100
        ).values()
        assert (oracle.stopping_times == other.stopping_times).all()
        assert (oracle.answers == other.answers).all()


@pytest.mark.parametrize(("means", "good"), [([-0.2, 0.5, -0.6], 1), ([-0.4, -0.9], 0)])
def test_no_right_run_of_anyone_is_shorter(means: list[float], good: int) -> None:
    """With one good arm, or none: the arms' outcomes are the same, and so are their certificates.

    Those who do not know which arm is good have pulled the others at least once.
    """
    instance = Instance(0.0, means)
    names = ["Oracle", "APGAI", "Unif"]
    oracle, *others = simulate(instance, names, delta=DELTA, runs=500).values()
    for other in others:
        right = ~other.errors & ~oracle.errors
        assert right.mean() > 1.0 - DELTA
        extra = (other.stopping_times - oracle.stopping_times)[right]
        assert extra.min() >= (len(means) - 1 if good else 0)


def test_luck_may_beat_it_where_many_arms_are_as_good() -> None:
    oracle, apgai = simulate(
        Instance(0.0, [0.2] * 10), ["Oracle", "APGAI"], delta=DELTA, runs=1000
    ).values()
    assert oracle.mean > apgai.mean + 3.0 * math.hypot(oracle.se, apgai.se)


@pytest.mark.parametrize("boundary", ["glr", "kano"])
@pytest.mark.parametrize("instance", [SCALES, NONE], ids=lambda i: i.name)
def test_with_the_papers_boundaries(instance: Instance, boundary: str) -> None:
    """No arm is pulled that the boundary takes for bad, and it ends as everyone's runs do."""
    for steps in runs_of(instance, 6, boundary=boundary):
        assert steps[-1].final
        if instance is SCALES:
            assert {step.arm for step in steps} == {1}
            continue
        latest = dict.fromkeys(range(instance.K), math.inf)
        for step in steps:
            if boundary == "glr" and step.t > 1:
                level = parse_boundary("glr", instance.K, DELTA).level(step.t - 1)
                assert latest[step.arm] > -level
            latest[step.arm] = step.evidence
        assert steps[-1].answer == -1


def test_where_the_scatter_is_learnt_the_true_one_decides() -> None:
    for outcome in ("gaussian", "gaussian:1"):
        (steps,) = runs_of(SCALES, 1, outcome=outcome)
        assert steps[0].arm == (1 if outcome == "gaussian" else 0)


def test_nobody_can_use_it_by_mistake() -> None:
    with pytest.raises(InputError, match="needs true means, which a live study does not have"):
        live_algorithm("Oracle")
    with pytest.raises(InputError, match="needs the true means, which only a simulation has"):
        Experiment(2, 0.5, algorithm="Oracle", delta=DELTA)
    with pytest.raises(InputError, match="cannot be simulated in fixed-budget mode"):
        simulate(COINS, "Oracle", budget=10)
    with pytest.raises(InputError, match="needs the true means, which a study does not have"):
        plan([0.3, 0.7], threshold=0.5, outcome="bernoulli", delta=DELTA, algorithms=["Oracle"])
