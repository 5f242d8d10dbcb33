"""Durations: values at 50 digits, those cut short, limits, quantiles, and the guarantee."""

import math
import random
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf
from scipy.special import gammainccinv, gammaincinv
from scipy.stats import gamma

from goodarm import Experiment, InputError, Instance, simulate
from goodarm.numerics import gamma_quantile
from goodarm.outcomes import parse_outcome, tilts
from goodarm.outcomes.contract import Levels, Past, Reading, Seen
from goodarm.outcomes.exponential import Exponential
from goodarm.outcomes.record import make_record
from goodarm.planning.question import PlannedArms
from goodarm.run import Run, Sizes, evidence, new_run

MODEL = Exponential()
FUNCTIONS = MODEL.functions
SHAPES = [0.3, 1.0, 3.0, 150.0]


class Exact:
    """One side in 50 digits, from the specification: ln Σ w exp(a s − b n), means θe^{±d}."""

    def __init__(self, exact: SimpleNamespace, shape: float, sign: int) -> None:
        self.k = mpf(shape)
        steps, self.weights = exact.steps_and_weights(self.k)
        self.steps = [sign * d for d in steps]

    def log(self, n: int, s: float, theta: mpf) -> mpf:
        exponents = [-self.k * (mp.expm1(-d) * mpf(s) / theta + d * n) for d in self.steps]
        pairs = zip(exponents, self.weights, strict=True)
        return mp.log(sum(w * mp.exp(e - max(exponents)) for e, w in pairs)) + max(exponents)


def state(
    exact: SimpleNamespace, shape: float, theta: float, n: int, s: float, side: float = 1.0
) -> Run:
    return exact.state(Exponential(shape), theta, n + 2, s, side=side, kept=(float(n),))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("theta", [0.02, 3.0, 200.0])
def test_certificates_and_evidence_at_50_digits(
    exact: SimpleNamespace, shape: float, theta: float
) -> None:
    above, below = Exact(exact, shape, 1), Exact(exact, shape, -1)
    for n in (0, 1, 7, 400, 10**6):
        for z in (-3.0, -0.1, 1e-9, 0.5, 4.0):
            s = theta * max(n, 1) * math.exp(z / math.sqrt(shape * max(n, 1)))
            run = state(exact, shape, theta, n, s)
            size = 1.0 + 60.0 * shape * (n + s / theta)
            good, bad = FUNCTIONS.for_good(run, 0), FUNCTIONS.for_bad(run, 0)
            assert abs(good - above.log(n, s, mpf(theta))) <= 2e-15 * size
            assert abs(bad - below.log(n, s, mpf(theta))) <= 2e-15 * size
            ratio = mpf(s) / mpf(theta)
            gain = shape * (ratio - n - (n * mp.log(ratio / n) if n else 0))
            root = mp.sign(ratio - n) * mp.sqrt(2 * gain)
            assert evidence(run, 0) == pytest.approx(float(root), rel=1e-6, abs=1e-9)


def empty(theta: float, model: Exponential = MODEL) -> Run:
    numbers = model.numbers(theta, 1.0, Levels(3.0, 2.0))
    return new_run(theta, [1.0], 0, sizes=Sizes(1, 1), model=numbers)


def record(run: Run, *readings: tuple[float, float]) -> Run:
    for value, size in readings:
        make_record(FUNCTIONS)(run, 0, value, size, MODEL.units(size))
    return run


def test_certificates_are_products_of_likelihood_ratios(exact: SimpleNamespace) -> None:
    """One by one: densities of those that have ended, chances to last so long of the others."""
    theta, chance = 3.0, random.Random(2)
    told = [(chance.expovariate(0.4), float(chance.random() < 0.7)) for _ in range(60)]
    run = record(empty(theta), *told)
    values, ended = np.array(told).T
    for sign, found in ((1, FUNCTIONS.for_good), (-1, FUNCTIONS.for_bad)):
        side, total = Exact(exact, 1.0, sign), 0.0
        for d, weight in zip(map(float, side.steps), side.weights, strict=True):
            other = theta * math.exp(d)
            density = math.log(theta / other) - values / other + values / theta
            lasting = -values / other + values / theta
            total += float(weight) * math.exp(np.where(ended, density, lasting).sum())
        assert found(run, 0) == pytest.approx(math.log(total), abs=1e-11)


EIGHTHS = st.lists(st.integers(1, 800).map(lambda x: x / 8.0), min_size=1, max_size=9)


