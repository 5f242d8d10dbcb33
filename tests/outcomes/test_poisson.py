"""Counts: values at 50 digits, exposures that add up, limits, quantiles, and the guarantee."""

import math
import random
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf
from scipy.stats import gamma, poisson

from goodarm import Experiment, InputError, Instance, simulate
from goodarm.outcomes import parse_outcome, tilts
from goodarm.outcomes.contract import Levels, Past, Reading, Seen
from goodarm.outcomes.poisson import Poisson, cumulant_at, poisson_quantile
from goodarm.outcomes.record import make_record
from goodarm.run import Run, Sizes, evidence, new_run

MODEL = Poisson()
THRESHOLDS = [1e-6, 0.02, 0.5, 3.0, 200.0]
EXPOSURES = [0.001, 0.4, 1.0, 2.5, 137.25, 1e7]


def counts(expected: float) -> set[int]:
    """From impossible-looking to typical."""
    near = (round(expected + z * math.sqrt(expected)) for z in (-30, -4, -1, 0, 2, 5, 30))
    return {0, 1, *(max(s, 0) for s in near)}


class Exact:
    """One side in 50 digits, from the specification: ln Σ w exp(±d s − nθ(e^{±d} − 1))."""

    def __init__(self, exact: SimpleNamespace, sign: int, steps_at: float) -> None:
        steps, self.weights = exact.steps_and_weights(mpf(steps_at))
        self.steps = [sign * d for d in steps]

    def log(self, n: float, s: int, theta: mpf) -> mpf:
        exponents = [d * s - mpf(n) * theta * mp.expm1(d) for d in self.steps]
        pairs = zip(exponents, self.weights, strict=True)
        return mp.log(sum(w * mp.exp(e - max(exponents)) for e, w in pairs)) + max(exponents)


def state(exact: SimpleNamespace, theta: float, n: float, s: float, side: float = 1.0) -> Run:
    return exact.state(MODEL, theta, 3, float(s), side=side, kept=(n,))


@pytest.mark.parametrize("theta", THRESHOLDS)
def test_certificates_and_evidence_at_50_digits(exact: SimpleNamespace, theta: float) -> None:
    above, below = Exact(exact, 1, theta), Exact(exact, -1, theta)
    for n in EXPOSURES:
        for s in counts(n * theta):
            run = state(exact, theta, n, s)
            size = 1.0 + 4.0 * s + 60.0 * n * theta
            good, bad = MODEL.functions.for_good(run, 0), MODEL.functions.for_bad(run, 0)
            assert abs(good - above.log(n, s, mpf(theta))) <= 2e-15 * size
            assert abs(bad - below.log(n, s, mpf(theta))) <= 2e-15 * size
            expected = mpf(n) * mpf(theta)
            gain = (s * mp.log(s / expected) if s else mpf(0)) - s + expected
            root = mp.sign(s - expected) * mp.sqrt(2 * gain)
            assert evidence(run, 0) == pytest.approx(float(root), rel=1e-9, abs=1e-9)


def record(run: Run, *readings: tuple[float, float]) -> Run:
    for value, size in readings:
        make_record(MODEL.functions)(run, 0, value, size, 1)
    return run


def empty(theta: float) -> Run:
    return new_run(
        theta, [1.0], 0, sizes=Sizes(1, 1), model=MODEL.numbers(theta, 1.0, Levels(3.0, 2.0))
    )


def test_certificates_are_products_of_likelihood_ratios(exact: SimpleNamespace) -> None:
    """Count by count: its chance at a rate of θe^{±d} over its chance at θ."""
    theta, chance = 1.4, random.Random(1)
    told = [(float(chance.randrange(5)), chance.choice([0.25, 1.0, 2.5])) for _ in range(60)]
    run = record(empty(theta), *told)
    values, sizes = np.array(told).T
    for sign, found in ((1, MODEL.functions.for_good), (-1, MODEL.functions.for_bad)):
        side = Exact(exact, sign, theta)
        ratios = [
            poisson.logpmf(values, theta * math.exp(d) * sizes)
            - poisson.logpmf(values, theta * sizes)
            for d in map(float, side.steps)
        ]
        terms = [
            float(w) * math.exp(ratio.sum()) for w, ratio in zip(side.weights, ratios, strict=True)
        ]
        assert found(run, 0) == pytest.approx(math.log(sum(terms)), abs=1e-11)


EIGHTHS = st.integers(1, 400).map(lambda x: x / 8.0)  # their sums are exact


@given(
    st.integers(0, 60), st.integers(0, 60), EIGHTHS, EIGHTHS, st.sampled_from([0.02, 3.0, 200.0])
)
def test_exposures_add_up(a: int, b: int, one: float, other: float, theta: float) -> None:
    apart = record(empty(theta), (a, one), (b, other))
    together = record(empty(theta), (a + b, one + other))
    functions = MODEL.functions
    for certificate in (functions.for_good, functions.for_bad):
        assert certificate(apart, 0) == certificate(together, 0)
    for verdict in (functions.surely_good, functions.surely_bad):
        assert verdict(apart, 0) == verdict(together, 0)
    assert evidence(apart, 0) == pytest.approx(evidence(together, 0), rel=1e-14)


