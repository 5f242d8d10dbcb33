"""TaS: Track-and-Stop, pulls in the proportions that would be optimal if the means were true.

The allocation after t observations is

    w(t) = Dirac on argmax d_a   if max d_a ≥ 0,   else   w_a(t) ∝ 1/d_a²,

and C-tracking pulls argmax (Σ_{s≤t} w_a(s) − N_a); but when some arm has N_a ≤ √t − K/2, the
least-sampled of those comes first. The sum starts at s = K, the first time that every arm has
been pulled: what came before would be the same for all arms and change nothing.

With `floor=c` no pull is forced. Instead w(t) is moved to the nearest allocation, in the largest
difference, that gives every arm at least ε_t = c/√(K² + t):

    w'_a(t) = max(w_a(t) − λ, ε_t),   with λ such that they sum to 1.

floor=0.5 is C-tracking as Garivier and Kaufmann defined it; floor=1, with the boundary `glr`, is
what Li and Cheung (2025) compared SEE with: their program says so, and their figures come out. An
arm has some 2c(√(K² + t) − K) pulls in the end instead of √t − K/2. Where arms lie at θ, more looks
at the others end long searches: one good arm of ten at 0.15σ, the others at θ, takes 5,530 ± 90
pulls on average at δ = 0.001 and 3,240 ± 20 with floor=1, though half of all runs need less than
2,330 and 2,540. But until t is of the order of K² all arms are pulled almost evenly: at 100 arms
there nothing is gained, and where five of 100 are clearly good it takes seven times as many pulls.

Guarantee: δ-correct with any boundary, and asymptotically optimal as δ → 0 when the largest
mean is unique or below θ. When to use it: to stop with a certificate, whether or not good arms
exist; it commits to one good arm and hardly suffers from others.
Reference: Garivier and Kaufmann, "Optimal best arm identification with fixed confidence", COLT
(2016), adapted to good arms by Jourdan, Delahaye-Duriez and Réda (2026).
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from goodarm.algorithms.contract import Algorithm, Option, Setting
from goodarm.algorithms.forced_exploration import note_least, starved_arm
from goodarm.algorithms.scanning import argmax, largest
from goodarm.run import NO_ARM, PULLED, Run

# In `floats`: the summed allocation of arm a at a, 1/d_a² at K + a.
GRAINS = 2.0**26  # in a pull; far more than rounding adds up to
FLOOR = 0  # the position of c in `constants`; 0 for forced exploration


def gap(run: Run, arm: int, scale: float) -> float:
    """d_a."""
    return run.gaps[arm]


def lag(run: Run, arm: int, scale: float) -> float:
    """How far the arm is behind its summed allocation, in grains.

    Sums of the same allocations in another order are equal but for rounding; in grains they are
    equal, and the tie is broken by chance, not by how a machine rounds (a GPU rounds less often).
    """
    return float(math.floor((run.floats[arm] - run.counts[arm]) * GRAINS + 0.5))


most_behind = largest(lag)
_highest = argmax(gap)


def choose(run: Run, t: int) -> int:
    """C-tracking, with forced exploration or a floor."""
    if run.constants[FLOOR] > 0.0:
        return most_behind(run, t)
    arm = starved_arm(run, t)
    return arm if arm != NO_ARM else most_behind(run, t)


def observe(run: Run, t: int, arm: int, value: float) -> None:
    """Add today's allocation to the sum, from the first time that every arm has been pulled."""
    K = len(run.counts)
    note_gap(run, arm)
    if run.clock[PULLED] < K:
        return
    top = _highest(run, t, 1)
    if run.constants[FLOOR] > 0.0:
        add_with_floor(run, top, run.constants[FLOOR] / math.sqrt(K * K + t))
        return
    if run.gaps[top] >= 0.0:
        run.floats[top] += 1.0
    else:
        spread(run)
    note_least(run, t)


def note_gap(run: Run, arm: int) -> None:
    """Keep 1/d_a² of the arm just pulled."""
    run.floats[len(run.counts) + arm] = 1.0 / max(run.gaps[arm] * run.gaps[arm], 1e-300)


def spread(run: Run) -> None:
    """Add the allocation w_a ∝ 1/d_a² to the sum."""
    K = len(run.counts)
    total = 0.0
    for a in range(K):
        total += run.floats[K + a]
    share = 1.0 / total
    for a in range(K):
        run.floats[a] += share * run.floats[K + a]


def add_with_floor(run: Run, top: int, least: float) -> None:
    """Add the allocation to the sum, with at least that share for every arm."""
    K = len(run.counts)
    if run.gaps[top] >= 0.0:
        for a in range(K):
            run.floats[a] += least
        run.floats[top] += 1.0 - K * least
        return
    total = 0.0
    for a in range(K):
        total += run.floats[K + a]
    excess = _excess(run, total, least)
    for a in range(K):
        run.floats[a] += max(run.floats[K + a] / total - excess, least)


def _excess(run: Run, total: float, least: float) -> float:
    """λ, by which shares above the floor are too large: fewer and fewer are above it."""
    K = len(run.counts)
    excess = 0.0
    before = K + 1
    above = K
    while 0 < above < before:
        before = above
        above = 0
        mass = 0.0
        for a in range(K):
            share = run.floats[K + a] / total
            if share - excess > least:
                above += 1
                mass += share
        if above > 0:
            excess = (mass + (K - above) * least - 1.0) / above
    return excess


def constants(setting: Setting, options: Mapping[str, Any]) -> Sequence[float]:
    """c of the floor."""
    return (options["floor"],)


def _up_to_one(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0.0 <= number <= 1.0:
        raise ValueError("give a number from 0 (forced exploration) to 1")
    return number


TAS = Algorithm(
    name="TaS",
    summary="Tracks the optimal proportions of pulls: a safe choice when a run must end surely.",
    reference="Garivier and Kaufmann (2016)",
    guarantee="δ-correct with any boundary, asymptotically optimal as δ → 0",
    choose=choose,
    observe=observe,
    constants=constants,
    memory=lambda K: (2 * K, 1),
    options={
        "floor": Option(
            0.0,
            _up_to_one,
            "c: every arm's share is at least c/√(K² + t), and no pull is forced; 0 for forced "
            "pulls, 0.5 as first published, 1 as Li and Cheung (2025) ran it",
            show=lambda c: repr(c).removesuffix(".0"),
        )
    },
)

ALGORITHMS = (TAS,)
