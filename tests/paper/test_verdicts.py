"""The tests behind the verdicts, against cases worked out by hand and against their level."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goodarm import simulate
from goodarm.paper.judging.agreement import AGREES, DIFFERS, error_cell, exact_cell, time_cell
from goodarm.paper.judging.claims import (
    IN_PART,
    UNDECIDED,
    Claim,
    across,
    alike,
    below,
    far_below,
    not_above,
    not_far,
    on,
    verdict_of,
)
from goodarm.paper.judging.intervals import (
    Sample,
    log_odds_ratio,
    log_ratio,
    log_spread_ratio,
    mean_share,
    means,
    proportions,
    share,
)
from goodarm.paper.judging.quantities import ERROR, MEAN, OUTLIERS, SPREAD, Evidence
from goodarm.paper.judging.relations import CROSSES, FAILS, HOLDS, STAYS_OPEN
from goodarm.paper.judging.theory_claims import FasterThanTheory
from goodarm.plotting import ErrorCurve

two_samples = given(
    st.integers(0, 50),
    st.integers(50, 80),
    st.integers(0, 50),
    st.integers(50, 80),
    st.sampled_from([0.9, 0.95, 0.999]),
)


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


@two_samples
def test_proportions_are_antisymmetric_and_within_reach(a, n, b, m, level) -> None:
    there, back = proportions(a, n, b, m, level), proportions(b, m, a, n, level)
    assert there == pytest.approx((-back.estimate, -back.high, -back.low))
    assert -1.0 <= there.low <= there.estimate <= there.high <= 1.0


def test_intervals_cover_as_often_as_they_say() -> None:
    """At level 0.95, over 2,000 repetitions: between 93 and 97 %, or more where it is safe."""
    rng = np.random.default_rng(0)
    hits = {"p": 0, "mean": 0, "spread": 0, "curve": 0, "odds": 0}
    odds = math.log(0.3 / 0.7) - math.log(0.2 / 0.8)
    for _ in range(2000):
        a, b = rng.binomial(300, 0.1), rng.binomial(200, 0.2)
        hits["p"] += proportions(a, 300, b, 200, 0.95).contains(-0.1)
        x, y = rng.exponential(2.0, 500), rng.exponential(1.0, 500)
        hits["mean"] += log_ratio(x, y, False, 0.95).contains(math.log(2.0))
        u, v = rng.normal(9, 2.0, 500), rng.normal(7, 1.0, 500)
        hits["spread"] += log_spread_ratio(u, v, False, 0.95).contains(math.log(2.0))
        p = np.full(5, rng.binomial(400, 0.3) / 400)  # wholly dependent: the worst case
        q = share(rng.binomial(400, 0.2), 400, 0.95)
        hits["curve"] += mean_share(p, 400, 0.95).contains(0.3)
        hits["odds"] += log_odds_ratio(mean_share(p, 400, 0.95), q).contains(odds)
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


@two_samples
def test_ratios_of_odds_agree_with_differences_of_them(a, n, b, m, level) -> None:
    """A ratio is beyond doubt where the difference is, and turns round with its shares."""
    one, other = share(a, n, level), share(b, m, level)
    there, back = log_odds_ratio(one, other), log_odds_ratio(other, one)
    assert there == pytest.approx((-back.estimate, -back.high, -back.low), nan_ok=True)
    assert there.low <= there.high
    if not math.isnan(there.estimate):
        assert there.low <= there.estimate <= there.high
    if a / n + b / m <= 1.0 and a < n and b < m:
        x, y = ([p / (1.0 - p) for p in shares] for shares in (one, other))
        gap = x[0] - y[0] - math.hypot(x[0] - x[1], y[2] - y[0])  # Newcombe's, of odds
        assert (there.low > 0.0) == (gap > 0.0) or abs(gap) < 1e-9


def test_a_curve_without_errors_is_as_good_as_its_number_of_runs() -> None:
    """And one whose errors all lie at one point counts them once."""
    none = mean_share(np.zeros(7), 500, 0.99)
    assert none == share(0, 500, 0.99)
    single = mean_share(np.array([0.02] + [0.0] * 9), 500, 0.99)
    assert single == pytest.approx([limit / 10 for limit in share(10, 500, 0.99)], rel=0.02)


@pytest.mark.parametrize(
    ("outcomes", "full", "quick"),
    [
        ([HOLDS, HOLDS], AGREES, AGREES),
        ([HOLDS, HOLDS, STAYS_OPEN], AGREES, UNDECIDED),
        ([HOLDS, STAYS_OPEN], UNDECIDED, UNDECIDED),
        ([FAILS, FAILS, STAYS_OPEN], DIFFERS, IN_PART),
        ([FAILS, STAYS_OPEN], IN_PART, IN_PART),
        ([HOLDS, FAILS, STAYS_OPEN, STAYS_OPEN], IN_PART, IN_PART),
        ([CROSSES, STAYS_OPEN, STAYS_OPEN], IN_PART, IN_PART),
        ([FAILS], DIFFERS, DIFFERS),
        ([HOLDS, HOLDS, FAILS], IN_PART, IN_PART),
        ([STAYS_OPEN, STAYS_OPEN], UNDECIDED, UNDECIDED),
        ([], UNDECIDED, UNDECIDED),
        ([HOLDS, HOLDS, CROSSES], IN_PART, IN_PART),
        ([CROSSES], IN_PART, IN_PART),
    ],
)
def test_what_outcomes_say_together(outcomes, full: str, quick: str) -> None:
    assert verdict_of(outcomes) == full
    assert verdict_of(outcomes, full=False) == quick


@given(
    st.lists(st.tuples(st.sampled_from([HOLDS, FAILS, CROSSES, STAYS_OPEN]), st.booleans())),
)
def test_a_quick_verdict_is_never_stronger_than_the_full_one(comparisons) -> None:
    """With fewer runs some comparisons are open that are not with more."""
    quick = verdict_of([STAYS_OPEN if hidden else o for o, hidden in comparisons], full=False)
    full = verdict_of([outcome for outcome, _ in comparisons])
    if quick in (AGREES, DIFFERS):
        assert quick == full
    elif quick == IN_PART:
        assert full in (IN_PART, DIFFERS)


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
        alike(ERROR, on(["here"], ["low"], ["high"])),
    )
    assert close.judge(evidence).verdict == DIFFERS


def judged(states, left, right, runs: int = 2000) -> tuple[str, str]:
    """The verdict and the first outcome on two curves."""
    evidence = Evidence(curves={("p", "a"): curve(left, runs), ("p", "b"): curve(right, runs)})
    judgement = Claim("x", states(ERROR, on(["p"], ["a"], ["b"]))).judge(evidence)
    return judgement.verdict, judgement.findings[0].outcome


@pytest.mark.parametrize("states", [below, far_below, alike, not_far, not_above])
@pytest.mark.parametrize("rates", [[0.0, 0.0], [0.002, 0.0], [0.001, 0.001]])
def test_what_is_too_rare_for_the_number_of_runs_is_undecided(states, rates) -> None:
    assert judged(states, rates, rates, runs=500) == (UNDECIDED, STAYS_OPEN)


@pytest.mark.parametrize(
    ("own", "verdict", "others"), [(0.3, IN_PART, "do not hold"), (0.1, UNDECIDED, "hold")]
)
def test_what_keeps_a_claim_from_a_clear_verdict_is_said(own, verdict, others) -> None:
    rates = {"a": own, "b": 0.4 - own, "c": own, "d": own}
    evidence = Evidence(curves={("p", name): curve([p] * 4, 500) for name, p in rates.items()})
    claim = Claim("x", below(ERROR, on(["p"], ["a"], ["b", "c", "d"])))
    judgement = claim.judge(evidence)
    assert judgement.verdict == verdict
    open_ones = "2 of 3 comparisons cannot be decided with this many runs"
    assert judgement.comment == f"{open_ones}; the others {others}."


def test_rare_errors_are_compared_by_their_ratio() -> None:
    """0.0002 against 0.0024: a twelfth, however little the difference is."""
    few, many = [0.0002] * 4, [0.0024] * 4
    assert judged(alike, many, few, runs=20_000)[0] == DIFFERS
    assert judged(not_far, many, few, runs=20_000)[0] == DIFFERS
    assert judged(not_above, many, few, runs=20_000)[0] == DIFFERS
    assert judged(not_above, few, many, runs=20_000)[0] == AGREES


def test_a_word_of_size_needs_a_factor() -> None:
    assert judged(below, [0.2] * 4, [0.3] * 4)[0] == AGREES
    assert judged(far_below, [0.22] * 4, [0.25] * 4)[0] == DIFFERS
    assert judged(far_below, [0.1] * 4, [0.4] * 4)[0] == AGREES


def test_curves_that_are_alike_on_the_whole_may_cross() -> None:
    """In whichever direction they drift apart."""
    rising, falling = [0.1, 0.2, 0.3, 0.4], [0.4, 0.3, 0.2, 0.1]
    for one, other in ((rising, falling), (falling, rising)):
        assert judged(alike, one, other, runs=50_000) == (IN_PART, CROSSES)
        assert judged(below, one, other, runs=50_000) == (IN_PART, CROSSES)


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

    def verdict(quantity, states, left, right) -> str:
        return Claim("x", states(quantity, on(["IsA1"], [left], [right]))).judge(evidence).verdict

    assert verdict(MEAN, below, "APGAI-FE", "Unif") == AGREES
    assert verdict(MEAN, below, "Unif", "APGAI-FE") == DIFFERS
    assert verdict(MEAN, not_above, "Unif", "APGAI-FE") == DIFFERS
    assert verdict(SPREAD, below, "APGAI-FE", "APGAI") == AGREES
    assert verdict(OUTLIERS, below, "Unif", "APGAI") == AGREES
    assert verdict(OUTLIERS, below, "APGAI", "Unif") == DIFFERS


def test_faster_than_theory_can_be_false() -> None:
    for rates, verdict in (([0.3, 0.001], AGREES), ([0.9999, 0.9999], DIFFERS)):
        evidence = Evidence(curves={("Thr3", "APGAI"): curve(rates, runs=100_000)})
        assert FasterThanTheory("x", ("Thr3",)).judge(evidence).verdict == verdict
