"""HDoC: optimistic sampling of the arms in play.
"""

from goodarm.algorithms.contract import Algorithm
from goodarm.algorithms.scanning import (
    LOOK_FLOATS,
    LOOK_INTS,
    exploration_scale,
    largest,
    look_at_boundary,
)
from goodarm.run import Run


def optimistic_gap(run: Run, arm: int, scale: float) -> float:
    """d_a + √(2 ln t / N_a)."""
    return run.gaps[arm] + scale / run.roots[arm]  # type: ignore[no-any-return]


HDOC = Algorithm(
    name="HDoC",
    summary="",
    reference="Kano et al. (2019)",
    guarantee="",
    choose=largest(optimistic_gap, exploration_scale),
    observe=look_at_boundary,
    memory=lambda K: (LOOK_FLOATS, LOOK_INTS),
)

ALGORITHMS = (HDOC,)
