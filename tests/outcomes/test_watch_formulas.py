"""The watches' formulas against other routes: densities added up, minimised, integrated anew."""

import itertools
import math
import random

import numpy as np
import pytest
from mpmath import mp, mpf
from scipy import integrate, optimize, stats

from goodarm.outcomes.watches import drift, lopsided, over_dispersion, skewness
from goodarm.outcomes.watches import uneven_batches as batches
from goodarm.outcomes.watches import uneven_durations as durations
from goodarm.outcomes.watches.few_values import FewValues


def state_of(watch, readings: list[tuple[float, float]]) -> list[float]:
    state = [0.0] * watch.memory
    for value, size in readings:
        watch.see(state, 0, value, size)
    return state


def smallest(function, low: float, high: float) -> float:
    """By bisection on a grid of logarithms, then closer: the functions are convex."""
    found = optimize.minimize_scalar(
        lambda u: function(math.exp(u)),
        bounds=(math.log(low), math.log(high)),
        method="bounded",
        options={"xatol": 1e-10},
    )
    return float(found.fun)


@pytest.mark.parametrize(("theta", "rate"), [(3.0, 3.0), (0.2, 0.5), (40.0, 10.0), (2e5, 2e5)])
def test_counts_negative_binomial_over_poisson(theta: float, rate: float) -> None:
    """Exact for a few exposures, and less than that, though not by much, for many."""
    chance = np.random.default_rng(1)
    for few in (True, False):
        exposures = chance.choice([1.0, 2.0, 3.0], 90) if few else chance.uniform(0.3, 3.0, 90)
        counts = chance.negative_binomial(rate * exposures / 2.0, 1.0 / 3.0).astype(float)
        watch = over_dispersion.OverDispersion(theta)
        readings = list(zip(counts.tolist(), exposures.tolist(), strict=True))
        found = watch.logs(state_of(watch, readings))
        x, e = counts[1:], exposures[1:]  # the first is passed over
        before = np.cumsum(exposures)[:-1] / np.arange(1, 90) / exposures[0]
        typical = exposures[0] * 2.0 ** np.round(np.log2(before))
        for excess, log in zip(over_dispersion.EXCESSES, found, strict=True):
            a = theta / excess * typical

            def ratio(at: float, a=a, x=x, e=e) -> float:
                above = stats.nbinom.logpmf(x, a, a / (a + at * e))
                return float(np.sum(above - stats.poisson.logpmf(x, at * e)))

            middle = x.sum() / e.sum()
            exact = smallest(ratio, middle / 9, middle * 9)
            if few:
                assert log == pytest.approx(exact, abs=1e-5)
            elif rate < 100.0:
                assert exact - 1.0 < log < exact
            else:
                assert log < exact


def test_counts_that_end_with_an_event_have_ratios_of_mean_one() -> None:
    """At its second event or at 1: what counts is that the shape does not know how it went."""
    watch, rate = over_dispersion.OverDispersion(1.0), 0.8
    before = state_of(watch, [(1.0, 0.5), (1.0, 0.7)])

    def factors(x: float, e: float) -> np.ndarray:
        state = before[:]
        watch.see(state, 0, x, e)
        logs = []
        for j, r in enumerate(watch._rates, over_dispersion.RISES):
            a = r * 0.5  # the mean before, 0.6, is nearest to the first exposure
            logs.append(state[j] - before[j] - (a + x) * math.log1p(rate * e / a) + rate * e)
        return np.exp(logs)

    at_1 = math.exp(-rate) * (factors(0.0, 1.0) + rate * factors(1.0, 1.0))
    second = [
        integrate.quad(lambda e, j=j: rate**2 * e * math.exp(-rate * e) * factors(2.0, e)[j], 0, 1)
        for j in range(len(over_dispersion.EXCESSES))
    ]
    assert at_1 + np.array(second)[:, 0] == pytest.approx(1.0)


