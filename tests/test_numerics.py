"""The special functions against mpmath, plain and compiled."""

import math

import mpmath
import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.extending import register_jitable

from goodarm import numerics
from goodarm.numerics import (
    normal_cdf,
    normal_log_cdf,
    normal_log_quantile,
    normal_quantile,
    wbar,
    wbar_inverse,
)

EPS = 2.0**-52
FUNCTIONS = (wbar, wbar_inverse, normal_cdf, normal_log_cdf, normal_quantile, normal_log_quantile)


def exact_wbar(x: float) -> mpmath.mpf:
    """The root of w − ln w = x above 1, by bisection-safe Newton in 60 digits."""
    with mpmath.workdps(60):
        x = mpmath.mpf(x)
        w = 1 + mpmath.sqrt(2 * (x - 1)) + (x - 1)  # from above: Newton is monotone there
        for _ in range(200):
            step = (w - mpmath.log(w) - x) / (1 - 1 / w) if w != 1 else 0
            w -= step
            if abs(step) < mpmath.mpf(10) ** -50 * w:
                break
        return w


def exact_log_cdf(x: float) -> mpmath.mpf:
    with mpmath.workdps(60):
        return mpmath.log(mpmath.erfc(-mpmath.mpf(x) / mpmath.sqrt(2)) / 2)


def relative(value: float, exact: mpmath.mpf) -> float:
    return float(abs((mpmath.mpf(value) - exact) / exact)) if exact else abs(value)


@pytest.mark.parametrize(
    "x",
    [
        1.0,
        1 + EPS,
        1 + 1e-9,
        1.0000099,
        1.0000101,
        1.4999,
        1.5,
        1.5001,
        2.999,
        3.0,
        3.001,
        10.0,
        708.0,
        745.0,
        746.0,
        1e4,
        1e8,
        1e15,
        1e300,
    ],
)
def test_wbar_at_chosen_points(x: float) -> None:
    assert relative(wbar(x), exact_wbar(x)) < 4 * EPS


@given(st.floats(1.0, 1e8))
def test_wbar_to_full_precision(x: float) -> None:
    assert relative(wbar(x), exact_wbar(x)) < 4 * EPS


@given(st.floats(0.0, 10.0))
def test_wbar_to_full_precision_near_one(excess: float) -> None:
    assert relative(wbar(1.0 + excess), exact_wbar(1.0 + excess)) < 4 * EPS


@given(st.floats(1.0, 1e12))
def test_wbar_inverse_inverts(x: float) -> None:
    assert wbar_inverse(wbar(x)) == pytest.approx(x, rel=8 * EPS)


def test_wbar_agrees_with_the_lambert_function() -> None:
    for x in (1.5, 3.0, 20.0, 300.0):
        lambert = -mpmath.lambertw(-mpmath.exp(-mpmath.mpf(x)), -1)
        assert wbar(x) == pytest.approx(float(lambert.real), rel=1e-12)


def test_outside_the_domain_is_nan() -> None:
    assert math.isnan(wbar(0.999))
    assert math.isnan(wbar(math.nan))
    assert math.isnan(wbar_inverse(0.5))
    assert math.isnan(normal_quantile(1.5))
    assert math.isnan(normal_quantile(math.nan))
    assert math.isnan(normal_log_quantile(0.1))


@given(st.floats(-37.0, 8.0))
def test_normal_cdf(x: float) -> None:
    exact = mpmath.ncdf(x)
    # The rounding of x/√2 alone costs about x² units in the last place.
    assert relative(normal_cdf(x), exact) < (4 + x * x) * EPS


@given(st.floats(-1e8, 5.0))
def test_normal_log_cdf(x: float) -> None:
    assert relative(normal_log_cdf(x), exact_log_cdf(x)) < (8 + 4 * max(x, 0.0) ** 2) * EPS


@given(st.floats(-40.0, -10.0))
def test_normal_log_cdf_across_its_two_branches(x: float) -> None:
    assert relative(normal_log_cdf(x), exact_log_cdf(x)) < 8 * EPS


@given(st.floats(1e-300, 1.0 - EPS))
def test_normal_quantile_inverts_the_cdf(p: float) -> None:
    x = normal_quantile(p)
    with mpmath.workdps(60):
        back = mpmath.erfc(-mpmath.mpf(x) / mpmath.sqrt(2)) / 2
        density = mpmath.exp(-(mpmath.mpf(x) ** 2) / 2) / mpmath.sqrt(2 * mpmath.pi)
        # The error of x itself, to first order.
        assert abs(float((back - mpmath.mpf(p)) / density)) < 16 * EPS * max(abs(x), 0.1)


@given(st.floats(-1e16, -1e-3))
def test_normal_log_quantile_inverts_the_log_cdf(log_p: float) -> None:
    back = exact_log_cdf(normal_log_quantile(log_p))
    assert abs(float((back - mpmath.mpf(log_p)) / mpmath.mpf(log_p))) < 1e-13


def test_quantiles_at_the_ends() -> None:
    assert normal_quantile(0.0) == -math.inf
    assert normal_quantile(1.0) == math.inf
    assert normal_quantile(0.5) == 0.0
    assert normal_log_quantile(0.0) == math.inf


def test_quantile_is_antisymmetric() -> None:
    for p in (0.01, 0.06, 0.25, 0.4):
        assert normal_quantile(p) == pytest.approx(-normal_quantile(1.0 - p), rel=1e-14)


def test_compiled_equals_plain() -> None:
    for function in vars(numerics).values():
        if callable(function) and getattr(function, "__module__", "") == numerics.__name__:
            register_jitable(function)
    points = {
        wbar: np.concatenate([[1.0], 1.0 + np.geomspace(1e-15, 1e9, 200)]),
        wbar_inverse: np.geomspace(1.0, 1e9, 200),
        normal_cdf: np.linspace(-40, 9, 200),
        normal_log_cdf: np.linspace(-60, 9, 200),
        normal_quantile: np.linspace(1e-9, 1 - 1e-9, 200),
        normal_log_quantile: -np.geomspace(1e-5, 1e6, 200),
    }
    for function in FUNCTIONS:
        compiled = numba.njit(lambda x, f=function: f(x))
        for x in points[function]:
            assert compiled(x) == function(float(x)), (function.__name__, x)
