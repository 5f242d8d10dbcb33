"""Oracle: knows the means, and pulls no more than certainty costs. A yardstick, not for use.

If some arm is good it pulls the best one, the arm of largest gap (μ_a − θ)/σ_a, and no other. If
none is, it pulls one arm after the other, each until the stopping rule has ruled it out; in which
order makes no difference to the certificates, which look at an arm's own outcomes only. In a family
with one parameter (yes or no, counts, durations) σ is the same for all arms, and the arm of largest
gap is also that of largest kl(μ_a, θ).

Its stopping rule is that of everyone else, with the levels for all K arms, so that its mean number
of pulls is what the certainty costs once there is nothing left to find out. Who does not know the
means must look at each arm at least once: oracle + K − 1 is a fair yardstick (docs/theory.md).

Guarantee: that of its stopping rule, which holds whatever is pulled.
When to use it: beside other algorithms, in simulations, where the truth is known.
Reference: this project, docs/theory.md.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from goodarm import defaults
from goodarm.algorithms.contract import FIXED_CONFIDENCE, Algorithm, Setting
from goodarm.errors import InputError
from goodarm.run import KIND, Run, evidence
from goodarm.stopping.contract import GLR_KIND
from goodarm.stopping.families.glr import level

NONE_GOOD = -1.0
BEST = 0  # the position in `constants` of the best arm, or NONE_GOOD
LAST = 0  # the position in `ints` of the arm pulled last


def constants(setting: Setting, options: Mapping[str, Any]) -> Sequence[float]:
    """The arm of largest gap, if it is good."""
    if setting.gaps is None:
        raise InputError(
            "algorithm: Oracle needs the true means, which only a simulation has; "
            f"use {defaults.ALGORITHM}"
        )
    best = int(setting.gaps.argmax())
    return (float(best) if setting.gaps[best] >= 0.0 else NONE_GOOD,)


def choose(run: Run, t: int) -> int:
    """The best arm if it is good, else the arm pulled last until it is ruled out, then the next."""
    if run.constants[BEST] >= 0.0:
        return int(run.constants[BEST])
    K = len(run.counts)
    for step in range(K):
        a = (run.ints[LAST] + step) % K
        if not ruled_out(run, a, t):
            return a
    return run.ints[LAST]


def ruled_out(run: Run, arm: int, t: int) -> bool:
    """Whether the stopping rule takes the arm for bad: if all are, it says "none is good"."""
    if run.counts[arm] == 0:
        return False
    if run.levels[KIND] == GLR_KIND:  # not once and for all, as its level grows with t
        return evidence(run, arm) <= -level(run, t)
    return run.active[arm] == 0


def note_arm(run: Run, t: int, arm: int, value: float) -> None:
    """Remember where to go on."""
    run.ints[LAST] = arm


ORACLE = Algorithm(
    name="Oracle",
    summary="A yardstick, for simulations only: knows the means, pulls only what certainty costs.",
    reference="this project, docs/theory.md",
    guarantee="δ-correct, as its stopping rule is",
    choose=choose,
    observe=note_arm,
    constants=constants,
    memory=lambda K: (0, 1),
    settings=(FIXED_CONFIDENCE,),
    sweep=False,
    needs=("true means",),
)

ALGORITHMS = (ORACLE,)
