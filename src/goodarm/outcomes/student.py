"""Gaussian outcomes whose scatter is not known: a one-sided mixture over effect and scatter.

With n outcomes of an arm, m = ±(x̄ − θ), M2 = Σ(x − x̄)² and ρ ∈ {1, 10, 100},

    R = n²m²/((n + ρ) M2 + nρ m²),   y = ln(1 + R),   z = √((n − ½)y) if m > 0, −√(n y) if m < 0,
    ln E = ln ⅓ Σ_ρ 2 √(ρ/(n + ρ)) e^{n y/2} Φ(z),   W = ±√(n ln(1 + R)) with ρ = 1.

The right Haar prior dσ/σ takes σ out, and (μ − θ)/σ has a half-normal prior of precision ρ. What
comes out has Student's distribution function with n degrees of freedom at ±√(nR) in the place of
Φ(z), which is Wallace's lower bound of it; for m > 0, ln E loses 0.0012 at n = 5, and less later.

Guarantee: exact for normal outcomes of any scatter, one per arm, under any sampling rule, for the
event that E ever reaches 1/α. E is no e-value at a stopping time: it is a martingale for those who
see the arm's outcomes up to their scale only, so certificates of several arms must not be
multiplied or averaged. What breaks it: skewed outcomes, on the side of the light tail; and few
distinct values, which can lie on one side of θ by chance and scatter not at all. An arm therefore
proves nothing before ENOUGH distinct values were seen; that leaves crossings out and adds none.
Heavy symmetric tails and rounding to half a standard deviation do no harm.
Reference: Lai, Ann. Statist. 4 (1976); Wang and Ramdas (2024), arXiv 2310.03722, for the mixture;
Grünwald and Koolen (2025), arXiv 2502.04208, for the one-sided hypothesis; Wallace, Ann. Math.
Statist. 30 (1959), for the bound. docs/theory.md has the proofs.
"""

import math

import numpy as np

from goodarm.numerics import normal_log_cdf
from goodarm.outcomes.contract import Floats, Functions, Seen
from goodarm.outcomes.tilts import keep_side, log_sums
from goodarm.run import NAME_LEVEL, NONE_LEVEL, SIDE, THRESHOLD, FloatSequence, Run

PRECISIONS = (1.0, 10.0, 100.0)  # of the half-normal priors: ρ, what a run carries
LOG_WEIGHT = math.log(2.0 / 3.0)  # twice, because one-sided; a third for each
ENOUGH = 5  # distinct values
_log_cdfs = np.frompyfunc(normal_log_cdf, 1, 1)  # of an array

# What an arm keeps: the mean of x − θ, M2, and its first distinct values, to tell new ones.
MEAN, SQUARES, DISTINCT, FIRST_VALUE = range(4)
MEMORY = FIRST_VALUE + ENOUGH - 1


def take_in(kept: FloatSequence, base: int, x: float, n: int) -> None:
    """Welford's update of the mean and M2 that are kept from `base` on, with the n-th number."""
    away = x - kept[base + MEAN]
    kept[base + MEAN] += away / n
    kept[base + SQUARES] += away * (x - kept[base + MEAN])


def remember(run: Run, arm: int, value: float, size: float) -> None:
    """Mean and M2 of distances from θ; and whether the value is a new one."""
    kept, base = run.kept, arm * MEMORY
    take_in(kept, base, value - run.levels[THRESHOLD], run.counts[arm])
    distinct = int(kept[base + DISTINCT])
    if distinct == ENOUGH:
        return
    for i in range(base + FIRST_VALUE, base + FIRST_VALUE + distinct):
        if kept[i] == value:
            return
    if distinct < ENOUGH - 1:
        kept[base + FIRST_VALUE + distinct] = value
    kept[base + DISTINCT] = distinct + 1.0


def excess(n: float, m: float, squares: float, precision: float) -> float:
    """R, between 0 and n/ρ; nothing cancels, and where even m² is too small for a double, 0."""
    bottom = (n + precision) * squares + n * precision * m * m
    return n * m * (n * m) / bottom if bottom > 0.0 else 0.0


def signed_root(n: int, m: float, squares: float) -> float:
    """√(ln(1 + R)) with ρ = 1, and the sign of m."""
    root = math.sqrt(math.log1p(excess(n, m, squares, 1.0)))
    return root if m >= 0.0 else -root


