"""The guarantee itself: mean at most 1 on the null, and crossings at most as likely as promised.

Nothing is simulated: sums over all that can happen, and quadrature.
"""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import binom, norm

from goodarm.outcomes import Bernoulli, Gaussian, tilts
from goodarm.outcomes.bernoulli import cumulant_at
from goodarm.outcomes.bounded_by_ends import BoundedByEnds
from goodarm.outcomes.contract import Functions
from goodarm.outcomes.gaussian import cumulant


def e_values(
    exact: SimpleNamespace, model: object, theta: float, n: int, totals: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    functions: Functions = model.functions  # type: ignore[attr-defined]
    runs = [exact.state(model, theta, n, float(total)) for total in totals]
    good = np.array([functions.for_good(run, 0) for run in runs])
    bad = np.array([functions.for_bad(run, 0) for run in runs])
    return good, bad


@pytest.mark.parametrize("theta", [0.001, 0.04, 0.5, 0.85])
@pytest.mark.parametrize("n", [1, 7, 60, 200])
def test_bernoulli_by_exact_enumeration(exact: SimpleNamespace, theta: float, n: int) -> None:
    s = np.arange(n + 1)
    good, bad = e_values(exact, Bernoulli(), theta, n, s)

    def mean(rate: float, logs: np.ndarray) -> float:
        return float(np.exp(binom.logpmf(s, n, rate) + logs).sum())

    assert mean(theta, good) == pytest.approx(1.0, abs=1e-11)
    assert mean(theta, bad) == pytest.approx(1.0, abs=1e-11)
    below, above = 0.8 * theta, theta + 0.2 * (1.0 - theta)
    assert mean(below, good) < 1.0 < mean(above, good)
    assert mean(above, bad) < 1.0 < mean(below, bad)


@pytest.mark.parametrize("n", [1, 5, 40])
@pytest.mark.parametrize(
    "law", [(0.5, 0.0, 0.5), (0.2, 0.6, 0.2), (0.0, 1.0, 0.0), (0.3, 0.5, 0.2), (0.6, 0.0, 0.4)]
)
def test_bounded_for_three_values(
    exact: SimpleNamespace, law: tuple[float, float, float], n: int
) -> None:
    """Outcomes 0, ½, 1 with any chances: mean 1 for 0/1 outcomes at θ, less for all others."""
    theta = 0.5
    mean = 0.5 * law[1] + law[2]
    chances = np.array([1.0])
    for _ in range(n):
        chances = np.convolve(chances, law)
    good, bad = e_values(exact, BoundedByEnds(0, 1), theta, n, np.arange(2 * n + 1) / 2.0)
    e_good, e_bad = float(chances @ np.exp(good)), float(chances @ np.exp(bad))
    if law == (0.5, 0.0, 0.5):
        assert e_good == pytest.approx(1.0, abs=1e-12)
        assert e_bad == pytest.approx(1.0, abs=1e-12)
    else:
        assert mean <= theta
        assert e_good < 1.0
        assert e_bad < 1.0 or mean < theta


@pytest.mark.parametrize("sigma", [0.5, 3.0])
@pytest.mark.parametrize("n", [1, 10, 500])
def test_gaussian_by_quadrature(exact: SimpleNamespace, n: int, sigma: float) -> None:
    theta, model = 0.7, Gaussian(sigma)
    z = np.linspace(-14.0, 14.0 + 3.0 * math.sqrt(n), 1001)
    total = n * theta + z * sigma * math.sqrt(n)
    good, bad = e_values(exact, model, theta, n, total)

    def mean(shift: float, logs: np.ndarray, z: np.ndarray) -> float:
        """By the trapezoidal rule, which is all but exact for such functions."""
        density = norm.logpdf(z - shift * math.sqrt(n))
        return float(np.exp(density + logs).sum() * (z[1] - z[0]))

    assert mean(0.0, good, z) == pytest.approx(1.0, abs=1e-10)
    assert mean(-0.3, good, z) < 1.0 < mean(0.3, good, z)
    mirrored = e_values(exact, model, theta, n, 2.0 * n * theta - total)[1]
    assert mirrored == pytest.approx(good, abs=1e-9 * n)
    assert mean(0.3, bad, z) < 1.0


def test_gaussian_certificates_hold_for_bounded_noise(exact: SimpleNamespace) -> None:
    """±σ with equal chances: σ-sub-Gaussian, so the mean is below 1."""
    n, sigma = 30, 0.4
    s = np.arange(n + 1)
    good, _ = e_values(exact, Gaussian(sigma), 0.0, n, sigma * (2.0 * s - n))
    assert float(np.exp(binom.logpmf(s, n, 0.5) + good).sum()) < 1.0


def crossing_chance(rate: float, boundary: np.ndarray, sign: int) -> float:
    """The chance that sign·S_n ever reaches boundary[n], by going through all (n, S_n)."""
    most = len(boundary)
    alive = np.zeros(most + 1)
    alive[0] = 1.0
    crossed = 0.0
    places = sign * np.arange(most + 1)
    for n in range(1, most):
        alive[1:] = alive[1:] * (1.0 - rate) + alive[:-1] * rate
        alive[0] *= 1.0 - rate
        over = places >= boundary[n]
        crossed += alive[over].sum()
        alive[over] = 0.0
    return crossed


@pytest.mark.parametrize("alpha", [0.05, 0.005])
@pytest.mark.parametrize("theta", [0.04, 0.5, 0.9])
def test_crossings_at_the_threshold_are_as_rare_as_promised(theta: float, alpha: float) -> None:
    """Exactly, for 2,000 outcomes and every moment at which one may look."""
    n = np.arange(2001.0)
    for sign in (1, -1):
        parts = tilts.terms_at(theta * (1.0 - theta), cumulant_at(theta), sign)
        boundary = tilts.needed_sums(parts, n, -math.log(alpha))
        chance = crossing_chance(theta, boundary - 1e-9, sign)
        assert chance <= alpha
        assert chance >= 0.43 * alpha  # so far: up to 75 %, and more with every later outcome
        easier = theta - sign * 0.2 * theta * (1.0 - theta)
        assert crossing_chance(easier, boundary, sign) < 0.7 * chance


def test_crossings_of_gaussian_sums_are_as_rare_as_promised() -> None:
    alpha, most = 0.05, 400
    boundary = tilts.needed_sums(
        tilts.terms_at(1.0, cumulant, 1.0), np.arange(1.0, most + 1.0), -math.log(alpha)
    )
    step = 0.05
    places = np.arange(-80.0, boundary.max() + step, step)
    kernel = norm.pdf(np.arange(-8.0, 8.0 + step / 2, step)) * step
    density = np.zeros(len(places))
    density[np.searchsorted(places, -1e-9)] = 1.0
    crossed = 0.0
    for limit in boundary:
        density = np.convolve(density, kernel, mode="same")
        over = places >= limit
        crossed += density[over].sum()
        density[over] = 0.0
    assert 0.5 * alpha < crossed <= alpha  # so far
