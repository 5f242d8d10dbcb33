"""SR-G (Successive Rejects): K − 1 phases of round robin, each of which drops the worst arm.

With logbar(K) = 1/2 + Σ_{i=2..K} 1/i, n_0 = 0 and n_k = ⌈(T − K)/(logbar(K)(K + 1 − k))⌉, phase
k = 1..K−1 pulls every arm in play n_k − n_{k−1} times, in index order, and then drops the one of
lowest mean. The survivor gets what is left, so that exactly T pulls are made. It is the answer if
its mean is above θ; otherwise the answer is ∅.

Guarantee: the error falls exponentially in T, at most K exp(−(T − K) Δ_min²/(4 logbar(K))) when
no arm is good. Use it when the budget is fixed and the good arms stand clear of the others; it
finds the *best* arm, which is more than was asked, and pays for that when several are good.

Edges: the phases always fit, since Σ n_k + n_{K−1} ≤ T for every T ≥ K. But with T = K every n_k
is 0 and arms would be dropped unseen, so the smallest legal budget is K + 1 (1 if K = 1, where
the only arm gets every pull). A phase may have no pulls (n_k = n_{k−1}): it drops an arm all the
same. There is no answer before the budget is spent.

The paper's table of fixed-budget errors has 0.127 for SR-G on NoA2 at T = 700; this definition
gives 0.068. The published row looks like an implementation that stops one phase early.

Audibert, Bubeck and Munos (2010); Jourdan, Delahaye-Duriez and Réda (2026), Section 3.2.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from goodarm.algorithms.contract import FIXED_BUDGET, Algorithm, Setting
from goodarm.algorithms.phases import (
    BUDGET,
    FIRST_ARM,
    LACKING,
    USED,
    answer,
    choose,
    drop,
    ends_phase,
    enter_all,
    mean,
    set_target,
)
from goodarm.run import ACTIVE, Run, decision


def begin(run: Run, budget: int) -> None:
    """Start from scratch with this budget."""
    enter_all(run, budget)
    set_target(run, phase_target(run))


def start(run: Run) -> None:
    """Start with the budget of the setting."""
    begin(run, int(run.constants[0]))


def observe(run: Run, t: int, arm: int, value: float) -> None:
    """At the end of a phase drop an arm; again at once where the next phase has no pulls."""
    if ends_phase(run, arm, value):
        while run.ints[LACKING] == 0 and run.clock[ACTIVE] > 1:
            _drop_lowest(run, t)
            set_target(run, phase_target(run))


def phase_target(run: Run) -> int:
    """n_k in phase k, when K + 1 − k arms are in play; the survivor gets what is left."""
    K = len(run.counts)
    playing = run.clock[ACTIVE]
    if playing == 1:
        left = run.ints[BUDGET] - run.ints[USED]
        return run.ints[FIRST_ARM + K + run.ints[FIRST_ARM]] + left
    share = (run.ints[BUDGET] - K) / (run.constants[1] * playing)
    # A share that is a whole number may come out a few units in the last digit above it.
    return math.ceil(share * (1.0 - 1e-15))


def _drop_lowest(run: Run, t: int) -> None:
    """Drop the arm of lowest mean, ties at random."""
    playing = run.clock[ACTIVE]
    lowest = math.inf
    ties = 0
    for i in range(playing):
        value = mean(run, run.ints[FIRST_ARM + i])
        if value < lowest:
            lowest = value
            ties = 1
        elif value == lowest:
            ties += 1
    skip = 0
    if ties > 1:
        # Several drops can fall on one step: each has its own slot.
        skip = min(int(decision(run, t, playing) * ties), ties - 1)
    survivors = 0
    for i in range(playing):
        arm = run.ints[FIRST_ARM + i]
        if mean(run, arm) == lowest:
            skip -= 1
            if skip == -1:
                drop(run, arm)
                continue
        run.ints[FIRST_ARM + survivors] = arm
        survivors += 1


def constants(setting: Setting, options: Mapping[str, Any]) -> Sequence[float]:
    """The budget and logbar(K)."""
    assert setting.budget is not None
    return (setting.budget, math.fsum([0.5, *(1.0 / i for i in range(2, setting.K + 1))]))


SR_G = Algorithm(
    name="SR-G",
    summary="Drops the worst arm after each of K − 1 phases; for a fixed budget, one clear best.",
    reference="Audibert, Bubeck and Munos (2010); "
    "Jourdan, Delahaye-Duriez and Réda (2026), Section 3.2",
    guarantee="error exponentially small in T, at rate Δ_min²/(4 logbar(K)) when no arm is good",
    start=start,
    choose=choose,
    observe=observe,
    answer=answer,
    settings=(FIXED_BUDGET,),
    sweep=False,
    needs=("budget",),
    constants=constants,
    memory=lambda K: (K, FIRST_ARM + 2 * K),
    smallest_budget=lambda K: K + 1 if K > 1 else 1,
)

ALGORITHMS = (SR_G,)
