"""S-TaS: Track-and-Stop that sticks to the first plausible answer of a given order.

With an order of the arms (∅ comes last), the current answer is the first arm with

    d_a + √(2 ln t / N_a) ≥ 0,   or ∅ when there is none.

w(t) is the Dirac on that arm, or w_a ∝ 1/d_a² for ∅, and C-tracking pulls
argmax (Σ_{s≤t} w_a(s) − N_a), the sum starting when every arm has been pulled. There is no forced
exploration. `order` is asc (by arm number), desc, or any permutation of the arm numbers, counted
from 0: S-TaS[order=2,0,1].

Guarantee: δ-correct with any boundary, and asymptotically optimal as δ → 0, however many answers
are correct. When to use it: when you know roughly which arms are best and can put them first; an
unlucky order costs a hundredfold (the paper's table of both orders).
Reference: Degenne and Koolen, "Pure exploration with multiple correct answers", NeurIPS (2019).
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from goodarm.algorithms.contract import Algorithm, Option, Setting
from goodarm.algorithms.track_and_stop import most_behind, note_gap, spread
from goodarm.errors import InputError
from goodarm.run import NONE, PULLED, Run, evidence


def sticky_answer(run: Run, t: int) -> int:
    """The first arm of the order that may still be good, or NONE."""
    low = -math.sqrt(2.0 * math.log(t))
    for i in range(len(run.counts)):
        a = int(run.constants[i])
        if evidence(run, a) >= low:
            return a
    return NONE


def observe(run: Run, t: int, arm: int, value: float) -> None:
    """Add the allocation of today's answer to the sum."""
    note_gap(run, arm)
    if run.clock[PULLED] < len(run.counts):
        return
    target = sticky_answer(run, t)
    if target == NONE:
        spread(run)
    else:
        run.floats[target] += 1.0


def constants(setting: Setting, options: Mapping[str, Any]) -> Sequence[float]:
    """The order of the arms."""
    order, K = options["order"], setting.K
    if order == "asc":
        return range(K)
    if order == "desc":
        return range(K - 1, -1, -1)
    if len(order) != K:
        raise InputError(
            f"S-TaS: order={_show(order)} names {len(order)} arms, but the instance has {K}; "
            f"give each of 0 to {K - 1} once, or asc or desc"
        )
    return tuple(order)


def _parse(text: str) -> str | tuple[int, ...]:
    word = text.strip().lower()
    if word in ("asc", "desc"):
        return word
    remedy = "give asc, desc or every arm number from 0 on once, as in order=2,0,1"
    try:
        order = tuple(int(part) for part in word.split(","))
    except ValueError:
        raise ValueError(remedy) from None
    if sorted(order) != list(range(len(order))):
        raise ValueError(remedy)
    return order


def _show(order: str | tuple[int, ...]) -> str:
    return order if isinstance(order, str) else ",".join(str(a) for a in order)


S_TAS = Algorithm(
    name="S-TaS",
    summary="Checks the arms in a given order: fast when good arms come first, else very slow.",
    reference="Degenne and Koolen (2019)",
    guarantee="δ-correct with any boundary, asymptotically optimal as δ → 0",
    choose=most_behind,
    observe=observe,
    constants=constants,
    memory=lambda K: (2 * K, 0),
    options={
        "order": Option("asc", _parse, "asc, desc or a permutation such as 2,0,1; ∅ is last", _show)
    },
)

ALGORITHMS = (S_TAS,)
