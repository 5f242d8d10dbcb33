"""Bounded outcomes as earlier versions judged them: as shares of the range, in old logs only."""

import math
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mpmath import mpf

from goodarm.outcomes import Bernoulli, Bounded, outcome_from_data, outcomes
from goodarm.outcomes.bounded_by_ends import BoundedByEnds
from goodarm.outcomes.contract import Seen
from goodarm.run import evidence
from goodarm.study import ConflictError, Study
from goodarm.testing.contract import ContractError
from goodarm.testing.outcome import OUTCOME_PROMISES
from goodarm.testing.outcome_case import Case

RANGES = [(0.0, 1.0), (-2.0, 5.0), (1e6, 1e6 + 3.0), (-0.1, 0.3), (0.0, 1e-6)]


@pytest.mark.parametrize(("lo", "hi"), RANGES)
@pytest.mark.parametrize("share", [0.01, 0.5, 0.8])
def test_certificates_at_50_digits(
    exact: SimpleNamespace, lo: float, hi: float, share: float
) -> None:
    model, theta = BoundedByEnds(lo, hi), lo + share * (hi - lo)
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
    ours, theirs = (exact.state(m, theta, n, s) for m in (BoundedByEnds(0, 1), Bernoulli()))
    assert BoundedByEnds.functions.for_good(ours, 0) == Bernoulli.functions.for_good(theirs, 0)
    assert BoundedByEnds.functions.for_bad(ours, 0) == Bernoulli.functions.for_bad(theirs, 0)
    assert evidence(ours, 0) == pytest.approx(evidence(theirs, 0), rel=1e-14, abs=1e-13)


def test_rounding_carries_no_sum_beyond_the_range(exact: SimpleNamespace) -> None:
    """Sums of many outcomes at the very edge may round: they prove as much as there can be."""
    lo, n = 2.0**30, 3000
    model = BoundedByEnds(lo, lo + 0.5)
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
    model, theta, s = BoundedByEnds(lo, hi), lo + share * (hi - lo), n * (lo + mean * (hi - lo))
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
    model = BoundedByEnds(-2.0, 6.0)
    ours = model.limits(Seen.of(counts, -2.0 * counts + 8.0 * shares), 1.0, 0.02, 0.1)
    theirs = Bernoulli().limits(Seen.of(counts, shares), 0.375, 0.02, 0.1)
    for end, share in zip(ours, theirs, strict=True):
        assert end == pytest.approx(-2.0 + 8.0 * share, rel=1e-12)


def test_logs_that_do_not_say_how_outcomes_are_judged() -> None:
    model = outcome_from_data({"kind": "bounded", "lo": -2.0, "hi": 5.0})
    assert model == BoundedByEnds(-2, 5) != Bounded(-2, 5)
    assert model.to_data() == {"kind": "bounded", "lo": -2.0, "hi": 5.0}
    assert model.text() == Bounded(-2, 5).text()
    assert outcomes["bounded"] is Bounded


def test_the_contract() -> None:
    """All that needs no compiler, but that its name leads to it: `bounded` is another model now."""
    case = Case(BoundedByEnds(-20, 80), 0.0, paths=1, seed=11)
    declared, *others, _, _, _ = OUTCOME_PROMISES.values()
    assert len(others) >= 7
    for check in others:
        check(case)
    with pytest.raises(ContractError, match="stands for"):
        declared(case)


def test_an_old_study_goes_on_as_it_began(tmp_path: Path) -> None:
    """A script that is started again after an upgrade declares Bounded, and means the old study."""
    declared = {"arms": ["A", "B"], "threshold": 0.5, "storage": tmp_path / "s.db", "seed": 3}
    old = Study.create("s", outcome=BoundedByEnds(0, 1), **declared)
    old.tell("A", 0.75)
    study = Study.create("s", outcome=Bounded(0, 1), load_if_exists=True, **declared)
    for value in (0.5, 0.875, 0.625):
        study.tell(study.ask(), value)
    assert study.settings.outcome == BoundedByEnds(0, 1)
    assert study.verify().ok
    with pytest.raises(ConflictError, match="outcome = bounded:0:1, not bounded:0:2;"):
        Study.create("s", outcome=Bounded(0, 2), load_if_exists=True, **declared)


def test_a_new_study_is_judged_by_betting(tmp_path: Path) -> None:
    study = Study.create("s", ["A", "B"], 0.5, "bounded:0:1", storage=tmp_path / "s.db", seed=3)
    study.tell(study.ask(), 0.75)
    again = Study.load("s", storage=tmp_path / "s.db")
    assert again.settings.outcome == Bounded(0, 1)
    assert again.verify().ok
