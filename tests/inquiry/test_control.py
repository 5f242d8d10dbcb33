import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.stats import binom, poisson

from goodarm import Bernoulli, Bounded, Exponential, Gaussian, InputError, Poisson, Symmetric
from goodarm.inquiry import Criterion, Inquiry
from goodarm.inquiry.control import ArmSample, Bar, log_likelihood_ratio, log_product

FAMILIES = {
    "gaussian": (Gaussian(2.0), Bar(1.0, 0.3), (-60.0, 60.0)),
    "bernoulli": (Bernoulli(), Bar(1.0, 0.05), (0.001, 0.949)),
    "bernoulli by lift": (Bernoulli(), Bar(1.2, 0.0), (0.001, 0.832)),
    "scores": (Bounded(-1, 3), Bar(1.0, -0.2), (-0.79, 2.99)),
    "poisson": (Poisson(), Bar(1.1, 0.0), (0.01, 12.0)),
    "poisson by margin": (Poisson(), Bar(1.0, 0.5), (0.01, 12.0)),
    "exponential": (Exponential(), Bar(0.8, 0.0), (0.02, 1e5)),
}


def samples(name, data):
    model = FAMILIES[name][0]
    family = model.comparable(0)
    pair = []
    for _ in range(2):
        n = data.draw(st.integers(1, 60))
        mean = data.draw(st.floats(*_inner(family)))
        total = round(mean * n) if isinstance(model, Bernoulli | Poisson) else mean * n
        pair.append(ArmSample(family, float(total), float(n)))
    return pair


def _inner(family):
    low = 0.05 if family.low == 0.0 else max(family.low, -4.0)
    return low, 0.95 if family.high == 1.0 else min(family.high, 8.0)


