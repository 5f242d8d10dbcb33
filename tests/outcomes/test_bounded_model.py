"""Bounded outcomes as a model: one bound or two, wrong input, outcomes to simulate with."""

import math
import random
from itertools import product

import numpy as np
import pytest

from goodarm import Experiment
from goodarm.errors import InputError
from goodarm.outcomes import Bounded, Gaussian, certificate

# One bound, and what cannot be


def test_what_cannot_be_proved_with_one_bound_is_said() -> None:
    assert Bounded(0, 1).note(1.0) is None
    named, ruled_out = "can be named good, but never ruled out", "ruled out, but never named good"
    for model, side, which, said in (
        (Bounded(lo=0), 1.0, "an upper bound on outcomes no mean can be shown to be below", named),
        (Bounded(lo=0), -1.0, "an upper bound", ruled_out),
        (
            Bounded(hi=0),
            1.0,
            "a lower bound on outcomes no mean can be shown to be above",
            ruled_out,
        ),
        (Bounded(hi=0), -1.0, "a lower bound", named),
    ):
        note = model.note(side)
        assert note is not None
        assert which in note
        assert said in note


def test_one_bound_proves_one_side() -> None:
    proof = certificate("bounded:0", 1.0, [3.0, 2.5, 2.0, 4.0, 2.0, 2.5] * 3)
    assert proof.above > 3.0
    assert (proof.below, proof.upper) == (0.0, None)
    assert proof.lower is not None
    assert proof.lower > 1.0
    proof = certificate("bounded::1", 0.0, [0.9] * 10)
    assert (proof.above, proof.lower) == (0.0, None)
    assert proof.below < 0.0


def test_the_paper_needs_both_bounds() -> None:
    assert Bounded(-1, 3).sub_gaussian(2) == Gaussian(2.0)
    with pytest.raises(InputError, match="use boundary mixture, or give both bounds"):
        Bounded(lo=0).sub_gaussian(2)


def test_bounds_in_words_and_numbers() -> None:
    both, low, high = Bounded(0, 10), Bounded(lo=2), Bounded(hi=-1.5)
    assert both.describe() == "a number between 0 and 10"
    assert low.describe() == "a number of at least 2"
    assert high.describe() == "a number of at most -1.5"
    assert [(m.low, m.high) for m in (low, high)] == [(2.0, None), (None, -1.5)]
    assert [m.scales(2) for m in (both, low)] == [[5.0, 5.0], [1.0, 1.0]]
    assert [m.spreads(4.0, 1) for m in (both, low)] == [[5.0], [2.0]]


