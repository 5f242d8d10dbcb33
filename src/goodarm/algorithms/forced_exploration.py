"""Forced exploration: arms with too few pulls come first, the least-sampled of them before all.

Too few is N_a ≤ √t − K/2 in the paper.
The algorithms that use it keep, in `ints`, a lower bound of the smallest count: counts only grow,
so most steps need not look for the smallest.
"""

import math
from collections.abc import Callable

from goodarm.algorithms.scanning import largest
from goodarm.run import NO_ARM, Run

LEAST = 0  # the position of the lower bound in `ints`


def scarcity(run: Run, arm: int, scale: float) -> float:
    """−N_a, largest for the least-sampled arm."""
    return -run.counts[arm]


_least_sampled = largest(scarcity)


def is_few(run: Run, t: int, pulls: int) -> bool:
    """N_a ≤ √t − K/2."""
    return pulls <= math.sqrt(t) - 0.5 * len(run.counts)


def make_forced(
    too_few: Callable[[Run, int, int], bool],
) -> tuple[Callable[[Run, int], int], Callable[[Run, int], None]]:
    """The two functions of an algorithm in which arms with too few pulls come first.

    One finds the least-sampled of them, or NO_ARM; the other is for `observe`.
    """

    def find(run: Run, t: int) -> int:
        if too_few(run, t, run.ints[LEAST]):
            arm = _least_sampled(run, t)
            if too_few(run, t, run.counts[arm]):
                return arm
        return NO_ARM

    def note(run: Run, t: int) -> None:
        """Look for the smallest count, where the lower bound no longer tells enough."""
        if too_few(run, t, run.ints[LEAST]):
            least = run.counts[0]
            for a in range(len(run.counts)):
                least = min(least, run.counts[a])
            run.ints[LEAST] = least

    return find, note


starved_arm, note_least = make_forced(is_few)
