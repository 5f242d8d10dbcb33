"""SH-G (Sequential Halving): log2 K rounds, each of which keeps the better half of the arms.

With R = ⌈log2 K⌉ (1 if K = 1) each of R rounds pulls every arm of the set S in play
⌊T/(|S| R)⌋ times, in index order, and keeps the ⌈|S|/2⌉ arms of largest mean. SH-G's means are
those of the round alone; SH-G-WR ("without refresh") uses all pulls of the run. The arm that
remains is the answer if that mean is above θ; otherwise the answer is ∅.

Guarantee: SH-G's error falls exponentially in T, at most
K exp(−T Δ_min²/(4 ⌈log2 K⌉) + Δ_min²/2) when no arm is good. Nothing is proved for SH-G-WR, but
it forgets nothing and errs less: prefer it in practice. Both suit a fixed budget and many arms,
of which one is clearly the best.

Edges: what the rounding down leaves of the budget is not used. Every arm must get a pull in the
first round, so the smallest legal budget is K R. There is no answer before the last round ends.

The paper's table of fixed-budget errors has 0.018 for SH-G on NoA2 at T = 700; this definition
gives 0.093, and 0.053 without refresh. The published row looks like an implementation that runs one
round more.

Karnin, Koren and Somekh (2013); Jourdan, Delahaye-Duriez and Réda (2026), Section 3.2.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from goodarm.algorithms.contract import FIXED_BUDGET, Algorithm, Setting
from goodarm.algorithms.phases import (
    BUDGET,
    FIRST_ARM,
    answer,
    choose,
    drop,
    ends_phase,
    enter_all,
    mean,
    set_target,
)
from goodarm.run import ACTIVE, Run, decision


def rounds(K: int) -> int:
    """R = ⌈log2 K⌉, but 1 for a single arm."""
    return max(1, (K - 1).bit_length())


def begin(run: Run, budget: int) -> None:
    """Start from scratch with this budget."""
    enter_all(run, budget)
    set_target(run, _pulls_each(run))


def start(run: Run) -> None:
    """Start with the budget of the setting."""
    begin(run, int(run.constants[0]))


def observe(run: Run, t: int, arm: int, value: float) -> None:
    """At the end of a round keep the better half, with or without what is known of it."""
    if ends_phase(run, arm, value) and run.clock[ACTIVE] > 1:
        _keep_better_half(run, t)
        if run.clock[ACTIVE] > 1:
            if run.constants[2] == 1.0:
                _forget(run)
            K = len(run.counts)
            set_target(run, run.ints[FIRST_ARM + K + run.ints[FIRST_ARM]] + _pulls_each(run))


def _pulls_each(run: Run) -> int:
    """⌊T/(|S| R)⌋."""
    return run.ints[BUDGET] // (run.clock[ACTIVE] * int(run.constants[1]))


def _forget(run: Run) -> None:
    K = len(run.counts)
    for i in range(run.clock[ACTIVE]):
        arm = run.ints[FIRST_ARM + i]
        run.floats[arm] = 0.0
        run.ints[FIRST_ARM + K + arm] = 0


def _keep_better_half(run: Run, t: int) -> None:
    """Keep the ⌈|S|/2⌉ arms of largest mean.

    Where arms tie at the cut, every subset of them is kept with the same probability: going through
    them, each is kept with probability (vacancies left)/(tied arms left).
    """
    playing = run.clock[ACTIVE]
    vacancies = (playing + 1) // 2
    last = _ranked_mean(run, playing, vacancies - 1)
    ties = 0
    for i in range(playing):
        value = mean(run, run.ints[FIRST_ARM + i])
        if value > last:
            vacancies -= 1
        elif value == last:
            ties += 1
    survivors = 0
    for i in range(playing):
        arm = run.ints[FIRST_ARM + i]
        value = mean(run, arm)
        keep = value > last
        if value == last:
            keep = vacancies == ties or decision(run, t, i) * ties < vacancies
            ties -= 1
            if keep:
                vacancies -= 1
        if keep:
            run.ints[FIRST_ARM + survivors] = arm
            survivors += 1
        else:
            drop(run, arm)


def _ranked_mean(run: Run, playing: int, rank: int) -> float:
    """The mean of that rank among the arms in play, 0 the largest (Hoare's FIND)."""
    K = len(run.counts)
    means = run.floats  # its second half is room to work in
    for i in range(playing):
        means[K + i] = mean(run, run.ints[FIRST_ARM + i])
    low = 0
    high = playing - 1
    while low < high:
        pivot = means[K + rank]
        i = low
        j = high
        while i <= j:
            while means[K + i] > pivot:
                i += 1
            while means[K + j] < pivot:
                j -= 1
            if i <= j:
                other = means[K + i]
                means[K + i] = means[K + j]
                means[K + j] = other
                i += 1
                j -= 1
        if j < rank:
            low = i
        if rank < i:
            high = j
    return means[K + rank]


def _constants(refresh: bool) -> Any:
    def constants(setting: Setting, options: Mapping[str, Any]) -> Sequence[float]:
        """The budget, R, and whether a round starts afresh."""
        assert setting.budget is not None
        return (setting.budget, rounds(setting.K), 1.0 if refresh else 0.0)

    return constants


SH_G = Algorithm(
    name="SH-G",
    summary="Keeps the better half of the arms after each of log2 K rounds; for a fixed budget.",
    reference="Karnin, Koren and Somekh (2013); "
    "Jourdan, Delahaye-Duriez and Réda (2026), Section 3.2",
    guarantee="error exponentially small in T, at rate Δ_min²/(4 ⌈log2 K⌉) when no arm is good",
    start=start,
    choose=choose,
    observe=observe,
    answer=answer,
    settings=(FIXED_BUDGET,),
    sweep=False,
    needs=("budget",),
    constants=_constants(refresh=True),
    memory=lambda K: (2 * K, FIRST_ARM + 2 * K),
    smallest_budget=lambda K: K * rounds(K),
)

SH_G_WR = replace(
    SH_G,
    name="SH-G-WR",
    summary="SH-G that keeps what it saw in earlier rounds: errs less, for a fixed budget.",
    guarantee="none proved; in simulations better than SH-G nearly everywhere",
    constants=_constants(refresh=False),
)

ALGORITHMS = (SH_G, SH_G_WR)
