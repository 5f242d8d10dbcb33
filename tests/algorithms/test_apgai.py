"""APGAI and APGAI-FE against the paper's words, step by step."""

import math

import pytest

from goodarm import instances
from goodarm.run import NONE
from goodarm.simulation import trace
from goodarm.simulation.job import make_job


def history(algorithm: str, name: str, number: int, length: int = 400):
    job = make_job(algorithm, instances[name], "anytime", length, seed=17)
    counts = [0] * job.instance.K
    sums = [0.0] * job.instance.K
    for step in trace(job, number):
        yield job.instance, step, list(counts), list(sums)
        counts[step.arm] += 1
        sums[step.arm] += step.value


def evidence(instance, counts, sums) -> list[float]:
    return [
        math.sqrt(n) * (s / n - instance.threshold) / sigma
        for n, s, sigma in zip(counts, sums, instance.sigmas, strict=True)
    ]


@pytest.mark.parametrize("name", ["Thr1", "NoA2", "RealL", "Med2"])
def test_apgai_follows_algorithm_1(name: str) -> None:
    """argmin W⁻ while no mean is above θ, argmax W⁺ otherwise; the answer is the arm pulled."""
    answer = None
    for instance, step, counts, sums in history("APGAI", name, 3):
        if step.t <= instance.K:
            assert step.arm == step.t - 1
        else:
            w = evidence(instance, counts, sums)
            plus, minus = [max(x, 0.0) for x in w], [max(-x, 0.0) for x in w]
            if max(s / n for n, s in zip(counts, sums, strict=True)) <= instance.threshold:
                assert minus[step.arm] == pytest.approx(min(minus), abs=1e-12)
                assert answer == NONE
            else:
                assert plus[step.arm] == pytest.approx(max(plus), abs=1e-12)
                assert answer == step.arm
        answer = step.answer


@pytest.mark.parametrize("name", ["Thr1", "NoA2", "RealL"])
def test_forced_exploration(name: str) -> None:
    forced = 0
    for instance, step, counts, sums in history("APGAI-FE", name, 5):
        t, K = step.t - 1, instance.K
        if t < K:
            continue
        starved = [n for n in counts if n <= math.sqrt(t) - K / 2]
        if starved:
            forced += 1
            assert counts[step.arm] == min(starved)
        else:
            w = evidence(instance, counts, sums)
            assert w[step.arm] == pytest.approx(max(w), abs=1e-12)
    assert forced > 10


def test_unif_is_round_robin() -> None:
    assert all(step.arm == (step.t - 1) % 6 for _, step, _, _ in history("Unif", "Thr2", 0))
