"""The outcomes of a batch that a person should look at twice before they are taken."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.outcomes.contract import Past, Reading
from goodarm.study.log.fold import Fold


class Group(NamedTuple):
    """The outcomes of one arm in a batch."""

    arm: int
    suspects: list[int]  # the positions of those that may be odd
    many: int
    total: float
    amount: float
    squares: float  # of their distances from their mean, where all are of size 1


class OutcomeArrays(NamedTuple):
    """The outcomes of a batch."""

    positions: NDArray[np.int64]
    arms: NDArray[np.int32]
    values: NDArray[np.float64]
    sizes: NDArray[np.float64]

    def reading(self, position: int) -> Reading:
        """An outcome as it was told."""
        return Reading(float(self.values[position]), float(self.sizes[position]))


def odd_one(fold: Fold, told: OutcomeArrays, measure: int = 0) -> tuple[int, str] | None:
    """The position of an outcome that the declared model makes next to impossible, and why.

    Each arm's are compared with what was told before, and then with all others of the arm, those
    of the batch among them: a file may begin with its worst line.
    """
    if not len(told.positions):
        return None
    groups = list(_groups(told))
    doubts = [
        (position, why)
        for group in groups
        for position in group.suspects
        if (why := _beside_earlier(fold, told, group, position, measure)) is not None
    ]
    doubts = doubts or [
        odd for group in groups if (odd := _beside_others(fold, told, group, measure)) is not None
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
        squares = float(((units[own] - units[own].mean()) ** 2).sum())
        yield Group(int(arms[own[0]]), sorted(set(suspects)), len(own), total, amount, squares)


def _beside_earlier(
    fold: Fold, told: OutcomeArrays, group: Group, position: int, measure: int
) -> str | None:
    """What is odd beside what was told before, or beside the threshold."""
    criterion, past = fold.criteria[measure], fold.evidence.past(group.arm, measure)
    return criterion.outcome.unlikely(told.reading(position), past, criterion.reference)


def _beside_others(
    fold: Fold, told: OutcomeArrays, group: Group, measure: int
) -> tuple[int, str] | None:
    """The suspect that is farthest from the mean of all others, if it is odd."""
    criterion = fold.criteria[measure]
    bar = criterion.reference
    odd: list[tuple[float, float, int, str]] = []
    for position in group.suspects:
        others, reading = (
            _others(fold, group, told.reading(position), measure),
            told.reading(position),
        )
        if others is None:
            continue
        why = criterion.outcome.unlikely(reading, others, bar)
        if why is not None:
            odd.append((abs(reading.unit - others.mean), abs(reading.unit - bar), position, why))
    return max(odd)[2:] if odd else None


def _others(fold: Fold, group: Group, one: Reading, measure: int) -> Past | None:
    """What the arm has shown without this outcome, the others of the batch included."""
    arm = group.arm
    told, total, squares = fold.evidence.others(arm, measure)
    earlier, before = fold.evidence.measured(arm)[measure]
    amount, more = told + group.amount - one.size, group.many - 1
    if amount <= 0.0:
        return None
    mean = (total + group.total - one.value) / amount
    if more:
        whole = group.total / group.many
        squares += max(group.squares - (one.value - whole) ** 2 * group.many / more, 0.0)
        if before is not None:
            rest = (group.total - one.value) / more
            squares += (rest - before) ** 2 * earlier * more / (earlier + more)
    count = earlier + more
    scatter = math.sqrt(squares / (count - 1)) if count > 1 and one.size == 1.0 else math.nan
    return Past(arm, count, mean, scatter)
