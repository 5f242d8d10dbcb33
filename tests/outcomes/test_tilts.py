"""The mixture of tilts: monotone, below W²/2, its continuous limit, and its short cuts."""

import math
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.special import betainc, betaln, log_ndtr

from goodarm.outcomes import Bernoulli, Gaussian, Outcome, tilts
from goodarm.outcomes.bernoulli import cumulant_at
from goodarm.outcomes.bounded_by_ends import BoundedByEnds
from goodarm.outcomes.contract import Levels
from goodarm.outcomes.exponential import Exponential
from goodarm.outcomes.gaussian import cumulant
from goodarm.outcomes.poisson import Poisson
from goodarm.outcomes.poisson import cumulant_at as poisson_cumulant_at
from goodarm.run import NAME_LEVEL, NONE_LEVEL, evidence

COUNTS = st.one_of(st.integers(1, 50), st.floats(0, 9).map(lambda x: int(10**x)))
LEVELS = st.floats(1.0, 50.0)
RATES = st.sampled_from([0.001, 0.04, 0.3, 0.5, 0.9, 0.999])
MODELS = st.one_of(
    RATES.map(lambda theta: (Bernoulli(), theta)),
    RATES.map(lambda theta: (BoundedByEnds(0.0, 1.0), theta)),
    st.just((Gaussian(1.0), 0.0)),
)
NODES = np.polynomial.legendre.leggauss(200)
NUDGES = st.sampled_from([0.0, 1e-15, -1e-15, 1e-13, -1e-13, 1e-11, -1e-11, 1e-6, -1e-6, 1e-3])


def terms(model: Outcome, theta: float, sign: float) -> tuple:
    if isinstance(model, Gaussian):
        return tilts.terms_at(1.0, cumulant, sign)
    return tilts.terms_at(theta * (1.0 - theta), cumulant_at(theta), sign)


def needed(model: Outcome, theta: float, sign: float, n: int, level: float) -> float:
    """The oriented sum at which the certificate of that side reaches the level."""
    return float(tilts.needed_sums(terms(model, theta, sign), np.array([float(n)]), level)[0])


def possible(model: Outcome, n: int, total: float) -> bool:
    return isinstance(model, Gaussian) or 0.0 <= total <= n


@given(MODELS, COUNTS, st.floats(-8, 8), st.floats(0, 3))
def test_monotone_in_the_sum_and_at_most_half_the_squared_evidence(
    exact: SimpleNamespace, case: tuple[Outcome, float], n: int, z: float, more: float
) -> None:
    model, theta = case
    spread = math.sqrt(n if isinstance(model, Gaussian) else n * theta * (1.0 - theta))
    totals = [n * theta + spread * z, n * theta + spread * (z + more)]
    assume(all(possible(model, n, total) for total in totals))
    runs = [exact.state(model, theta, n, total) for total in totals]
    good = [model.functions.for_good(run, 0) for run in runs]
    bad = [model.functions.for_bad(run, 0) for run in runs]
    room = 1e-15 * n * max(theta, 1.0) + 1e-13
    assert good[0] <= good[1] + room
    assert bad[1] <= bad[0] + room
    for run, above, below in zip(runs, good, bad, strict=True):
        w = evidence(run, 0)
        most = 0.5 * w * w * (1.0 + 1e-12) + room
        assert (above if w > 0 else below) <= most
        assert (below if w > 0 else above) <= room  # data on the null's side prove nothing


@given(MODELS, COUNTS, LEVELS, st.sampled_from([1.0, -1.0]), st.sampled_from([1.0, -1.0]), NUDGES)
def test_short_cuts_agree_with_the_certificates_at_the_boundary(
    exact: SimpleNamespace,
    case: tuple[Outcome, float],
    n: int,
    level: float,
    sign: float,
    side: float,
    nudge: float,
) -> None:
    model, theta = case
    oriented = needed(model, theta, sign, n, level)
    total = sign * oriented * (1.0 + nudge)
    assume(possible(model, n, total))
    run = exact.state(model, theta, n, total, Levels(level, level), side)
    functions = model.functions
    good, bad = functions.for_good(run, 0) >= level, functions.for_bad(run, 0) >= level
    assert functions.surely_good(run, 0) == good
    assert functions.surely_bad(run, 0) == bad
    w = evidence(run, 0)
    if good or bad:
        assert 0.5 * w * w >= functions.least(run)
        assert (w > 0) == good


