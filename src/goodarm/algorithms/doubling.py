"""DSR-G, DSH-G and DSH-G-WR: a fixed-budget algorithm made anytime by doubling its budget.

Copies of the algorithm with budgets T_1 = 2K⌈log2 K⌉ (2 if K = 1), T_{j+1} = 2 T_j are run one
after the other, each from scratch; the answer is that of the last one that has finished. Before
the first has, it is undefined. A copy has finished when nothing is left for it to pull: the next
begins at once, so the part of a budget that SH-G does not use is not waited for.

Guarantee: that of the algorithm, with four times as many pulls: the copy whose answer is given has
had at least a quarter of them. (None for DSH-G-WR, as for SH-G-WR.) They are baselines: use APGAI
or Unif, which forget nothing, unless the answer must be that of SR-G or SH-G. With a fixed budget
they need T_1 pulls, so that there is an answer.

Zhao, Stephens, Szepesvári and Jun (2023); Jourdan, Delahaye-Duriez and Réda (2026), Section 3.2.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from goodarm.algorithms import sequential_halving, successive_rejects
from goodarm.algorithms.contract import ANYTIME, FIXED_BUDGET, Algorithm, Setting
from goodarm.run import NO_ARM, UNDEFINED, Run

Start = Callable[[Run], None]
Begin = Callable[[Run, int], None]
Choose = Callable[[Run, int], int]
Observe = Callable[[Run, int, int, float], None]
Answer = Callable[[Run, int], int]


def first_budget(K: int) -> int:
    """T_1 = 2K⌈log2 K⌉, and 2 for a single arm."""
    return 2 * K * sequential_halving.rounds(K)


@cache
def _functions(
    begin: Begin, choose: Choose, observe: Observe, answer: Answer
) -> tuple[Start, Observe, Answer]:
    """The functions with a doubling budget, whose answer and budget are the last of `ints`."""

    def start(run: Run) -> None:
        last = len(run.ints) - 1
        run.ints[last - 1] = UNDEFINED
        run.ints[last] = int(run.constants[0])
        begin(run, run.ints[last])

    def observe_and_double(run: Run, t: int, arm: int, value: float) -> None:
        observe(run, t, arm, value)
        if choose(run, t) == NO_ARM:
            last = len(run.ints) - 1
            run.ints[last - 1] = answer(run, t)
            run.ints[last] *= 2
            begin(run, run.ints[last])

    def last_answer(run: Run, t: int) -> int:
        return run.ints[len(run.ints) - 2]

    return start, observe_and_double, last_answer


def doubling(once: Algorithm, begin: Begin) -> Algorithm:
    """`once` with a doubling budget; `begin(run, budget)` starts it anew, constant 0 is T."""
    start, observe, answer = _functions(begin, once.choose, once.observe, once.answer)

    def constants(setting: Setting, options: Mapping[str, Any]) -> Sequence[float]:
        return once.constants(replace(setting, budget=first_budget(setting.K)), options)

    def memory(K: int) -> tuple[int, int]:
        floats, ints = once.memory(K)
        return floats, ints + 2

    proved = once is not sequential_halving.SH_G_WR
    return replace(
        once,
        name="D" + once.name,
        summary=f"{once.name} restarted with doubling budgets: an anytime baseline that forgets.",
        reference="Zhao, Stephens, Szepesvári and Jun (2023); "
        "Jourdan, Delahaye-Duriez and Réda (2026), Section 3.2",
        guarantee=f"that of {once.name} with a quarter of the pulls" if proved else "none proved",
        start=start,
        observe=observe,
        answer=answer,
        settings=(ANYTIME, FIXED_BUDGET),
        needs=(),
        constants=constants,
        memory=memory,
        smallest_budget=first_budget,
    )


DSR_G = doubling(successive_rejects.SR_G, successive_rejects.begin)
DSH_G = doubling(sequential_halving.SH_G, sequential_halving.begin)
DSH_G_WR = doubling(sequential_halving.SH_G_WR, sequential_halving.begin)

ALGORITHMS = (DSR_G, DSH_G, DSH_G_WR)
