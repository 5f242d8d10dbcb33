import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

from goodarm.errors import InputError
from goodarm.instance import Instance, instances
from goodarm.theory import ERROR_THEOREMS, ErrorBound, error_bound, error_bounds, unif_error

TIMES = (1_000, 12_345, 10**6, 10**9 + 7, 10**15)


def by_hand(r, algorithm, t, published):
    """ln of the bound in 40 digits, from the paper's formulas and the corrections' list."""
    t = mpf(t)
    none, g, K = not r.good_gaps, len(r.good_gaps), r.K
    two = lambda first, second: mp.log(mp.exp(first) + mp.exp(second))  # noqa: E731
    if algorithm == "APGAI":
        alpha = 9 if none else (2 if published else 4)
        x = (t - K - (2 * g if published else 0)) / (2 * alpha * r.H1)
        if x < 0.5 and not published:
            return mpf(0)
        return mp.log(K * mp.e * mp.sqrt(2) * (2 + mp.log(t)) * mp.sqrt(x)) - x
    if algorithm == "Unif":
        n = mp.floor(t / K)
        if none:
            return mp.log(K) - n * min(r.gaps) ** 2 / 2
        best = max(r.good_gaps) ** 2
        if published:
            return mp.log(K - g + 1) - n * best / 4
        return two(-n * best / 2, mp.log(K - g) - n * r.hat**2 / 4)
    if algorithm in ("SR-G", "DSR-G"):
        slow = 4 if algorithm == "DSR-G" else 1
        n = (t - K) / (r.logbar * slow)
        if none:
            return mp.log(K) - n * min(r.gaps) ** 2 / 4
        first = mp.log(g) - n * min(r.good_gaps) ** 2 / 4
        if published:
            return two(first, 2 * mp.log(K) - n / r.H2)
        return two(first, mp.log(mpf(K) * (K - 1) / 2) - n / (4 * r.H2))
    if algorithm in ("SH-G", "DSH-G"):
        n = t / (4 if algorithm == "DSH-G" else 1)
        gap = min(r.good_gaps or r.gaps) ** 2
        first = mp.log(K if none else g) - n * gap / (4 * r.rounds) + gap / 2
        log2 = mp.log(K, 2)
        return (
            first
            if none
            else two(first, mp.log(3 * log2) - n / ((8 if published else 16) * log2 * r.H2))
        )
    beta = (t - K) / (4 * r.H1)
    if algorithm == "PKGAI(Unif)" and not none:
        beta = (t - K) * r.hat**2 / (4 * K)
        if not published:
            beta = min(beta, (t - 2 * K) * max(r.good_gaps) ** 2 / K)
    return mp.log(2 * K * t) - (2 * beta if published else beta / 2)


