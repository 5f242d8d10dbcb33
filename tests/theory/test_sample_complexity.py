import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import findroot, mp, mpf

from goodarm.errors import InputError
from goodarm.instance import Instance, instances
from goodarm.simulation import simulate
from goodarm.theory import expected_sample_complexity, h1, h2, unverifiable_sample_complexity
from goodarm.theory.sample_complexity import closed_form, largest_time

# ln(1/δ) for δ = 0.5, 0.01, 1e-300 and e^−100,000, which no double holds.
RISKS = (math.log(2.0), math.log(100.0), 300.0 * math.log(10.0), 1e5)
BENCHMARK = [n for n in instances if n != "RealL-gaussian"]


def constants(r, algorithm, wbar):
    """H and D from the lemmas."""
    if algorithm == "Unif":
        gap = max(r.good_gaps) if r.good_gaps else min(r.gaps)
        return r.K / gap**2, mpf(r.K)
    inverse = lambda z, y: z * wbar(y / z + mp.log(z))  # noqa: E731
    if not r.good_gaps:
        T = inverse(54 * r.H1, r.K)
        return r.H1, T + 2 * r.H1 * max(r.gaps) ** 2 - 6 * r.H1 * mp.log(T)
    S = inverse(12 * r.H1, r.K + 2 * len(r.good_gaps))
    return r.Htheta, S + 1 - 6 * mp.log(S) / max(r.good_gaps) ** 2


def right_side(t, H, D, K, risk, wbar, extra=0):
    c = wbar(2 * (mp.log(K) + risk) + 4 * mp.log(4 + mp.log(t)) + mpf(1) / 2) / 2
    return 2 * H * (mp.sqrt(c) + mp.sqrt(3 * mp.log(t))) ** 2 + extra * mp.log(t) + D


@pytest.mark.parametrize("algorithm", ["APGAI", "Unif"])
def test_c_solves_its_equation_in_high_precision(name, algorithm, reference):
    r, wbar = reference.of(name), reference.wbar
    H, D = constants(r, algorithm, wbar)
    for risk in RISKS[1:3]:
        found = expected_sample_complexity(instances[name], algorithm, log_inverse_delta=risk)
        equation = lambda t, risk=risk: t - right_side(t, H, D, r.K, risk, wbar)  # noqa: E731
        root = findroot(equation, mpf(found.C) * mpf("1.001"))
        assert pytest.approx(float(root), rel=1e-11) == found.C
        # The last root: the left side stays ahead from there on.
        assert all(equation(root * f) > 0 for f in (1.0001, 1.1, 2, 10, 1e6))
        assert equation(root * mpf("0.9999")) < 0


@pytest.mark.parametrize("reading", ["published", "corrected"])
@pytest.mark.parametrize("algorithm", ["APGAI", "Unif"])
def test_closed_form_in_high_precision(name, algorithm, reading, reference):
    r, wbar = reference.of(name), reference.wbar
    H, D = constants(r, algorithm, wbar)
    factor = 2 if reading == "published" else mpf(1) / 2
    for risk in RISKS:
        x = 15 * H
        y = 4 * H * (mp.log(r.K) + risk + mpf(15) / 4 - factor * mp.log(2 * H)) + D
        expected = y + x * mp.log(x) + x * mp.log(y / x + mp.log(x)) + x / 2
        found = expected_sample_complexity(
            instances[name], algorithm, reading=reading, log_inverse_delta=risk
        )
        assert found.C_prime == pytest.approx(float(expected), rel=1e-11)


def test_the_published_closed_form_is_below_c_on_nine_of_ten_instances():
    below = [
        name
        for name in BENCHMARK
        if (at := expected_sample_complexity(instances[name], "APGAI", 0.01, "published")).C_prime
        < at.C
    ]
    assert len(BENCHMARK) == 10
    assert [name for name in BENCHMARK if name not in below] == ["Med2"]