@given(EIGHTHS, EIGHTHS, st.sampled_from([0.02, 3.0, 200.0]))
def test_durations_may_be_told_together(
    ended: list[float], running: list[float], theta: float
) -> None:
    apart = record(empty(theta), *((x, 1.0) for x in ended), *((x, 0.0) for x in running))
    together = record(empty(theta), (sum(ended), float(len(ended))), (sum(running), 0.0))
    for function in (FUNCTIONS.for_good, FUNCTIONS.for_bad, FUNCTIONS.surely_good):
        assert function(apart, 0) == function(together, 0)
    assert evidence(apart, 0) == pytest.approx(evidence(together, 0), rel=1e-13)


def seen(n: float, s: float) -> Seen:
    return Seen(np.array([0]), np.array([n + 2.0]), np.array([s]), np.array([[float(n)]]))


@pytest.mark.parametrize(
    ("shape", "n", "s", "theta"),
    [
        (1.0, 0, 4.0, 3.0),
        (1.0, 1, 4.0, 3.0),
        (1.0, 30, 50.0, 3.0),
        (1.0, 30, 400.0, 3.0),
        (3.0, 5, 0.1, 0.02),
        (0.3, 200, 9000.0, 200.0),
    ],
)
def test_limits_against_a_root_search(
    exact: SimpleNamespace, shape: float, n: int, s: float, theta: float
) -> None:
    alpha = 0.05
    level = -mp.log(mpf(alpha))
    above, below = Exact(exact, shape, 1), Exact(exact, shape, -1)
    low, high = Exponential(shape).limits(seen(n, s), theta, alpha, alpha)
    mean = s / max(n, 1)
    found = exact.root(lambda mu: above.log(n, s, mu), 1e-3 * mean, 10.0 * mean, level)
    assert low[0] == pytest.approx(found, rel=1e-9)
    if below.log(n, s, mpf(10) ** 30) <= level:
        assert high[0] == math.inf
    else:
        found = exact.root(lambda mu: below.log(n, s, mu), mean, 1e4 * mean, level)
        assert high[0] == pytest.approx(found, rel=1e-7)


CASES = st.tuples(
    st.sampled_from([1.0, 0.3, 5.0]),
    st.integers(0, 3000),
    st.sampled_from([0.02, 3.0, 200.0]),
    st.floats(-6.0, 6.0),
)


@settings(max_examples=50)
@given(CASES, st.floats(1e-9, 0.999), st.sampled_from([0.0, 1e-15, -1e-15, 1e-12, -1e-12, 0.4]))
def test_limits_agree_with_the_certificates(
    exact: SimpleNamespace, case: tuple[float, int, float, float], alpha: float, nudge: float
) -> None:
    """In order; and on the side that a certificate says, where a verdict hangs by the last bit."""
    shape, n, theta, z = case
    s = theta * max(n, 1) * math.exp(z / math.sqrt(shape * max(n, 1)))
    model = Exponential(shape)
    low, high = model.limits(seen(n, s), theta, alpha, alpha)
    mean = s / n if n else math.inf
    assert 0.0 < low[0] <= mean * (1.0 + 1e-12)
    assert mean <= high[0] * (1.0 + 1e-12)
    run = state(exact, shape, theta, n, s)
    good, bad = FUNCTIONS.for_good(run, 0), FUNCTIONS.for_bad(run, 0)
    assume(1e-3 < max(good, bad) < 700.0)
    near = min(math.exp(-max(good, bad)) * (1.0 + nudge), 1.0 - 1e-6)
    low, high = model.limits(seen(n, s), theta, near, near)
    assert (low[0] >= theta) == (good >= -math.log(near))
    assert (high[0] < theta) == (bad >= -math.log(near))


@given(st.sampled_from([0.01, 0.3, 1.0, 1.7, 40.0, 1000.0]), st.floats(2.0**-53, 1.0 - 2.0**-53))
def test_gamma_quantiles(shape: float, u: float) -> None:
    right = gammaincinv(shape, u) if u <= 0.5 else gammainccinv(shape, 1.0 - u)
    assert gamma_quantile(shape, u) == pytest.approx(float(right), rel=1e-11, abs=1e-290)


def test_quantiles_have_the_mean_and_the_shape() -> None:
    uniform = (np.arange(20_000) + 0.5) / 20_000
    for model in (MODEL, Exponential(4.0), Exponential(0.5)):
        values = [model.quantile(u, 7.0) for u in uniform]
        assert np.mean(values) == pytest.approx(7.0, rel=2e-3)
        assert np.std(values) / 7.0 == pytest.approx(model.scales(1)[0], rel=6e-3)
    assert MODEL.quantile(0.5, 7.0) == pytest.approx(7.0 * math.log(2.0))
    assert Exponential(0.001).quantile(1e-9, 7.0) > 0.0


