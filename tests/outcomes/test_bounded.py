"""Bounded outcomes by betting: values at 50 digits, the null, limits, one bound, what it saves."""

import math
import random
import runpy
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from goodarm.outcomes import Bounded
from goodarm.outcomes.bernoulli import root_of_kl
from goodarm.outcomes.bets import Bets, Moments, _with_bound, _with_other_bound, bets_at
from goodarm.outcomes.contract import Levels, Reading, seen
from goodarm.outcomes.record import one_arm_run
from goodarm.run import Run, evidence

BENCH = runpy.run_path(str(Path(__file__).parents[2] / "bench" / "bounded_price.py"))
RANGES = [(0.0, 1.0), (-2.0, 5.0), (1e6, 1e6 + 3.0), (0.0, 1e-6), (3.0, None), (None, -1e3)]
SHARES = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=40)
THETAS = st.sampled_from([0.01, 0.3, 0.5, 0.9])
NEVER = Levels()


def entered(
    model: Bounded, threshold: float, values: list[float], levels: Levels = NEVER, side: float = 1.0
) -> Run:
    """A run of one arm with these outcomes."""
    outcomes = [Reading(model.check(value, threshold)) for value in values]
    return one_arm_run(model, threshold, outcomes, levels, side)


def certificates(run: Run) -> tuple[float, float]:
    return Bounded.functions.for_good(run, 0), Bounded.functions.for_bad(run, 0)


def limits(model: Bounded, theta: float, run: Run, alpha: float) -> tuple[float, float]:
    low, high = model.limits(seen(run, model.memory), theta, alpha, alpha)
    return float(low[0]), float(high[0])


def fractions_and_weights(share: mpf | None) -> tuple[list[mpf], list[mpf]]:
    """Written anew from the specification."""
    centre = mpf(1) / 4
    if share is not None:
        e = mp.expm1(mpf(1) / 2)
        centre = share * e / (1 + share * e)
    first, last = mpf("0.98"), centre / 50
    fractions = [first * (last / first) ** (mpf(j) / 15) for j in range(16)]
    raw = [f / (f + centre) for f in fractions]
    return fractions, [w / sum(raw) for w in raw]


class Exact:
    """A player's certificate at 50 digits: the outcomes' distances from a bound, and the bets."""

    def __init__(self, distances: list[mpf], bets: tuple[list[mpf], list[mpf]]) -> None:
        self.distances, self.bets = distances, bets

    def log(self, reach: mpf) -> mpf:
        """ln E where the threshold is that far from the bound; the bets stay the same."""
        logs = [
            mp.log(w) + sum(mp.log1p(f * (z / reach - 1)) for z in self.distances)
            for f, w in zip(*self.bets, strict=True)
        ]
        return max(logs) + mp.log(sum(mp.exp(log - max(logs)) for log in logs))


def exact(model: Bounded, theta: float, values: list[float]) -> tuple[Exact | None, Exact | None]:
    """For "above" and for "below"; None without the bound."""
    sides: list[Exact | None] = []
    for bound, other in ((model.lo, model.hi), (model.hi, model.lo)):
        if bound is None:
            sides.append(None)
            continue
        reach = abs(mpf(theta) - mpf(bound))
        share = None if other is None else reach / abs(mpf(other) - mpf(bound))
        distances = [abs(mpf(x) - mpf(bound)) for x in values]
        sides.append(Exact(distances, fractions_and_weights(share)))
    return sides[0], sides[1]


def place_in(model: Bounded, share: float) -> float:
    """The number at that share of the range; that far from the bound where there is but one."""
    if model.lo is None:
        assert model.hi is not None
        return model.hi - share
    return model.lo + share * (1.0 if model.width is None else model.width)


def outcomes_in(model: Bounded, seed: int, many: int) -> list[float]:
    """Some at the bounds, some between them, some far away where they can be."""
    chance = random.Random(seed)
    other = chance.random if model.width is not None else lambda: chance.lognormvariate(0, 2)
    return [place_in(model, chance.choice((0.0, 1.0, other()))) for _ in range(many)]


def test_fractions_and_weights_are_those_of_the_specification() -> None:
    for share in (None, 1e-80, 0.001, 0.04, 0.5, 0.999):
        ours = bets_at(share)
        fractions, weights = fractions_and_weights(None if share is None else mpf(share))
        assert ours.fractions == pytest.approx([float(f) for f in fractions], rel=1e-12)
        assert np.exp(ours.weights) == pytest.approx([float(w) for w in weights], rel=1e-12)
        assert np.exp(ours.weights).sum() == pytest.approx(1.0, abs=1e-14)


@pytest.mark.parametrize(("lo", "hi"), RANGES)
@pytest.mark.parametrize("share", [0.01, 0.5, 0.9])
def test_certificates_at_50_digits(lo: float | None, hi: float | None, share: float) -> None:
    model = Bounded(lo, hi)
    theta = place_in(model, share)
    for seed, many in ((1, 1), (2, 7), (3, 60)):
        values = outcomes_in(model, seed, many)
        for side in (1.0, -1.0):
            found = certificates(entered(model, theta, values, side=side))[:: int(side)]
            for player, bound, log in zip(
                exact(model, theta, values), (lo, hi), found, strict=True
            ):
                if player is None:
                    assert log == 0.0
                else:
                    true = player.log(abs(mpf(theta) - mpf(bound)))
                    assert abs(log - true) <= 1e-14 * many * (1.0 + abs(float(true)))


