"""Drawing rewards: the n-th reward of an arm in a run depends on (seed, run, arm, n) alone."""

from typing import Any, NamedTuple

from goodarm.numerics import normal_quantile
from goodarm.rng import philox, uniform
from goodarm.run import Run

GAUSSIAN, BERNOULLI = range(2)  # positions in goodarm.instance.KINDS


class Arms(NamedTuple):
    """The truth of a simulation, and a place per arm for the second number of a Philox block."""

    kinds: Any
    means: Any
    sigmas: Any
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
    return 1.0 if u < arms.means[arm] else 0.0
