"""Gaussian outcomes with known σ: values at 50 digits, outcome by outcome, limits, wrong input."""

import math
import random
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from mpmath import mp, mpf

from goodarm.errors import InputError
from goodarm.outcomes import Gaussian, certificate
from goodarm.outcomes.contract import Seen
from goodarm.run import evidence


@pytest.mark.parametrize("sigma", [1e-3, 0.2, 1.0, 50.0])
@pytest.mark.parametrize("theta", [-3.0, 0.0, 0.5])
def test_certificates_at_50_digits(exact: SimpleNamespace, sigma: float, theta: float) -> None:
    model = Gaussian(sigma)
    above, below = exact.Side("gaussian", theta, 1), exact.Side("gaussian", theta, -1)
    for n in (1, 2, 10, 1000, 10**7):
        for z in (-30.0, -2.5, 0.0, 1.0, 6.0, 1e3):
            total = n * theta + z * sigma * math.sqrt(n)
            s = (mpf(total) - n * mpf(theta)) / mpf(sigma)
            rounding = n * (abs(theta) + abs(total / n)) / sigma  # of the mean, as a sum
            run = exact.state(model, theta, n, total)
            for side, found in (
                (above, model.functions.for_good(run, 0)),
                (below, model.functions.for_bad(run, 0)),
            ):
                size = side.size(n, s) + 2.0 * rounding
                assert abs(found - side.log(n, s)) <= 1e-15 * size


@pytest.mark.parametrize("sigma", [0.3, 2.0])
def test_certificates_are_products_of_likelihood_ratios(
    exact: SimpleNamespace, sigma: float
) -> None:
    """Outcome by outcome: its density at mean θ ± dσ over that at θ."""
    theta, chance = 0.7, random.Random(2)
    values = [chance.gauss(theta + 0.2 * sigma, sigma) for _ in range(300)]
    side = exact.Side("gaussian", theta, 1)
    steps, weights = [float(d) for d in side.steps], [float(w) for w in side.weights]
    products = {sign: list(weights) for sign in (1, -1)}
    for place, x in enumerate(values, 1):
        for sign in (1, -1):
            for j, d in enumerate(steps):
                near, far = x - theta - sign * d * sigma, x - theta
                products[sign][j] *= math.exp((far * far - near * near) / (2.0 * sigma * sigma))
        if place in (1, 5, 60, 300):
            proof = certificate(Gaussian(sigma), theta, values[:place])
            assert proof.above == pytest.approx(math.log(sum(products[1])), abs=1e-10)
            assert proof.below == pytest.approx(math.log(sum(products[-1])), abs=1e-10)


@pytest.mark.parametrize(("n", "z"), [(1, 0.0), (1, 9.0), (40, -2.0), (10**6, 5.0)])
def test_limits_against_a_root_search(exact: SimpleNamespace, n: int, z: float) -> None:
    sigma, theta, alpha = 0.2, 0.5, 0.01
    total, level = n * theta + z * sigma * math.sqrt(n), -mp.log(mpf("0.01"))
    side = exact.Side("gaussian", theta, 1)
    mean = total / n

    def log(sign: int, at: mpf) -> mpf:
        return side.log(n, sign * (mpf(total) - n * at) / mpf(sigma))

    low, high = (
        end[0] for end in Gaussian(sigma).limits(Seen.of([n], [total]), theta, alpha, alpha)
    )
    reach = 8.0 * sigma
    assert low == pytest.approx(
        exact.root(lambda m: log(1, m), mean - reach, mean, level), rel=1e-10
    )
    assert high == pytest.approx(
        exact.root(lambda m: log(-1, m), mean, mean + reach, level), rel=1e-10
    )


CASES = st.tuples(
    st.integers(1, 10**6),
    st.floats(-10, 10),
    st.sampled_from([-3.0, 0.0, 0.1, 1e9]),
    st.sampled_from([1e-3, 0.3, 1.0, 40.0]),
)


@given(CASES, st.floats(1e-9, 0.999), st.floats(1e-9, 0.999))
def test_limits_are_in_order(
    case: tuple[int, float, float, float], one: float, other: float
) -> None:
    n, z, theta, sigma = case
    s = n * theta + z * sigma * math.sqrt(n)
    low, high = Gaussian(sigma).limits(Seen.of([n], [s]), theta, one, other)
    assert low[0] <= s / n <= high[0]
    wider = Gaussian(sigma).limits(Seen.of([n], [s]), theta, one / 2, other / 2)
    assert wider[0][0] <= low[0]
    assert high[0] <= wider[1][0]