@given(st.floats(-12, 12), st.floats(0, 25), st.integers(1, 10**5), st.floats(0.01, 2000))
def test_the_corrected_closed_form_bounds_c(log_h, log_d, K, risk):
    H, D = math.exp(log_h), math.exp(log_d)
    level = math.log(K) + risk
    assert closed_form(H, D, level) >= largest_time(H, D, level) * (1 - 1e-12)


def test_noa2_at_one_percent():
    # Lower bound 843 (tested elsewhere), simulated mean about 2,800, upper bound about 80,700.
    at = expected_sample_complexity(instances["NoA2"], "APGAI", 0.01)
    assert round(at.C) == 80_739
    assert at.bound == pytest.approx(at.C + 4 * math.pi**2 / 6 + 1)
    result = simulate(
        "NoA2", "APGAI", delta=0.01, boundary="glr-tables", cap=10**5, runs=400, seed=4
    )
    assert abs(result["APGAI"].mean - 2_800) < 3 * result["APGAI"].se + 100


@pytest.mark.parametrize("algorithm", ["APGAI", "Unif"])
def test_what_is_proved(name, algorithm, reference):
    r, wbar = reference.of(name), reference.wbar
    H, D = constants(r, algorithm, wbar)
    extra = 0
    if algorithm == "APGAI" and r.good_gaps:
        D, extra = r.K + 1, 24 * (r.H1 - 1 / max(r.good_gaps) ** 2)
    elif algorithm == "APGAI":
        D, extra = r.H1 * max(r.gaps) ** 2 + r.K + 1, 48 * r.H1
    found = expected_sample_complexity(instances[name], algorithm, 0.01)
    tail = (2 if name == "RealL" else 1) * r.K * math.pi**2 / 6 + 1
    t = mpf(found.bound_proved - tail)
    risk = mp.log(100)
    assert float(right_side(t, H, D, r.K, risk, wbar, extra) / t) == pytest.approx(1, rel=1e-9)
    if algorithm == "Unif":
        assert found.bound_proved == found.bound


def test_asymptotic_slopes():
    for name, slope in (("NoA2", 2 * 113.0278), ("Thr1", 2 * 463.1944)):
        levels = (1e9, 2e9)
        times = [
            expected_sample_complexity(instances[name], "APGAI", log_inverse_delta=x)
            for x in levels
        ]
        assert pytest.approx(slope, rel=1e-3) == (times[1].C - times[0].C) / 1e9
        proved = (times[1].bound_proved - times[0].bound_proved) / 1e9
        assert proved == pytest.approx(slope, rel=1e-3)


def test_sub_gaussian_arms_need_twice_the_tails():
    bernoulli = instances["RealL"]
    gaussian = Instance(0.5, bernoulli.means, sigma=0.5)
    K = bernoulli.K
    at, other = (expected_sample_complexity(i, "APGAI", 0.01) for i in (bernoulli, gaussian))
    assert at.C == other.C  # the stopping boundary holds for both
    assert at.bound - other.bound == pytest.approx(K * math.pi**2 / 6)
    assert expected_sample_complexity(bernoulli, "APGAI", 0.01, "published").bound == other.bound
    u = unverifiable_sample_complexity(bernoulli, "APGAI", 0.01).number
    half = unverifiable_sample_complexity(gaussian, "APGAI", 0.005).number
    assert u == pytest.approx(half, rel=1e-12)


def test_the_two_sided_tail_lemma_lacks_a_factor_two():
    # A fair coin of ±1 is 1-sub-Gaussian; |X| ≥ 1 always, which the lemma gives e^(−1/2).
    delta = math.exp(-0.5)
    assert math.sqrt(2 * math.log(1 / delta)) == pytest.approx(1.0)
    assert delta < 1.0
    assert 2 * delta >= 1.0


