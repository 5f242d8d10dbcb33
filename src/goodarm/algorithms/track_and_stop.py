"""TaS: Track-and-Stop, pulls in the proportions that would be optimal if the means were true.

The allocation after t observations is

    w(t) = Dirac on argmax d_a   if max d_a ≥ 0,   else   w_a(t) ∝ 1/d_a²,

and C-tracking pulls argmax (Σ_{s≤t} w_a(s) − N_a); but when some arm has N_a ≤ √t − K/2, the
least-sampled of those comes first. The sum starts at s = K, the first time that every arm has
been pulled: what came before would be the same for all arms and change nothing.

Guarantee: δ-correct with any boundary, and asymptotically optimal as δ → 0 when the largest
mean is unique or below θ. When to use it: to stop with a certificate, whether or not good arms
exist; it commits to one good arm and hardly suffers from others.
Reference: Garivier and Kaufmann, "Optimal best arm identification with fixed confidence", COLT
(2016), adapted to good arms by Jourdan, Delahaye-Duriez and Réda (2026).
"""

import math

from goodarm.algorithms.contract import Algorithm
from goodarm.algorithms.forced_exploration import note_least, starved_arm
from goodarm.algorithms.scanning import argmax, largest
from goodarm.run import NO_ARM, PULLED, Run

# In `floats`: the summed allocation of arm a at a, 1/d_a² at K + a.
GRAINS = 2.0**26  # in a pull; far more than rounding adds up to


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
    """C-tracking, with forced exploration."""
    arm = starved_arm(run, t)
    return arm if arm != NO_ARM else most_behind(run, t)


def observe(run: Run, t: int, arm: int, value: float) -> None:
    """Add today's allocation to the sum, from the first time that every arm has been pulled."""
    K = len(run.counts)
    note_gap(run, arm)
    if run.clock[PULLED] < K:
        return
    top = _highest(run, t, 1)
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


TAS = Algorithm(
    name="TaS",
    summary="Tracks the optimal proportions of pulls: a safe choice when a run must end surely.",
    reference="Garivier and Kaufmann (2016)",
    guarantee="δ-correct with any boundary, asymptotically optimal as δ → 0",
    choose=choose,
    observe=observe,
    memory=lambda K: (2 * K, 1),
)

ALGORITHMS = (TAS,)
