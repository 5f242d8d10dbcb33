"""Numbers as people read them."""

from hypothesis import given
from hypothesis import strategies as st

from goodarm.wording import MINUS, limits_text

NUMBERS = st.floats(-1e8, 1e8, allow_subnormal=False)


@given(NUMBERS, st.floats(1e-3, 1e8))
def test_limits_are_never_shown_closer_than_they_are(low: float, distance: float) -> None:
    high = low + distance
    shown = limits_text(low, high).replace(",", "").replace(MINUS, "-").split(" to ")
    least, most = (float(text) for text in shown)
    assert low - distance / 50 <= least <= low
    assert high <= most <= high + distance / 50


def test_limits_that_are_missing_or_far_from_everything() -> None:
    assert limits_text(None, None) == "–"
    assert limits_text(0.25, None) == "at least 0.25"
    assert limits_text(-0.5, -0.25) == "−0.5 to −0.25"
    assert limits_text(0.0, 1.0) == "0 to 1"
    assert limits_text(2e-6, 3e-6) == "2.00e-06 to 3.00e-06"
    assert limits_text(0.5, 0.5) == "0.5 to 0.5"