@pytest.mark.parametrize("reading", ["published", "corrected"])
@pytest.mark.parametrize("algorithm", ["APGAI", "Unif"])
def test_unverifiable_in_high_precision(name, algorithm, reading, reference):
    r = reference.of(name)
    g = len(r.good_gaps)
    if algorithm == "Unif":
        A = 24 * r.K / max(r.good_gaps) ** 2 if g else 6 * r.K / min(r.gaps) ** 2
        B = r.K
    elif g == 0:
        A, B = 54 * r.H1, r.K
    else:
        A, B = (12 * r.H1, r.K + 2 * g) if reading == "published" else (24 * r.H1, r.K)
    arms = r.K * (2 if name == "RealL" and reading == "corrected" else 1)
    for risk in RISKS:
        inner = (mp.log(arms * mp.pi**2 / 6) + risk) / 3 + B / A + mp.log(A)
        found = unverifiable_sample_complexity(
            instances[name], algorithm, reading=reading, log_inverse_delta=risk
        )
        assert found.number == pytest.approx(float(A * reference.wbar(inner)), rel=1e-12)
        # U is where T = A ln T + (A/3) ln(Kπ²/(6δ)) + B, the equation behind it.
        T = mpf(found.number)
        sum_ = A * mp.log(T) + A * (mp.log(arms * mp.pi**2 / 6) + risk) / 3 + B
        assert float(sum_ / T) == pytest.approx(1, rel=1e-12)


def test_unverifiable_limits_are_the_theorems_not_the_tables():
    # The table prints 36 H1 and 8 H1.
    for name, reading, factor in (
        ("NoA2", "published", 18),
        ("NoA2", "corrected", 18),
        ("Thr1", "published", 4),
        ("Thr1", "corrected", 8),
    ):
        u = [
            unverifiable_sample_complexity(
                instances[name], "APGAI", reading=reading, log_inverse_delta=x
            ).number
            for x in (1e9, 2e9)
        ]
        h = {"NoA2": 113.027778, "Thr1": 926.388889}[name]
        assert (u[1] - u[0]) / 1e9 == pytest.approx(factor * h, rel=1e-5)


@given(st.floats(-5, 20), st.floats(0, 10))
def test_h1_solves_x_equals_z_log_x_plus_y(log_z, log_y):
    z, y = math.exp(log_z), math.exp(log_y)
    x = mpf(h1(z, y))
    assert float((z * mp.log(x) + y) / x) == pytest.approx(1, rel=1e-9)
    assert x >= z


def test_h2_depends_on_k():
    assert h2(10, 4.6, 100.0, 10.0) > h2(5, 4.6, 100.0, 10.0)


def test_the_good_arm_lemma_fails_as_published():
    # With f̃ = 8, a good arm of gap 1 and 26 > (√16 + 1)² pulls may have W as low as √26 − 4,
    # within the event, while a bad arm with a tiny gap may have W = √16. So 8f̃/Δ² pulls are
    # needed, not (√(2f̃)/Δ + 1)²: hence α = 4, the offset K, and h2(δ, 24 H1, K).
    f = 8.0
    lowest_good, highest_bad = math.sqrt(26) - math.sqrt(2 * f), math.sqrt(2 * f)
    assert (math.sqrt(2 * f) + 1) ** 2 < 26
    assert lowest_good < highest_bad
    assert math.sqrt(8 * f) - math.sqrt(2 * f) >= highest_bad


def test_wrong_questions():
    for delta in (0.0, 1.0, -0.1, 2.0, float("nan")):
        with pytest.raises(InputError, match="delta"):
            expected_sample_complexity(instances["NoA1"], "APGAI", delta)
    with pytest.raises(InputError, match="one of the two"):
        unverifiable_sample_complexity(instances["NoA1"], "APGAI")
    with pytest.raises(InputError, match="log_inverse_delta"):
        unverifiable_sample_complexity(instances["NoA1"], "APGAI", log_inverse_delta=math.inf)
    with pytest.raises(InputError, match="algorithm"):
        expected_sample_complexity(instances["NoA1"], "SR-G", 0.1)
