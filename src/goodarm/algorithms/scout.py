"""Scout: follows a leader that has just come up, and else looks for hidden good arms.

The leader is the arm of largest evidence, argmax W_a, which is all that APGAI ever pulls. Scout
pulls it while its mean is above θ and it has had at most three times as many pulls as when its mean
last rose above θ: an arm that is up there by chance mostly falls back before that. Otherwise it
pulls the arm of largest

    d'_a + √(f_a/N_a),    f_a = ln⁺(t/K) · ln⁺(t/(K N_a)) / m,

where d'_a is d_a, but d_a N_a/(N_a + 1) if that is above 0, so that one lucky outcome does not
outshine an arm with several; and m is the number of arms whose mean is above θ, each counted as
2Φ(W_a) − 1 (at least 1). So a good arm that looked bad at first is found again, which APGAI may
take very long to do; the more arms are surely above θ, the less is spent on looking for others; and
in the first few rounds nearly nothing is. While no mean is above θ, f_a is at least the least W_a²:
an arm that has been looked at as thoroughly as the leader is not looked at again before it.

Guarantee: every arm is pulled infinitely often, so the error goes to 0 wherever no mean is at θ
(docs/research/anytime-rules.md); δ-correct with the GLR boundary, as all are.
When to use it: when nothing is known about the arms. It is hardly ever far from the best, at any
time and with the stopping rule alike. Where no arm is good, APGAI errs a little less;
where all good arms are equally close to θ, APGAI-FE and TaS stop sooner; with one good arm among
dozens of bad ones HDoC's index errs less, and where errors are below 1e-3 up to 70 times less.
Reference: this project, docs/research/anytime-rules.md.
"""

import math

from goodarm.algorithms.contract import Algorithm
from goodarm.algorithms.scanning import (
    argmax,
    cautious_gap,
    log_lag,
    log_rounds,
    means_surely_above,
    note_pull,
    pull_memory,
    rose_lately,
)
from goodarm.run import Run, largest_evidence, leader

EXTRA_PULLS = 2.0  # three times as many as when it rose, in all
PRIOR_OUTCOMES = 1.0


def strength(run: Run, t: int) -> float:
    """What of f_a is common to all arms."""
    return log_rounds(run) / means_surely_above(run)


def index(run: Run, arm: int, common: float) -> float:
    """d'_a + √(f_a/N_a)."""
    f = common * log_lag(run, arm)
    bonus = math.sqrt(f) if f > 0.0 else 0.0
    bonus = max(bonus, -largest_evidence(run))
    gap = cautious_gap(run, arm, PRIOR_OUTCOMES)
    return gap + bonus / run.roots[arm] if bonus > 0.0 else gap


explore = argmax(index, strength)


def choose(run: Run, t: int) -> int:
    """A leader that rose above θ lately, else the largest index."""
    if largest_evidence(run) > 0.0:
        first = leader(run, t)
        if rose_lately(run, first, EXTRA_PULLS):
            return first
    return explore(run, t, 0)


SCOUT = Algorithm(
    name="Scout",
    summary="Follows a leader that has just come up, and else looks for hidden good arms.",
    reference="this project, docs/research/anytime-rules.md",
    guarantee="error goes to 0 wherever no mean is at θ; δ-correct with the GLR boundary",
    choose=choose,
    observe=note_pull,
    memory=pull_memory,
)

ALGORITHMS = (SCOUT,)
