"""Drawing rewards: the n-th reward of an arm in a run depends on (seed, run, arm, n) alone."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.instance import Instance
from goodarm.numerics import normal_quantile
from goodarm.rng import philox, uniform
from goodarm.run import Run

GAUSSIAN, BERNOULLI, EMPIRICAL = range(3)  # positions in goodarm.instance.KINDS


class Arms(NamedTuple):
    """The truth of a simulation, and a place per arm for the second number of a Philox block."""

    kinds: Any
    means: Any
    sigmas: Any
    table: Any  # the recorded outcomes of all empirical arms, one after the other
    starts: Any  # where an arm's outcomes begin in the table; one more for the end
    spare: Any


def draw(arms: Arms, run: Run, arm: int) -> float:
    """The next reward of the arm: number n = N_a of its stream."""
    return reward(arms, arm, next_uniform(arms, run, arm))


def next_uniform(arms: Arms, run: Run, arm: int) -> float:
    """The uniform number behind the next reward; each Philox block holds two."""
    n = run.counts[arm]
    if n & 1:
        return arms.spare[arm]  # type: ignore[no-any-return]
    key = run.key
    w0, w1, w2, w3 = philox(
        int(n >> 1), int(arm), int(key[2]), int(key[3]), int(key[0]), int(key[1])
    )
    arms.spare[arm] = uniform(w2, w3)
    return uniform(w0, w1)


def reward(arms: Arms, arm: int, u: float) -> float:
    """The reward at quantile u of the arm's distribution."""
    if arms.kinds[arm] == GAUSSIAN:
        return arms.means[arm] + arms.sigmas[arm] * normal_quantile(u)  # type: ignore[no-any-return]
    if arms.kinds[arm] == EMPIRICAL:
        begin = arms.starts[arm]
        return arms.table[begin + int(u * (arms.starts[arm + 1] - begin))]  # type: ignore[no-any-return]
    return 1.0 if u < arms.means[arm] else 0.0


def recorded_outcomes(instance: Instance) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The table of an instance's recorded outcomes, and where each arm's begin."""
    sizes = [len(values) for values in instance.outcomes] or [0] * instance.K
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return np.concatenate([*instance.outcomes, [0.0]]).astype(np.float64), starts