def gap(run: Run, arm: int, n: int, total: float) -> float:
    """W/√n, times −1 where less is good."""
    kept, base = run.kept, arm * MEMORY
    return signed_root(n, run.levels[SIDE] * kept[base + MEAN], kept[base + SQUARES])


def log_mixture(precisions: FloatSequence, n: float, m: float, squares: float) -> float:
    """ln E, in favour of a mean beyond θ where m > 0."""
    top, rest = -math.inf, 0.0
    for j in range(len(precisions)):
        y = math.log1p(excess(n, m, squares, precisions[j]))
        z = math.sqrt((n - 0.5) * y) if m > 0.0 else -math.sqrt(n * y)
        term = 0.5 * (n * y - math.log1p(n / precisions[j])) + normal_log_cdf(z)
        if term > top:
            rest = rest * math.exp(top - term) + 1.0
            top = term
        else:
            rest += math.exp(term - top)
    return LOG_WEIGHT + top + math.log(rest)


def certificate(run: Run, arm: int, sign: float) -> float:
    """ln E for "above θ" (sign 1) or "below"; 0 before there are enough distinct values."""
    kept, base = run.kept, arm * MEMORY
    if kept[base + DISTINCT] < ENOUGH:
        return 0.0
    return log_mixture(run.model, run.counts[arm], sign * kept[base + MEAN], kept[base + SQUARES])


def for_good(run: Run, arm: int) -> float:
    """The certificate for "this arm is good"."""
    return certificate(run, arm, run.levels[SIDE])


def for_bad(run: Run, arm: int) -> float:
    """The certificate for "this arm is not good"."""
    return certificate(run, arm, -run.levels[SIDE])


def surely_good(run: Run, arm: int) -> bool:
    """Whether it has reached the level to name an arm."""
    return for_good(run, arm) >= run.levels[NAME_LEVEL]


def surely_bad(run: Run, arm: int) -> bool:
    """Whether it has reached the level to rule one out."""
    return for_bad(run, arm) >= run.levels[NONE_LEVEL]


FUNCTIONS = Functions(gap, for_good, for_bad, surely_good, surely_bad, remember=remember)


def limits(seen: Seen, threshold: float, lower: float, upper: float) -> tuple[Floats, Floats]:
    """The means θ′ at which ln E is just at its level; infinite where no θ′ is so far away."""
    return _end(seen, threshold, 1.0, lower), _end(seen, threshold, -1.0, upper)


def _end(seen: Seen, threshold: float, sign: float, alpha: float) -> Floats:
    counts, kept, level = seen.counts, seen.kept, -math.log(alpha)
    means, squares, distinct = kept[:, MEAN], kept[:, SQUARES], kept[:, DISTINCT]
    distances = needed_distances(counts, level)
    reach = np.full(len(counts), np.inf)
    known = np.isfinite(distances) & (distinct >= ENOUGH)
    reach[known] = distances[known] * np.sqrt(squares[known] / counts[known])
    certified = np.zeros(len(counts), dtype=np.bool_)
    for i in np.flatnonzero(distinct >= ENOUGH).tolist():  # at θ itself, as a verdict does
        m = sign * float(means[i])
        certified[i] = log_mixture(list(PRECISIONS), counts[i], m, float(squares[i])) >= level
    at_least = certified if sign > 0.0 else ~certified
    return keep_side(threshold + means - sign * reach, at_least, threshold)


def needed_distances(counts: Floats, level: float) -> Floats:
    """The least |m|/√(M2/n) with which ln E reaches a positive level; ∞ where nothing does.

    By bisection: ln E rises with it, up to a limit that n and the precisions alone decide.
    """
    different, back = np.unique(counts, return_inverse=True)
    n, rho = different[:, None], np.array(PRECISIONS)

    def log_certificates(squared: Floats) -> Floats:
        y = np.log1p(n * squared[:, None] / (n + rho + rho * squared[:, None]))
        log_phi = np.asarray(_log_cdfs(np.sqrt((n - 0.5) * y)), dtype=np.float64)
        return LOG_WEIGHT + log_sums(0.5 * (n * y - np.log1p(n / rho)) + log_phi)

    low, high = np.full(len(n), -80.0), np.full(len(n), 80.0)  # of ln(m²n/M2)
    never = log_certificates(np.exp(high)) < level
    for _ in range(60):
        middle = 0.5 * (low + high)
        over = log_certificates(np.exp(middle)) >= level
        low, high = np.where(over, low, middle), np.where(over, middle, high)
    return np.where(never, np.inf, np.exp(0.5 * high))[back]