def test_a_level_is_reached_by_what_is_just_as_large(exact: SimpleNamespace) -> None:
    for side, decides, level in (
        (1.0, "surely_good", lambda run: Bernoulli.functions.for_good(run, 0)),
        (-1.0, "surely_bad", lambda run: Bernoulli.functions.for_bad(run, 0)),
    ):
        there = exact.state(Bernoulli(), 0.5, 20, 18.0, Levels(1.0, 1.0), side)
        reached = level(there)
        assert reached > 1.0
        for wanted, is_reached in ((reached, True), (math.nextafter(reached, math.inf), False)):
            run = there._replace(levels=list(there.levels))
            run.levels[NAME_LEVEL] = run.levels[NONE_LEVEL] = wanted
            assert getattr(Bernoulli.functions, decides)(run, 0) is is_reached


AMOUNTS = st.one_of(st.just(0.0), st.floats(-6.0, 14.0).map(lambda x: 10.0**x))
SIGNS = st.sampled_from([1.0, -1.0])


@given(st.sampled_from([0.02, 3.0, 200.0]), AMOUNTS, LEVELS, SIGNS, SIGNS, NUDGES)
def test_amounts_may_be_less_than_an_outcome_or_beyond_all_chords(
    exact: SimpleNamespace,
    theta: float,
    n: float,
    level: float,
    sign: float,
    side: float,
    nudge: float,
) -> None:
    """Exposures of counts, and events among durations: short cuts and floors hold for any."""
    parts = [
        (Poisson(), tilts.terms_at(theta, poisson_cumulant_at(theta), sign), 1.0),
        (Exponential(), tilts.terms_at(1.0, lambda d: (-np.expm1(-d), d), sign), theta),
    ]
    for model, terms, unit in parts:
        total = sign * unit * float(tilts.needed_sums(terms, np.array([n]), level)[0]) * (1 + nudge)
        if total <= 0.0 or (n == 0.0 and isinstance(model, Poisson)):
            continue
        run = exact.state(model, theta, 3, total, Levels(level, level), side, kept=(n,))
        functions = model.functions
        good, bad = functions.for_good(run, 0), functions.for_bad(run, 0)
        assert functions.surely_good(run, 0) == (good >= level)
        assert functions.surely_bad(run, 0) == (bad >= level)
        most = 0.5 * evidence(run, 0) ** 2
        assert max(good, bad) <= most * (1.0 + 1e-12) + 1e-15 * (n * max(theta, 1.0) + total)
        assert max(good, bad) < level or most >= functions.least(run)


@given(MODELS, COUNTS, st.floats(1.0, 700.0), st.sampled_from([1.0, -1.0]))
def test_needed_sums_solve_their_equation(
    case: tuple[Outcome, float], n: int, level: float, sign: float
) -> None:
    model, theta = case
    weights, slopes, costs = terms(model, theta, sign)
    s = needed(model, theta, sign, n, level)
    exponents = weights + slopes * s - costs * n
    found = exponents.max() + math.log(np.exp(exponents - exponents.max()).sum())
    size = (np.abs(slopes * s) + np.abs(costs * n))[exponents > exponents.max() - 40].max()
    assert abs(found - level) <= 4e-16 * size + 1e-12 * level


@pytest.mark.parametrize("level", [1.0, 3.0, 8.0, 50.0])
@pytest.mark.parametrize("theta", [None, 0.002, 0.04, 0.5, 0.93])
def test_chords_lie_below_the_boundary_and_floors_below_the_evidence(
    theta: float | None, level: float
) -> None:
    """Along whole stretches of n, with sums that need not be possible; tight, too."""
    model: Outcome = Gaussian(1.0) if theta is None else Bernoulli()
    bar = theta or 0.0
    table = model.numbers(bar, 1.0, Levels(level, level))
    n = np.unique(np.concatenate([np.arange(1, 400), np.geomspace(400, 1e10, 3000).round()]))
    for sign, sums, floor in (
        (1.0, tilts.GOOD_SUMS, tilts.GOOD_FLOOR),
        (-1.0, tilts.BAD_SUMS, tilts.BAD_FLOOR),
    ):
        parts = terms(model, bar, sign)
        true = tilts.needed_sums(parts, n, level)
        cuts = np.array([tilts.chord(table, sums, count) for count in n.tolist()])
        assert np.all(cuts < true)
        ratios = parts[1] * true[:, None] - parts[2] * n[:, None]  # W²/2 is at least each of these
        assert ratios.max(axis=1).min() >= table[floor]
        early = n < 1e5
        reach = 0.02 * level if theta is None else 0.1 * level
        terms_at_cut = parts[0] + parts[1] * cuts[early, None] - parts[2] * n[early, None]
        assert tilts.log_sums(terms_at_cut).min() > level - reach


