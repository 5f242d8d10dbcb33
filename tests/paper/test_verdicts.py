"""The tests behind the verdicts, against cases worked out by hand and against their level."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goodarm import simulate
from goodarm.paper.judging.agreement import AGREES, DIFFERS, error_cell, exact_cell, time_cell
from goodarm.paper.judging.claims import (
    CROSSES,
    FAILS,
    HOLDS,
    IN_PART,
    IS_ALIKE,
    IS_BELOW,
    IS_NOT_ABOVE,
    STAYS_OPEN,
    UNDECIDED,
    Claim,
    Relation,
    across,
    alike,
    below,
    on,
    outcome_of,
    verdict_of,
)
from goodarm.paper.judging.intervals import (
    Interval,
    Sample,
    log_ratio,
    log_spread_ratio,
    mean_difference,
    means,
    proportions,
)
from goodarm.paper.judging.quantities import ERROR, MEAN, OUTLIERS, SPREAD, Evidence
from goodarm.paper.judging.theory_claims import FasterThanTheory
from goodarm.plotting import ErrorCurve


def test_newcombes_interval_by_hand() -> None:
    """Newcombe (1998), Table II, method 10: 56/70 against 48/80, 95 %."""
    interval = proportions(56, 70, 48, 80, 0.95)
    assert interval.estimate == pytest.approx(0.2)
    assert (interval.low, interval.high) == pytest.approx((0.0524, 0.3339), abs=1e-4)
    assert proportions(0, 1000, 0, 1000, 0.999).contains(0.0)


def test_welchs_interval_by_hand() -> None:
    interval = means(Sample(103.0, 10.0, 400), Sample(100.0, 10.0, 100), 0.999, rounding=1.0)
    half = 3.2905267 * math.sqrt(100 / 400 + 100 / 100 + 1 / 12)
    assert interval.estimate == 3.0
    assert (interval.low, interval.high) == pytest.approx((3.0 - half, 3.0 + half))


@given(
    st.integers(0, 50),
    st.integers(50, 80),
    st.integers(0, 50),
    st.integers(50, 80),
    st.sampled_from([0.9, 0.95, 0.999]),
)
def test_proportions_are_antisymmetric_and_within_reach(a, n, b, m, level) -> None:
    there, back = proportions(a, n, b, m, level), proportions(b, m, a, n, level)
    assert there == pytest.approx((-back.estimate, -back.high, -back.low))
    assert -1.0 <= there.low <= there.estimate <= there.high <= 1.0


def test_intervals_cover_as_often_as_they_say() -> None:
    """At level 0.95, over 2,000 repetitions: between 93 and 97 %, or more where it is safe."""
    rng = np.random.default_rng(0)
    hits = {"p": 0, "mean": 0, "spread": 0, "curve": 0}
    for _ in range(2000):
        a, b = rng.binomial(300, 0.1), rng.binomial(200, 0.2)
        hits["p"] += proportions(a, 300, b, 200, 0.95).contains(-0.1)
        x, y = rng.exponential(2.0, 500), rng.exponential(1.0, 500)
        hits["mean"] += log_ratio(x, y, False, 0.95).contains(math.log(2.0))
        u, v = rng.normal(9, 2.0, 500), rng.normal(7, 1.0, 500)
        hits["spread"] += log_spread_ratio(u, v, False, 0.95).contains(math.log(2.0))
        p = np.full(5, rng.binomial(400, 0.3) / 400)  # wholly dependent: the worst case
        q = np.full(5, rng.binomial(400, 0.2) / 400)
        hits["curve"] += mean_difference(p, 400, q, 400, 0.95).contains(0.1)
    assert all(1860 <= count <= 1940 for count in hits.values()), hits


def test_pairing_makes_ratios_sharper() -> None:
    rng = np.random.default_rng(1)
    common = rng.exponential(100.0, 1000)
    x, y = common + rng.normal(0, 1, 1000), common + rng.normal(0, 1, 1000)
    paired, apart = log_ratio(x, y, True, 0.999), log_ratio(x, y, False, 0.999)
    assert paired.high - paired.low < 0.1 * (apart.high - apart.low)


def test_a_published_mean_agrees_or_differs() -> None:
    result = simulate("NoA1", "APGAI", delta=0.01, boundary="glr-tables", runs=500)["APGAI"]
    sound = time_cell("NoA1", (288, 56), 1000, result)
    assert sound.verdict == AGREES
    assert abs(sound.z) < 3.29
    wrong = time_cell("NoA1", (310, 56), 1000, result, "known")
    assert (wrong.verdict, wrong.why) == (DIFFERS, "known")
    assert wrong.z < -3.29


def test_a_dash_means_that_no_run_stops() -> None:
    never = simulate("NoA2", "Unif", delta=0.01, cap=20, runs=50)["Unif"]
    assert time_cell("NoA2", None, 1000, never).verdict == AGREES
    stops = simulate("NoA1", "APGAI", delta=0.01, runs=50)["APGAI"]
    assert time_cell("NoA1", None, 1000, stops).verdict == DIFFERS


def test_a_published_error_agrees_or_differs() -> None:
    result = simulate("NoA2", "Unif", budget=700, runs=2000)["Unif"]
    assert error_cell("NoA2", 0.084, 1000, result).verdict == AGREES
    assert error_cell("NoA2", 0.018, 1000, result).verdict == DIFFERS
    none = simulate("IsA2", "Unif", budget=700, runs=200)["Unif"]
    assert error_cell("IsA2", 0.0, 1000, none).z == 0.0


def test_a_computed_number_agrees_when_it_rounds_to_the_published_one() -> None:
    assert exact_cell("x", "H1", 105, 104.51).verdict == AGREES
    assert exact_cell("x", "H1", 104, 104.51).verdict == DIFFERS
    assert exact_cell("x", "mean", -0.62, -0.625, 0.01).verdict == AGREES


@pytest.mark.parametrize(
    ("interval", "relation", "limit", "outcome"),
    [
        ((-2, -3, -1), IS_BELOW, 0, HOLDS),
        ((2, 1, 3), IS_BELOW, 0, FAILS),
        ((0, -1, 1), IS_BELOW, 0, STAYS_OPEN),
        ((0, -1, 1), IS_ALIKE, 2, HOLDS),
        ((5, 4, 6), IS_ALIKE, 2, FAILS),
        ((2, 1, 3), IS_ALIKE, 2, STAYS_OPEN),
        ((-5, -6, -4), IS_ALIKE, 2, FAILS),
        ((-9, -10, -8), IS_NOT_ABOVE, 2, HOLDS),
        ((5, 4, 6), IS_NOT_ABOVE, 2, FAILS),
        ((2, 1, 3), IS_NOT_ABOVE, 2, STAYS_OPEN),
    ],
)
def test_what_an_interval_says(interval, relation, limit, outcome) -> None:
    assert outcome_of(Interval(*interval), relation, limit) == outcome


@pytest.mark.parametrize(
    ("outcomes", "verdict"),
    [
        ([HOLDS, STAYS_OPEN], AGREES),
        ([FAILS, STAYS_OPEN], DIFFERS),
        ([HOLDS, FAILS], IN_PART),
        ([STAYS_OPEN, STAYS_OPEN], UNDECIDED),
        ([], UNDECIDED),
        ([HOLDS, CROSSES], IN_PART),
    ],
)
def test_what_outcomes_say_together(outcomes, verdict) -> None:
    assert verdict_of(outcomes) == verdict


def curve(rates, runs: int = 2000, defined=None) -> ErrorCurve:
    x = 100 * np.arange(1, len(rates) + 1)
    here = np.ones(len(rates), dtype=bool) if defined is None else np.array(defined)
    return ErrorCurve(x, np.round(np.array(rates) * runs).astype(np.int64), runs, here)


def test_claims_on_curves_can_be_true_and_false() -> None:
    evidence = Evidence(
        curves={
            ("here", "low"): curve([0.2, 0.1, 0.05, 0.01]),
            ("here", "high"): curve([0.5, 0.3, 0.2, 0.1]),
            ("here", "late"): curve([0.6, 0.4, 0.0, 0.0]),
            ("there", "low"): curve([0.02, 0.01, 0.0, 0.0]),
        }
    )
    lower = Claim(
        "x",
        below(ERROR, on(["here"], ["low"], ["high"])),
        comment="why",
    )
    assert (lower.judge(evidence).verdict, lower.judge(evidence).comment) == (AGREES, "")
    upper = Claim(
        "x",
        below(ERROR, on(["here"], ["high"], ["low"])),
        comment="why",
    )
    assert (upper.judge(evidence).verdict, upper.judge(evidence).comment) == (DIFFERS, "why")
    crossing = Claim(
        "x",
        below(ERROR, on(["here"], ["low"], ["late"])),
    ).judge(evidence)
    assert (crossing.verdict, crossing.findings[0].outcome) == (IN_PART, CROSSES)
    assert crossing.findings[0].remark == "above at 300, 400"
    falls = Claim(
        "x",
        below(ERROR, across([("there", "here")], ["low"])),
    ).judge(evidence)
    assert falls.verdict == AGREES
    close = Claim(
        "x",
        alike(ERROR, on(["here"], ["low"], ["high"]), margin=0.05),
    )
    assert close.judge(evidence).verdict == DIFFERS


def test_undefined_places_are_not_compared() -> None:
    evidence = Evidence(
        curves={
            ("here", "a"): curve([0.9, 0.1, 0.1]),
            ("here", "b"): curve([0.0, 0.5, 0.5], defined=[False, True, True]),
        }
    )
    judged = Claim(
        "x",
        below(ERROR, on(["here"], ["a"], ["b"])),
    ).judge(evidence)
    assert judged.verdict == AGREES
    assert judged.findings[0].left == "0.10000"


def test_claims_on_times() -> None:
    found = simulate("IsA1", ["APGAI", "APGAI-FE", "Unif"], delta=0.01, runs=1000, seed=2)
    evidence = Evidence(times={("IsA1", name): result for name, result in found.items()})

    def verdict(quantity, kind, left, right, margin=0.0) -> str:
        pairs = on(["IsA1"], [left], [right])
        return (
            Claim(
                "x",
                Relation(quantity, kind, pairs, margin),
            )
            .judge(evidence)
            .verdict
        )

    assert verdict(MEAN, IS_BELOW, "APGAI-FE", "Unif") == AGREES
    assert verdict(MEAN, IS_BELOW, "Unif", "APGAI-FE") == DIFFERS
    assert verdict(MEAN, IS_NOT_ABOVE, "Unif", "APGAI-FE", margin=0.5) == DIFFERS
    assert verdict(SPREAD, IS_BELOW, "APGAI-FE", "APGAI") == AGREES
    assert verdict(OUTLIERS, IS_BELOW, "Unif", "APGAI") == AGREES
    assert verdict(OUTLIERS, IS_BELOW, "APGAI", "Unif") == DIFFERS


def test_faster_than_theory_can_be_false() -> None:
    for rates, verdict in (([0.3, 0.001], AGREES), ([0.9999, 0.9999], DIFFERS)):
        evidence = Evidence(curves={("Thr3", "APGAI"): curve(rates, runs=100_000)})
        assert FasterThanTheory("x", ("Thr3",)).judge(evidence).verdict == verdict
