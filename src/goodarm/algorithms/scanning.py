"""Scans over the arms that several rules share: largest index, arms in play, least sampled.

Plain functions over a run, and one maker of them: `largest` turns the index of a rule into its
`choose`.
"""

import math
from collections.abc import Callable

from goodarm.run import KIND, NO_ARM, Run, evidence, largest_evidence, pick
from goodarm.stopping.boundaries import GLR
from goodarm.stopping.verdicts import level

# Positions in `floats` and `ints` of a rule that asks which arms are in play.
PAST, COMING = range(2)  # b at the last look and at the next one: b(t) lies between the two
NEXT_LOOK = 0
LOOK_FLOATS, LOOK_INTS = 2, 1


def largest(
    index: Callable[[Run, int, float], float], scale: Callable[[Run, int], float]
) -> Callable[[Run, int], int]:
    """The rule that pulls the arm in play of largest index(run, arm, scale(run, t))."""

    def choose(run: Run, t: int) -> int:
        floor = lowest_in_play(run, t)
        c = scale(run, t)
        best = -math.inf
        winner = NO_ARM
        ties = 0
        for a in range(len(run.counts)):
            if run.active[a] == 1 and evidence(run, a) >= floor:
                value = index(run, a, c)
                if value > best:
                    best = value
                    winner = a
                    ties = 1
                elif value == best:
                    ties += 1
        if ties < 2:
            return winner
        skip = pick(run, t, ties)
        for a in range(len(run.counts)):
            if run.active[a] == 1 and evidence(run, a) >= floor and index(run, a, c) == best:
                if skip == 0:
                    return a
                skip -= 1
        return winner  # not reached

    return choose


def look_at_boundary(run: Run, t: int, arm: int, value: float) -> None:
    """Bracket b(t) from now and then, so that hardly any step has to compute it."""
    if t >= run.ints[NEXT_LOOK] and run.levels[KIND] == GLR:
        later = 2 * t
        run.floats[PAST] = level(run, t)
        run.floats[COMING] = level(run, later)
        run.ints[NEXT_LOOK] = later


def lowest_in_play(run: Run, t: int) -> float:
    """The least evidence of an arm in play: −b(t), or −∞ where nothing depends on t.

    An arm is in play while its upper confidence bound is at least θ, that is W_a ≥ −b(t). As b
    lies between its values at the last look and at the next, it is computed only when some W_a
    falls between those. When the boundary says "none is good", every arm is in play again, for
    an experiment that goes on all the same.
    """
    if run.levels[KIND] != GLR:
        return -math.inf
    floor = -run.floats[PAST]
    lowest = -run.floats[COMING]
    for a in range(len(run.counts)):
        if lowest <= evidence(run, a) < floor:
            floor = -level(run, t)
            break
    return -math.inf if largest_evidence(run) < floor else floor


def exploration_scale(run: Run, t: int) -> float:
    """√(2 ln t), which over √N_a is the bonus of UCB."""
    return math.sqrt(2.0 * math.log(t))


def no_scale(run: Run, t: int) -> float:
    """For an index that does not move with t."""
    return 0.0