@settings(max_examples=50)
@given(SHARES, THETAS, st.randoms())
def test_the_order_of_outcomes_does_not_matter(
    values: list[float], theta: float, chance: random.Random
) -> None:
    shuffled = list(values)
    chance.shuffle(shuffled)
    one, other = (entered(Bounded(0, 1), theta, some) for some in (values, shuffled))
    assert certificates(one) == pytest.approx(certificates(other), abs=1e-12)
    assert evidence(one, 0) == pytest.approx(evidence(other, 0), abs=1e-12)


@pytest.mark.parametrize("chances", [(0.5, 0.0, 0.5), (0.2, 0.6, 0.2), (0.3, 0.4, 0.3)])
@pytest.mark.parametrize("bounds", [(0, 1), (0, None), (None, 1), (-1, 1), (0, 9)])
def test_mean_1_at_the_threshold_whatever_the_distribution(
    bounds: tuple, chances: tuple[float, float, float]
) -> None:
    """By going through all sequences of five outcomes 0, ½ or 1; less on the null's side."""
    model, n = Bounded(*bounds), 5
    means = {theta: np.zeros(2) for theta in (0.4, 0.5, 0.6)}
    for places in product(range(3), repeat=n):
        chance = math.prod(chances[place] for place in places)
        for theta, mean in means.items():
            run = entered(model, theta, [0.5 * place for place in places])
            mean += chance * np.exp(certificates(run))
    assert means[0.5] == pytest.approx([1.0, 1.0], abs=1e-13)
    assert means[0.6][0] < 1.0 < means[0.4][0] or bounds[0] is None
    assert means[0.4][1] < 1.0 < means[0.6][1] or bounds[1] is None


def test_certificates_of_one_side_rise_with_every_outcome() -> None:
    """What the kit asks of models with two certificates, for those with one."""
    for model, which in ((Bounded(lo=0), 0), (Bounded(hi=4), 1)):
        values = [1.0, 0.5, 3.0]
        logs = [certificates(entered(model, 2.0, [*values, x])) for x in (0.0, 1.9, 2.1, 4.0)]
        moving = [log[which] for log in logs]
        assert moving == sorted(moving, reverse=which == 1)
        assert len(set(moving)) == 4
        assert {log[1 - which] for log in logs} == {0.0}


# The evidence


@settings(max_examples=80)
@given(SHARES, THETAS, st.sampled_from([1.0, -1.0]), st.sampled_from([(0, 1), (0, None)]))
def test_half_the_squared_evidence_is_the_largest_log_capital(
    values: list[float], theta: float, side: float, bounds: tuple
) -> None:
    """Over all fractions down to 0, the smaller ones by the first two terms of the logarithm."""
    model = Bounded(*bounds)
    run = entered(model, theta, values, side=side)
    w, mean = evidence(run, 0), float(np.mean(values)) - theta
    assert w == 0.0 if abs(mean) < 1e-17 else w * mean * side >= 0.0
    good, bad = certificates(run)
    assert (good if w > 0 else bad) <= 0.5 * w * w * (1 + 1e-12) + 1e-12
    assert (bad if w > 0 else good) <= 1e-12
    if mean < 0.0 and bounds[1] is None:
        square = float(np.mean((np.array(values) - theta) ** 2))
        assert w * w == pytest.approx(len(values) * mean**2 / square, rel=1e-6, abs=1e-12)
        return
    reach = theta if mean > 0.0 else 1.0 - theta
    gains = np.abs(mean) / mean * (np.array(values) - theta) / reach if mean else np.zeros(1)
    fractions = bets_at(None if bounds[1] is None else reach).fractions
    grid = np.log1p(fractions[:, None] * gains).sum(axis=1).max()
    least = np.linspace(0.0, fractions[-1], 5001)
    parabola = (least * gains.sum() - 0.5 * least**2 * (gains**2).sum()).max()
    assert 0.5 * w * w == pytest.approx(max(grid, parabola), rel=1e-6, abs=1e-12)


@pytest.mark.parametrize(("theta", "rate"), [(0.5, 0.6), (0.04, 0.06), (0.9, 0.8), (0.5, 0.501)])
def test_evidence_of_zeros_and_ones_is_nearly_their_likelihood_ratio(
    theta: float, rate: float
) -> None:
    n = 1000
    s = round(n * rate)
    w = evidence(entered(Bounded(0, 1), theta, [1.0] * s + [0.0] * (n - s)), 0)
    best = root_of_kl(s / n - theta, theta, 1.0 / theta, 1.0 / (1.0 - theta)) * math.sqrt(n)
    assert 0.97 * abs(best) <= abs(w) <= abs(best) * (1.0 + 1e-3)


# Limits


