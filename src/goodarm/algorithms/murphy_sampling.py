"""MS: Murphy Sampling, Thompson sampling that believes that a good arm exists.

Draws λ_a ~ N(d_a, 1/N_a) for all arms *given that* max λ_a > 0, and pulls argmax λ_a. The draw is
exact and takes no rejection: with Φ_a = P(λ_a ≤ 0), the first arm to exceed 0 is j with
probability proportional to

    Π_{a<j} Φ_a · (1 − Φ_j);

λ_j is then drawn given that it exceeds 0, and the arms after it freely. The arms before j are at
most 0 and cannot be the largest: they need no draw. Nor does an arm after j whose number says
that it is below 0. Where every 1 − Φ_a is too small for a double, their logarithms decide, and
Π Φ_a is 1 to within 1e-280.

Guarantee: δ-correct with any boundary; asymptotically the optimal proportions, whether or not a
good arm exists. When to use it: when an arm may lie very near θ; it costs a few
times an APGAI step.
Reference: Kaufmann, Koolen and Garivier, "Sequential test for the lowest mean: from Thompson to
Murphy Sampling", NeurIPS (2018).
"""

import math

from goodarm.algorithms.contract import Algorithm
from goodarm.numerics import normal_cdf, normal_log_cdf, normal_log_quantile, normal_quantile
from goodarm.run import Run, decision, evidence

# In `floats`: P(λ_a > 0) at a, Φ_a at K + a, and ln P(λ_a > 0) at 2K + a where W_a < DEEP.
DEEP = -35.0
UNDERFLOW = 1e-280  # below it all W_a are below DEEP
SMALLEST_UNIFORM = 1.1102230246251565e-16  # no number of the decision stream is smaller


def observe(run: Run, t: int, arm: int, value: float) -> None:
    """Keep the two probabilities of the arm just pulled."""
    K = len(run.counts)
    w = evidence(run, arm)
    tail = normal_cdf(-abs(w))
    run.floats[arm] = 1.0 - tail if w > 0.0 else tail
    run.floats[K + arm] = tail if w > 0.0 else 1.0 - tail
    if w < DEEP:
        run.floats[2 * K + arm] = normal_log_cdf(w)


def choose(run: Run, t: int) -> int:
    """argmax λ_a of an exact draw given max λ_a > 0."""
    first = first_above(run, decision(run, t, 0))
    best = truncated_draw(run, first, decision(run, t, 1 + first))
    winner = first
    for a in range(first + 1, len(run.counts)):
        above = run.floats[a]
        if above > SMALLEST_UNIFORM:
            u = decision(run, t, 1 + a)
            if u < above:
                value = (evidence(run, a) - normal_quantile(u)) / run.roots[a]
                if value > best:
                    best = value
                    winner = a
    return winner


def first_above(run: Run, u: float) -> int:
    """The first arm in index order with λ_a > 0, given that there is one; u is uniform."""
    K = len(run.counts)
    total = 0.0
    none_yet = 1.0
    for a in range(K):
        total += none_yet * run.floats[a]
        none_yet *= run.floats[K + a]
    if total < UNDERFLOW:
        return _first_above_deep(run, u)
    goal = u * total
    total = 0.0
    none_yet = 1.0
    for a in range(K):
        total += none_yet * run.floats[a]
        if goal < total:
            return a
        none_yet *= run.floats[K + a]
    return K - 1  # not reached but by rounding


def _first_above_deep(run: Run, u: float) -> int:
    K = len(run.counts)
    top = run.floats[2 * K]
    for a in range(K):
        top = max(top, run.floats[2 * K + a])
    total = 0.0
    for a in range(K):
        total += math.exp(run.floats[2 * K + a] - top)
    goal = u * total
    total = 0.0
    for a in range(K):
        total += math.exp(run.floats[2 * K + a] - top)
        if goal < total:
            return a
    return K - 1  # not reached but by rounding


def truncated_draw(run: Run, arm: int, u: float) -> float:
    """λ_a given λ_a > 0; u is uniform."""
    w = evidence(run, arm)
    if w < DEEP:
        quantile = normal_log_quantile(math.log(u) + run.floats[2 * len(run.counts) + arm])
    else:
        quantile = normal_quantile(u * run.floats[arm])
    return max((w - quantile) / run.roots[arm], 0.0)


MS = Algorithm(
    name="MS",
    summary="Thompson sampling given that a good arm exists: robust to means very near θ.",
    reference="Kaufmann, Koolen and Garivier (2018)",
    guarantee="δ-correct with any boundary; asymptotically optimal proportions",
    choose=choose,
    observe=observe,
    memory=lambda K: (3 * K, 0),
)

ALGORITHMS = (MS,)
