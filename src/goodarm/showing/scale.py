"""A stretch of numbers along one side of a picture."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from goodarm.wording import figure

MOST_TICKS = 8
LOGARITHMIC_TICKS = 5


@dataclass(frozen=True)
class Scale:
    """From `low` to `high`; with `log`, equal factors are equally far apart.

    A tick is a number and what is written there.
    """

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...] = ()
    log: bool = False

    def position(self, value: float) -> float:
        """Where a number is, in per cent."""
        low, high = self.low, self.high
        if self.log:
            low, high, value = math.log(low), math.log(high), math.log(value)
        return round(100.0 * (value - low) / (high - low), 2)

    @property
    def marks(self) -> tuple[tuple[float, str], ...]:
        """The ticks, with positions in place of numbers."""
        return tuple((self.position(value), text) for value, text in self.ticks)


def scale_over(values: Sequence[float], log: bool = False) -> Scale:
    """A scale with ticks that holds all of these numbers; they must be positive for `log`."""
    low, high = min(values), max(values)
    if log:
        low, high = 10.0 ** math.floor(math.log10(low)), 10.0 ** math.ceil(math.log10(high))
        high = max(high, 10.0 * low)
        return Scale(low, high, tuple((tick, f"{tick:g}") for tick in _decades(low, high)), True)
    if low == high:
        low, high = low - 0.5, high + 0.5
    return with_ticks(Scale(low, high))


def with_ticks(scale: Scale) -> Scale:
    """The same scale with round numbers along it."""
    ticks = tuple((tick, figure(tick)) for tick in round_numbers(scale.low, scale.high))
    return replace(scale, ticks=ticks)


def round_numbers(low: float, high: float) -> list[float]:
    """About four round numbers between two limits."""
    raw = (high - low) / 4.0
    size = 10.0 ** _exponent(raw)
    step = next(s * size for s in (1.0, 2.0, 5.0, 10.0) if s * size >= raw)
    first, digits = -(-low // step), 12 - _exponent(step)
    numbers = (round((first + i) * step, digits) + 0.0 for i in range(MOST_TICKS))
    return [number for number in numbers if number <= high]


def steps_of_factors(low: float, high: float) -> list[float]:
    """A few numbers such as 1, 2, 5, 10, 20 between two that are positive."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for leading in ((1.0, 2.0, 5.0), (1.0, 3.0), (1.0,)):
        numbers = [step * 10.0**power for power in powers for step in leading]
        within = [number for number in numbers if low <= number <= high]
        if len(within) <= MOST_TICKS:
            break
    return within


def _decades(low: float, high: float) -> list[float]:
    first, last = (round(math.log10(end)) for end in (low, high))
    step = max(1, -(-(last - first) // LOGARITHMIC_TICKS))
    return [10.0**power for power in range(first, last + 1, step)]


def _exponent(value: float) -> int:
    return int(f"{value:e}".partition("e")[2])
