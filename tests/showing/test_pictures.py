"""Pictures: what is where, found in the markup."""

import math
import re
from collections.abc import Callable
from itertools import pairwise
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goodarm.showing.chart import Chart, Curve, Level
from goodarm.showing.forest import (
    AGAINST,
    FOR,
    DrawnArm,
    both_ends,
    forest_snippet,
    forest_table,
    lay_out,
)
from goodarm.showing.scale import Scale, round_numbers, scale_over, steps_of_factors

Reader = Callable[[str], Element]
NUMBERS = st.floats(-1e9, 1e9).filter(lambda x: x == 0.0 or abs(x) > 1e-9)
MAYBE = st.none() | NUMBERS


@st.composite
def arms(draw: st.DrawFn) -> DrawnArm:
    low, mean, high = sorted(draw(st.tuples(NUMBERS, NUMBERS, NUMBERS)))
    count = draw(st.integers(0, 10**6))
    return DrawnArm(
        name=draw(st.text(max_size=10)),
        count=count,
        mean=mean if count else None,
        low=low if draw(st.booleans()) else None,
        high=high if draw(st.booleans()) else None,
        look=draw(st.sampled_from([FOR, AGAINST, ""])),
        rank=mean,
        share=draw(MAYBE),
    )


@given(st.lists(arms(), min_size=1, max_size=6), NUMBERS)
def test_every_mark_is_within_the_picture(
    harmless: Reader, drawn: list[DrawnArm], bar: float
) -> None:
    forest = lay_out(drawn, bar)
    for row, arm in zip(forest.rows, drawn, strict=True):
        marks = [row.bar, row.mean]
        assert (row.interval is None) == (arm.count == 0)
        if row.interval is not None:
            marks += [row.interval.low, row.interval.high]
            assert row.interval.open_low or arm.low is not None
            assert row.interval.open_high or arm.high is not None
            assert row.picture().count("<path") == row.interval.open_low + row.interval.open_high
        assert all(0.0 <= mark <= 100.0 for mark in marks if mark is not None)
    assert len(list(harmless(forest_snippet(forest)).iter("tr"))) == len(drawn) + 2
    harmless(f"<div>{forest_table(forest, 'All of them.')}</div>")


def test_of_many_arms_both_ends_are_shown_and_the_rest_is_counted(harmless: Reader) -> None:
    drawn = [DrawnArm(f"arm {i}", 1, i / 100, 0.0, 1.0, rank=i / 100) for i in range(100)]
    assert [arm.name for arm in both_ends(drawn, 5, lambda arm: arm.rank)] == [
        "arm 99",
        "arm 98",
        "arm 97",
        "arm 1",
        "arm 0",
    ]
    forest = lay_out(drawn, 0.5, 5)
    assert forest.hidden == 95
    assert "95 options in between are not shown" in forest_table(forest, "")
    assert "… and 95 more" in "".join(harmless(forest_snippet(forest)).itertext())
    assert "not shown" not in forest_table(lay_out(drawn, 0.5, 100), "")


@given(NUMBERS, st.floats(1e-9, 1e9))
def test_round_numbers_are_within_and_evenly_apart(low: float, width: float) -> None:
    high = low + width
    if not high - low > 1e-6 * max(abs(low), abs(high)):
        return  # so far from 0, a float cannot tell four numbers apart that are so close
    numbers = round_numbers(low, high)
    assert 1 <= len(numbers) <= 8
    slack = 1e-6 * width
    assert low - slack <= numbers[0] <= numbers[-1] <= high
    steps = [b - a for a, b in pairwise(numbers)]
    assert all(step == pytest.approx(steps[0], rel=1e-3) for step in steps)


@given(st.floats(1e-12, 1e12), st.floats(1.5, 1e12))
def test_a_logarithmic_scale_keeps_factors_apart(low: float, factor: float) -> None:
    scale = scale_over([low, low * factor], log=True)
    at = [scale.position(low * factor**share) for share in (0.0, 0.5, 1.0)]
    assert at[1] - at[0] == pytest.approx(at[2] - at[1], abs=0.02)
    assert 0.0 <= at[0] < at[2] <= 100.0
    assert all(0.0 <= place <= 100.0 for place, _ in scale.marks)
    assert all(low <= number <= low * factor for number in steps_of_factors(low, low * factor))


def points(path: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"([-\d.e+]+),([-\d.e+]+)", path)]


def test_a_curve_goes_through_its_points_and_stops_where_there_are_none(harmless: Reader) -> None:
    nothing = [(2.0, None)]
    chart = Chart(
        label="what <it> shows",
        x=Scale(0.0, 4.0),
        y=Scale(-1.0, 1.0),
        x_name="t",
        y_name="y",
        curves=[
            Curve("a & b", [(0.0, -1.0), (1.0, 0.0), *nothing, (3.0, 0.5)]),
            Curve("faint", [(0.0, 1.0), (4.0, 1.0)], look=None),
            Curve("c", [(0.0, 0.0), (4.0, 1.0)], look=1),
        ],
        levels=[Level(1.0, "named")],
        bars=[(0.0, 1.0, 0.0)],
    )
    root = harmless(chart.draw())
    paths = [points(path.get("d", "")) for path in root.iter("path")]
    assert paths == [
        [(0.0, 0.0), (100.0, 0.0)],
        [(0.0, 100.0), (25.0, 50.0)],
        [(75.0, 25.0)],
        [(0.0, 50.0), (100.0, 0.0)],
    ]
    assert next(svg.get("aria-label") for svg in root.iter("svg")) == "what <it> shows"
    assert [item.text for item in root.iter("bdi")] == ["a & b", "c"]
    assert "named" in "".join(root.itertext())
    (bar,) = root.iter("rect")
    assert (float(bar.get("y", "")), float(bar.get("height", ""))) == (50.0, 50.0)


def test_one_point_is_enough_for_a_scale() -> None:
    scale = scale_over([3.0])
    assert scale.position(3.0) == 50.0
    assert math.isclose(scale_over([3.0], log=True).position(1.0), 0.0)
