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

Audibert, Bubeck and Munos (2010); Jourdan, Delahaye-Duriez and Réda (2026), Section 3.2.

The functions on phases in this file serve `sequential_halving`, too.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from goodarm.algorithms.contract import FIXED_BUDGET, Algorithm, Setting
from goodarm.run import NO_ARM, NONE, THRESHOLD, UNDEFINED, Run, decision

# Positions in `ints`: the budget, and what is left of it after this phase; how many arms are in
# play and whose turn it is; how many more times all of them are pulled in this phase, and how
# many pulls of each count. Then come the arms in play, in index order.
BUDGET, LEFT, PLAYING, TURN, ROUNDS, PULLS, ARMS = range(7)
# `floats` begins with each arm's sum of the outcomes that count.


def enter_all(run: Run, budget: int) -> None:
    """Forget everything; all arms are in play, and the first phase has yet to be set."""
    K = len(run.counts)
    run.ints[BUDGET] = budget
    run.ints[LEFT] = budget
    run.ints[PLAYING] = K
    run.ints[TURN] = 0
    run.ints[PULLS] = 0
    for a in range(K):
        run.ints[ARMS + a] = a
        run.floats[a] = 0.0


def set_rounds(run: Run, rounds: int) -> None:
    """The next phase pulls every arm in play that many times."""
    run.ints[ROUNDS] = rounds
    run.ints[LEFT] -= rounds * run.ints[PLAYING]


def choose(run: Run, t: int) -> int:
    """The arms in play take turns; nothing is left to pull after the last phase."""
    if run.ints[ROUNDS] == 0:
        return NO_ARM
    return run.ints[ARMS + run.ints[TURN]]  # type: ignore[no-any-return]


def ends_phase(run: Run, arm: int, value: float) -> bool:
    """Note the outcome; true when it was the last of its phase."""
    run.floats[arm] += value
    turn = run.ints[TURN] + 1
    if turn < run.ints[PLAYING]:
        run.ints[TURN] = turn
        return False
    run.ints[TURN] = 0
    run.ints[PULLS] += 1
    run.ints[ROUNDS] -= 1
    return run.ints[ROUNDS] == 0  # type: ignore[no-any-return]


def answer(run: Run, t: int) -> int:
    """The survivor if its mean is above θ, else ∅; undefined before the last phase has ended."""
    if run.ints[ROUNDS] > 0:
        return UNDEFINED
    survivor = run.ints[ARMS]
    if run.floats[survivor] / run.ints[PULLS] > run.levels[THRESHOLD]:
        return survivor  # type: ignore[no-any-return]
    return NONE


def begin(run: Run, budget: int) -> None:
    """Start from scratch with this budget."""
    enter_all(run, budget)
    set_rounds(run, _rounds(run))


def start(run: Run) -> None:
    """Start with the budget of the setting."""
    begin(run, int(run.constants[0]))


def observe(run: Run, t: int, arm: int, value: float) -> None:
    """At the end of a phase drop an arm; again at once where the next phase has no pulls."""
    if ends_phase(run, arm, value):
        while run.ints[ROUNDS] == 0 and run.ints[PLAYING] > 1:
            _drop_lowest(run, t)
            set_rounds(run, _rounds(run))


def _rounds(run: Run) -> int:
    """n_k − n_{k−1} in phase k, when K + 1 − k arms are in play; the survivor gets the rest."""
    playing = run.ints[PLAYING]
    if playing == 1:
        return run.ints[LEFT]  # type: ignore[no-any-return]
    share = (run.ints[BUDGET] - len(run.counts)) / (run.constants[1] * playing)
    # A share that is a whole number may come out some units in the last place above it.
    return math.ceil(share * (1.0 - 1e-15)) - run.ints[PULLS]  # type: ignore[no-any-return]


def _drop_lowest(run: Run, t: int) -> None:
    """Drop the arm of lowest mean (all have as many pulls: of lowest sum), ties at random."""
    playing = run.ints[PLAYING]
    lowest = run.floats[run.ints[ARMS]]
    ties = 0
    for i in range(playing):
        total = run.floats[run.ints[ARMS + i]]
        if total < lowest:
            lowest = total
            ties = 1
        elif total == lowest:
            ties += 1
    skip = 0
    if ties > 1:
        # Several drops can fall on one step: each has its own slot.
        skip = min(int(decision(run, t, playing) * ties), ties - 1)
    kept = 0
    for i in range(playing):
        arm = run.ints[ARMS + i]
        if run.floats[arm] == lowest:
            skip -= 1
            if skip == -1:
                continue
        run.ints[ARMS + kept] = arm
        kept += 1
    run.ints[PLAYING] = kept


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
    memory=lambda K: (K, ARMS + K),
    smallest_budget=lambda K: K + 1 if K > 1 else 1,
)

ALGORITHMS = (SR_G,)
