import json
import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from goodarm.instance import Instance, instances
from goodarm.theory import ERROR_THEOREMS, theory_summary
from goodarm.theory.remarks import remarks

RISKS = {"0.5": math.log(2), "0.01": math.log(100), "1e-300": 690.7755, "1e-4000": 9210.34}
TIMES = {"1": 1, "100": 100, "1000": 1000, "1e15": 1e15}


def check_contract(data, risks=RISKS, times=TIMES):
    """The object of the specification, with numbers or None and never NaN or infinity."""
    text = json.dumps(data, allow_nan=False)
    assert json.loads(text) == data
    complexity = {
        "H1",
        "Htheta",
        "delta_min",
        "delta_max_good",
        "T_star",
        "w_star",
        "delta_hat",
        "K_delta_hat_inv_sq",
        "I_star",
        "H2",
        "delta_tilde_inv_sq",
        "logbar",
        "G1",
        "G2",
    }
    assert set(data["complexity"]) == complexity
    for reading in ("published", "corrected"):
        bounds = data["error_bound"][reading]
        assert list(bounds) == list(ERROR_THEOREMS)
        for algorithm, by_time in bounds.items():
            assert list(by_time) == list(times)
            for label, at in by_time.items():
                assert set(at) == {"log", "value"}
                assert (at["log"] is None) == (at["value"] is None)
                assert at["value"] is None or 0.0 <= at["value"] <= 1.0
                if at["log"] is None:
                    assert data["reasons"][f"error_bound.{reading}.{algorithm}.{label}"]
        assert list(data["error_rate_constant"][reading]) == list(ERROR_THEOREMS)
        for algorithm in ("APGAI", "Unif"):
            assert list(data["unverifiable"][reading][algorithm]) == list(risks)
            for at in data["sample_complexity"][reading][algorithm].values():
                assert {"C", "C_prime", "bound"} <= set(at)
    for at in data["lower_bound"].values():
        assert set(at) == {"log_form", "kl_form"}
    assert set(data["time_uniform"]) == {"published", "corrected"}
    for path, reason in data["reasons"].items():
        assert reason
        assert path.split(".")[0] in data


def test_contract(name):
    data = theory_summary(instances[name], RISKS, TIMES)
    assert data["instance"] == instances[name].name
    check_contract(data)
    if complexity_is_whole(data):
        assert data["time_uniform"]["corrected"] > 1.0


def complexity_is_whole(data):
    return data["complexity"]["H1"] is not None


EXTREMES = {
    "tiny gap": Instance(0.0, [1e-9, -1.0]),
    "tiny gaps only": Instance(0.5, [0.5 + 1e-9, 0.5 - 1e-9]),
    "gap below the square root of the smallest double": Instance(0.0, [1e-170, -1e-170]),
    "smallest double": Instance(0.0, [5e-324, -5e-324, 1.0]),
    "huge gap": Instance(0.0, [1e200, -1.0]),
    "all huge": Instance(0.0, [1e200, -1e200]),
    "largest double": Instance(0.0, [1.7e308, -1.7e308]),
    "all good": Instance(0.0, [0.5, 0.3, 0.1]),
    "all good and equal": Instance(0.0, [0.5] * 3),
    "all bad and equal": Instance(0.0, [-0.5] * 3),
    "one good arm": Instance(0.0, [0.5]),
    "one bad arm": Instance(0.0, [-0.5]),
    "one arm at the threshold": Instance(0.5, [0.5]),
    "an arm at the threshold": Instance(0.5, [0.5, 0.9, 0.1]),
    "all at the threshold": Instance(0.0, [0.0, 0.0]),
    "two arms": Instance(0.0, [0.1, -0.1]),
    "tiny scale": Instance(0.0, [1e99, -1e99], sigma=1e-100),
    "huge scale": Instance(0.0, [1e-101, -1e-101], sigma=1e100),
    "scales that differ": Instance(0.0, [0.1, -0.1], sigma=[1.0, 1e-3]),
    "bernoulli at the ends": Instance(0.5, [0.0, 1.0], kind="bernoulli"),
}


@pytest.mark.parametrize("case", EXTREMES)
def test_extremes(case):
    check_contract(theory_summary(EXTREMES[case], RISKS, TIMES))
    assert remarks(EXTREMES[case], RISKS, [100])


def test_many_arms():
    data = theory_summary(instances["LinG:100000:50000"], RISKS, TIMES)
    check_contract(data)
    assert all(data["error_rate_constant"]["corrected"].values())


def test_a_tiny_gap_has_values():
    data = theory_summary(EXTREMES["tiny gap"], RISKS, TIMES)
    assert data["complexity"]["H1"] == pytest.approx(1e18)
    assert data["sample_complexity"]["corrected"]["APGAI"]["0.01"]["C"] > 1e18
    assert data["below_one_from"]["corrected"]["APGAI"] > 1e18


@given(
    st.lists(
        st.one_of(st.floats(-1e3, 1e3), st.floats(allow_nan=False, allow_infinity=False)),
        min_size=1,
        max_size=5,
    ),
    st.floats(-1e3, 1e3),
    st.floats(1e-6, 1e6),
)
@example([0.0], 0.0, 1.0)
@example([1e308], 0.0, 1e-6)  # its gap is beyond the doubles
@example([1e153, -1e150], 0.0, 1.0)  # the logarithms of its bounds are
@example([-1.3e154], 0.0, 1.0)
@example([1.35e-160], 0.0, 1e-6)  # H1 is a double, but a few times H1 is none
@example([0.0, 1.35e-160], 0.0, 1e-6)
@example([-7.9e-155, -1.0], 0.0, 1.0)  # nor is twice H1
@example([-1.6e-152], 0.0, 1.0)  # nor is C
def test_any_instance_gives_values_or_reasons(means, threshold, sigma):
    instance = Instance(threshold, means, sigma=sigma)
    check_contract(theory_summary(instance, RISKS, TIMES))


def test_empty_questions():
    data = theory_summary(instances["NoA1"])
    assert data["lower_bound"] == {}
    assert data["error_bound"]["published"]["APGAI"] == {}


def test_remarks():
    said = remarks(instances["NoA2"], {"0.01": math.log(100)}, [700, 10**6])
    assert said[0] == "None of the 4 arms is good: the right answer is ∅."
    assert "APGAI's bound exceeds 1 until t = 12,354." in said
    assert any("it says nothing" in remark for remark in said)
    assert any("79 times the lower bound" in remark for remark in said)
    late = remarks(instances["NoA2"], {}, [10**6])
    assert not any("exceeds 1" in remark for remark in late)
    published = remarks(instances["Thr1"], {"0.01": math.log(100)}, [700], "published")
    assert any("which it should bound" in remark for remark in published)
    assert any("not Gaussian" in remark for remark in remarks(instances["RealL"]))
    at = remarks(Instance(0.5, [0.5], names=["b"]))
    assert "'b' lies exactly at the threshold" in at[1]