@pytest.mark.parametrize(
    ("lo", "hi", "message"),
    [
        (1, 1, "lo = 1 is not below hi = 1; give lo first"),
        (2, 1, "lo = 2 is not below hi = 1"),
        (0, 1e-320, "too narrow a range; use another unit"),
        (0, math.inf, "hi: inf is too large; give a finite number"),
        (math.nan, 1, "lo: nan is not a number"),
        ("0", 1, "lo: '0' is not a number"),
        (None, None, "bounded outcomes need a bound; give lo, hi, or both"),
    ],
)
def test_ranges_that_cannot_be(lo: object, hi: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Bounded(lo, hi)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("model", "theta", "message"),
    [
        (Bounded(-2, 5), -2, "is not between -2 and 5"),
        (Bounded(-2, 5), 9, "is not between -2 and 5"),
        (Bounded(lo=-2), -2, "is not above -2"),
        (Bounded(hi=5), 5, "is not below 5"),
        (Bounded(0, 1e100), 1e-200, "too close to an end"),
        (Bounded(-1e17, 1.0), 0.5, "too close to an end"),
        (Bounded(lo=0), 1e-101, "too close to the bound"),
    ],
)
def test_thresholds_that_no_outcome_can_tell_from_an_end(
    model: Bounded, theta: float, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        model.check_threshold(theta)


def test_thresholds_inside_the_range() -> None:
    for model in (Bounded(-2, 5), Bounded(lo=-2), Bounded(hi=5)):
        assert model.check_threshold(0) == 0.0


def test_values_outside_the_range() -> None:
    for model, value, message in (
        (Bounded(0, 10), 11, r"value: 11 is outside \[0, 10\].*check the entry"),
        (Bounded(lo=0), -1, r"value: -1 is outside \[0, ∞\).*check the entry"),
        (Bounded(hi=10), 11, r"value: 11 is outside \(−∞, 10\].*check the entry"),
        (Bounded(lo=0), 1e20, r"value: 1e\+20 is more than 1e\+12 times as far .* check the entry"),
    ):
        assert model.check(7, 5.0) == 7.0
        with pytest.raises(InputError, match=message):
            model.check(value, 5.0)


def test_data_of_a_later_version() -> None:
    with pytest.raises(InputError, match="of a later version; upgrade"):
        Bounded.from_data({"kind": "bounded", "lo": 0, "by": "luck"})


# Outcomes to simulate with


@pytest.mark.parametrize("scatter", [math.nan, 0.0, 0.5, 1e9])
@pytest.mark.parametrize("bounds", [(-1, 3), (-1, None), (None, 3)])
def test_outcomes_drawn_for_a_forecast_stay_in_the_range(bounds: tuple, scatter: float) -> None:
    model, chance = Bounded(*bounds), random.Random(1)
    least, most = (-math.inf if bounds[0] is None else -1.0, bounds[1] or math.inf)
    for mean in (-1.0, -1.0 + 1e-12, 0.5, 3.0):
        drawn = [model.draw_outcome(0, mean, scatter, chance) for _ in range(300)]
        assert all(least <= x <= most for x in drawn)
        if scatter != 1e9:
            assert sum(drawn) / 300 == pytest.approx(mean, abs=0.8)
    means = model.means_near(0, 0.5, np.linspace(-8.0, 8.0, 33), max(1e-6, scatter))
    assert np.all((least <= means) & (means <= most) & (np.diff(means, prepend=-math.inf) >= 0.0))
    assert means[16] == pytest.approx(0.5)
    for u, mean in product((0.001, 0.4, 0.999), (-0.9, 2.0)):
        assert least <= model.quantile(u, mean) <= most
        assert model.quantile(u, mean) < model.quantile(u + 0.0005, mean)


@pytest.mark.parametrize(
    ("bounds", "mean", "scatter"),
    [
        ((0, 1), 0.5, 0.1),
        ((0, 1), 0.04, 0.1),
        ((0, 1), 0.9, 0.28),
        ((0, 1), 0.999, 0.002),
        ((-20, 80), 3.0, 12.0),
        ((0, None), 2.0, 1.0),
        ((0, None), 2.0, 4.0),
        ((None, 5), 1.0, 2.0),
    ],
)
def test_typical_outcomes_have_the_moments_asked_for(
    bounds: tuple, mean: float, scatter: float
) -> None:
    model = Bounded(*bounds)
    values = model.typical(mean, scatter, 256)
    assert len(values) == 256
    assert [model.check(x, 0.5 if mean < 1 else mean) for x in values] == values
    assert np.mean(values) == pytest.approx(mean, rel=1e-12)
    assert np.std(values) == pytest.approx(scatter, rel=0.08)


def test_typical_outcomes_at_the_edge_of_what_can_be() -> None:
    assert Bounded(0, 1).typical(1.0, 0.3, 4) == [1.0] * 4
    assert Bounded(lo=2).typical(2.0, 0.3, 4) == [2.0] * 4
    widest = Bounded(0, 1).typical(0.3, 9.0, 100)
    assert np.mean(widest) == pytest.approx(0.3, rel=1e-12)
    assert np.std(widest) > 0.95 * math.sqrt(0.21)
    assert np.ptp(Bounded(0, 1).typical(0.3, 0.0, 100)) < 1e-3


def test_the_same_outcomes_in_another_order_are_a_tie() -> None:
    """Rounding in the capitals must not decide which of two arms is ahead."""
    outcomes = [0.13, 0.97, 0.31, 0.77, 0.05, 0.61] * 7
    experiment = Experiment(2, 0.4, outcome="bounded:0:1", seed=1)
    for value in outcomes:
        experiment.tell(0, value)
    for value in sorted(outcomes):
        experiment.tell(1, value)
    first, second = experiment.evidence
    assert first.for_good != second.for_good  # the capitals do differ
    assert first.evidence == second.evidence
