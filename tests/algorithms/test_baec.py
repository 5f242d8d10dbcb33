"""BAEC: the paper's Λ±, the proven ones, and its rule step by step."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goodarm import InputError, Instance, find_algorithm, simulate
from goodarm.algorithms.baec import LOWER_ROOT, MARGIN, PER_ARM, UPPER_ROOT, constants
from goodarm.algorithms.contract import Setting
from goodarm.simulation import trace, wilson
from goodarm.simulation.job import make_job

RULES = ["BAEC(APT_P)", "BAEC(UCB)", "BAEC(LUCB)"]
UNEQUAL = Instance(0.2, [0.6, 0.25, -0.3, -0.5], sigma=[1.0, 2.0, 0.5, 1.0], name="unequal")
BERNOULLI = Instance(0.5, [0.7, 0.6, 0.2, 0.1], kind="bernoulli", name="coins")
NONE_GOOD = Instance(0.0, [-0.5, -0.6, -0.7], name="none good")
CASES = [(UNEQUAL, -0.2), (BERNOULLI, 0.3), (NONE_GOOD, -0.5)]


def lambdas(K, delta, margin):
    """Λ⁺ and Λ⁻ as the paper prints them, for one standardised margin."""
    pulls = math.ceil(
        2 * math.e / ((math.e - 1) * margin**2) * math.log(2 * math.sqrt(K) / (margin**2 * delta))
    )
    return math.log(pulls / delta), math.log(math.sqrt(K) * pulls / delta)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("instance", "low"), CASES, ids=lambda x: getattr(x, "name", None))
def test_follows_the_definition(rule, instance, low) -> None:
    K, delta, theta, sigmas = instance.K, 0.05, instance.threshold, instance.sigmas
    up, down = np.array([lambdas(K, delta, (theta - low) / s) for s in sigmas]).T
    middle = theta - (theta - low) / (1 + np.sqrt(down / up))
    job = make_job(f"{rule}[theta_low={low}]", instance, "fixed-confidence", 5000, 4, delta)
    for number in range(3):
        counts, sums = np.zeros(K, dtype=int), np.zeros(K)
        left = np.ones(K, dtype=bool)
        answer = None
        for step in trace(job, number):
            assert answer is None
            t, arm = step.t - 1, step.arm
            if t < K:
                assert arm == t
            else:
                means = sums / counts
                index = {
                    "BAEC(APT_P)": np.sqrt(counts) * (means - middle) / sigmas,
                    "BAEC(UCB)": (means - theta) / sigmas + np.sqrt(2 * math.log(t) / counts),
                    "BAEC(LUCB)": (means - theta) / sigmas + np.sqrt(2 * up / counts),
                }[rule]
                assert left[arm]
                assert index[arm] >= index[left].max() - 1e-9
            counts[arm] += 1
            sums[arm] += step.value
            mean, n, sigma = sums[arm] / counts[arm], counts[arm], sigmas[arm]
            if mean - sigma * math.sqrt(2 * down[arm] / n) >= low:
                answer = arm
            elif mean + sigma * math.sqrt(2 * up[arm] / n) < theta:
                left[arm] = False
                answer = None if left.any() else -1
        assert step.final
        assert step.answer == answer
        assert answer == -1 if instance is NONE_GOOD else answer in (0, 1)


def numbers(K, delta, theta, low, sigma, bounds):
    setting = Setting(K=K, threshold=theta, sigmas=np.full(K, sigma), delta=delta)
    return list(constants(setting, {"theta_low": low, "bounds": bounds}))[:PER_ARM]


def test_the_printed_numbers_by_hand() -> None:
    """K = 4, δ = 0.1, margin 1: N = ⌈3.16395 · ln 40⌉ = 12, Λ⁺ = ln 120, Λ⁻ = ln 240."""
    up, down, margin, shift = numbers(4, 0.1, 1.0, 0.0, 1.0, "paper")
    assert up == pytest.approx(math.sqrt(2 * math.log(120)))
    assert down == pytest.approx(math.sqrt(2 * math.log(240)))
    assert margin == 1.0
    assert shift == pytest.approx(1 / (1 + math.sqrt(math.log(240) / math.log(120))))
    # The scale of the outcomes does not matter, only the margin in units of it.
    assert numbers(4, 0.1, 7.0, 5.0, 2.0, "paper") == pytest.approx([up, down, margin, shift])


@given(st.integers(1, 2000), st.floats(1e-6, 0.5), st.floats(1e-3, 30.0), st.floats(0.1, 10.0))
def test_the_proven_bounds_satisfy_their_proof(K, delta, margin, sigma) -> None:
    """Every arm is decided within N_δ pulls, and N_δ times the error of one look is δ or δ/K."""
    c = numbers(K, delta, margin * sigma, 0.0, sigma, "proven")
    longest = math.ceil(((c[UPPER_ROOT] + c[LOWER_ROOT]) / c[MARGIN]) ** 2 * (1 - 1e-12))
    assert longest * math.exp(-(c[UPPER_ROOT] ** 2) / 2) <= delta * (1 + 1e-9)
    assert longest * math.exp(-(c[LOWER_ROOT] ** 2) / 2) <= delta / K * (1 + 1e-9)


def test_only_the_proven_bounds_hold_back_false_alarms() -> None:
    """The paper's √K for K: with many arms at θ_L the error rate passes δ (see the docstring)."""
    many = Instance(0.0, [-3.0] * 100)
    paper, proven = (
        simulate(many, f"BAEC(UCB)[theta_low=-3{more}]", delta=0.1, runs=2000)
        for more in ("", ",bounds=proven")
    )
    (paper,), (proven,) = paper.values(), proven.values()
    low, _ = wilson(int(paper.errors.sum()), paper.runs)
    assert low > 0.1
    assert proven.error_rate < 0.02


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("instance", "low"), CASES, ids=lambda x: getattr(x, "name", None))
def test_compiled_equals_plain(rule, instance, low) -> None:
    (result,) = simulate(
        instance, f"{rule}[theta_low={low}]", delta=0.1, cap=1500, runs=4, seed=4
    ).values()
    job = make_job(f"{rule}[theta_low={low}]", instance, "fixed-confidence", 1500, 4, 0.1)
    for number in range(4):
        steps = list(trace(job, number))
        assert len(steps) == result.stopping_times[number]
        assert steps[-1].answer == result.answers[number]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("", "theta_low is missing"),
        ("[theta_low=0.35]", "theta_low = 0.35 is not below the threshold 0.35"),
        ("[theta_low=0.5]", "theta_low = 0.5 is not below the threshold 0.35"),
    ],
)
def test_the_thresholds_must_differ(rule, options, message) -> None:
    with pytest.raises(InputError, match=message) as caught:
        simulate("Thr2", rule + options, delta=0.1)
    text = str(caught.value)
    assert rule in text
    assert "infinite when the two are equal" in text
    assert "HDoC, LUCB-G or APGAI" in text


def test_wrong_options() -> None:
    with pytest.raises(InputError, match="give a finite number"):
        find_algorithm("BAEC(UCB)[theta_low=nan]")
    with pytest.raises(InputError, match="give paper or proven"):
        find_algorithm("BAEC(UCB)[bounds=best]")


@pytest.mark.parametrize("means", [[0.8], [-0.8], [0.8, -0.8]])
def test_one_and_two_arms(means) -> None:
    spec = "BAEC(APT_P)[theta_low=-0.5]"
    result = simulate(Instance(0.0, means), spec, delta=0.05, runs=50)[spec]
    assert result.stopped.all()
    assert result.error_rate <= 0.1


def test_a_wide_margin_still_has_bounds() -> None:
    """Where ln(2√K/(g²δ)) is negative, N_δ is 1."""
    up, down, _, _ = numbers(1, 0.4, 10.0, 0.0, 1.0, "paper")
    assert up == down == pytest.approx(math.sqrt(2 * math.log(1 / 0.4)))
