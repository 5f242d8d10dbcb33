"""Bernoulli outcomes: values at 50 digits, outcome by outcome, the root of kl, the limits."""

import math
import random
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from goodarm.errors import InputError
from goodarm.outcomes import Bernoulli, certificate
from goodarm.outcomes.bernoulli import NEAREST, excess, gap, root_of_kl
from goodarm.outcomes.contract import Levels, Seen
from goodarm.run import evidence, new_run

MODEL = Bernoulli()
THRESHOLDS = [1e-9, 0.001, 0.04, 0.3, 0.5, 0.85, 0.999]


def sums(n: int, theta: float) -> set[int]:
    """From impossible-looking to typical."""
    spread = math.sqrt(n * theta * (1.0 - theta))
    near = (round(n * theta + z * spread) for z in (-30, -4, -1, 0, 2, 5, 30))
    return {0, n, *(min(max(s, 0), n) for s in near)}


@pytest.mark.parametrize("theta", THRESHOLDS)
def test_certificates_at_50_digits(exact: SimpleNamespace, theta: float) -> None:
    above, below = exact.Side("bernoulli", theta, 1), exact.Side("bernoulli", theta, -1)
    for n in (1, 2, 10, 137, 10_000, 10**7):
        for s in sums(n, theta):
            run = exact.state(MODEL, theta, n, float(s))
            for side, found in (
                (above, MODEL.functions.for_good(run, 0)),
                (below, MODEL.functions.for_bad(run, 0)),
            ):
                assert abs(found - side.log(n, s)) <= 2e-15 * side.size(n, s)


@pytest.mark.parametrize("theta", [0.04, 0.5, 0.9])
def test_certificates_are_products_of_likelihood_ratios(
    exact: SimpleNamespace, theta: float
) -> None:
    """Outcome by outcome: the chance of each at log-odds ± d over its chance at θ."""
    chance = random.Random(1)
    values = [1 if chance.random() < theta + 0.05 else 0 for _ in range(400)]
    side = exact.Side("bernoulli", theta, 1)
    steps, weights = [float(d) for d in side.steps], [float(w) for w in side.weights]
    rates = {sign: [_shifted(theta, sign * d) for d in steps] for sign in (1, -1)}
    products = {sign: list(weights) for sign in (1, -1)}
    for place, value in enumerate(values, 1):
        for sign in (1, -1):
            for j, q in enumerate(rates[sign]):
                products[sign][j] *= q / theta if value else (1.0 - q) / (1.0 - theta)
        if place in (1, 7, 100, 400):
            proof = certificate("bernoulli", theta, values[:place])
            assert proof.above == pytest.approx(math.log(sum(products[1])), abs=1e-11)
            assert proof.below == pytest.approx(math.log(sum(products[-1])), abs=1e-11)


def _shifted(theta: float, step: float) -> float:
    odds = theta / (1.0 - theta) * math.exp(step)
    return odds / (1.0 + odds)


def exact_root(p: float, q: float) -> mpf:
    with mp.workdps(250):  # the two terms cancel, at q = 1e-100 all but completely
        p_, q_ = mpf(p), mpf(q)
        terms = [x * mp.log(x / y) for x, y in ((p_, q_), (1 - p_, 1 - q_)) if x > 0]
        return mp.sign(p_ - q_) * mp.sqrt(2 * sum(terms))


def our_root(p: float, q: float) -> float:
    return root_of_kl(p - q, q, 1.0 / q, 1.0 / (1.0 - q))


UNIT = st.floats(0.0, 1.0)
INNER = st.one_of(
    st.floats(1e-9, 1.0 - 1e-9), st.sampled_from([1e-9, 1e-100, 1e-4, 0.5, 1.0 - 1e-9])
)


@given(UNIT, INNER)
@example(0.0, 1e-9)
@example(1.0, 1e-9)
@example(1.0, 1.0 - 1e-9)
@example(0.02 * 0.5 + 0.5, 0.5)
def test_root_of_kl_at_50_digits(p: float, q: float) -> None:
    assert abs(our_root(p, q) - exact_root(p, q)) <= 1e-12 * abs(exact_root(p, q))


@given(INNER, st.floats(-15, -0.5), st.sampled_from([1.0, -1.0]))
def test_root_of_kl_when_p_is_close_to_q(q: float, exponent: float, sign: float) -> None:
    p = q * (1.0 + sign * 10.0**exponent)
    assume(0.0 <= p <= 1.0)
    found = our_root(p, q)
    assert abs(found - exact_root(p, q)) <= 1e-12 * abs(exact_root(p, q))
    assert (found > 0) == (p > q)
    assert (found < 0) == (p < q)


@given(st.integers(0, 2**20), st.integers(1, 2**20 - 1))
def test_root_of_kl_is_antisymmetric(a: int, b: int) -> None:
    p, q = a / 2**20, b / 2**20  # 1 − p and 1 − q are exact
    assert our_root(1.0 - p, 1.0 - q) == -our_root(p, q)
    assert our_root(q, q) == 0.0


def test_excess_is_continuous_where_its_formula_changes() -> None:
    for edge in (-0.02, 0.02):
        inside, outside = excess(edge * (1 - 1e-12)), excess(edge * (1 + 1e-12))
        assert inside == pytest.approx(outside, rel=1e-11)


