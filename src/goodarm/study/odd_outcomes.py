"""The outcomes of a batch that a person should look at twice before they are taken."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.study.log.fold import Fold


class Group(NamedTuple):
    """The outcomes of one arm in a batch."""

    arm: int
    suspects: list[int]  # the positions of those that may be odd
    many: int
    total: float
    amount: float


class OutcomeArrays(NamedTuple):
    """The outcomes of a batch."""

    positions: NDArray[np.int64]
    arms: NDArray[np.int32]
    values: NDArray[np.float64]
    sizes: NDArray[np.float64]

    def unit(self, position: int) -> float:
        """An outcome per unit of its size."""
        return float(self.values[position] / (self.sizes[position] or 1.0))


def odd_one(fold: Fold, told: OutcomeArrays) -> tuple[int, str] | None:
    """The position of an outcome that the declared model makes next to impossible, and why.

    Each arm's are compared with what was told before, and then with all others of the arm, those
    of the batch among them: a file may begin with its worst line.
    """
    groups = list(_groups(told))
    doubts = [
        (position, why)
        for group in groups
        for position in group.suspects
        if (why := _beside_earlier(fold, told, group, position)) is not None
    ]
    doubts = doubts or [
        odd for group in groups if (odd := _beside_others(fold, told, group)) is not None
    ]
    return min(doubts) if doubts else None


def _groups(told: OutcomeArrays) -> Iterator[Group]:
    """The outcomes by arm. If all are of one size, its largest and smallest alone are suspect."""
    arms, values, sizes = (part[told.positions] for part in told[1:])
    units = values / np.where(sizes == 0.0, 1.0, sizes)
    order = np.lexsort((units, arms))
    starts = np.flatnonzero(np.diff(arms[order], prepend=-1)).tolist()
    for start, stop in zip(starts, [*starts[1:], len(order)], strict=True):
        own = order[start:stop]
        alike = bool((sizes[own] == sizes[own[0]]).all())
        suspects = told.positions[own[[0, -1]] if alike else own].tolist()
        total, amount = float(values[own].sum()), float(sizes[own].sum())
        yield Group(int(arms[own[0]]), sorted(set(suspects)), len(own), total, amount)


def _beside_earlier(fold: Fold, told: OutcomeArrays, group: Group, position: int) -> str | None:
    """What is odd beside what was told before, or beside the threshold."""
    count, mean = fold.experiment.run.counts[group.arm], fold.experiment.mean(group.arm)
    bar = fold.settings.threshold
    return _unlikely(fold, told, position, count, bar if mean is None else mean)


def _beside_others(fold: Fold, told: OutcomeArrays, group: Group) -> tuple[int, str] | None:
    """The suspect that is farthest from the mean of all others, if it is odd."""
    experiment, arm, bar = fold.experiment, group.arm, fold.settings.threshold
    count = experiment.run.counts[arm] + group.many - 1
    odd: list[tuple[float, float, int, str]] = []
    for position in group.suspects:
        amount = experiment.amount(arm) + group.amount - float(told.sizes[position])
        if amount <= 0.0:
            continue
        mean = (experiment.run.sums[arm] + group.total - float(told.values[position])) / amount
        why = _unlikely(fold, told, position, count, mean)
        if why is not None:
            unit = told.unit(position)
            odd.append((abs(unit - mean), abs(unit - bar), position, why))
    return max(odd)[2:] if odd else None


def _unlikely(
    fold: Fold, told: OutcomeArrays, position: int, count: int, mean: float
) -> str | None:
    settings, arm = fold.settings, int(told.arms[position])
    unit, size = told.unit(position), float(told.sizes[position])
    return settings.outcome.unlikely(unit, arm, count, mean, settings.threshold, size)