@pytest.mark.parametrize("shape", [0.3, 1.0, 3.0])
@pytest.mark.parametrize("n", [1, 20])
def test_mean_is_one_at_the_threshold(exact: SimpleNamespace, shape: float, n: int) -> None:
    """By quadrature in ln s; below 1 for means on the null's side, above it beyond."""
    theta = 3.0
    s = np.exp(np.linspace(-90.0, 11.0, 4001))
    runs = [state(exact, shape, theta, n, float(total)) for total in s]
    for certificate, sign in ((FUNCTIONS.for_good, 1), (FUNCTIONS.for_bad, -1)):
        logs = np.array([certificate(run, 0) for run in runs])

        def mean(mu: float, logs: np.ndarray = logs) -> float:
            density = gamma.logpdf(s, shape * n, scale=mu / shape) + np.log(s)
            return float(np.trapezoid(np.exp(density + logs), np.log(s)))

        assert mean(theta) == pytest.approx(1.0, abs=1e-6)
        # Not far beyond: the largest steps soon have no finite mean there.
        assert mean(theta * (1.0 - 0.01 * sign)) < 1.0 < mean(theta * (1.0 + 0.01 * sign))


U = (np.arange(200_000) + 0.5) / 200_000
LAWS = {
    "constant": np.ones(1),
    "uniform": 2.0 * U,
    "Weibull of shape 2": np.sqrt(-np.log1p(-U)) / math.gamma(1.5),
    "gamma of shape 3": gammaincinv(3.0, U) / 3.0,
}


@pytest.mark.parametrize("law", LAWS)
def test_conservative_for_durations_that_scatter_less(law: str) -> None:
    """Of mean θ: the factors of all forty terms have a mean of at most 1, nearly all below it."""
    x = LAWS[law]
    assert x.mean() == pytest.approx(1.0, abs=1e-4)
    numbers = np.array(MODEL.numbers(1.0, 1.0, Levels()))
    for slopes, sign in ((tilts.GOOD_SLOPES, 1.0), (tilts.BAD_SLOPES, -1.0)):
        for a, b in zip(
            numbers[slopes : slopes + tilts.STEPS],
            numbers[slopes + tilts.STEPS : slopes + 2 * tilts.STEPS],
            strict=True,
        ):
            assert float(np.exp(sign * a * x - b).mean()) < 1.0 + 1e-7


def test_any_cutting_short_that_looks_at_the_past_keeps_the_mean_at_one(
    exact: SimpleNamespace,
) -> None:
    """20,000 paths at θ: watched for long after a surprise, briefly while all looks well."""
    paths, length, theta = 20_000, 40, 3.0
    chance = np.random.default_rng(3)
    n, s = np.zeros(paths), np.zeros(paths)
    last = np.ones(paths)
    sides = [Exact(exact, 1.0, sign) for sign in (1, -1)]
    tables = [np.array([[float(x) for x in row] for row in (s.steps, s.weights)]) for s in sides]
    largest = np.zeros((2, paths))
    for i in range(1, length + 1):
        patience = theta * np.where(s > theta * n, 0.3 + last / theta, 0.5 + chance.random(paths))
        true = chance.exponential(theta, paths)
        n += true <= patience
        last = np.minimum(true, patience)
        s += last
        for row, (d, w) in enumerate(tables):
            terms = np.exp(-np.expm1(-d) * (s / theta)[:, None] - d * n[:, None])
            E = terms @ w
            largest[row] = np.maximum(largest[row], E)
            if i in (1, 5, length):
                assert E.mean() <= 1.0 + 4.0 * E.std() / math.sqrt(paths)
                small = terms[:, np.abs(d) < 0.3]  # the others have too heavy a tail to be averaged
                errors = small.std(axis=0) / math.sqrt(paths)
                assert (np.abs(small.mean(axis=0) - 1.0) <= 4.0 * errors).all()
    for row in largest:
        for alpha in (0.2, 0.05):
            assert (row >= 1.0 / alpha).mean() <= alpha + 4.0 * math.sqrt(alpha / paths)
    run = record(empty(theta), (float(s[0]), float(n[0])))
    d, w = tables[0]
    E = float(np.exp(-np.expm1(-d) * s[0] / theta - d * n[0]) @ w)
    assert FUNCTIONS.for_good(run, 0) == pytest.approx(math.log(E), abs=1e-12)  # these, indeed


