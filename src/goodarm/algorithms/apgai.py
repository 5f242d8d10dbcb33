"""APGAI, and APGAI-FE with forced exploration."""

import math

from goodarm.algorithms.contract import Algorithm
from goodarm.run import Run, leader, pick


def choose(run: Run, t: int) -> int:
    """Pull argmax W_a: argmin W⁻ while no mean is above θ, argmax W⁺ otherwise (Algorithm 1)."""
    return leader(run, t)


APGAI = Algorithm(
    name="APGAI",
    summary="Pulls the arm of largest evidence: few pulls when no arm is good; greedy otherwise.",
    reference="Jourdan, Delahaye-Duriez and Réda (2026), Algorithm 1",
    guarantee="anytime error bound (Theorem 2), asymptotically optimal when no arm is good",
    choose=choose,
)


def choose_forced(run: Run, t: int) -> int:
    """As APGAI, but an arm with N_a ≤ √t − K/2 comes first, the least-sampled of those."""
    K = len(run.counts)
    floor = math.sqrt(t) - 0.5 * K
    if run.ints[0] > floor:
        return leader(run, t)
    return _least_sampled(run, t, floor)


def _least_sampled(run: Run, t: int, floor: float) -> int:
    least = run.counts[0]
    ties = 0
    for a in range(len(run.counts)):
        if run.counts[a] < least:
            least = run.counts[a]
            ties = 1
        elif run.counts[a] == least:
            ties += 1
    if least > floor:
        return leader(run, t)
    skip = pick(run, t, ties)
    for a in range(len(run.counts)):
        if run.counts[a] == least:
            if skip == 0:
                return a
            skip -= 1
    return 0  # not reached


def observe_forced(run: Run, t: int, arm: int, value: float) -> None:
    """Keep a lower bound of the smallest count, so that most steps need not look for it."""
    if run.ints[0] <= math.sqrt(t) - 0.5 * len(run.counts):
        least = run.counts[0]
        for a in range(len(run.counts)):
            least = min(least, run.counts[a])
        run.ints[0] = least


APGAI_FE = Algorithm(
    name="APGAI-FE",
    summary="APGAI with forced exploration: does not lock on to an arm near the threshold.",
    reference="Jourdan, Delahaye-Duriez and Réda (2026), Appendix I, Table 10",
    guarantee="δ-correct with the GLR boundary; the default of a live experiment",
    choose=choose_forced,
    observe=observe_forced,
    memory=lambda K: (0, 1),
)

ALGORITHMS = (APGAI, APGAI_FE)