@given(CASES, st.sampled_from([0.0, 1e-16, -1e-16, 1e-15, -1e-15, 1e-12, -1e-12, 0.5, -0.5]))
def test_limits_are_on_the_side_that_the_certificate_says(
    exact: SimpleNamespace, case: tuple[int, float, float, float], nudge: float
) -> None:
    """At α = e^(−ln E) and next to it, where a verdict hangs by the last bit."""
    n, z, theta, sigma = case
    model, s = Gaussian(sigma), n * theta + z * sigma * math.sqrt(n)
    run = exact.state(model, theta, n, s)
    above, below = model.functions.for_good(run, 0), model.functions.for_bad(run, 0)
    assume(1e-3 < max(above, below) < 700.0)
    alpha = min(math.exp(-max(above, below)) * (1.0 + nudge), 1.0 - 1e-6)
    level = -math.log(alpha)
    low, high = model.limits(Seen.of([n], [s]), theta, alpha, alpha)
    assert (low[0] >= theta) == (above >= level)
    assert (high[0] < theta) == (below >= level)


def test_every_arm_has_limits_of_its_own_scale() -> None:
    counts, totals = np.array([4.0, 4.0]), np.array([2.0, 2.0])
    both = Gaussian((0.1, 0.4)).limits(Seen.of(counts, totals), 0.3, 0.05, 0.05)
    for a, sigma in enumerate((0.1, 0.4)):
        alone = Gaussian(sigma).limits(Seen.of(counts[:1], totals[:1]), 0.3, 0.05, 0.05)
        assert (both[0][a], both[1][a]) == (alone[0][0], alone[1][0])


@given(st.integers(1, 500), st.floats(-10, 10))
def test_where_less_is_good_the_sides_are_exchanged(
    exact: SimpleNamespace, n: int, total: float
) -> None:
    model = Gaussian(0.7)
    more, less = (exact.state(model, 0.3, n, total, side=side) for side in (1.0, -1.0))
    assert model.functions.for_good(less, 0) == model.functions.for_bad(more, 0)
    assert model.functions.for_bad(less, 0) == model.functions.for_good(more, 0)
    assert evidence(less, 0) == -evidence(more, 0)


def test_huge_numbers_stay_finite(exact: SimpleNamespace) -> None:
    model = Gaussian(1e-100)
    for x in (1e-88, -1e-88):
        run = exact.state(model, 0.0, 1, model.check(x, 0.0))
        values = (model.functions.for_good(run, 0), model.functions.for_bad(run, 0))
        assert all(math.isfinite(v) for v in (*values, evidence(run, 0)))
        assert max(values) > 1e10
    run = exact.state(Gaussian(1.0), 0.0, 10**12, 1e24)
    assert math.isfinite(model.functions.for_good(run, 0))


@pytest.mark.parametrize(
    ("sigma", "message"),
    [
        (0.0, "sigma: 0.0 is not positive"),
        (-1, "sigma: -1 is not positive"),
        (5e-324, "sigma: 5e-324 is too small"),
        (math.nan, "sigma: nan is not a number"),
        (math.inf, "sigma: inf is too large"),
        ("1", "sigma: '1' is not a number"),
        ((1.0, 0.0), "sigma: 0.0 is not positive"),
        ((), "sigma: the list is empty"),
    ],
)
def test_scales_that_cannot_be(sigma: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Gaussian(sigma)  # type: ignore[arg-type]


def test_scales_by_arm() -> None:
    model = Gaussian((0.2, 0.3))
    assert model.scales(2) == [0.2, 0.3]
    model.check_arms(2)
    with pytest.raises(InputError, match="sigma: 2 values, but the number of arms is 3; give one"):
        model.check_arms(3)
    assert Gaussian(np.array([0.2, 0.3])) == model
    assert Gaussian(0.2).scales(3) == [0.2] * 3
    assert Gaussian.of_arms([0.2, 0.2]) == Gaussian(0.2)


def test_a_guess_leaves_the_scatter_open() -> None:
    assert Gaussian.guess([[1.0, 2.0, 3.0], [10.0, 14.0]]) == Gaussian()
