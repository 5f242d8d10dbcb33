"""One run: all that an algorithm may look at, and the few functions that keep it up to date.

A run holds its data in indexable sequences: lists in a live experiment, arrays in compiled code.
The functions here are plain (loops, ``math``, indexing); the simulator compiles them unchanged.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import Any, NamedTuple, Protocol

from goodarm.rng import decision_uniform, split

NONE = -1  # the answer ∅: no arm is good
CONTINUE = -2  # a stopping rule's verdict: not yet
UNDEFINED = -3  # no answer exists yet (with a doubling budget, before the first one is spent)
NO_ARM = -4  # a sampling rule's choice: nothing is left to pull

# Positions in `levels`. A boundary has two numbers of its own: offset and slope where it grows
# with t, and the levels of the two certificates where it does not.
THRESHOLD, KIND, OFFSET, SLOPE, REACHED, SIDE = range(6)
NAME_LEVEL, NONE_LEVEL = OFFSET, SLOPE
# Positions in `clock`: the arm of most evidence, how many arms were pulled, the first that was not,
# and how many are in play.
LEADER, PULLED, UNTRIED, ACTIVE = range(4)


class FloatSequence(Protocol):
    """Numbers that can be read and replaced by their position: a list, or an array."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[float]: ...
    def __getitem__(self, index: int, /) -> float: ...
    def __setitem__(self, index: int, value: float, /) -> None: ...


class IntSequence(Protocol):
    """As `FloatSequence`, of whole numbers."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[int]: ...
    def __getitem__(self, index: int, /) -> int: ...
    def __setitem__(self, index: int, value: int, /) -> None: ...


class Run(NamedTuple):
    """The statistics of one run. Algorithms read them; `outcomes.record` and `observe` write.

    With N_a pulls and mean μ̂_a of arm a: d_a is its gap to θ, (μ̂_a − θ)/σ_a for Gaussian outcomes
    and ±√(2 kl(μ̂_a, θ)) for others, and W_a = √N_a · d_a the signed evidence (paper, Eq. 3, whose
    W⁺ and W⁻ are its two parts).
    """

    counts: IntSequence  # N_a
    sums: FloatSequence  # the sum of arm a's outcomes
    gaps: FloatSequence  # d_a
    roots: FloatSequence  # √N_a
    tree: FloatSequence  # the max-tree over W: leaf K + a is W_a, node i the larger of 2i, 2i + 1
    active: IntSequence  # 1 while arm a is in play, 0 while (or once for good) it is ruled out
    kept: FloatSequence  # what the outcome model remembers of the arms besides
    levels: FloatSequence  # threshold, stopping boundary, and 1 if more is good, −1 if less is
    clock: IntSequence  # the positions LEADER (−1 if unknown or tied), PULLED, UNTRIED, ACTIVE
    key: IntSequence  # seed and run number, as 32-bit words, for the decision stream
    floats: FloatSequence  # the algorithm's own memory
    ints: IntSequence
    scales: FloatSequence  # 1/σ_a; this and what follows is fixed for the whole simulation
    model: FloatSequence  # the outcome model's own numbers
    constants: FloatSequence  # the algorithm's own numbers


class Sizes(NamedTuple):
    """What decides how long a run's sequences are."""

    arms: int
    kept: int = 0  # numbers that the outcome model remembers of each arm
    floats: int = 0
    ints: int = 0


class Field(NamedTuple):
    """One sequence of a run that changes as it goes on: how long it is, and what it holds."""

    name: str
    size: Callable[[Sizes], int]
    whole: bool = False  # whole numbers
    start: float | None = 0.0  # what `reset` fills it with; None if it does not


FIELDS = (
    Field("counts", lambda s: s.arms, whole=True),
    Field("sums", lambda s: s.arms),
    Field("gaps", lambda s: s.arms),
    Field("roots", lambda s: s.arms),
    Field("tree", lambda s: 2 * s.arms, start=-math.inf),
    Field("active", lambda s: s.arms, whole=True, start=1),
    Field("kept", lambda s: s.arms * s.kept),
    Field("levels", lambda s: SIDE + 1, start=None),
    Field("clock", lambda s: ACTIVE + 1, whole=True, start=None),
    Field("key", lambda s: 4, whole=True, start=None),
    Field("floats", lambda s: s.floats),
    Field("ints", lambda s: s.ints, whole=True),
)
"""All that changes within a run, in the order of `Run`: whoever makes or copies runs goes by it."""


