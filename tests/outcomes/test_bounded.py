"""Bounded outcomes: those of shares of the range, whatever the range and however it rounds."""

import math
import random
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mpmath import mpf

from goodarm.errors import InputError
from goodarm.outcomes import Bernoulli, Bounded
from goodarm.outcomes.contract import Seen
from goodarm.run import evidence

RANGES = [(0.0, 1.0), (-2.0, 5.0), (1e6, 1e6 + 3.0), (-0.1, 0.3), (0.0, 1e-6)]


@pytest.mark.parametrize(("lo", "hi"), RANGES)
@pytest.mark.parametrize("share", [0.01, 0.5, 0.8])
def test_certificates_at_50_digits(
    exact: SimpleNamespace, lo: float, hi: float, share: float
) -> None:
    model, theta = Bounded(lo, hi), lo + share * (hi - lo)
    low, width = mpf(lo), mpf(hi) - mpf(lo)
    bar = (mpf(theta) - low) / width
    above, below = exact.Side("bounded", bar, 1), exact.Side("bounded", bar, -1)
    for n in (1, 30, 2000, 10**6):
        for mean in (0.0, 0.3 * share, share, 0.5 + 0.5 * share, 1.0):
            total = n * (lo + mean * (hi - lo))
            s = min(max((mpf(total) - n * low) / width, mpf(0)), mpf(n))
            rounding = n * max(abs(lo), abs(hi)) / (hi - lo)
            run = exact.state(model, theta, n, total)
            for side, found in (
                (above, model.functions.for_good(run, 0)),
                (below, model.functions.for_bad(run, 0)),
            ):
                size = side.size(n, s) + 4.0 * rounding
                assert abs(found - side.log(n, s)) <= 1e-15 * size


@given(st.integers(1, 10_000), st.floats(0.0, 1.0), st.floats(0.001, 0.999))
def test_zeros_and_ones_are_bernoulli(
    exact: SimpleNamespace, n: int, share: float, theta: float
) -> None:
    s = float(round(n * share))
    ours, theirs = (exact.state(m, theta, n, s) for m in (Bounded(0, 1), Bernoulli()))
    assert Bounded.functions.for_good(ours, 0) == Bernoulli.functions.for_good(theirs, 0)
    assert Bounded.functions.for_bad(ours, 0) == Bernoulli.functions.for_bad(theirs, 0)
    assert evidence(ours, 0) == pytest.approx(evidence(theirs, 0), rel=1e-14, abs=1e-300)


def test_rounding_carries_no_sum_beyond_the_range(exact: SimpleNamespace) -> None:
    """Sums of many outcomes at the very edge may round: they prove as much as there can be."""
    lo, n = 2.0**30, 3000
    model = Bounded(lo, lo + 0.5)
    for end, nudge in ((lo, -1.0), (lo + 0.5, 1.0)):
        runs = [
            exact.state(model, lo + 0.25, n, total)
            for total in (n * end, n * end + nudge * math.ulp(n * end))
        ]
        for function in (model.functions.for_good, model.functions.for_bad):
            assert function(runs[0], 0) == function(runs[1], 0)
        assert evidence(runs[0], 0) == evidence(runs[1], 0)


CASES = st.tuples(
    st.integers(1, 2000), st.floats(0.0, 1.0), st.sampled_from(RANGES), st.floats(0.01, 0.99)
)


@settings(max_examples=60)
@given(CASES, st.sampled_from([0.0, 1e-16, -1e-16, 1e-15, -1e-15, 1e-12, -1e-12, 0.5, -0.5]))
def test_limits_are_on_the_side_that_the_certificate_says(
    exact: SimpleNamespace, case: tuple, nudge: float
) -> None:
    """At α = e^(−ln E) and next to it, where a verdict hangs by the last bit."""
    n, mean, (lo, hi), share = case
    model, theta, s = Bounded(lo, hi), lo + share * (hi - lo), n * (lo + mean * (hi - lo))
    run = exact.state(model, theta, n, s)
    above, below = model.functions.for_good(run, 0), model.functions.for_bad(run, 0)
    assume(1e-3 < max(above, below) < 700.0)
    alpha = min(math.exp(-max(above, below)) * (1.0 + nudge), 1.0 - 1e-6)
    level = -math.log(alpha)
    low, high = (end[0] for end in model.limits(Seen.of([n], [s]), theta, alpha, alpha))
    assert (low >= theta) == (above >= level)
    assert (high < theta) == (below >= level)
    room = 1e-15 * max(abs(lo), abs(hi))
    assert lo <= low <= s / n + room
    assert s / n - room <= high <= hi


def test_limits_are_those_of_the_shares() -> None:
    counts, shares = np.array([50.0, 3.0, 400.0]), np.array([20.5, 3.0, 44.0])
    model = Bounded(-2.0, 6.0)
    ours = model.limits(Seen.of(counts, -2.0 * counts + 8.0 * shares), 1.0, 0.02, 0.1)
    theirs = Bernoulli().limits(Seen.of(counts, shares), 0.375, 0.02, 0.1)
    for end, share in zip(ours, theirs, strict=True):
        assert end == pytest.approx(-2.0 + 8.0 * share, rel=1e-12)


@pytest.mark.parametrize(
    ("lo", "hi", "message"),
    [
        (1, 1, "lo = 1 is not below hi = 1; give lo first"),
        (2, 1, "lo = 2 is not below hi = 1"),
        (0, 1e-320, "too narrow a range; use another unit"),
        (0, math.inf, "hi: inf is too large; give a finite number"),
        (math.nan, 1, "lo: nan is not a number"),
        ("0", 1, "lo: '0' is not a number"),
    ],
)
def test_ranges_that_cannot_be(lo: object, hi: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Bounded(lo, hi)  # type: ignore[arg-type]


def test_thresholds_that_no_outcome_can_tell_from_an_end() -> None:
    assert Bounded(-2, 5).check_threshold(0) == 0.0
    for lo, hi, theta in ((-2, 5, -2), (-2, 5, 5), (-2, 5, 9)):
        with pytest.raises(InputError, match="is not between -2 and 5"):
            Bounded(lo, hi).check_threshold(theta)
    for lo, hi, theta in ((0, 1e100, 1e-200), (-1e17, 1.0, 0.5)):
        with pytest.raises(InputError, match="too close to an end"):
            Bounded(lo, hi).check_threshold(theta)


def test_values_outside_the_range() -> None:
    assert Bounded(0, 10).check(10, 5.0) == 10.0
    with pytest.raises(InputError, match=r"value: 11 is outside \[0, 10\].*check the entry"):
        Bounded(0, 10).check(11, 5.0)


@pytest.mark.parametrize("scatter", [math.nan, 0.0, 0.5, 1e9])
def test_outcomes_drawn_for_a_forecast_stay_in_the_range(scatter: float) -> None:
    model, chance = Bounded(-1, 3), random.Random(1)
    for mean in (-1.0, -1.0 + 1e-12, 0.5, 3.0):
        drawn = [model.draw_outcome(0, mean, scatter, chance) for _ in range(300)]
        assert all(-1.0 <= x <= 3.0 for x in drawn)
        assert sum(drawn) / 300 == pytest.approx(mean, abs=0.5)
    for total, count in ((0.0, 0), (-50.0, 50), (150.0, 50)):
        assert -1.0 < model.draw_mean(0, total, count, 0.5, scatter, chance) < 3.0