@pytest.mark.parametrize("algorithm", ERROR_THEOREMS)
@pytest.mark.parametrize("reading", ["published", "corrected"])
def test_every_bound_in_high_precision(name, algorithm, reading, reference):
    r, bound = reference.of(name), ErrorBound(instances[name], algorithm, reading)
    for t in TIMES:
        at = bound.at(t)
        if algorithm == "Unif" and reading == "published" and t % r.K:
            assert at.log is None
            assert "multiples of K" in at.reason
            continue
        if t < bound.first_time:
            assert at.reason == f"stated from t = {bound.first_time:,} on"
            continue
        with mp.workdps(60):
            expected = by_hand(r, algorithm, t, reading == "published")
        assert at.log == pytest.approx(float(expected), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("reading", ["published", "corrected"])
def test_arrays_and_single_times_agree(name, reading):
    times = [1, 5, 100, 101, 700, 5000]
    table = error_bounds(instances[name], times, reading)
    for algorithm in ERROR_THEOREMS:
        logs = ErrorBound(instances[name], algorithm, reading).log(times)
        for log, at in zip(logs, table[algorithm], strict=True):
            assert (np.isposinf(log) and at.log is None and at.reason) or log == at.log


def test_the_readings_agree_where_nothing_was_wrong():
    for algorithm in ("APGAI", "SR-G", "SH-G", "DSR-G", "DSH-G"):  # no good arm
        at = [
            error_bound(instances["NoA2"], algorithm, 50_000, reading).log
            for reading in ("published", "corrected")
        ]
        assert at[0] == at[1] < 0.0


def test_when_apgai_says_something():
    # The figures of "how loose it is".
    assert ErrorBound(instances["NoA1"], "APGAI").below_one_from() == 1_167
    assert ErrorBound(instances["NoA2"], "APGAI").below_one_from() == 12_354
    gaussian = instances["RealL-gaussian"]
    assert ErrorBound(gaussian, "APGAI", "published").below_one_from() == 938_800
    assert ErrorBound(gaussian, "APGAI").below_one_from() == 1_888_370


@pytest.mark.parametrize("algorithm", ERROR_THEOREMS)
@pytest.mark.parametrize("reading", ["published", "corrected"])
def test_below_one_from_is_the_last_crossing(name, algorithm, reading):
    bound = ErrorBound(instances[name], algorithm, reading)
    start = bound.below_one_from()
    step = bound.complexity.K if (algorithm, reading) == ("Unif", "published") else 1
    assert bound.at(start).log < 0.0
    before = bound.at(start - step)
    assert before.log is None or before.log >= 0.0
    later = (start * np.geomspace(1, 1e6, 50)) // step * step
    assert (bound.log(later) < 0.0).all()


def test_values_are_probabilities():
    at = error_bound(instances["Thr1"], "PKGAI", 100)
    assert at.log > 0.0
    assert at.value == 1.0
    assert error_bound(instances["Thr1"], "Unif", 10**15).value == 0.0


def test_domains():
    thr1 = instances["Thr1"]  # K = 10, five good arms
    assert error_bound(thr1, "APGAI", 20, "published").reason == "stated from t = 21 on"
    assert error_bound(thr1, "APGAI", 20) == (0.0, None)
    assert error_bound(thr1, "Unif", 9).log is None
    assert error_bound(thr1, "Unif", 10).log == error_bound(thr1, "Unif", 19).log
    assert error_bound(thr1, "SR-G", 10).log is None
    assert error_bound(thr1, "SH-G", 39).log is None
    assert error_bound(thr1, "SH-G", 40).log > 0
    assert error_bound(thr1, "SH-G", 39, "published").log is not None
    assert error_bound(thr1, "DSR-G", 79).reason == "stated from t = 80 on"
    assert error_bound(thr1, "DSH-G", 80).log is not None


def test_one_arm():
    one = Instance(0.0, [0.5])
    for algorithm in ("SH-G", "DSR-G", "DSH-G"):
        assert "K = 1" in error_bound(one, algorithm, 100).reason
    # The only arm gets every pull: e^(−tΔ²/2), but for the pull that the theorem gives away.
    assert error_bound(one, "SR-G", 101).log == pytest.approx(-100 * 0.25 / 2)
    assert error_bound(one, "Unif", 100).log == pytest.approx(-100 * 0.25 / 2)


def test_all_arms_good():
    good = Instance(0.0, [1.0, 0.5])
    assert error_bound(good, "Unif", 100).log == pytest.approx(-25.0)
    assert error_bound(good, "PKGAI(Unif)", 100, "published").reason == "no arm is bad"
    beta = (100 - 4) / 2
    assert error_bound(good, "PKGAI(Unif)", 100).log == pytest.approx(np.log(400) - beta / 2)


def test_wrong_questions():
    with pytest.raises(InputError, match="APGAI"):
        error_bound(instances["NoA1"], "APGA", 100)
    with pytest.raises(InputError, match="corrected"):
        error_bound(instances["NoA1"], "APGAI", 100, "correct")
    for t in (0, -5, float("nan"), float("inf")):
        with pytest.raises(InputError, match="time"):
            error_bound(instances["NoA1"], "APGAI", t)


def test_unif_never_errs_more_than_its_bound(name):
    instance = instances[name]
    if instance.families != ("gaussian",):
        assert unif_error(instance, 1000).reason == "exact for Gaussian arms only"
        return
    bound = ErrorBound(instance, "Unif")
    for rounds, extra in ((1, 0), (3, 1), (20, instance.K // 2), (200, 0), (5000, 3 % instance.K)):
        t = instance.K * rounds + extra
        assert unif_error(instance, t).log <= min(0.0, bound.at(t).log) + 1e-12


@given(
    st.lists(st.floats(-2, 2).filter(lambda m: abs(m) > 0.01), min_size=1, max_size=5),
    st.integers(1, 400),
)
def test_unif_on_any_instance(means, t):
    instance = Instance(0.0, means)
    at = error_bound(instance, "Unif", t)
    if t >= len(means):
        assert unif_error(instance, t).log <= at.log + 1e-9
    else:
        assert at.log is None


@given(
    st.lists(st.floats(-2, 2).filter(lambda m: abs(m) > 0.01), min_size=2, max_size=6),
    st.sampled_from(sorted(ERROR_THEOREMS.keys() - {"Unif"})),  # whose corrected form is sharper
    st.integers(100, 10**6),
)
def test_corrected_is_no_smaller_than_published(means, algorithm, t):
    instance = Instance(0.0, means)
    published = error_bound(instance, algorithm, t, "published").log
    corrected = error_bound(instance, algorithm, t).log
    if published is not None and corrected is not None and published < 0.0:
        # SR-G: K(K − 1)/2 for K² and a smaller exponent; the factor can win for small t only.
        assert corrected >= min(published, 0.0) - np.log(4) * (algorithm in ("SR-G", "DSR-G"))
