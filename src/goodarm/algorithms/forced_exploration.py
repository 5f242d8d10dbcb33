"""Forced exploration: an arm with N_a ≤ √t − K/2 comes first, the least-sampled of those.

The algorithms that use it keep, in `ints`, a lower bound of the smallest count: counts only grow,
so most steps need not look for the smallest.
"""

import math

from goodarm.algorithms.scanning import largest
from goodarm.run import NO_ARM, Run

LEAST = 0  # the position of the lower bound in `ints`


def scarcity(run: Run, arm: int, scale: float) -> float:
    """−N_a, largest for the least-sampled arm."""
    return -run.counts[arm]


_least_sampled = largest(scarcity)


def starved_arm(run: Run, t: int) -> int:
    """The least-sampled arm if it has too few pulls, else NO_ARM."""
    floor = math.sqrt(t) - 0.5 * len(run.counts)
    if run.ints[LEAST] <= floor:
        arm = _least_sampled(run, t)
        if run.counts[arm] <= floor:
            return arm
    return NO_ARM


def note_least(run: Run, t: int) -> None:
    """Look for the smallest count, where the lower bound no longer tells enough."""
    if run.ints[LEAST] <= math.sqrt(t) - 0.5 * len(run.counts):
        least = run.counts[0]
        for a in range(len(run.counts)):
            least = min(least, run.counts[a])
        run.ints[LEAST] = least
