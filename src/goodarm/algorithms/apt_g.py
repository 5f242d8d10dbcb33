"""APT-G: pulls the arm in play whose side of the threshold is least certain.

The active arm of smallest

    |W_a| = √N_a |d_a|,

where an arm is active as for HDoC: while W_a ≥ −b(t), or for good with "kano". Made for telling
on which side of θ *every* arm lies.

Guarantee: δ-correct with any boundary. When to use it: to classify all arms; to find one good
arm it is the wrong choice, as it prefers the arms nearest to θ and takes long when there are any.
Reference: Kano et al., "Good arm identification via bandit feedback", Machine Learning 108 (2019),
after Locatelli, Gutzeit and Carpentier (2016).
"""

import math

from goodarm.algorithms.contract import Algorithm
from goodarm.algorithms.scanning import (
    BOUNDARY_OPTION,
    LOOK_FLOATS,
    LOOK_INTS,
    in_play,
    largest,
    look_at_boundary,
    lowest_in_play,
    no_scale,
)
from goodarm.run import Run, evidence


def doubt(run: Run, arm: int, scale: float) -> float:
    """−|W_a|, for an arm that has not been eliminated."""
    if not in_play(run, arm):
        return -math.inf
    return -abs(evidence(run, arm))


APT_G = Algorithm(
    name="APT-G",
    summary="Pulls the arm nearest to θ in evidence: classifies all arms, slow to find one.",
    reference="Kano et al. (2019), after Locatelli et al. (2016)",
    guarantee="δ-correct with any boundary; pays for every arm even when one is clearly good",
    choose=largest(doubt, no_scale, lowest_in_play),
    observe=look_at_boundary,
    memory=lambda K: (LOOK_FLOATS, LOOK_INTS),
    options={"boundary": BOUNDARY_OPTION},
)

ALGORITHMS = (APT_G,)
