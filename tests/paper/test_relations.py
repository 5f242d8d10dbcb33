"""What intervals of a whole and of single points say about a relation."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goodarm.paper.judging.intervals import Interval
from goodarm.paper.judging.relations import (
    CLOSE,
    CROSSES,
    FAILS,
    HOLDS,
    IS_ALIKE,
    IS_BELOW,
    IS_FAR_BELOW,
    IS_NOT_ABOVE,
    IS_NOT_FAR,
    LARGE,
    STAYS_OPEN,
)

RELATIONS = [IS_BELOW, IS_FAR_BELOW, IS_ALIKE, IS_NOT_FAR, IS_NOT_ABOVE]
ON, BY = math.log(CLOSE), math.log(LARGE)


def around(middle: float, reach: float = 0.01) -> Interval:
    return Interval(middle, middle - reach, middle + reach)


@pytest.mark.parametrize(
    ("relation", "inside", "outside"),
    [
        (IS_BELOW, [-9.0, -0.1], [0.1, 9.0]),
        (IS_FAR_BELOW, [-9.0, -BY - 0.1], [-BY + 0.1, 0.0, 9.0]),
        (IS_ALIKE, [-ON + 0.1, 0.0, ON - 0.1], [-9.0, -ON - 0.1, ON + 0.1, 9.0]),
        (IS_NOT_FAR, [-BY + 0.1, 0.0, BY - 0.1], [-9.0, -BY - 0.1, BY + 0.1, 9.0]),
        (IS_NOT_ABOVE, [-9.0, ON - 0.1], [ON + 0.1, 9.0]),
    ],
)
def test_narrow_intervals_hold_inside_and_fail_outside(relation, inside, outside) -> None:
    assert {relation.outcome(around(x)) for x in inside} == {HOLDS}
    assert {relation.outcome(around(x)) for x in outside} == {FAILS}


@pytest.mark.parametrize("relation", RELATIONS)
def test_an_interval_on_both_sides_of_an_end_is_open(relation) -> None:
    for end in (relation.low, relation.high):
        if math.isfinite(end):
            assert relation.outcome(around(end)) == STAYS_OPEN
    assert relation.outcome(Interval(math.nan, -math.inf, math.inf)) == STAYS_OPEN


def test_limits_may_be_infinite() -> None:
    assert IS_BELOW.outcome(Interval(-math.inf, -math.inf, -1.0)) == HOLDS
    assert IS_BELOW.outcome(Interval(math.inf, 1.0, math.inf)) == FAILS
    assert IS_ALIKE.outcome(Interval(math.inf, 1.0, math.inf)) == FAILS


YES, NO, NEITHER, SEEMS_NOT = around(-1.0), around(1.0), around(-0.5, 9.0), around(0.5, 9.0)


@pytest.mark.parametrize(
    ("whole", "points", "outcome"),
    [
        (YES, [YES] * 8 + [NO] * 2, HOLDS),
        (YES, [YES] * 7 + [NO] * 3, CROSSES),
        (YES, [YES] * 7 + [SEEMS_NOT] * 3, STAYS_OPEN),
        (YES, [YES] * 7 + [NEITHER] * 3, HOLDS),
        (NO, [NO] * 8 + [YES] * 2, FAILS),
        (NO, [NO] * 7 + [YES] * 3, CROSSES),
        (NEITHER, [YES] * 10, STAYS_OPEN),
        (NEITHER, [NEITHER] * 7 + [NO] * 3, FAILS),
        (NEITHER, [YES] * 5 + [NO] * 5, CROSSES),
    ],
)
def test_what_points_add(whole, points, outcome) -> None:
    assert IS_BELOW.outcome(whole, points) == outcome


finite = st.floats(-3.0, 3.0)


@given(st.sampled_from(RELATIONS), finite, st.floats(0.0, 3.0), st.floats(0.0, 1.0))
def test_a_narrower_interval_never_takes_a_verdict_back(relation, middle, reach, share) -> None:
    wide, narrow = around(middle, reach), around(middle, share * reach)
    found = relation.outcome(wide)
    assert found in (relation.outcome(narrow), STAYS_OPEN)
