"""How often a certificate of yes or no ever reaches a level: computed, where Ville's bound holds.

Ville's inequality allows for any number of outcomes. Where at most N can come, the chance to reach
a level is smaller, and it can be computed: at a rate of exactly θ the number of successes is a
random walk on whole numbers, and its distribution is carried on from outcome to outcome, without
the paths that have arrived. A rate on the null's side of θ makes it smaller still (couple both
walks). So the smallest level that is reached with a chance of at most α within N outcomes is as
safe as ln(1/α), and needs fewer of them. docs/theory.md has the proofs.

Nothing here rests on how the certificate was made: only on its growing with every success, or with
every failure.
"""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from goodarm.outcomes.bernoulli import cumulant_at
from goodarm.outcomes.tilts import needed_sums, terms_at

MOST_EXACT = 5000  # outcomes; more would take too long to compute, and gain little
NEGLIGIBLE = 1e-16  # a chance that is counted as one to arrive, instead of being carried on
IMPRECISION = 1e-12  # of a chance, mostly upwards
RAREST = 1e-6
TRIMMED_EVERY = 16  # outcomes
HAIR = 1e-9  # of a sum: what rounding could make of one that just misses the level
AIM, ENOUGH = 0.993, 0.98  # of α: what is aimed at, and what is good enough
LEAST_PART = 0.1  # of an interval that is searched: at least so much of it is ruled out
MOST_TRIES = 10
CHORDS = 400


@lru_cache(maxsize=1024)
def crossing_chance(threshold: float, sign: float, level: float, most: int) -> float:
    """The chance that ln E ever reaches the level within so many outcomes at a rate of θ.

    E speaks for "above θ" where `sign` is 1, for "below" where it is −1. Rounded up, by less than
    1e-12.
    """
    if level <= 0.0:
        return 1.0
    rate = threshold if sign > 0.0 else 1.0 - threshold
    step = np.array([1.0 - rate, rate])
    chances, low, arrived = np.ones(1), 0, 0.0  # of `low` steps up, and one more, and …
    for n, top in enumerate(steps_needed(threshold, sign, level, most).tolist(), 1):
        chances = np.convolve(chances, step)
        if top - low < len(chances):
            arrived += float(chances[top - low :].sum())
            chances = chances[: top - low]
        if n % TRIMMED_EVERY == 0:
            many = int(np.searchsorted(np.cumsum(chances), NEGLIGIBLE))
            arrived += float(chances[:many].sum())
            chances, low = chances[many:], low + many
    return arrived


@lru_cache(maxsize=256)
def exact_level(threshold: float, sign: float, alpha: float, most: int) -> float:
    """A level that ln E reaches within so many outcomes with a chance of at most α.

    About the smallest there is, and never above Ville's ln(1/α), which is also the answer where no
    sequence of so many outcomes is rare enough.
    """
    ville = safe = -math.log(alpha)
    if alpha < RAREST:
        return ville
    chance, unsafe, beyond = crossing_chance(threshold, sign, safe, most), 0.0, 1.0
    for _ in range(MOST_TRIES):
        if chance >= ENOUGH * alpha:
            break
        level = 0.5 * (safe + unsafe)
        if chance > IMPRECISION:
            # The logarithm of the chance falls about evenly, if one does not look at its jumps.
            part = math.log(AIM * alpha / chance) / math.log(beyond / chance)
            level = safe + (unsafe - safe) * min(max(part, LEAST_PART), 1.0 - LEAST_PART)
        at_level = crossing_chance(threshold, sign, level, most)
        if at_level <= alpha:
            safe, chance = level, at_level
        else:
            unsafe, beyond = level, at_level
    return safe if chance > IMPRECISION else ville


def steps_needed(threshold: float, sign: float, level: float, most: int) -> NDArray[np.int64]:
    """The number of successes (of failures, for "below") that reaches the level, for n = 1, 2, …

    Or one less: the sum that a level needs is concave in n, and is taken from its chords.
    """
    n = np.arange(1.0, most + 1.0)
    ends = np.rint(np.geomspace(1.0, most, CHORDS))
    ends = ends[np.diff(ends, prepend=0.0) > 0.0]  # each once; np.unique would load much for it
    terms = terms_at(threshold * (1.0 - threshold), cumulant_at(threshold), sign)
    sums = np.interp(n, ends, needed_sums(terms, ends, level))
    steps = sums if sign > 0.0 else n + sums
    return np.asarray(np.ceil(steps - HAIR), dtype=np.int64)