@pytest.mark.parametrize(
    ("n", "s", "theta"),
    [
        (1, 0, 0.5),
        (1, 1, 0.04),
        (5, 5, 0.5),
        (30, 0, 0.9),
        (200, 19, 0.04),
        (200, 19, 0.9),
        (10**6, 501_000, 0.5),
    ],
)
def test_limits_against_a_root_search(exact: SimpleNamespace, n: int, s: int, theta: float) -> None:
    alpha = 0.05
    level = -mp.log(mpf(alpha))

    def log(sign: int, rate: mpf) -> mpf:
        return exact.Side("bernoulli", rate, sign, variance_at=theta).log(n, s)

    low, high = (end[0] for end in MODEL.limits(Seen.of([n], [s]), theta, alpha, alpha))
    if log(1, mpf(0)) <= level:
        assert low == 0.0
    else:
        assert low == pytest.approx(exact.root(lambda r: log(1, r), 0, s / n, level), rel=1e-10)
    if log(-1, mpf(1)) <= level:
        assert high == 1.0
    else:
        assert high == pytest.approx(exact.root(lambda r: log(-1, r), s / n, 1, level), rel=1e-10)


CASES = st.tuples(
    st.integers(1, 3000), st.floats(0.0, 1.0), st.one_of(st.floats(0.001, 0.999), st.just(1e-9))
)


@settings(max_examples=50)
@given(CASES, st.floats(1e-9, 0.999), st.floats(1e-9, 0.999))
def test_limits_are_in_order(case: tuple[int, float, float], one: float, other: float) -> None:
    n, share, theta = case
    s = round(n * share)
    low, high = MODEL.limits(Seen.of([n], [s]), theta, one, other)
    assert 0.0 <= low[0] <= s / n <= high[0] <= 1.0
    wider = MODEL.limits(Seen.of([n], [s]), theta, one / 2, other / 2)
    assert wider[0][0] <= low[0]
    assert high[0] <= wider[1][0]


@given(CASES, st.sampled_from([0.0, 1e-16, -1e-16, 1e-15, -1e-15, 1e-12, -1e-12, 0.5, -0.5]))
def test_limits_are_on_the_side_that_the_certificate_says(
    exact: SimpleNamespace, case: tuple[int, float, float], nudge: float
) -> None:
    """At α = e^(−ln E) and next to it, where a verdict hangs by the last bit."""
    n, share, theta = case
    s = round(n * share)
    run = exact.state(MODEL, theta, n, float(s))
    above, below = MODEL.functions.for_good(run, 0), MODEL.functions.for_bad(run, 0)
    assume(1e-3 < max(above, below) < 700.0)
    alpha = min(math.exp(-max(above, below)) * (1.0 + nudge), 1.0 - 1e-6)
    level = -math.log(alpha)
    low, high = MODEL.limits(Seen.of([n], [s]), theta, alpha, alpha)
    assert (low[0] >= theta) == (above >= level)
    assert (high[0] < theta) == (below >= level)


def test_limits_of_many_arms_are_those_of_each() -> None:
    counts, totals = np.array([3.0, 200.0, 1.0]), np.array([3.0, 20.0, 0.0])
    low, high = MODEL.limits(Seen.of(counts, totals), 0.3, 0.01, 0.1)
    for a in range(3):
        alone = MODEL.limits(Seen.of(counts[a : a + 1], totals[a : a + 1]), 0.3, 0.01, 0.1)
        assert (low[a], high[a]) == (alone[0][0], alone[1][0])


@given(st.integers(1, 500), st.floats(0.0, 1.0), st.floats(0.01, 0.99))
def test_where_less_is_good_the_sides_are_exchanged(
    exact: SimpleNamespace, n: int, share: float, theta: float
) -> None:
    s = float(round(n * share))
    more, less = (exact.state(MODEL, theta, n, s, side=side) for side in (1.0, -1.0))
    assert MODEL.functions.for_good(less, 0) == MODEL.functions.for_bad(more, 0)
    assert MODEL.functions.for_bad(less, 0) == MODEL.functions.for_good(more, 0)
    assert evidence(less, 0) == -evidence(more, 0)


@pytest.mark.parametrize("theta", [1e-9, 1.0 - 1e-9, NEAREST])
def test_extreme_thresholds_stay_finite(exact: SimpleNamespace, theta: float) -> None:
    for n, s in ((1, 0), (1, 1), (10**12, 0), (10**12, 10**12), (10**12, 1)):
        run = exact.state(MODEL, theta, n, float(s))
        values = [MODEL.functions.for_good(run, 0), MODEL.functions.for_bad(run, 0)]
        assert all(math.isfinite(v) for v in (*values, evidence(run, 0)))


@pytest.mark.parametrize("theta", [0.0, 1.0, -0.1, 2.0, 5e-324, math.nan, "0.5", True])
def test_thresholds_that_cannot_be(theta: object) -> None:
    with pytest.raises(InputError, match="threshold: "):
        MODEL.check_threshold(theta)


@pytest.mark.parametrize("value", [0.5, -1, 2, math.nan, "1", None])
def test_values_that_are_neither_yes_nor_no(value: object) -> None:
    with pytest.raises(InputError, match="value: "):
        MODEL.check(value, 0.5)


@pytest.mark.parametrize(("s", "n", "theta"), [(3, 10, 0.3), (1, 3, 1 / 3), (7, 100, 0.07)])
def test_a_mean_at_the_threshold_is_no_evidence(s: int, n: int, theta: float) -> None:
    run = new_run(theta, [0.5], 0, model=Bernoulli().numbers(theta, 1.0, Levels()))
    assert gap(run, 0, n, float(s)) == 0.0


@pytest.mark.parametrize("n", [3, 7, 10, 97, 1001])
def test_around_one_half_evidence_is_symmetric_to_the_last_bit(n: int) -> None:
    run = new_run(0.5, [0.5], 0, model=Bernoulli().numbers(0.5, 1.0, Levels()))
    for s in range(n + 1):
        assert gap(run, 0, n, float(s)) == -gap(run, 0, n, float(n - s))
