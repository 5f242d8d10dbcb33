import math

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goodarm.errors import InputError
from goodarm.stopping import BOUNDARIES, parse_boundary
from goodarm.stopping.any_time import smallest_delta
from goodarm.stopping.families.glr import g, zeta


def exact_wbar(x: mpmath.mpf) -> mpmath.mpf:
    return mpmath.findroot(lambda w: w - mpmath.log(w) - x, x + mpmath.log(x))


@pytest.mark.parametrize("t", [10, 1000, 10**9])
@pytest.mark.parametrize("delta", [0.5, 0.01, 1e-12])
def test_levels_against_high_precision(t: int, delta: float) -> None:
    with mpmath.workdps(40):
        K, d, s = 7, mpmath.mpf(delta), mpmath.mpf("1.7")
        loglog = 4 * mpmath.log(4 + mpmath.log(t))
        g_s = mpmath.log(mpmath.zeta(s)) + s * (1 - mpmath.log(2 * s)) + mpmath.mpf("0.5")
        exact = {
            "glr": 2 * mpmath.log(K / d) + loglog + mpmath.mpf("0.5"),
            "glr-tables": 2 * mpmath.log(2 * K / d) + loglog + 1,
            "glr[s=1.7]": 2 * mpmath.log(K / d)
            + 2 * s * mpmath.log(2 * s + mpmath.log(t))
            + 2 * g_s,
        }
        for name, x in exact.items():
            level = parse_boundary(name, K, delta).level(t)
            assert level == pytest.approx(float(mpmath.sqrt(exact_wbar(x))), rel=1e-12)


@given(st.floats(1.0 + 2.0**-52, 2.0) | st.floats(2.0, 80.0))
def test_zeta(s: float) -> None:
    with mpmath.workdps(40):
        exact = mpmath.zeta(mpmath.mpf(s))
        assert abs(zeta(s) - exact) < 2.0**-51 * exact


def test_zeta_of_large_numbers() -> None:
    assert zeta(1e300) == 1.0


def test_the_papers_boundary_is_the_family_at_two_rounded_up() -> None:
    assert 0.0 < 0.5 - 2.0 * g(2.0) < 0.06


@given(st.integers(1, 10**6), st.integers(2, 10**9), st.floats(1e-300, 0.99))
def test_the_boundary_grows_with_time(K: int, t: int, delta: float) -> None:
    boundary = parse_boundary("glr", K, delta)
    assert boundary.level(t - 1) <= boundary.level(t)


def test_delta_may_come_as_its_logarithm() -> None:
    by_value = parse_boundary("glr", 5, 1e-200)
    by_log = parse_boundary("glr", 5, log_inverse_delta=200 * math.log(10))
    assert by_value.offset == pytest.approx(by_log.offset, rel=1e-14)


@pytest.mark.parametrize("delta", [0.0, 1.0, -0.1, math.nan, math.inf, None, "0.1"])
def test_wrong_delta(delta: object) -> None:
    with pytest.raises(InputError, match="strictly between 0 and 1"):
        parse_boundary("glr", 5, delta)


def test_every_name_that_is_shown_can_be_used() -> None:
    for name in BOUNDARIES:
        text = name.replace("S]", "2]")
        assert parse_boundary(text.upper(), 5, 0.1).name == text


@pytest.mark.parametrize("name", ["glr[s=1]", "glr[s=x]", "glr[s=inf]", "glrr", ""])
def test_wrong_names(name: str) -> None:
    with pytest.raises(InputError):
        parse_boundary(name, 5, 0.1)


@given(st.integers(1, 1000), st.integers(1, 10**6), st.floats(1e-30, 0.5))
def test_smallest_delta_inverts_the_boundary(K: int, t: int, delta: float) -> None:
    level = parse_boundary("glr", K, delta).level(t)
    assert smallest_delta(level, K, t) == pytest.approx(delta, rel=1e-9)


def test_smallest_delta_without_evidence() -> None:
    assert smallest_delta(0.9, 5, 100) == 1.0
    assert smallest_delta(0.0, 5, 0) == 1.0
    assert smallest_delta(1.5, 5, 100) == 1.0
    assert smallest_delta(60.0, 5, 100) < 1e-300