@settings(max_examples=60)
@given(
    SHARES,
    THETAS,
    st.sampled_from([(0.0, 1.0), (-2.0, 5.0), (0.0, None), (None, 1.0)]),
    st.sampled_from([0.0, 1e-16, -1e-16, 1e-15, -1e-15, 1e-12, -1e-12, 0.5, -0.5]),
)
def test_limits_are_on_the_side_that_the_certificate_says(
    shares: list[float], share: float, bounds: tuple, nudge: float
) -> None:
    """At α = e^(−ln E) and next to it, where a verdict hangs by the last bit."""
    model = Bounded(*bounds)
    theta = place_in(model, share)
    values = [place_in(model, x) for x in shares]
    run = entered(model, theta, values)
    above, below = certificates(run)
    alpha = min(math.exp(-max(above, below, 1e-3)) * (1.0 + nudge), 1.0 - 1e-6)
    low, high = limits(model, theta, run, alpha)
    level, mean = -math.log(alpha), run.sums[0] / run.counts[0]
    assert (low >= theta) == (above >= level)
    assert (high < theta) == (below >= level)
    assert low <= mean <= high
    assert low == -math.inf if model.lo is None else model.lo <= low
    assert high == math.inf if model.hi is None else high <= model.hi


def exact_limit(bets: Bets, distances: np.ndarray, level: float) -> float:
    """How far from its bound the certificate of all outcomes, one by one, is at the level."""
    low, high = 0.0, float(distances.mean()) + 1e-9
    for _ in range(40):
        middle = 0.5 * (low + high)
        logs = np.log1p(bets.fractions[:, None] * (distances / middle - 1.0)).sum(axis=1)
        over = np.logaddexp.reduce(bets.weights + logs) >= level
        low, high = (middle, high) if over else (low, middle)
    return low


@pytest.mark.parametrize(
    ("name", "shortest"),
    [
        ("beta mean .55 sd .1, θ .5", 0.95),
        ("beta mean .6 sd .28, θ .5", 0.9),
        ("0/1 p .06, θ .04", 1.0),
        ("0/1 p .6, θ .5", 1.0),
    ],
)
def test_limits_are_just_outside_those_of_the_outcomes_one_by_one(
    name: str, shortest: float
) -> None:
    """Which is why they are valid; for zeros and ones they are the same."""
    case = next(case for case in BENCH["CASES"] if case.name == name)
    draws = case.draw(np.random.default_rng(4), 1, 200)[0].tolist()
    model, alpha = Bounded(0, 1), 0.01
    level = -math.log(alpha)
    for n in (20, 200):
        run = entered(model, case.threshold, draws[:n])
        low, high = limits(model, case.threshold, run, alpha)
        mean = run.sums[0] / n
        values = np.array(draws[:n])
        first = exact_limit(bets_at(case.threshold), values, level)
        last = 1.0 - exact_limit(bets_at(1.0 - case.threshold), 1.0 - values, level)
        assert low - 1e-9 <= first <= mean + 1e-9
        assert mean - 1e-9 <= last <= high + 1e-9
        assert last - first >= shortest * (high - low) - 1e-9


def test_limits_of_extreme_outcomes() -> None:
    model = Bounded(0, 1)
    for theta in (1e-90, 0.5, 1.0 - 1e-15):
        for value in (0.0, theta, 1.0):
            low, high = limits(model, theta, entered(model, theta, [value] * 1000), 0.01)
            assert 0.0 <= low <= value <= high <= 1.0
            assert high - low < 0.02
    huge = Bounded(lo=0)
    low, high = limits(huge, 1.0, entered(huge, 1.0, [1e12, 0.0, 1e-12]), 0.05)
    assert 0.0 <= low <= 1e12 / 3
    assert high == math.inf


def test_a_mean_whose_square_is_no_number_any_more_has_limits() -> None:
    """1e-170 squared is 0 in a computer: the outcomes count as being at the bound."""
    tiny = np.array([1e-170, 0.3])
    two = _with_bound(Moments(np.array([5.0, 5.0]), tiny, np.array([0.0, 0.01]), 1.0))
    assert two.points[0].tolist() == [0.0, 0.0]
    assert two.chances.sum(axis=1) == pytest.approx([1.0, 1.0])
    assert (two.chances * two.points).sum(axis=1) == pytest.approx([0.0, 0.3])


@pytest.mark.parametrize("end", [0.5, 1.0, 40.0])
def test_both_laws_on_two_points_have_the_moments_of_the_outcomes(end: float) -> None:
    """Of outcomes with one value at a bound, so that the law with that bound is theirs."""
    for outcomes, law in (
        (end * np.array([0.0, 0.4, 0.4, 0.4]), _with_bound),
        (end * np.array([1.0, 0.4, 0.4, 0.4]), _with_other_bound),
    ):
        moments = Moments(np.array([4.0]), outcomes[None].mean(1), outcomes[None].var(1), end)
        two = law(moments)
        order = np.argsort(two.points[0])
        assert two.points[0][order] == pytest.approx(np.unique(outcomes))
        first = float((outcomes == outcomes.min()).mean())
        assert two.chances[0][order] == pytest.approx([first, 1.0 - first])
