"""What a study takes in practice: whole batches, and days with a fixed number of trials.

Both are computed from the studies played one trial at a time. A rule that hears of outcomes late
chooses a little worse, and a batch can only end as a whole: what is given here is the least that
batches and days cost.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goodarm.planning.estimates import Estimate, mean_of
from goodarm.planning.question import Question


@dataclass(frozen=True)
class Batches:
    """Trials when they come in batches of `size`."""

    size: int
    trials: Estimate
    extra: float  # of the mean, in trials


@dataclass(frozen=True)
class Days:
    """Days at a fixed number of trials a day, and the outcomes known after `delay` days."""

    per_day: int
    delay: int
    days: Estimate
    median: float
    q90: float
    trials: Estimate  # begun by then


def batches(question: Question, times: NDArray[np.int64]) -> Batches | None:
    """Every study goes on to the end of its batch."""
    if question.batch is None:
        return None
    whole = -(-times // question.batch) * question.batch
    return Batches(question.batch, mean_of(whole), float((whole - times).mean()))


def days(question: Question, times: NDArray[np.int64]) -> Days | None:
    """Trials go on every day until the outcome that ends the study is known."""
    if question.per_day is None:
        return None
    needed = -(-times // question.per_day) + question.delay
    median, q90 = (float(q) for q in np.quantile(needed, (0.5, 0.9)))
    return Days(
        question.per_day, question.delay, mean_of(needed), median, q90,
        mean_of(needed * question.per_day),
    )  # fmt: skip