def test_steps_and_weights_are_those_of_the_specification() -> None:
    for variance, largest in ((1.0, 2.0), (0.25, 4.0), (0.01, 4.0), (16.0, 0.5)):
        steps = tilts.steps(variance)
        assert steps == pytest.approx([largest * 1.5**-j for j in range(20)], rel=1e-14)
        weights = np.exp(tilts.log_weights(steps))
        assert weights.sum() == pytest.approx(1.0, abs=1e-14)
        centre = largest / 8.0
        shape = 1.0 / (steps / centre + centre / steps)
        assert weights == pytest.approx(shape / shape.sum(), rel=1e-13)


def refine(monkeypatch: pytest.MonkeyPatch, factor: int) -> None:
    monkeypatch.setattr(tilts, "RATIO", 1.5 ** (1.0 / factor))
    monkeypatch.setattr(tilts, "STEPS", 19 * factor + 1)


def half_cauchy(
    n: int, s: float, cost: Callable[[np.ndarray], np.ndarray], low: float, high: float
) -> float:
    """ln of the mixture with density ∝ c/(d² + c²), which is what the weights mean, by quadrature.

    w_j ∝ 1/(d/c + c/d) at steps that are evenly spaced in ln d: as a density in d, 1/d times that.
    """
    nodes, weights = NODES
    d = np.exp(0.5 * (math.log(high / low) * nodes + math.log(high * low)))
    centre = high / 8.0
    density = weights / (d / centre + centre / d)
    exponents = d * s - cost(d) * n
    top = exponents.max()
    return float(top + np.log((density * np.exp(exponents - top)).sum() / density.sum()))


@pytest.mark.parametrize(("n", "z"), [(10, 2.5), (300, 3.5), (20_000, 4.0), (300, -1.0)])
@pytest.mark.parametrize("theta", [None, 0.04, 0.5])
def test_finer_grids_approach_the_continuous_mixture(
    monkeypatch: pytest.MonkeyPatch, theta: float | None, n: int, z: float
) -> None:
    """The spacing explains what is left: it shrinks with it, and is small at 1.5 already."""
    model: Outcome = Gaussian(1.0) if theta is None else Bernoulli()
    s, high = z * math.sqrt(n), 2.0
    if theta is not None:
        s, high = n * theta + z * math.sqrt(n * theta * (1.0 - theta)), 4.0

    def cost(d: np.ndarray) -> np.ndarray:
        return d * d / 2.0 if theta is None else np.log1p(theta * np.expm1(d))

    limit = half_cauchy(n, s, cost, high / 1.5**19, high)

    def found() -> float:
        weights, slopes, costs = terms(model, theta or 0.0, 1.0)
        return float(tilts.log_sums((weights + slopes * s - costs * n)[None, :])[0])

    coarse = abs(found() - limit)
    refine(monkeypatch, 16)
    fine = abs(found() - limit)
    assert coarse < 0.1
    assert fine < 0.1 * coarse + 0.002  # a sum counts half a step more of the two ends


@pytest.mark.parametrize("n", [20, 300, 5000])
@pytest.mark.parametrize("z", [2.5, 3.5, 5.0])
def test_the_grid_is_near_the_published_mixtures(n: int, z: float) -> None:
    """Half-normal (Robbins) and cut beta (Howard et al.) mixtures: other weights, like values."""
    s = z * math.sqrt(n)
    values = [
        math.log(2)
        + 0.5 * math.log(rho / (n + rho))
        + s * s / (2 * (n + rho))
        + float(log_ndtr(s / math.sqrt(n + rho)))
        for rho in (1.0, 10.0, 100.0)
    ]
    normal = max(values) + math.log(sum(math.exp(v - max(values)) for v in values) / 3)
    exponents = tilts.log_sums(_row(Gaussian(1.0), 0.0, n, s))
    assert float(exponents[0]) == pytest.approx(normal, abs=0.6)

    theta = 0.3
    a, b = 2.0 / (1.0 - theta), 2.0 / theta
    s = round(n * theta + z * math.sqrt(n * theta * (1 - theta)))
    tail = math.log1p(-betainc(a + s, b + n - s, theta)) + betaln(a + s, b + n - s)
    prior = math.log1p(-betainc(a, b, theta)) + betaln(a, b)
    beta = tail - prior - s * math.log(theta) - (n - s) * math.log1p(-theta)
    exponents = tilts.log_sums(_row(Bernoulli(), theta, n, s))
    assert float(exponents[0]) == pytest.approx(float(beta), abs=1.2)


def _row(model: Outcome, theta: float, n: int, s: float) -> np.ndarray:
    weights, slopes, costs = terms(model, theta, 1.0)
    return (weights + slopes * s - costs * n)[None, :]
