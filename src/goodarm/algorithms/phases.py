"""Working in phases (SR-G, SH-G): the arms in play take turns until each has its pulls.

In a live experiment outcomes may come in any order, asked for or not: a phase ends when every arm
in play has its pulls.
"""

from goodarm.run import ACTIVE, NO_ARM, NONE, SIDE, THRESHOLD, UNDEFINED, Run

# Positions in `ints`: the budget and the pulls since the start; whose turn it is; how many pulls
# the phase gives to every arm in play, and how many arms lack some of them. Then come the arms in
# play, in index order, and each arm's number of outcomes that count. `floats` has their sums, times
# −1 where less is good.
BUDGET, USED, TURN, TARGET, LACKING, FIRST_ARM = range(6)


def enter_all(run: Run, budget: int) -> None:
    """Forget everything; all arms are in play, and the first phase has yet to be set."""
    K = len(run.counts)
    run.clock[ACTIVE] = K
    run.ints[BUDGET] = budget
    run.ints[USED] = 0
    for a in range(K):
        run.active[a] = 1
        run.ints[FIRST_ARM + a] = a
        run.ints[FIRST_ARM + K + a] = 0
        run.floats[a] = 0.0


def set_target(run: Run, target: int) -> None:
    """A new phase: it ends when every arm in play has that many pulls."""
    K = len(run.counts)
    run.ints[TURN] = 0
    run.ints[TARGET] = target
    run.ints[LACKING] = 0
    for i in range(run.clock[ACTIVE]):
        if run.ints[FIRST_ARM + K + run.ints[FIRST_ARM + i]] < target:
            run.ints[LACKING] += 1


def choose(run: Run, t: int) -> int:
    """The arms in play take turns; nothing is left to pull after the last phase."""
    if run.ints[LACKING] == 0:
        return NO_ARM
    K = len(run.counts)
    turn = run.ints[TURN]
    while run.ints[FIRST_ARM + K + run.ints[FIRST_ARM + turn]] >= run.ints[TARGET]:
        turn = turn + 1 if turn + 1 < run.clock[ACTIVE] else 0
    return run.ints[FIRST_ARM + turn]


def ends_phase(run: Run, arm: int, value: float) -> bool:
    """Note the outcome; true when it was the last that its phase waited for."""
    own = FIRST_ARM + len(run.counts) + arm
    run.floats[arm] += run.levels[SIDE] * value
    run.ints[own] += 1
    run.ints[USED] += 1
    run.ints[TURN] = run.ints[TURN] + 1 if run.ints[TURN] + 1 < run.clock[ACTIVE] else 0
    if run.ints[own] != run.ints[TARGET] or run.active[arm] == 0:
        return False
    run.ints[LACKING] -= 1
    return run.ints[LACKING] == 0


def mean(run: Run, arm: int) -> float:
    """The mean of the outcomes that count."""
    return run.floats[arm] / run.ints[FIRST_ARM + len(run.counts) + arm]


def drop(run: Run, arm: int) -> None:
    """Put the arm out of play; the caller closes the gap in the list of arms."""
    run.active[arm] = 0
    run.clock[ACTIVE] -= 1


def answer(run: Run, t: int) -> int:
    """The survivor if its mean is above θ, else ∅; undefined before the last phase has ended."""
    if run.ints[LACKING] > 0:
        return UNDEFINED
    survivor = run.ints[FIRST_ARM]
    if mean(run, survivor) > run.levels[SIDE] * run.levels[THRESHOLD]:
        return survivor
    return NONE
