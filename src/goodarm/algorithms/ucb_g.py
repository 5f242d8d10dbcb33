"""UCB-G: a family of optimistic anytime algorithms, for studying how much to explore.

Pulls the arm of largest d_a + √(f_a/N_a). What f_a is, the options say:

* `bonus`, times `weight`: ln t (UCB; HDoC's index is weight 2), ln(t/K), the number of rounds so
  far (`rounds`, the default with weight 1), ln⁺(t/(K N_a)) (`moss`), the product of the two
  last (`both`), or of the first and the last (`eager`), or t/(K N_a) − 1 (`pace`), 0 for an arm
  that has had its even share;
* `share=yes` divides it by the number of arms whose mean is above θ: the more of them, the less
  a good arm that hides behind a bad start is missed. `share=sure` counts an arm as 2Φ(W_a) − 1;
* `bad=apgai` pulls argmax W_a while no mean is above θ, as APGAI does. `bad=floor` does so only
  once √f_a is below every |W_a|: until then all arms are still explored;
* `lead=n` pulls argmax W_a in n − 1 of n steps, and explores in the others;
* `trust=q` pulls argmax W_a while that arm has had at most q of all pulls;
* `prior=n` counts n outcomes at θ in d_a, if it is above 0, so that one lucky outcome does not
  outshine an arm with several;
* `patience=c` pulls argmax W_a while its mean is above θ and it has had at most 1 + c times as
  many pulls as when its mean last rose above θ: an arm that is there by chance soon falls back.

Guarantee: with bonus=time every arm is pulled infinitely often, so the error goes to 0 wherever no
mean is at θ. The other bonuses need not explore for ever. δ-correct with the GLR boundary, as any
algorithm is.
When to use it: to try an idea. Scout is the member of the family that came out of a search.
Reference: this project, docs/research/anytime-rules.md; `moss` after Audibert and Bubeck (2009).
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

from goodarm.algorithms.contract import Algorithm, Option, Setting
from goodarm.algorithms.scanning import (
    argmax,
    cautious_gap,
    log_lag,
    log_rounds,
    means_above,
    means_surely_above,
    note_pull,
    pull_memory,
    rose_lately,
)
from goodarm.run import Run, largest_evidence, leader

# The options in the order in which they are the constants, and their positions there.
CONSTANTS = ("bonus", "weight", "share", "bad", "lead", "trust", "prior", "patience")
BONUS, WEIGHT, SHARE, BAD, LEAD, TRUST, PRIOR, HOW_PATIENT = range(8)
BONUSES = ("time", "rounds", "moss", "both", "pace", "eager")
TIME_BONUS, ROUNDS_BONUS, MOSS_BONUS, BOTH_BONUS, PACE_BONUS, EAGER_BONUS = range(6)
SHARES = ("no", "yes", "sure")
ALONE, COUNTED, SURELY = range(3)
WHILE_BAD = ("index", "apgai", "floor")
BY_INDEX, FOLLOW, FLOOR = range(3)
MOST_LEAD = 1000


def strength(run: Run, t: int) -> float:
    """What of f_a is common to all arms."""
    numbers = run.constants
    kind = int(numbers[BONUS])
    f = numbers[WEIGHT]
    if kind in (TIME_BONUS, EAGER_BONUS):
        f *= math.log(t)
    elif kind in (ROUNDS_BONUS, BOTH_BONUS):
        f *= log_rounds(run)
    if numbers[SHARE] == COUNTED:
        f /= means_above(run)
    elif numbers[SHARE] == SURELY:
        f /= means_surely_above(run)
    return f


def index(run: Run, arm: int, common: float) -> float:
    """d_a, with the prior, + √(f_a/N_a)."""
    numbers = run.constants
    f = common
    if numbers[BONUS] == PACE_BONUS:
        f *= math.expm1(log_lag(run, arm))
    elif numbers[BONUS] >= MOSS_BONUS:
        f *= log_lag(run, arm)
    top = largest_evidence(run)
    if numbers[BAD] == FLOOR and top < 0.0:
        f = max(f, top * top)
    return cautious_gap(run, arm, numbers[PRIOR]) + math.sqrt(f) / run.roots[arm]


explore = argmax(index, strength)


def choose(run: Run, t: int) -> int:
    """The leader, if the options say so; else the arm of largest index."""
    numbers = run.constants
    if t % int(numbers[LEAD]) != 0 or (numbers[BAD] == FOLLOW and largest_evidence(run) <= 0.0):
        return leader(run, t)
    if numbers[TRUST] > 0.0:
        first = leader(run, t)
        if run.counts[first] <= numbers[TRUST] * t:
            return first
    if numbers[HOW_PATIENT] > 0.0 and largest_evidence(run) > 0.0:
        first = leader(run, t)
        if rose_lately(run, first, numbers[HOW_PATIENT]):
            return first
    return explore(run, t, 0)


def constants(setting: Setting, options: Mapping[str, Any]) -> list[float]:
    """The options as numbers."""
    words = {"bonus": BONUSES, "share": SHARES, "bad": WHILE_BAD}
    return [
        words[name].index(options[name]) if name in words else options[name] for name in CONSTANTS
    ]


def one_of(*allowed: str) -> Callable[[str], str]:
    """A reader of an option that is one of a few words."""

    def parse(text: str) -> str:
        if text not in allowed:
            raise ValueError(f"choose from {', '.join(allowed)}")
        return text

    return parse


def _weight(text: str) -> float:
    weight = float(text)
    if not 0.0 < weight < math.inf:
        raise ValueError("give a positive number")
    return weight


def _share(text: str) -> float:
    share = float(text)
    if not 0.0 <= share < 1.0:
        raise ValueError("give a number from 0 to 1")
    return share


def _nonnegative(text: str) -> float:
    number = float(text)
    if not 0.0 <= number < math.inf:
        raise ValueError("give 0 or a positive number")
    return number


def _lead(text: str) -> int:
    lead = int(text)
    if not 1 <= lead <= MOST_LEAD:
        raise ValueError(f"give a whole number from 1 to {MOST_LEAD}")
    return lead


UCB_G = Algorithm(
    name="UCB-G",
    summary="An optimistic family with options for how much to explore: for research.",
    reference="this project, docs/research/anytime-rules.md",
    guarantee="error goes to 0 with bonus=time",
    choose=choose,
    observe=note_pull,
    memory=pull_memory,
    constants=constants,
    options={
        "bonus": Option(
            "rounds", one_of(*BONUSES), "f: time (ln t), rounds, moss, both, eager or pace"
        ),
        "weight": Option(1.0, _weight, "a factor of f", show=lambda w: f"{w:g}"),
        "share": Option(
            "no", one_of(*SHARES), "divide f by the number of means above θ, or surely above"
        ),
        "bad": Option("index", one_of(*WHILE_BAD), "while no mean is above θ: index, apgai, floor"),
        "lead": Option(1, _lead, "n: the leader is pulled in n − 1 of n steps"),
        "trust": Option(
            0.0,
            _share,
            "the leader is pulled while it has had at most this share of all pulls",
            show=lambda q: f"{q:g}",
        ),
        "prior": Option(
            0.0,
            _nonnegative,
            "this many outcomes at θ are counted in d_a, if it is above 0",
            show=lambda n: f"{n:g}",
        ),
        "patience": Option(
            0.0,
            _nonnegative,
            "a leader above θ is pulled until it has had 1 + this times as many pulls",
            show=lambda c: f"{c:g}",
        ),
    },
)

ALGORITHMS = (UCB_G,)