def test_a_rise_at_50_digits() -> None:
    for a in (1e-3, 0.7, 30.0, 9e3, 1.1e4, 1e9):
        for x in (2.0, 17.0, 1e4, 1e6):
            exact = mp.loggamma(mpf(a) + mpf(x)) - mp.loggamma(mpf(a)) - mpf(x) * mp.log(mpf(a))
            assert over_dispersion.rise(x, a) == pytest.approx(float(exact), rel=1e-8, abs=1e-9)


@pytest.mark.parametrize("rate", [0.4, 3.0, 25.0])
def test_each_ratio_has_mean_one_for_poisson_and_less_for_binomial_counts(rate: float) -> None:
    watch = over_dispersion.OverDispersion(3.0)
    x = np.arange(0.0, 4000.0)
    for shape in watch._rates:
        rises = np.array([over_dispersion.rise(value, shape) for value in x])
        logs = rises - (x + shape) * math.log1p(rate / shape) + rate
        mean = np.exp(logs + stats.poisson.logpmf(x, rate)).sum()
        assert mean == pytest.approx(1.0, abs=1e-6)
        assert np.exp(logs[:51] + stats.binom.logpmf(x[:51], 50, rate / 50)).sum() < mean


@pytest.mark.parametrize(("size", "rate"), [(1000, 0.04), (50, 0.96), (2, 0.5), (7, 0.02)])
@pytest.mark.parametrize("many", [5, 60])
def test_batches_beta_binomial_over_binomial(size: int, rate: float, many: int) -> None:
    chance = np.random.default_rng(many)
    m = chance.integers(size, 2 * size, many)
    x = stats.betabinom.rvs(m, m * rate, m * (1 - rate), random_state=chance)  # twice the variance
    watch = batches.UnevenBatches()
    readings = list(zip(x.astype(float).tolist(), m.astype(float).tolist(), strict=True))
    found = watch.logs(state_of(watch, readings))
    typical = np.cumsum(m)[:-1] / np.arange(1, many)  # of those before
    for excess, log in zip(batches.EXCESSES, found, strict=True):
        weight = typical / excess

        def ratio(odds: float, weight=weight) -> float:
            p = odds / (1.0 + odds)
            above = stats.betabinom.logpmf(x[1:], m[1:], p * weight, (1.0 - p) * weight)
            return float(np.sum(above - stats.binom.logpmf(x[1:], m[1:], p)))

        exact = smallest(ratio, 1e-5, 1e5)
        # Parabolas are close, more so where nothing was replaced by one yet.
        assert log == pytest.approx(exact, abs=0.1 if many <= batches.KEPT else 0.4)


