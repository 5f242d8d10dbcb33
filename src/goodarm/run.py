"""One run: everything that a rule may look at, and the few functions that keep it up to date.

A run holds its data in indexable sequences: lists in a live experiment, arrays in compiled code.
The functions here are plain (loops, ``math``, indexing); the simulator compiles them unchanged.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from goodarm.rng import decision_uniform, split

NONE = -1  # the answer ∅: no arm is good
CONTINUE = -2  # a stopping rule's verdict: not yet
UNDEFINED = -3  # no answer exists yet (a doubling rule before its first instance ends)
NO_ARM = -1  # a sampling rule's choice: nothing is left to pull

# Positions in `levels`.
THRESHOLD, KIND, OFFSET, SLOPE, REACHED = range(5)
# Positions in `clock`.
LEADER, PULLED, ACTIVE = range(3)


class Run(NamedTuple):
    """The statistics of one run. A rule reads them; only `record` and `observe` hooks write.

    With N_a pulls and mean μ̂_a of arm a: d_a = (μ̂_a − θ)/σ_a is the standardised gap and
    W_a = √N_a · d_a the signed evidence (paper, Eq. 3, whose W⁺ and W⁻ are its two parts).
    """

    counts: Any  # N_a
    sums: Any  # the sum of arm a's outcomes
    gaps: Any  # d_a
    roots: Any  # √N_a
    tree: Any  # the max-tree over W: leaf K + a is W_a, node i the larger of 2i and 2i + 1
    scales: Any  # 1/σ_a
    active: Any  # 1 while arm a is in play, 0 once it has been eliminated for good
    levels: Any  # threshold and stopping boundary
    clock: Any  # leading arm if it is known and unique (else −1), arms pulled, arms in play
    key: Any  # seed and run number, as 32-bit words, for the decision stream
    constants: Any  # the rule's own numbers, fixed for the whole simulation
    floats: Any  # the rule's own memory
    ints: Any


def new_run(
    threshold: float,
    sigmas: Sequence[float],
    seed: int,
    run: int = 0,
    boundary: Sequence[float] = (0.0, 0.0, 0.0),
    constants: Sequence[float] = (),
    floats: int = 0,
    ints: int = 0,
) -> Run:
    """A fresh run of lists, for plain Python."""
    K = len(sigmas)
    fresh = Run(
        counts=[0] * K,
        sums=[0.0] * K,
        gaps=[0.0] * K,
        roots=[0.0] * K,
        tree=[0.0] * (2 * K),
        scales=[1.0 / float(sigma) for sigma in sigmas],
        active=[1] * K,
        levels=[float(threshold), *(float(b) for b in boundary), 0.0],
        clock=[-1, 0, K],
        key=[*split(seed), *split(run)],
        constants=[float(c) for c in constants],
        floats=[0.0] * floats,
        ints=[0] * ints,
    )
    reset(fresh)
    return fresh


def copy_run(run: Run) -> Run:
    """An independent copy of a run of lists."""
    return Run(*(list(part) for part in run))


def reset(run: Run) -> None:
    """Forget everything that was observed; θ, scales, boundary, constants and key stay."""
    K = len(run.counts)
    for a in range(K):
        run.counts[a] = 0
        run.sums[a] = 0.0
        run.gaps[a] = 0.0
        run.roots[a] = 0.0
        run.active[a] = 1
        run.tree[a] = -math.inf
        run.tree[K + a] = -math.inf
    for i in range(len(run.floats)):
        run.floats[i] = 0.0
    for i in range(len(run.ints)):
        run.ints[i] = 0
    run.levels[REACHED] = 0.0
    run.clock[LEADER] = -1
    run.clock[PULLED] = 0
    run.clock[ACTIVE] = K


def record(run: Run, arm: int, value: float) -> None:
    """Enter one outcome of one arm: count, sum, gap, evidence and the max-tree."""
    count = run.counts[arm] + 1
    total = run.sums[arm] + value
    root = math.sqrt(count)
    gap = (total / count - run.levels[THRESHOLD]) * run.scales[arm]
    run.counts[arm] = count
    run.sums[arm] = total
    run.roots[arm] = root
    run.gaps[arm] = gap
    if count == 1:
        run.clock[PULLED] += 1
    _raise_leaf(run, arm, root * gap)


def evidence(run: Run, arm: int) -> float:
    """W_a = √N_a (μ̂_a − θ)/σ_a; −∞ for an arm that was never pulled."""
    return run.tree[len(run.counts) + arm]  # type: ignore[no-any-return]


def largest_evidence(run: Run) -> float:
    """max over arms of W_a."""
    return run.tree[1]  # type: ignore[no-any-return]


def leader(run: Run, t: int) -> int:
    """argmax W_a; ties are broken uniformly by the decision stream of step t."""
    known = run.clock[LEADER]
    if known >= 0:
        return known  # type: ignore[no-any-return]
    K = len(run.counts)
    node = 1
    while node < K:
        left = run.tree[2 * node]
        right = run.tree[2 * node + 1]
        if left == right:
            return _tied_leader(run, t)
        node = 2 * node + (right > left)
    run.clock[LEADER] = node - K
    return node - K


def pick(run: Run, t: int, ties: int) -> int:
    """A number in 0..ties−1, uniformly, from the decision stream of step t."""
    return min(int(decision(run, t, 0) * ties), ties - 1)


def decision(run: Run, t: int, slot: int) -> float:
    """The slot-th uniform number of the decision stream after t observations."""
    key = run.key
    return decision_uniform(int(key[0]), int(key[1]), int(key[2]), int(key[3]), int(t), int(slot))


def _raise_leaf(run: Run, arm: int, value: float) -> None:
    """Set W_a and repair the path to the root, no further than it changes."""
    tree = run.tree
    node = len(run.counts) + arm
    tree[node] = value
    alone = True  # no arm has as much evidence
    while node > 1:
        sibling = tree[node ^ 1]
        # Conditional values, not branches: which side wins cannot be predicted.
        alone &= value > sibling
        value = value if value > sibling else sibling
        node >>= 1
        if tree[node] == value:
            alone = False  # nothing changes from here on; who else has this value is unknown
            break
        tree[node] = value
    if alone:
        run.clock[LEADER] = arm
    elif run.clock[LEADER] == arm or tree[len(run.counts) + arm] >= tree[1]:
        run.clock[LEADER] = -1


def _tied_leader(run: Run, t: int) -> int:
    K = len(run.counts)
    best = run.tree[1]
    ties = 0
    for a in range(K):
        if run.tree[K + a] == best:
            ties += 1
    skip = pick(run, t, ties)
    for a in range(K):
        if run.tree[K + a] == best:
            if skip == 0:
                return a
            skip -= 1
    return K - 1  # not reached: some leaf equals the root
