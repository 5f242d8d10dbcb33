"""Many simulated inquiries, by the very class that people use: how long, how often wrong.

Reward n of an arm in a run depends on the seed, the run and the arm alone, so algorithms that are
compared see the same outcomes.
"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goodarm.inquiry.arm_state import STANDINGS
from goodarm.inquiry.inquiry import Inquiry
from goodarm.inquiry.question import ALL, BAD, GOOD
from goodarm.outcomes.contract import Reading

BLOCK = 64  # outcomes of an arm that are drawn at once

Outcomes = NDArray[np.float64]  # a row for each outcome, a column for each measurement
Draw = Callable[[np.random.Generator, int, int], Outcomes]
"""draw(generator, arm, n): the next n outcomes of an arm, one column for each criterion."""
Disturb = Callable[[Inquiry, int], None]
"""What someone does to an inquiry after its t-th trial, such as adding an arm."""


@dataclass(frozen=True)
class PlayedInquiries:
    """What came of some runs, one entry each."""

    trials: NDArray[np.int64]
    stopped: NDArray[np.bool_]
    wrong: NDArray[np.bool_]  # something was said that is not true
    counts: tuple[tuple[int, ...], ...]  # the trials of every arm that there was in the end
    stands: tuple[tuple[str, ...], ...]  # what was certain of each of them
    answers: tuple[tuple[int, ...] | None, ...]  # None where a run was given up

    @property
    def mean(self) -> float:
        """The mean number of trials; of runs that did not stop, the cap."""
        return float(self.trials.mean())

    @property
    def standard_error(self) -> float:
        """Of the mean."""
        return float(self.trials.std(ddof=1)) / math.sqrt(len(self.trials))

    @property
    def error_rate(self) -> float:
        """The share of runs with a wrong answer."""
        return float(self.wrong.mean())


def play_inquiries(
    make: Callable[[int], Inquiry],
    draw: Draw,
    good: Collection[int],
    runs: Sequence[int],
    cap: int,
    seed: int = 0,
    disturb: Disturb | None = None,
) -> PlayedInquiries:
    """Play the runs of these numbers until each is answered or has made `cap` trials.

    `make(run)` is a fresh inquiry, `good` the arms that really are.
    """
    trials, stopped, wrong, counts, stands, answers = [], [], [], [], [], []
    for run in runs:
        inquiry = make(run)
        t = _play(inquiry, _streams(draw, seed, run), cap, disturb)
        trials.append(t)
        stopped.append(inquiry.finished)
        wrong.append(has_erred(inquiry, good))
        arms = range(len(inquiry.arms))
        counts.append(tuple(map(inquiry.count, arms)))
        stands.append(tuple(map(inquiry.standing, arms)))
        answers.append(inquiry.conclusion if inquiry.finished else None)
    return PlayedInquiries(
        np.array(trials),
        np.array(stopped),
        np.array(wrong),
        tuple(counts),
        tuple(stands),
        tuple(answers),
    )


def put_together(parts: Iterable[PlayedInquiries]) -> PlayedInquiries:
    """The runs of all parts, one after the other."""
    several = list(parts)
    return PlayedInquiries(
        np.concatenate([part.trials for part in several]),
        np.concatenate([part.stopped for part in several]),
        np.concatenate([part.wrong for part in several]),
        tuple(row for part in several for row in part.counts),
        tuple(row for part in several for row in part.stands),
        tuple(answer for part in several for answer in part.answers),
    )


def has_erred(inquiry: Inquiry, good: Collection[int]) -> bool:
    """Whether an inquiry has said what is not true: of an arm, or as its answer."""
    stands = inquiry.standings
    for arm in inquiry.present:
        standing, is_good = stands[inquiry.arms[arm]], arm in good
        if standing == STANDINGS[GOOD] and not is_good:
            return True
        if inquiry.question.kind == ALL and standing == STANDINGS[BAD] and is_good:
            return True
    if not inquiry.finished:
        return False
    truly = set(good) & set(inquiry.present)
    return not inquiry.question.is_right(inquiry.conclusion, truly, inquiry.present)


def _play(
    inquiry: Inquiry, streams: Callable[[int], list[float]], cap: int, disturb: Disturb | None
) -> int:
    for t in range(1, cap + 1):
        arm = inquiry.next_arm(())
        if arm is None:
            return t - 1
        for measure, value in enumerate(streams(arm)):
            inquiry.enter(arm, Reading(value), measure, more=True)
        inquiry.judge()
        if disturb is not None:
            disturb(inquiry, t)
        if inquiry.finished:
            return t
    return cap


def _streams(draw: Draw, seed: int, run: int) -> Callable[[int], list[float]]:
    """The next outcome of an arm, every time it is asked for."""
    streams: dict[int, Iterator[list[float]]] = {}

    def outcomes(arm: int) -> Iterator[list[float]]:
        generator = np.random.default_rng([seed, run, arm])
        while True:
            yield from draw(generator, arm, BLOCK).tolist()

    def following(arm: int) -> list[float]:
        if arm not in streams:
            streams[arm] = outcomes(arm)
        return next(streams[arm])

    return following
