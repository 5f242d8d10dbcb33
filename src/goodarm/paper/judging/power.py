"""What a comparison would have seen: which true values of ours would have differed from a number.

The published number is taken as it is printed; what is random is our own simulation.
"""

from collections.abc import Callable
from typing import NamedTuple

from goodarm.paper.judging.intervals import proportions


class SeenFrom(NamedTuple):
    """True values below `below` or above `above` are told from the published one; None: none is."""

    below: float | None
    above: float | None

    @classmethod
    def beyond(cls, number: float, distance: float) -> "SeenFrom":
        """Those farther than that from a positive number; from 0 or less, on either side."""
        below = number - distance
        return cls(None if below <= 0.0 < number else below, number + distance)


def rates_seen(others: int, other_runs: int, runs: int, level: float, power: float) -> SeenFrom:
    """The error rates that differ from `others` of `other_runs` with that probability or more."""
    from scipy.special import betaincinv

    def gap(errors: int) -> float:
        """How far the interval of the difference lies above 0; below 0 it is negative."""
        found = proportions(errors, runs, others, other_runs, level)
        return max(found.low, 0.0) + min(found.high, 0.0)

    most = _last(lambda errors: gap(errors) < 0.0, runs)
    least = _last(lambda errors: gap(errors) <= 0.0, runs) + 1
    # P(X ≤ c) = 1 − I_q(c + 1, n − c) and P(X ≥ c) = I_q(c, n − c + 1) of a binomial X at q.
    below = float(betaincinv(most + 1, runs - most, 1.0 - power)) if most >= 0 else None
    above = float(betaincinv(least, runs - least + 1, power)) if least <= runs else None
    return SeenFrom(below, above)


def _last(true_up_to: Callable[[int], bool], end: int) -> int:
    """The last number from 0 to `end` for which it is true, −1 if there is none; it stays false."""
    low, high = -1, end
    while low < high:
        middle = (low + high + 1) // 2
        if true_up_to(middle):
            low = middle
        else:
            high = middle - 1
    return low
