"""What would have been seen: checked by playing reproductions of which the truth is known."""

import numpy as np
import pytest

from goodarm import simulate
from goodarm.paper.judging.agreement import DIFFERS, POWER, VERDICT_LEVEL, error_cell, time_cell
from goodarm.paper.judging.intervals import Sample, means, proportions
from goodarm.paper.judging.power import SeenFrom, rates_seen

RUNS = 3000


def share_that_differs(rate: float, others: int, runs: int) -> float:
    """How often that error rate would have differed from `others` of 1,000."""
    counts = np.random.default_rng(0).binomial(runs, rate, RUNS)
    differs = [
        not proportions(int(count), runs, others, 1000, VERDICT_LEVEL).contains(0.0)
        for count in counts
    ]
    return float(np.mean(differs))


@pytest.mark.parametrize("others", [0, 7, 20, 127])
def test_a_rate_that_is_said_to_be_seen_is_seen(others: int) -> None:
    seen = rates_seen(others, 1000, 2000, VERDICT_LEVEL, POWER)
    assert share_that_differs(seen.above, others, 2000) == pytest.approx(POWER, abs=0.02)
    assert seen.above > others / 1000
    if seen.below is None:  # not even no errors at all would have differed
        assert proportions(0, 2000, others, 1000, VERDICT_LEVEL).contains(0.0)
        assert others < 20
    else:
        assert share_that_differs(seen.below, others, 2000) == pytest.approx(POWER, abs=0.02)
        assert seen.below < others / 1000


def test_too_few_runs_see_nothing() -> None:
    assert rates_seen(500, 1000, 2, VERDICT_LEVEL, POWER) == SeenFrom(None, None)


def test_a_mean_that_is_said_to_be_seen_is_seen() -> None:
    result = simulate("NoA1", "APGAI", delta=0.01, boundary="glr-tables", runs=400)["APGAI"]
    cell = time_cell("NoA1", (288, 56), 1000, result)
    chance, theirs = np.random.default_rng(1), Sample(288, 56, 1000)
    for truth in cell.seen:
        ours = chance.normal(truth, result.std / np.sqrt(result.runs), RUNS)
        differs = [
            not means(Sample(m, result.std, result.runs), theirs, VERDICT_LEVEL, 1.0).contains(0.0)
            for m in ours
        ]
        assert np.mean(differs) == pytest.approx(POWER, abs=0.06)  # theirs is taken as it is
    assert time_cell("NoA1", (288, 5600), 1000, result).seen.above > cell.seen.above


def test_no_errors_in_print_agree_with_one_per_cent() -> None:
    """20 published error rates are 0 of 1,000; the report says what that is worth."""
    result = simulate("NoA1", "APGAI", budget=20, runs=5000)["APGAI"]
    cell = error_cell("NoA1", 0.0, 1000, result)
    assert 0.01 < cell.seen.above < 0.02
    assert (cell.verdict == DIFFERS) == (cell.difference.low > 0.0)


def test_beyond_a_distance() -> None:
    assert SeenFrom.beyond(10.0, 4.0) == SeenFrom(6.0, 14.0)
    assert SeenFrom.beyond(10.0, 12.0) == SeenFrom(None, 22.0)
    assert SeenFrom.beyond(-1.0, 0.5) == SeenFrom(-1.5, -0.5)