def make_copier(skip: tuple[str, ...] = ()) -> Callable[[Run, Run], None]:
    """The plain function that makes one run what another one is, but for the fields to skip."""
    copier: Callable[[Run, Run], None] | None = None
    for position, field in enumerate(FIELDS):
        if field.name not in skip:
            one = _copies(position)
            copier = one if copier is None else _both_copy(copier, one)
    assert copier is not None
    return copier


def _copies(position: int) -> Callable[[Run, Run], None]:
    def copy(target: Any, source: Any) -> None:
        for i in range(len(target[position])):
            target[position][i] = source[position][i]

    return copy


def _both_copy(
    first: Callable[[Run, Run], None], second: Callable[[Run, Run], None]
) -> Callable[[Run, Run], None]:
    def copy(target: Run, source: Run) -> None:
        first(target, source)
        second(target, source)

    return copy


def _fills(position: int, value: float) -> Callable[[Run], None]:
    def fill(run: Any) -> None:
        for i in range(len(run[position])):
            run[position][i] = value

    return fill


def _both_fill(
    first: Callable[[Run], None], second: Callable[[Run], None]
) -> Callable[[Run], None]:
    def fill(run: Run) -> None:
        first(run)
        second(run)

    return fill


copy_state = make_copier()
"""Makes one run what another one is: everything that changes within a run."""

_forget = reduce(
    _both_fill,
    [
        _fills(position, int(f.start) if f.whole else f.start)
        for position, f in enumerate(FIELDS)
        if f.start is not None
    ],
)


def new_run(
    threshold: float,
    scales: Sequence[float],
    seed: int,
    run: int = 0,
    boundary: Sequence[float] = (0.0, 0.0, 0.0),
    constants: Sequence[float] = (),
    sizes: Sizes | None = None,
    model: Sequence[float] = (),
    side: float = 1.0,
) -> Run:
    """A fresh run of lists, for plain Python."""
    lengths = sizes or Sizes(len(scales))
    parts: dict[str, list[Any]] = {
        field.name: [0 if field.whole else 0.0] * field.size(lengths) for field in FIELDS
    }
    parts["levels"] = [float(threshold), *(float(b) for b in boundary), 0.0, float(side)]
    parts["key"] = [*split(seed), *split(run)]
    fresh = Run(
        **parts,
        scales=[1.0 / float(scale) for scale in scales],
        model=[float(number) for number in model],
        constants=[float(c) for c in constants],
    )
    reset(fresh)
    return fresh


def copy_run(run: Run) -> Run:
    """An independent copy of a run of lists."""
    return Run._make(list(part) for part in run)


def reset(run: Run) -> None:
    """Forget everything that was observed; θ, scales, boundary, constants and key stay."""
    _forget(run)
    run.levels[REACHED] = 0.0
    run.clock[LEADER] = -1
    run.clock[PULLED] = 0
    run.clock[UNTRIED] = 0
    run.clock[ACTIVE] = len(run.counts)


def find_untried(run: Run) -> None:
    """Move on to the first arm that was never pulled, from the last such."""
    a = run.clock[UNTRIED]
    while a < len(run.counts) and run.counts[a] > 0:
        a += 1
    run.clock[UNTRIED] = a


def evidence(run: Run, arm: int) -> float:
    """W_a = √N_a · d_a; −∞ for an arm that was never pulled."""
    return run.tree[len(run.counts) + arm]


def largest_evidence(run: Run) -> float:
    """max over arms of W_a."""
    return run.tree[1]


def leader(run: Run, t: int) -> int:
    """argmax W_a; ties are broken uniformly by the decision stream of step t."""
    first = run.clock[LEADER]
    if first >= 0:
        return first
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


def raise_leaf(run: Run, arm: int, value: float) -> None:
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