def test_durations_that_age_must_not_be_cut_short() -> None:
    """All of them take exactly θ, yet none ends within half of it: proof of a larger mean?"""
    run = record(empty(3.0), *[(1.5, 0.0)] * 30)
    assert FUNCTIONS.for_good(run, 0) > math.log(20.0)


def test_a_study_of_durations() -> None:
    experiment = Experiment(["old", "new"], 5.0, outcome="exponential", delta=0.1, goal="below")
    experiment.tell("old", 4.0, size=0)
    assert experiment.evidence[0].mean is None
    assert experiment.evidence[0].evidence < 0.0  # it lasts: not what is wanted
    for _ in range(12):
        experiment.tell("new", 1.0)
    experiment.tell("old", 8.0)
    old, new = experiment.evidence
    assert (old.count, old.mean, new.mean) == (2, 12.0, 1.0)
    assert experiment.finished
    assert experiment.conclusion == 1


def test_text_and_readings() -> None:
    assert parse_outcome("exponential") == MODEL
    assert parse_outcome("exponential:1") == MODEL
    assert parse_outcome("exponential:2.5") == Exponential(2.5)
    assert MODEL.text() == "exponential"
    for text, reading in (
        ("3.5", Reading(3.5)),
        ("5+", Reading(5.0, 0.0)),
        ("12.5/4", Reading(12.5, 4.0)),
    ):
        assert MODEL.read(text) == reading
        assert MODEL.write(reading) == text
        assert MODEL.check_sized(*reading, 1.0) == reading
    assert [MODEL.units(size) for size in (0.0, 1.0, 4.0)] == [1, 1, 4]


@pytest.mark.parametrize("value", [0, -1.0, 1e-300, math.nan, "3", True, None])
def test_values_that_are_no_durations(value: object) -> None:
    with pytest.raises(InputError, match="value: "):
        MODEL.check(value, 1.0)


@pytest.mark.parametrize("size", [-1, 0.5, math.inf, "2", True])
def test_events_that_cannot_be(size: object) -> None:
    with pytest.raises(InputError, match="events: "):
        MODEL.check_sized(3.0, size, 1.0)


def test_what_cannot_be() -> None:
    with pytest.raises(InputError, match="events: with shape 2 a duration that is still running"):
        Exponential(2.0).check_sized(3.0, 0, 1.0)
    for shape in (0.0, -1.0, 1e9, math.nan, "2"):
        with pytest.raises(InputError, match="shape: "):
            Exponential(shape)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="threshold: "):
        MODEL.check_threshold(0.0)
    with pytest.raises(InputError, match="mean of 'arm 1': 0 is not above 0"):
        Instance(1.0, [0.0], kind="exponential")
    with pytest.raises(InputError, match="boundary mixture"):
        MODEL.sub_gaussian(3)
    instance = Instance(3.0, [2.0], kind="exponential")
    with pytest.raises(InputError, match="boundary mixture"):
        simulate(instance, "APGAI", delta=0.1, boundary="glr", runs=1)


def test_simulated_arms_have_their_shape_as_a_scale() -> None:
    for model in (MODEL, Exponential(2.5), Exponential(3.0), Exponential(0.07)):
        assert Exponential.of_arms(model.scales(4)) == model
    assert Exponential.of_arms([0.5, 1.0]) == MODEL  # the one that scatters most
    assert Instance(3.0, [2.0, 4.0], kind="exponential", sigma=0.5).own_outcome == Exponential(4.0)
    planned = PlannedArms(("a",), Exponential(4.0), "below", np.array([[20.0]]), ((20.0, 20.0),))
    assert planned.instances(30.0)[0].own_outcome == Exponential(4.0)


@pytest.mark.parametrize(
    ("value", "count", "size", "odd"),
    [
        (1e6, 0, 1.0, False),  # nothing to compare with
        (60.0, 20, 1.0, False),
        (4e4, 20, 1.0, True),
        (1e-8, 20, 1.0, True),
        (4e4, 20, 0.0, True),
        (1e-8, 20, 0.0, False),  # soon lost sight of
        (40.0, 20, 100.0, True),
    ],
)
def test_odd_durations(value: float, count: int, size: float, odd: bool) -> None:
    assert (
        MODEL.unlikely(Reading(value * (size or 1.0), size), Past(0, count, 5.0), 3.0) is not None
    ) == odd


def test_forecasts_draw_durations() -> None:
    chance, model = random.Random(4), Exponential(4.0)
    drawn = [model.draw_outcome(0, 2.0, math.nan, chance) for _ in range(4000)]
    assert np.mean(drawn) == pytest.approx(2.0, abs=0.07)
    assert np.std(drawn) == pytest.approx(1.0, abs=0.06)