@pytest.mark.parametrize(
    ("n", "s", "theta"),
    [(1.0, 0, 3.0), (0.001, 0, 3.0), (0.3, 2, 0.02), (2.5, 7, 3.0), (400.0, 3, 0.02), (60.0, 1, 9)],
)
def test_limits_against_a_root_search(
    exact: SimpleNamespace, n: float, s: int, theta: float
) -> None:
    alpha = 0.05
    level = -mp.log(mpf(alpha))
    above, below = Exact(exact, 1, theta), Exact(exact, -1, theta)
    arms = Seen(np.array([0]), np.array([4.0]), np.array([float(s)]), np.array([[n]]))
    low, high = (end[0] for end in MODEL.limits(arms, theta, alpha, alpha))
    if above.log(n, s, mpf(0)) <= level:
        assert low == 0.0
    else:
        found = exact.root(lambda rate: above.log(n, s, rate), 0, s / n, level)
        assert low == pytest.approx(found, rel=1e-10)
    found = exact.root(lambda rate: below.log(n, s, rate), s / n, 1e6 / n, level)
    assert high == pytest.approx(found, rel=1e-7)


CASES = st.tuples(
    st.floats(-3.0, 5.0).map(lambda x: 10.0**x),
    st.sampled_from([1e-6, 0.02, 0.5, 3.0, 200.0]),
    st.floats(-6.0, 6.0),
)


@settings(max_examples=50)
@given(CASES, st.floats(1e-9, 0.999), st.sampled_from([0.0, 1e-15, -1e-15, 1e-12, -1e-12, 0.4]))
def test_limits_agree_with_the_certificates(
    exact: SimpleNamespace, case: tuple[float, float, float], alpha: float, nudge: float
) -> None:
    """In order; and on the side that a certificate says, where a verdict hangs by the last bit."""
    n, theta, z = case
    s = max(0.0, round(n * theta + z * math.sqrt(n * theta)))
    arms = Seen(np.array([0]), np.array([4.0]), np.array([s]), np.array([[n]]))
    low, high = MODEL.limits(arms, theta, alpha, alpha)
    assert 0.0 <= low[0] <= s / n <= high[0] < math.inf
    run = state(exact, theta, n, s)
    good, bad = MODEL.functions.for_good(run, 0), MODEL.functions.for_bad(run, 0)
    assume(1e-3 < max(good, bad) < 700.0)
    near = min(math.exp(-max(good, bad)) * (1.0 + nudge), 1.0 - 1e-6)
    low, high = MODEL.limits(arms, theta, near, near)
    assert (low[0] >= theta) == (good >= -math.log(near))
    assert (high[0] < theta) == (bad >= -math.log(near))


@pytest.mark.parametrize("mean", [1e-4, 0.3, 1.0, 7.7, 100.0, 400.0, 1e4, 1e6])
def test_quantiles_are_those_of_the_distribution(mean: float) -> None:
    uniform = [2.0**-53, 1e-9, 0.001, 0.2, 0.5, 0.77, 0.999, 1.0 - 1e-9]
    found = [poisson_quantile(mean, u) for u in uniform]
    assert found == poisson.ppf(uniform, mean).tolist()


def test_quantiles_of_large_and_of_no_means() -> None:
    assert poisson_quantile(0.0, 0.999) == 0.0
    for u in (1e-9, 0.01, 0.5, 0.99):
        assert abs(poisson_quantile(3e7, u) - poisson.ppf(u, 3e7)) <= 1.0
        assert MODEL.quantile(u, 4.0) == poisson.ppf(u, 4.0)


@pytest.mark.parametrize("theta", [0.02, 3.0])
@pytest.mark.parametrize("n", [0.4, 1.0, 50.0])
def test_mean_is_one_at_the_threshold(exact: SimpleNamespace, theta: float, n: float) -> None:
    """By enumeration of all counts; below 1 for rates on the null's side, above it beyond."""
    largest = n * theta * math.exp(float(exact.steps_and_weights(mpf(theta))[0][0]))
    s = np.arange(int(largest + 9.0 * math.sqrt(largest)) + 40)
    runs = [state(exact, theta, n, count) for count in s]
    for certificate, sign in ((MODEL.functions.for_good, 1), (MODEL.functions.for_bad, -1)):
        logs = np.array([certificate(run, 0) for run in runs])

        def mean(rate: float, logs: np.ndarray = logs) -> float:
            return float(np.exp(poisson.logpmf(s, n * rate) + logs).sum())

        assert mean(theta) == pytest.approx(1.0, abs=1e-9)
        assert mean(theta * (1.0 - 0.2 * sign)) < 1.0 < mean(theta * (1.0 + 0.2 * sign))


