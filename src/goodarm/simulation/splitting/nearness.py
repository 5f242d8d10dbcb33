"""How close a run is to a wrong answer, and how first outcomes are drawn so that some come close.

What is found does not depend on this on average, but how precisely it is found does.

Where some arm is good, an error needs every good arm to have little evidence, or a bad one more.
With the largest evidence G of a good arm and B of a bad one, how far a run is from an error is

    G − max(B, 0)   if G > 0,      min(G − B, 0)   otherwise:

a good arm below θ is hidden from most algorithms as long as bad ones have more evidence.

Where none is good, some arm must be above θ, and stay there. With the true gap δ_a < 0 of an arm
and the sum S_a = √N_a W_a of its standardised outcomes, exp(2|δ_a| S_a) is a martingale: the chance
that the sum ever comes back from S_a < 0 to 0. So there it is −max 2|δ_a| S_a.
"""

import math

import numpy as np
from numpy.typing import NDArray

from goodarm.instance import Instance
from goodarm.run import FloatSequence, IntSequence, Run, evidence

# The bins where some arm is good, and where none is: from, width. Runs beyond are in the last ones.
LOWEST, WIDTH = -6.0, 0.25
LOWEST_NONE, WIDTH_NONE = -20.0, 0.5
CELLS = 64
BINS = 2 * CELLS  # runs that are wrong have bins of their own
# One first outcome in five is drawn from its tail, uniformly in the logarithm of the quantile.
STRETCHED, DEEPEST = 0.2, 1e-8
LOG_DEEPEST = math.log(DEEPEST)


def steepness(instance: Instance) -> NDArray[np.float64]:
    """2|δ_a| of every arm."""
    return np.asarray(2.0 * np.abs(instance.gaps))


def bin_of(run: Run, wrong: bool, good: IntSequence, any_good: bool, steep: FloatSequence) -> int:
    """The bin of a run; odd if its answer is wrong."""
    if any_good:
        cell = (margin(run, good) - LOWEST) / WIDTH
    else:
        cell = (-largest_sum(run, steep) - LOWEST_NONE) / WIDTH_NONE
    return 2 * int(min(max(cell, 0.0), CELLS - 1.0)) + int(wrong)


def margin(run: Run, good: IntSequence) -> float:
    """How far the best good arm is ahead; an arm that was never pulled counts as 0."""
    best_good = -math.inf
    best_bad = -math.inf
    for a in range(len(run.counts)):
        w = evidence(run, a) if run.counts[a] > 0 else 0.0
        if good[a] != 0:
            best_good = max(best_good, w)
        else:
            best_bad = max(best_bad, w)
    if best_good > 0.0 or best_bad == -math.inf:
        return best_good - max(best_bad, 0.0)
    return min(best_good - best_bad, 0.0)


def largest_sum(run: Run, steep: FloatSequence) -> float:
    """max of 2|δ_a| S_a, where no arm is good."""
    most = -math.inf
    for a in range(len(run.counts)):
        if run.counts[a] > 0:
            most = max(most, steep[a] * run.roots[a] * evidence(run, a))
    return most


def tails(instance: Instance) -> NDArray[np.int64]:
    """Which tail of an arm's first outcome leads to errors: −1, 1, or 0 for neither.

    A single outcome that is far out hides a good arm at once; splitting comes too late for that.
    """
    bad = 0 if instance.good.any() else 1
    rare = np.where(instance.good, -1, bad)
    gaussian = np.array(instance.kinds) == "gaussian"
    return np.where(gaussian, rare * int(instance.side), 0).astype(np.int64)


def stretch(u: float, tail: int) -> tuple[float, float]:
    """A quantile from a uniform number, more often from the tail; and the weight that makes up."""
    if u < STRETCHED:
        v = math.exp(LOG_DEEPEST * u / STRETCHED)
    else:
        v = (u - STRETCHED) / (1.0 - STRETCHED)
    density = 1.0 - STRETCHED
    if v > DEEPEST:
        density -= STRETCHED / (v * LOG_DEEPEST)
    return (v if tail < 0 else 1.0 - v), 1.0 / density
