"""LUCB-G: pulls the arm in play whose upper confidence bound is largest.

The bound is the stopping rule's own: the active arm of largest

    d_a + b(t)/√N_a

(with the boundary "kano": d_a + √(2Λ_a/N_a), Λ_a = ln(4K/δ) + 2 ln N_a; with "mixture": b is the
least evidence that can rule an arm out, √(2 ln(1/δ₋))). An arm is active while that bound is at
least θ; with "mixture", while its certificate does not rule it out. As the bound depends on δ,
LUCB-G exists with fixed confidence only.

Guarantee: δ-correct with any boundary. When to use it: as a baseline; it explores more than HDoC
does, whose bonus does not grow as δ falls.
Reference: Kano et al., "Good arm identification via bandit feedback", Machine Learning 108 (2019).
"""

import math

from goodarm.algorithms.contract import FIXED_CONFIDENCE, Algorithm
from goodarm.algorithms.hdoc import upper_bound
from goodarm.algorithms.scanning import (
    BOUNDARY_OPTION,
    LOOK_FLOATS,
    LOOK_INTS,
    in_play,
    largest,
    level_above,
    level_below,
    look_at_boundary,
    lowest_in_play,
)
from goodarm.run import KIND, NO_ARM, Run, evidence
from goodarm.stopping.contract import GLR_KIND, KANO_KIND
from goodarm.stopping.families.kano import half_width
from goodarm.stopping.verdicts import level


def kano_bound(run: Run, arm: int, scale: float) -> float:
    """d_a + √(2Λ_a/N_a), whose second part is kept in the memory."""
    if not in_play(run, arm):
        return -math.inf
    return run.gaps[arm] + run.floats[LOOK_FLOATS + arm]


_largest_kano_bound = largest(kano_bound)
_largest_bound = largest(upper_bound, level, lowest_in_play)


def choose(run: Run, t: int) -> int:
    """The arm of largest upper bound; b(t) is computed only in doubt."""
    if run.levels[KIND] == KANO_KIND:
        return _largest_kano_bound(run, t)
    if run.levels[KIND] != GLR_KIND:
        return _largest_bound(run, t)
    low = lowest_in_play(run, t)
    below = level_below(run, t)
    above = level_above(run, t)
    best = -math.inf
    winner = NO_ARM
    for a in range(len(run.counts)):
        if evidence(run, a) >= low:
            least = upper_bound(run, a, below)
            if least > best:
                best = least
                winner = a
    # A rival whose bound could reach the winner's: then the exact b(t) must decide.
    for a in range(len(run.counts)):
        if a != winner and evidence(run, a) >= low and upper_bound(run, a, above) >= best:
            return _largest_bound(run, t)
    return winner


def observe(run: Run, t: int, arm: int, value: float) -> None:
    """Keep what the bounds need: b(t) and its slopes, or the pulled arm's own half-width."""
    if run.levels[KIND] == KANO_KIND:
        run.floats[LOOK_FLOATS + arm] = half_width(run, arm)
    else:
        look_at_boundary(run, t, arm, value)


LUCB_G = Algorithm(
    name="LUCB-G",
    summary="Pulls the arm of largest upper confidence bound at level δ: a cautious baseline.",
    reference="Kano et al. (2019)",
    guarantee="δ-correct with any boundary",
    choose=choose,
    observe=observe,
    settings=(FIXED_CONFIDENCE,),
    needs=("delta",),
    memory=lambda K: (LOOK_FLOATS + K, LOOK_INTS),
    options={"boundary": BOUNDARY_OPTION},
)

ALGORITHMS = (LUCB_G,)
