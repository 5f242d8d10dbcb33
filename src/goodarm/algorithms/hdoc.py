"""HDoC: explores the arms in play optimistically, and drops those that are surely bad.

Pulls the active arm of largest

    d_a + √(2 ln t / N_a),

where an arm is active while its upper confidence bound, with the stopping rule's boundary, is at
least θ: W_a ≥ −b(t), looked at anew at every step (while its certificate does not rule it out, with
the boundary "mixture"), or for good with the boundary "kano". Without δ every arm is active, and
this is UCB with the anytime recommendation.

Guarantee: δ-correct with any boundary, and asymptotically optimal (2 ln(1/δ)/Δ² pulls, Δ being
the largest gap above θ) when one good arm stands out.
When to use it: to find the *best* of the good arms soon, with few arms; with many good arms it
spreads its pulls over all of them, where APGAI and TaS commit to one.
Reference: Kano, Honda, Sakamaki, Matsuura, Nakamura and Sugiyama, "Good arm identification via
bandit feedback", Machine Learning 108 (2019).
"""

import math

from goodarm.algorithms.contract import Algorithm
from goodarm.algorithms.scanning import (
    BOUNDARY_OPTION,
    LOOK_FLOATS,
    LOOK_INTS,
    exploration_scale,
    in_play,
    largest,
    look_at_boundary,
    lowest_in_play,
)
from goodarm.run import Run


def upper_bound(run: Run, arm: int, scale: float) -> float:
    """d_a + scale/√N_a, for an arm that has not been eliminated."""
    if not in_play(run, arm):
        return -math.inf
    return run.gaps[arm] + scale / run.roots[arm]


HDOC = Algorithm(
    name="HDoC",
    summary="UCB over the arms not yet ruled out: finds the best good arm; slow with many of them.",
    reference="Kano et al. (2019)",
    guarantee="δ-correct with any boundary; near-optimal when one good arm stands out",
    choose=largest(upper_bound, exploration_scale, lowest_in_play),
    observe=look_at_boundary,
    memory=lambda K: (LOOK_FLOATS, LOOK_INTS),
    options={"boundary": BOUNDARY_OPTION},
)

ALGORITHMS = (HDOC,)
