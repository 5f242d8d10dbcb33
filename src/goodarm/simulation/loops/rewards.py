"""Drawing rewards: the n-th reward of an arm in a run depends on (seed, run, arm, n) alone."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.instance import Instance
from goodarm.instance.instance import EMPIRICAL
from goodarm.outcomes import outcomes
from goodarm.rng import philox, uniform
from goodarm.run import FloatSequence, IntSequence, Run

Reward = Callable[["Arms", int, float], float]


class Arms(NamedTuple):
    """The truth of a simulation, and for each arm the second number of a Philox block."""

    kinds: IntSequence  # positions in the instance's `families`
    means: FloatSequence
    sigmas: FloatSequence
    table: FloatSequence  # the recorded outcomes of all empirical arms, one after the other
    starts: IntSequence  # where an arm's outcomes begin in the table; one more for the end
    spare: FloatSequence


def next_uniform(arms: Arms, run: Run, arm: int) -> float:
    """The uniform number behind the next reward; each Philox block holds two."""
    n = run.counts[arm]
    if n & 1:
        return arms.spare[arm]
    key = run.key
    w0, w1, w2, w3 = philox(
        int(n >> 1), int(arm), int(key[2]), int(key[3]), int(key[0]), int(key[1])
    )
    arms.spare[arm] = uniform(w2, w3)
    return uniform(w0, w1)


def resample(arms: Arms, arm: int, u: float) -> float:
    """One of the arm's recorded outcomes, all with the same chance."""
    begin = arms.starts[arm]
    return arms.table[begin + int(u * (arms.starts[arm + 1] - begin))]


@cache
def make_reward(families: tuple[str, ...]) -> Reward:
    """The plain function for the reward at quantile u of an arm, of any of these kinds."""
    reward = _reward(families[-1])
    for kind in range(len(families) - 2, -1, -1):
        reward = _either(kind, _reward(families[kind]), reward)
    return reward


@cache
def make_draw(families: tuple[str, ...]) -> Callable[[Arms, Run, int], float]:
    """The plain function for the next reward of an arm: number n = N_a of its stream."""
    reward = make_reward(families)

    def draw(arms: Arms, run: Run, arm: int) -> float:
        return reward(arms, arm, next_uniform(arms, run, arm))

    return draw


def _reward(family: str) -> Reward:
    draw = resample if family == EMPIRICAL else outcomes[family].functions.draw
    assert draw is not None
    return draw


def _either(kind: int, one: Reward, other: Reward) -> Reward:
    def reward(arms: Arms, arm: int, u: float) -> float:
        if arms.kinds[arm] == kind:
            return one(arms, arm, u)
        return other(arms, arm, u)

    return reward


def outcome_table(instance: Instance) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The table of an instance's recorded outcomes, and where each arm's begin."""
    sizes = [len(values) for values in instance.outcomes] or [0] * instance.K
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return np.concatenate([*instance.outcomes, [0.0]]).astype(np.float64), starts
