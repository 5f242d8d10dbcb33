"""The arms' means with their limits, laid out on one scale."""

from collections.abc import Sequence
from dataclasses import dataclass

from goodarm.study import ArmReport, Status

MOST_ROWS = 40
MARGIN, OPEN_MARGIN = 0.05, 0.2  # of the width, beyond what must be seen; more for arrows
REACH = 10.0  # how far beyond the means the scale goes: so many narrowest intervals


@dataclass(frozen=True)
class DrawnInterval:
    """Where the limits are, in per cent of the width; an open end runs out of the picture."""

    low: float
    high: float
    open_low: bool
    open_high: bool


@dataclass(frozen=True)
class ArmRow:
    """One arm in the table: what is known, and where its marks are, in per cent of the width."""

    report: ArmReport
    number: int
    mean: float | None
    interval: DrawnInterval | None
    trials: float  # against the arm with the most


@dataclass(frozen=True)
class Forest:
    """The arms' means with their limits on one scale."""

    rows: tuple[ArmRow, ...]
    hidden: int
    threshold: float
    ticks: tuple[tuple[float, float], ...]  # position in per cent, value


def forest(status: Status) -> Forest:
    """Lay the arms out on a scale that holds the threshold, every mean and most intervals."""
    chosen = _chosen(status.arms)
    low, high = _scale(chosen, status.threshold)

    def position(value: float) -> float:
        return round(100.0 * (value - low) / (high - low), 2)

    def interval(arm: ArmReport) -> DrawnInterval | None:
        if not arm.count:
            return None
        open_low = arm.low is None or arm.low < low
        open_high = arm.high is None or arm.high > high
        return DrawnInterval(
            low=0.0 if arm.low is None or open_low else position(arm.low),
            high=100.0 if arm.high is None or open_high else position(arm.high),
            open_low=open_low,
            open_high=open_high,
        )

    most = max((arm.count for arm in chosen), default=0) or 1
    order = {arm.arm: number for number, arm in enumerate(status.arms, 1)}
    rows = tuple(
        ArmRow(
            report=arm,
            number=order[arm.arm],
            mean=None if arm.mean is None else position(arm.mean),
            interval=interval(arm),
            trials=round(100.0 * arm.count / most, 1),
        )
        for arm in chosen
    )
    ticks = tuple((position(tick), tick) for tick in round_numbers(low, high))
    return Forest(rows, len(status.arms) - len(rows), position(status.threshold), ticks)


def _scale(arms: Sequence[ArmReport], threshold: float) -> tuple[float, float]:
    """The ends of the scale.

    After two or three outcomes of unknown scatter limits can be a thousand times wider than those
    of the other arms; such an interval is cut off, or nothing else could be seen.
    """
    means = [threshold, *(arm.mean for arm in arms if arm.mean is not None)]
    pairs = [(arm.low, arm.high) for arm in arms]
    ends = [end for pair in pairs for end in pair if end is not None]
    widths = [high - low for low, high in pairs if low is not None and high is not None]
    least, most = min(means), max(means)
    reach = REACH * max(most - least, min(widths, default=0.0))
    if reach > 0.0:
        ends = [min(max(end, least - reach), most + reach) for end in ends]
    low, high = min([least, *ends]), max([most, *ends])
    tried = [arm for arm in arms if arm.count]
    below = OPEN_MARGIN if any(arm.low is None for arm in tried) else MARGIN
    above = OPEN_MARGIN if any(arm.high is None for arm in tried) else MARGIN
    width = high - low or 10.0
    return low - below * width, high + above * width


def _chosen(arms: Sequence[ArmReport]) -> list[ArmReport]:
    """All arms in their order, or both ends of the scale where there are too many."""
    if len(arms) <= MOST_ROWS:
        return list(arms)
    ordered = sorted(arms, key=lambda arm: -arm.W)
    return ordered[: MOST_ROWS // 2] + ordered[-(MOST_ROWS // 2) :]


def round_numbers(low: float, high: float) -> list[float]:
    """About four round numbers between two limits."""
    raw = (high - low) / 4.0
    size = 10.0 ** _exponent(raw)
    step = next(s * size for s in (1.0, 2.0, 5.0, 10.0) if s * size >= raw)
    first = -(-low // step)
    return [round((first + i) * step, 12) for i in range(8) if (first + i) * step <= high]


def _exponent(value: float) -> int:
    return int(f"{value:e}".partition("e")[2])