@pytest.mark.parametrize("name", FAMILIES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_the_certificate_is_the_least_product_over_all_means_of_the_control(name, data):
    _, bar, (low, high) = FAMILIES[name]
    arm, control = samples(name, data)
    sign = data.draw(st.sampled_from([1.0, -1.0]))

    def product(c):
        first = arm.family.log_certificate(sign, bar.of(c), arm.total, arm.amount)
        second = control.family.log_certificate(-sign, c, control.total, control.amount)
        return first.value + second.value

    found = log_product(arm, control, bar, sign)
    grid = np.geomspace(low, high, 80) if low > 0.0 else np.linspace(low, high, 80)
    start = int(np.argmin([product(c) for c in grid]))
    ends = grid[max(start - 1, 0)], grid[min(start + 1, 79)]
    least = min(minimize_scalar(product, bounds=ends, method="bounded").fun, product(grid[start]))
    assert found <= least + 1e-6
    if low < control.mean < high and low < bar.control(arm.mean) < high:
        assert found == pytest.approx(least, abs=2e-2)


@pytest.mark.parametrize("name", FAMILIES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_slope_is_the_derivative_of_the_certificate(name, data):
    family = FAMILIES[name][0].comparable(0)
    arm, _ = samples(name, data)
    sign = data.draw(st.sampled_from([1.0, -1.0]))
    x = 0.7
    step = 1e-5

    def at(x):
        mean = 1.0 / x if family.by_inverse else x
        return family.log_certificate(sign, mean, arm.total, arm.amount)

    numeric = (at(x + step).value - at(x - step).value) / (2 * step)
    assert at(x).slope == pytest.approx(numeric, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("name", FAMILIES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_the_certificate_never_exceeds_the_likelihood_ratio(name, data):
    _, bar, _ = FAMILIES[name]
    arm, control = samples(name, data)
    sign = 1.0 if arm.mean >= bar.of(control.mean) else -1.0
    ratio = log_likelihood_ratio(arm, control, bar)
    assert log_product(arm, control, bar, sign) <= ratio + 1e-6


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize(("rate", "margin"), [(0.3, 0.0), (0.5, 0.1), (0.9, -0.1), (0.95, 0.05)])
def test_at_the_margin_the_mean_of_e_is_at_most_one_for_rates(sign, rate, margin):
    family = Bernoulli().comparable(0)
    bar = Bar(1.0, margin)
    mean = 0.0
    for n, m in ((9, 12),):
        for s in range(n + 1):
            for k in range(m + 1):
                chance = binom.pmf(s, n, rate + margin) * binom.pmf(k, m, rate)
                e = log_product(
                    ArmSample(family, s, float(n)), ArmSample(family, k, float(m)), bar, sign
                )
                mean += chance * math.exp(e)
    assert 0.0 < mean <= 1.0 + 1e-9


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_at_the_lift_the_mean_of_e_is_at_most_one_for_counts(sign):
    family = Poisson().comparable(0)
    bar = Bar(1.5, 0.0)
    mean = 0.0
    for s in range(22):
        for k in range(20):
            chance = poisson.pmf(s, 2 * 3.0) * poisson.pmf(k, 3 * 2.0)
            e = log_product(ArmSample(family, s, 2.0), ArmSample(family, k, 3.0), bar, sign)
            mean += chance * math.exp(e)
    assert 0.0 < mean <= 1.0 + 1e-9


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_at_the_margin_the_mean_of_e_is_at_most_one_for_measurements(sign):
    family = Gaussian(1.0).comparable(0)
    rng = np.random.default_rng(5)
    arms, controls = rng.normal(0.2, 1 / 2, 600) * 4, rng.normal(0.0, 1 / 3, 600) * 9
    e = [
        math.exp(
            log_product(ArmSample(family, s, 4.0), ArmSample(family, k, 9.0), Bar(1.0, 0.2), sign)
        )
        for s, k in zip(arms, controls, strict=True)
    ]
    assert np.mean(e) <= 1.0 + 3 * np.std(e) / math.sqrt(len(e))


def test_what_cannot_be_compared_with_a_control_says_what_can():
    for outcome in (Gaussian(), Symmetric(), Bounded(lo=0)):
        with pytest.raises(InputError, match="control"):
            Criterion.declare(outcome, margin=0.1)
    with pytest.raises(InputError, match="lift"):
        Criterion.declare("gaussian:1", lift=0.1)
    with pytest.raises(InputError, match="margin"):
        Criterion.declare("exponential", margin=0.1)
    for margin in (2.0, -1.0):
        with pytest.raises(InputError, match="as large as the range of outcomes, 0 to 1"):
            Criterion.declare("bernoulli", margin=margin)
    assert Criterion.declare("bounded:0:10", margin=2.0).shift == 2.0
    with pytest.raises(InputError, match="leaves nothing"):
        Criterion.declare("poisson", lift=1.0, goal="below")
    with pytest.raises(InputError, match="control"):
        Inquiry(["a", "b"], Criterion.declare("bernoulli", margin=0.1))
    with pytest.raises(InputError, match="control"):
        Inquiry(["a", "b"], Criterion.declare("bernoulli", 0.1), control="a")


def test_the_control_is_tried_as_often_as_the_arm_and_by_its_root_for_many():
    pair = Inquiry(["c", "a"], Criterion.declare("gaussian:1", margin=5.0), control="c")
    many = Inquiry(17, Criterion.declare("gaussian:1", margin=5.0), "all", control="arm 3")
    for inquiry, rounds in ((pair, 40), (many, 400)):
        for _ in range(rounds):
            arm = inquiry.ask()
            inquiry.tell(arm, 5.0 if arm != inquiry.control else 0.0)
    assert [pair.count(arm) for arm in (0, 1)] == [20, 20]
    assert many.count(2) == pytest.approx(400 / 5, abs=6)


@pytest.mark.parametrize("running", ["c", "a"])
def test_nothing_is_known_of_durations_none_of_which_has_ended(running):
    criterion = Criterion.declare("exponential", lift=0.1)
    inquiry = Inquiry(["c", "a", "b"], criterion, control="c", delta=0.05)
    inquiry.tell(running, 5.0, 0)
    inquiry.tell({"a": "c", "c": "a"}[running], 3.0)
    assert inquiry.certificates(1) == (0.0, 0.0)
    assert inquiry.confidence == 0.0
    inquiry.tell(running, 4.0)
    assert inquiry.certificates(1) != (0.0, 0.0)