def test_an_exposure_may_end_with_an_event(exact: SimpleNamespace) -> None:
    """Waiting for the third event: the exposure is a gamma variable, and the mean still 1."""
    theta, nodes = 0.7, np.linspace(1e-6, 500.0, 10_001)
    for certificate in (MODEL.functions.for_good, MODEL.functions.for_bad):
        run = state(exact, theta, 1.0, 3)
        logs = []
        for n in nodes:
            run.kept[0] = float(n)
            logs.append(certificate(run, 0))
        density = gamma.logpdf(nodes, 3, scale=1.0 / theta)
        assert np.trapezoid(np.exp(np.array(logs) + density), nodes) == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize(("theta", "sign"), [(0.5, 1), (0.5, -1), (3.0, 1), (3.0, -1)])
def test_crossings_at_the_threshold_are_as_rare_as_promised(theta: float, sign: int) -> None:
    """Exactly, for 1,000 counts and every moment at which one may look."""
    alpha, n = 0.05, np.arange(1.0, 1001.0)
    parts = tilts.terms_at(theta, cumulant_at(theta), sign)
    boundary = sign * tilts.needed_sums(parts, n, -math.log(alpha))
    chances = poisson.pmf(np.arange(30), theta)
    totals = np.arange(int(1000 * theta + 8 * math.sqrt(1000 * theta)) + 40)
    alive = np.zeros(len(totals))
    alive[0], crossed = 1.0, 0.0
    for limit in boundary:
        alive = np.convolve(alive, chances)[: len(totals)]
        over = sign * totals >= sign * limit - 1e-9
        crossed += alive[over].sum()
        alive[over] = 0.0
    assert 0.4 * alpha < crossed <= alpha


def test_a_study_of_rates() -> None:
    experiment = Experiment(["old", "new"], 2.0, outcome="poisson", delta=0.1, goal="below")
    for _ in range(6):
        experiment.tell("old", 6, size=2.5)
        experiment.tell("new", 2, size=4.0)
    old, new = experiment.evidence
    assert (old.count, old.mean, new.mean) == (6, 2.4, 0.5)
    assert experiment.finished
    assert experiment.conclusion == 1


def test_text_and_readings() -> None:
    assert parse_outcome("poisson") == MODEL
    assert MODEL.columns == ("count", "exposure")
    for text, reading in (("3", Reading(3.0)), ("3/2.5", Reading(3.0, 2.5))):
        assert MODEL.read(text) == reading
        assert MODEL.write(reading) == text
        assert MODEL.check_sized(*reading, 1.0) == reading
    assert MODEL.check_sized(3, None, 1.0) == Reading(3.0)


@pytest.mark.parametrize("value", [-1, 0.5, 2.0**54, math.nan, "3", True, None])
def test_values_that_are_no_counts(value: object) -> None:
    with pytest.raises(InputError, match="value: "):
        MODEL.check(value, 1.0)


@pytest.mark.parametrize("size", [0, -1.0, 1e-300, math.inf, "2", True])
def test_exposures_that_cannot_be(size: object) -> None:
    with pytest.raises(InputError, match="exposure: "):
        MODEL.check_sized(3, size, 1.0)


@pytest.mark.parametrize("theta", [0.0, -1.0, 1e-200, math.nan])
def test_thresholds_that_cannot_be(theta: float) -> None:
    with pytest.raises(InputError, match="threshold: "):
        MODEL.check_threshold(theta)


def test_the_papers_boundaries_need_a_scale() -> None:
    with pytest.raises(InputError, match="boundary mixture"):
        MODEL.sub_gaussian(3)
    with pytest.raises(InputError, match="boundary mixture"):
        simulate(Instance(3.0, [2.0], kind="poisson"), "APGAI", delta=0.1, boundary="glr", runs=1)


@pytest.mark.parametrize(
    ("value", "count", "mean", "size", "odd"),
    [
        (500.0, 0, 3.0, 1.0, False),  # nothing to compare with
        (10.0, 5, 3.0, 1.0, False),
        (40.0, 5, 3.0, 1.0, True),
        (20.0, 1, 0.0, 1.0, False),
        (40.0, 1, 0.0, 1.0, True),
        (0.0, 5, 60.0, 1.0, True),
        (1000.0, 5, 3.0, 0.001, False),  # one event in a short exposure
        (4.0, 5, 3.0, 1000.0, True),
    ],
)
def test_odd_counts(value: float, count: int, mean: float, size: float, odd: bool) -> None:
    assert (
        MODEL.unlikely(Reading(value * size, size), Past(0, count, mean), 3.0) is not None
    ) == odd


def test_forecasts_draw_counts() -> None:
    chance = random.Random(4)
    drawn = [MODEL.draw_outcome(0, 2.0, math.nan, chance) for _ in range(4000)]
    assert np.mean(drawn) == pytest.approx(2.0, abs=0.09)
    assert np.var(drawn) == pytest.approx(2.0, abs=0.2)
