"""Has the evidence reached the boundary? Plain functions over a run (see goodarm.run).

GLR (paper, Eq. 8): stop with argmax W_a when max W_a ≥ b(t), with ∅ when min(−W_a) ≥ b(t). Both
look at max W_a alone, which the run's max-tree has at its root.
"""

import math

from goodarm.run import (
    ACTIVE,
    CONTINUE,
    KIND,
    NONE,
    NONE_LEVEL,
    OFFSET,
    PULLED,
    REACHED,
    SLOPE,
    Run,
    evidence,
    largest_evidence,
    leader,
)
from goodarm.stopping.boundaries import GLR, KANO, MIXTURE, glr_level


def level(run: Run, t: int) -> float:
    """b(t), what the evidence must reach after t observations.

    With the boundary "mixture" the least that can rule an arm out, √(2 ln(1/δ₋)), at all times.
    """
    if run.levels[KIND] == MIXTURE:
        return math.sqrt(2.0 * run.levels[NONE_LEVEL])
    return glr_level(run.levels[OFFSET], run.levels[SLOPE], t)


def half_width(run: Run, t: int, arm: int) -> float:
    """The stopping rule's half-width of arm's confidence interval, in units of σ_a."""
    if run.levels[KIND] == KANO:
        return kano_level(run, arm) / run.roots[arm]  # type: ignore[no-any-return]
    return level(run, t) / run.roots[arm]  # type: ignore[no-any-return]


def kano_level(run: Run, arm: int) -> float:
    """√(2Λ_a), Λ_a = ln(4K/δ) + 2 ln N_a: the bonus of Kano et al. in units of evidence."""
    return math.sqrt(2.0 * (run.levels[OFFSET] + 2.0 * math.log(run.counts[arm])))


def verdict(run: Run, t: int, arm: int) -> int:
    """CONTINUE, NONE or the arm to answer, after the t-th observation, which was arm's."""
    if abs(largest_evidence(run)) < run.levels[REACHED] or t < len(run.counts):
        return CONTINUE
    return _look_closer(run, t, arm)


def _look_closer(run: Run, t: int, arm: int) -> int:
    if run.levels[KIND] == GLR:
        return glr_verdict(run, t)
    if run.levels[KIND] == KANO:
        return kano_verdict(run, t, arm)
    return CONTINUE


def glr_verdict(run: Run, t: int) -> int:
    """The GLR stopping rule with a boundary that grows with t.

    A boundary computed earlier is a lower bound of today's: it is computed anew only when the
    evidence passes the last one.
    """
    most = largest_evidence(run)
    now = level(run, t)
    run.levels[REACHED] = now
    if most >= now:
        return leader(run, t)
    if most <= -now and run.clock[PULLED] == len(run.counts):
        return NONE
    return CONTINUE


def kano_verdict(run: Run, t: int, arm: int) -> int:
    """Eliminate or answer by Kano's bonus, which changes for the arm just pulled only."""
    K = len(run.counts)
    if t > K:
        return _kano_check(run, arm)
    found = CONTINUE  # the first look, at t = K, is at all arms: the one with most evidence wins
    for a in range(K):
        if run.counts[a] > 0:
            one = _kano_check(run, a)
            if one == NONE:
                return NONE
            if one >= 0 and (found < 0 or evidence(run, one) > evidence(run, found)):
                found = one
    return found


def _kano_check(run: Run, arm: int) -> int:
    bound = kano_level(run, arm)
    return answer_or_eliminate(run, arm, bound, bound)


def answer_or_eliminate(run: Run, arm: int, above: float, below: float) -> int:
    """The arm when W_a ≥ above; out of play for good when W_a < −below, NONE if none is left."""
    if run.active[arm] == 0:
        return CONTINUE  # out of play, even if someone pulls it again
    most = evidence(run, arm)
    if most >= above:
        return arm
    if most < -below:
        run.active[arm] = 0
        run.clock[ACTIVE] -= 1
        if run.clock[ACTIVE] == 0:
            return NONE
    return CONTINUE