def test_batches_that_end_with_a_yes_have_ratios_of_mean_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At the second yes, or after ten: what counts is that A does not know how it went."""
    watch, p, log_ratio, used = batches.UnevenBatches(), 0.2, batches.log_ratio, {}

    def listening(x: float, m: float, at: float, weight: float) -> float:
        used.setdefault((x, m), []).append(weight)
        return log_ratio(x, m, at, weight)

    monkeypatch.setattr(batches, "log_ratio", listening)
    ends = {(2.0, float(m)): (m - 1) * p**2 * (1 - p) ** (m - 2) for m in range(2, 11)}
    ends |= {(0.0, 10.0): (1 - p) ** 10, (1.0, 10.0): 10 * p * (1 - p) ** 9}
    assert sum(ends.values()) == pytest.approx(1.0)
    means = np.zeros(len(batches.EXCESSES))
    for (x, m), chance in ends.items():
        watch.logs(state_of(watch, [(5.0, 30.0), (3.0, 20.0), (x, m)]))
        weights = used[x, m][:: len(used[x, m]) // len(means)]
        means += chance * np.exp([log_ratio(x, m, p, weight) for weight in weights])
    assert means == pytest.approx(1.0)


@pytest.mark.parametrize("shape", [1.0, 3.0, 0.4])
def test_durations_tilted_over_gamma(shape: float) -> None:
    theta, chance = 2.0, np.random.default_rng(4)
    x = chance.gamma(0.6 * shape, 1.0, 40) * 3.0
    watch = durations.UnevenDurations(theta, shape)
    found = watch.logs(state_of(watch, [(value, 1.0) for value in x.tolist()]))
    for (power, beta), log in zip(durations.ALTERNATIVES, found, strict=True):

        def density(y: float, tilt: float, power=power, beta=beta) -> float:
            return float((1 + y / (beta * theta)) ** -power * math.exp(-tilt * y))

        def integral(tilt: float, moment: float) -> float:
            # In y^shape, so that there is no pole at 0.
            def inner(u: float) -> float:
                y = u ** (1.0 / shape)
                return y**moment * density(y, tilt) / shape

            top = (60.0 / tilt) ** shape
            cuts = np.geomspace(1e-9, 1.0, 12) * top
            ends = [0.0, *cuts.tolist()]
            return sum(integrate.quad(inner, a, b)[0] for a, b in itertools.pairwise(ends))

        def ratio(mean: float, power=power, beta=beta) -> float:
            tilt = optimize.brentq(
                lambda t: integral(t, 1.0) / integral(t, 0.0) - mean, 1e-3 / mean, 1e3 / mean
            )
            above = -power * np.log1p(x / (beta * theta)) - tilt * x + (shape - 1) * np.log(x)
            above -= math.log(integral(tilt, 0.0))
            return float(np.sum(above - stats.gamma.logpdf(x, shape, scale=mean / shape)))

        at_mean = ratio(float(x.mean()))
        assert log == pytest.approx(at_mean, abs=2e-4)
        assert min(ratio(0.8 * x.mean()), ratio(1.2 * x.mean())) > at_mean


@pytest.mark.parametrize("shape", [1e-3, 0.05, 0.4, 2.0])
def test_nodes_are_few_and_exact_for_every_shape(shape: float) -> None:
    """E 1/(1 + G/τ) is e^τ τ^k Γ(1 − k, τ)."""
    values, chances = durations.gamma_nodes(shape)
    assert len(values) < 400
    assert chances @ values == pytest.approx(shape, rel=1e-12)
    for tau in (1e-9, 0.37, 1e3):
        k, t = mpf(shape), mpf(tau)
        exact = mp.exp(t) * t**k * mp.gammainc(1 - k, t)
        assert chances @ (1.0 / (1.0 + values / tau)) == pytest.approx(float(exact), rel=1e-9)


def test_durations_that_were_cut_short_are_added_to_the_next() -> None:
    watch = durations.UnevenDurations(1.0, 1.0)
    cut = state_of(watch, [(0.5, 0.0), (0.25, 0.0), (1.0, 1.0), (7.0, 3.0), (2.0, 1.0)])
    whole = state_of(watch, [(1.75, 1.0), (2.0, 1.0)])
    assert cut == whole


def test_tails_against_exact_ones() -> None:
    """Bounds that are never too small, and not much too large where it matters."""
    chance, looser = random.Random(2), []
    for _ in range(300):
        n1, n2 = chance.randrange(8, 400), chance.randrange(8, 400)
        s1, s2 = chance.randrange(n1 + 1), chance.randrange(n2 + 1)
        law = stats.hypergeom(n1 + n2, s1 + s2, n1)
        exact = min(law.cdf(s1), law.sf(s1 - 1))
        looser.append((drift.DriftOfShare().log_tail(0, n1, s1, n2, s2), exact))
        e1, e2 = n1 / 7.0, n2 / 7.0
        counts = stats.binom(s1 + s2, e1 / (e1 + e2))
        exact = min(counts.cdf(s1), counts.sf(s1 - 1))
        looser.append((drift.DriftOfRate().log_tail(0, e1, s1, e2, s2), exact))
        t1, t2 = n1 * chance.uniform(0.5, 1.5), n2 * chance.uniform(0.5, 1.5)
        share = stats.beta(3.0 * n1, 3.0 * n2)
        exact = min(share.cdf(t1 / (t1 + t2)), share.sf(t1 / (t1 + t2)))
        looser.append((drift.DriftOfDurations(3.0).log_tail(0, n1, t1, n2, t2), exact))
    for log, exact in looser:
        if exact > 1e-250:
            assert log >= math.log(exact) - 1e-6
            if exact < 1e-4:
                assert log <= math.log(exact) + 0.2
    z = drift.DriftOfMean(2.0).log_tail(0, 10, 50.0, 40, 80.0)
    assert z == pytest.approx(-0.5 * (3.0 / (2.0 * math.sqrt(1 / 10 + 1 / 40))) ** 2)


def test_looks_are_at_fixed_numbers_of_outcomes() -> None:
    assert [drift.due(k) for k in range(8)] == [16, 23, 32, 46, 64, 91, 128, 182]
    seen = []

    class Listening(drift.DriftOfShare):
        def log_tail(self, arm: int, n1: float, s1: float, n2: float, s2: float) -> float:
            seen.append((n1, n2))
            return super().log_tail(arm, n1, s1, n2, s2)

    state_of(Listening(), [(1.0, 1.0)] * 130)
    assert seen[:3] == [(16, 7), (23, 9), (16, 16)]
    assert seen[-4:] == [(91, 37), (64, 64), (32, 96), (16, 112)]
    seen.clear()
    state_of(Listening(), [(300.0, 1000.0)] * 4)  # batches pass several looks at once
    assert seen == [(1000, 1000), (2000, 1000), (1000, 2000)]  # 4,000 is before the next look


def test_a_rate_is_not_compared_where_an_exposure_is_lost_in_rounding() -> None:
    watch = drift.DriftOfRate()
    state = state_of(watch, [(1.0, 1e9)] * 16 + [(1.0, 1e-9)] * 7)
    assert watch.doubt({0: state}, 1) is None
    assert watch.log_tail(0, 1e-9, 3.0, 1e9, 2.0) == 0.0
    assert watch.log_tail(0, 1e17, 5.0, 1.0, 7.0) == 0.0


@pytest.mark.parametrize("unit", [1.0, 1e-300, 1e-110, 1e100, 1e300])
def test_skewness_as_scipy_has_it(unit: float) -> None:
    chance = np.random.default_rng(3)
    for n in (20, 37, 400):
        x = chance.gamma(2.0, 1.0, n) + (1e3 if unit == 1.0 else 0.0)
        state = state_of(skewness.Skewness(), [(value * unit, 1.0) for value in x.tolist()])
        skewness.Skewness().doubt({0: state}, 1)  # no error
        g = math.sqrt(n) * state[skewness.CUBES] / state[skewness.SQUARES] ** 1.5
        assert g == pytest.approx(stats.skew(x), rel=1e-6)
        assert skewness.normal_score(g, n) == pytest.approx(stats.skewtest(x).statistic, rel=1e-6)


def test_threes_are_a_fair_coin_and_the_evidence_its_mixture() -> None:
    chance, E, right, left = random.Random(4), 1.0, 0, 0
    for _ in range(200):
        is_right = chance.random() < 0.6
        ahead = right + lopsided.PRIOR if is_right else left + lopsided.PRIOR
        E *= 2.0 * ahead / (right + left + 2.0 * lopsided.PRIOR)
        right, left = right + is_right, left + (not is_right)
    assert lopsided.evidence(right, left) == pytest.approx(math.log(E))
    watch = lopsided.Lopsided()
    state = state_of(watch, [(v, 1.0) for v in (5, 0, 1, 2, 9, 8, 1, 2, 3, 7)])
    assert state == [1.0, 1.0, 7]  # right, left, a tie that is left out; one waits


def test_few_values_are_counted_up_to_five() -> None:
    watch = FewValues()
    few = state_of(watch, [(float(i % 4), 1.0) for i in range(20)])
    text = watch.doubt({0: few}, 1, ["A"])
    assert text is not None
    assert text.startswith("20 outcomes of 'A' have only 4 distinct values.")
    watch.see(few, 0, 9.0, 1.0)
    assert watch.doubt({0: few}, 1) is None
