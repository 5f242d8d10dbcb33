"""lil-HDoC: its constants in high precision, and its rule step by step."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goodarm import InputError, Instance, find_algorithm, simulate
from goodarm.algorithms.contract import Setting
from goodarm.algorithms.lil_hdoc import constants, tuned_epsilon
from goodarm.simulation import trace
from goodarm.simulation.job import make_job

UNEQUAL = Instance(0.2, [0.6, 0.3, 0.1, -0.5], sigma=[1.0, 2.0, 0.5, 1.0], name="unequal")
BERNOULLI = Instance(0.5, [0.7, 0.6, 0.3, 0.2], kind="bernoulli", name="coins")
NONE_GOOD = Instance(0.0, [-0.5, -0.6, -0.7], name="none good")

mp = mpmath.mp.clone()
mp.dps = 50


def exact_epsilon(K: int, delta: float):
    terms = [mp.log(mp.log(x)) / mp.log(x) for x in (mp.mpf(K + 1), max(1 / mp.mpf(delta), mp.e))]
    v = 1 + (min(terms) if K > 1 else terms[1])
    return mp.findroot(
        lambda e: (1 + mp.sqrt(e)) ** 2 * (1 + e) - v, (1e-9, 0.5), solver="anderson"
    )


def exact_bonus(K: int, delta: float, N: int):
    """U(N) as the specification writes it."""
    e = exact_epsilon(K, delta)
    c = (2 + e) / e * (1 / mp.log(1 + e)) ** (1 + e)
    w = mp.mpf(delta) / (c * K)
    return (1 + mp.sqrt(e)) * mp.sqrt(2 * (1 + e) * mp.log(mp.log((1 + e) * N) / w) / N)


def our_bonus(K: int, delta: float, N: int) -> float:
    setting = Setting(K=K, threshold=0.0, sigmas=np.ones(K), delta=delta)
    _, factor, base, shift = constants(setting, {"warmup": 1})
    return factor * math.sqrt((math.log(math.log(base * N)) + shift) / N)


@pytest.mark.parametrize("K", [1, 2, 3, 10, 100, 10_000])
@pytest.mark.parametrize("delta", [0.3, 0.1, 0.01, 1e-12, 1e-300])
def test_constants_in_high_precision(K: int, delta: float) -> None:
    assert tuned_epsilon(K, -math.log(delta)) == pytest.approx(
        float(exact_epsilon(K, delta)), rel=1e-9
    )
    for N in (1, 2, 200, 10**6):
        assert our_bonus(K, delta, N) == pytest.approx(float(exact_bonus(K, delta, N)), rel=1e-9)


def test_constants_by_hand() -> None:
    """K = 9, δ = 0.1: B = C = 10, v = 1 + ln ln 10/ln 10 = 1.362… and ε = 0.0235…"""
    v = 1 + math.log(math.log(10)) / math.log(10)
    e = tuned_epsilon(9, math.log(10))
    assert (1 + math.sqrt(e)) ** 2 * (1 + e) == pytest.approx(v, rel=1e-12)
    assert (1 + math.sqrt(e * 1.000001)) ** 2 * (1 + e * 1.000001) > v
    assert v == pytest.approx(1.36222, abs=1e-5)
    assert e == pytest.approx(0.023596, abs=1e-6)


@given(st.integers(1, 10**6), st.floats(1e-300, 0.36))
def test_the_bonus_is_always_defined(K: int, delta: float) -> None:
    bonus = [our_bonus(K, delta, N) for N in (1, 3, 10, 1000)]
    assert all(b > 0 for b in bonus)
    assert bonus == sorted(bonus, reverse=True)


@pytest.mark.parametrize("instance", [UNEQUAL, BERNOULLI, NONE_GOOD], ids=lambda i: i.name)
@pytest.mark.parametrize("warmup", [1, 7])
def test_follows_the_definition(instance, warmup) -> None:
    K, delta = instance.K, 0.1
    job = make_job(f"lil-HDoC[warmup={warmup}]", instance, "fixed-confidence", 4000, 3, delta)
    width = [0.0, *(float(exact_bonus(K, delta, n)) for n in range(1, 1500))]
    ends = set()
    for number in range(4):
        counts, sums = np.zeros(K, dtype=int), np.zeros(K)
        left = np.ones(K, dtype=bool)
        answer = None
        for step in trace(job, number):
            t = step.t - 1
            if t < K * warmup:
                assert step.arm == t % K
            else:
                index = sums / counts + np.sqrt(2 * math.log(t) / counts)
                assert index[step.arm] >= index[left].max() - 1e-9
                assert left[step.arm]
            assert answer is None
            counts[step.arm] += 1
            sums[step.arm] += (step.value - instance.threshold) / instance.sigmas[step.arm]
            if step.t > K * warmup:
                mean, bonus = sums[step.arm] / counts[step.arm], width[counts[step.arm]]
                if mean - bonus >= 0:
                    answer = step.arm
                elif mean + bonus < 0:
                    left[step.arm] = False
                    answer = None if left.any() else -1
        assert step.final
        assert step.answer == answer
        ends.add(answer)
    assert ends == {-1} if instance is NONE_GOOD else ends <= {0, 1}


@pytest.mark.parametrize("instance", [UNEQUAL, BERNOULLI, NONE_GOOD], ids=lambda i: i.name)
def test_compiled_equals_plain(instance) -> None:
    spec = "lil-HDoC[warmup=5]"
    result = simulate(instance, spec, delta=0.1, cap=1500, runs=6, seed=4)[spec]
    job = make_job(spec, instance, "fixed-confidence", 1500, 4, 0.1)
    for number in range(6):
        steps = list(trace(job, number))
        assert len(steps) == result.stopping_times[number]
        assert steps[-1].answer == result.answers[number]


def test_a_cap_within_the_start_caps_the_run() -> None:
    result = simulate("TwoG:4:4", "lil-HDoC", delta=0.1, cap=799, runs=5)["lil-HDoC"]
    assert not result.stopped.any()
    assert (result.stopping_times == 799).all()
    longer = simulate("TwoG:4:4", "lil-HDoC", delta=0.1, cap=5000, runs=5)["lil-HDoC"]
    assert longer.stopped.all()
    assert (longer.stopping_times > 800).all()


@pytest.mark.parametrize("means", [[0.8], [-0.8], [0.8, -0.8]])
def test_one_and_two_arms(means) -> None:
    spec = "lil-HDoC[warmup=3]"
    result = simulate(Instance(0.0, means), spec, delta=0.05, runs=50)[spec]
    assert result.stopped.all()
    assert result.error_rate <= 0.1


def test_what_cannot_be_asked() -> None:
    with pytest.raises(InputError, match="below 1/e"):
        simulate("NoA2", "lil-HDoC", delta=0.4)
    with pytest.raises(InputError, match="warmup=0: give a whole number from 1 on"):
        find_algorithm("lil-HDoC[warmup=0]")
    with pytest.raises(InputError, match="fixed-confidence algorithm"):
        simulate("NoA2", "lil-HDoC", horizon=100)
