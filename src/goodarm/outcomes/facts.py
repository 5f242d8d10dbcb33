"""What recorded outcomes look like, in the few numbers that decide which models can be theirs."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

FEW_VALUES = 10  # distinct ones, at most, of outcomes on a scale of steps
WHOLE_RANGES = ((1, 5), (0, 5), (1, 7), (1, 10), (0, 10), (0, 100))  # scales that people use
TELLING = 20  # outcomes beyond one per arm before a ratio says anything
LITTLE = 0.7  # a variance below this part of the mean is not that of counts
LOW_MEAN = 0.4  # of a scale from 0: marks are mostly above, counts that reach its end below
SPAN = 0.8  # the part of a range of numbers that must be seen before it is taken for theirs


@dataclass(frozen=True)
class Facts:
    """Recorded outcomes in a few numbers; scatter, skewness and ratios are those within arms."""

    arms: int
    count: int
    mean: float
    least: float
    most: float
    distinct: int
    whole: bool  # every outcome is a whole number
    freedom: int  # outcomes less arms: what the ratios rest on
    scatter: float | None  # the standard deviation
    skewness: float | None  # None with fewer than 20 outcomes
    dispersion: float | None  # variance over mean, as counts have it; 1 if Poisson
    variation: float | None  # variance over squared mean, as durations have it; 1 if exponential

    def to_dict(self) -> dict[str, Any]:
        """The numbers as plain data."""
        return asdict(self)

    @property
    def is_yes_no(self) -> bool:
        """Nothing but 0 and 1."""
        return self.whole and self.least >= 0.0 and self.most <= 1.0

    @property
    def is_count(self) -> bool:
        """Whole numbers from 0 on."""
        return self.whole and self.least >= 0.0 and not self.is_yes_no

    @property
    def is_skewed(self) -> bool:
        """Too much for outcomes that are taken for normal."""
        return self.skewness is not None and abs(self.skewness) > 1.0

    @property
    def has_few_values(self) -> bool:
        """So few that most outcomes are equal to others."""
        return self.distinct <= FEW_VALUES and self.count >= 3 * self.distinct

    @property
    def is_scale(self) -> bool:
        """Whole numbers that look like marks on a scale, such as 1 to 5, and less like counts.

        Counts have zeros, unless there are many events, and scatter about as much as their mean.
        """
        little = (
            self.dispersion is not None and self.freedom >= TELLING and self.dispersion < LITTLE
        )
        natural = self.natural_range()
        if not self.is_count or natural is None:
            return self.is_count and little and self.has_few_values
        low_mean = self.mean < LOW_MEAN * natural[1]
        return little or self.least >= 1.0 or (self.has_few_values and not low_mean)

    def natural_range(self) -> tuple[float, float] | None:
        """The bounds that such outcomes often have; whether they do, only people know."""
        if self.least >= 0.0 and self.most <= 1.0:
            return 0.0, 1.0
        seen = self.most - self.least
        if self.whole:
            for low, high in WHOLE_RANGES:
                inside = low <= self.least and self.most <= high
                if inside and (self.most == high or seen >= SPAN * (high - low)):
                    return float(low), float(high)
        elif self.least >= 0.0 and self.most <= 100.0 and seen >= SPAN * 100.0:
            return 0.0, 100.0
        return None


def facts_of(values: Sequence[Sequence[float]]) -> Facts:
    """The facts of recorded outcomes, one sequence per arm, each with at least one."""
    with np.errstate(all="ignore"):  # what is too large or too small for a ratio has none
        return _facts([np.asarray(one, dtype=np.float64) for one in values])


def _facts(arms: Sequence["np.ndarray[Any, np.dtype[np.float64]]"]) -> Facts:
    pooled = np.concatenate(arms)
    count, freedom = len(pooled), len(pooled) - len(arms)
    squares = [float(((one - one.mean()) ** 2).sum()) for one in arms]
    means = [float(one.mean()) for one in arms]
    return Facts(
        arms=len(arms),
        count=count,
        mean=float(pooled.mean()),
        least=float(pooled.min()),
        most=float(pooled.max()),
        distinct=len(np.unique(pooled)),
        whole=bool((pooled == np.floor(pooled)).all()),
        freedom=freedom,
        scatter=_finite(math.sqrt(sum(squares) / freedom)) if freedom else None,
        skewness=_skewness(arms),
        dispersion=_ratio(squares, means, freedom),
        variation=_ratio(squares, [m * m if m > 0.0 else 0.0 for m in means], freedom),
    )


def _ratio(squares: list[float], scales: list[float], freedom: int) -> float | None:
    """Squared distances from the arms' means over a scale, per degree of freedom."""
    if freedom < 1 or min(scales) < 0.0:
        return None
    parts = [s / scale for s, scale in zip(squares, scales, strict=True) if scale > 0.0]
    return _finite(sum(parts) / freedom)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _skewness(arms: Sequence["np.ndarray[Any, np.dtype[np.float64]]"]) -> float | None:
    """The arms' own skewnesses, averaged with their numbers of outcomes as weights."""
    parts = []
    for one in arms:
        spread = float(one.std())
        if len(one) >= 5 and spread > 0.0:
            parts.append((len(one), float((((one - one.mean()) / spread) ** 3).mean())))
    total = sum(n for n, _ in parts)
    return _finite(sum(n * g for n, g in parts) / total) if total >= 20 else None
