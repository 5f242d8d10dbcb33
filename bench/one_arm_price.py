"""What certainty costs for one arm: mean trials until its certificate speaks, over ln(1/α)/KL.

    python bench/one_arm_price.py [--runs N] [--seed N]

No rule can do with fewer than ln(1/α)/KL trials in the mean. Bernoulli figures are exact: they go
through everything that can happen. Gaussian ones are simulated, with standard errors. The aims are
at most 1.36 at α = 0.05 and 1.25 at α = 0.005.
"""

import argparse
import math

import numpy as np
from numpy.typing import NDArray

from goodarm.outcomes import tilts
from goodarm.outcomes.bernoulli import cumulant_at
from goodarm.outcomes.gaussian import cumulant

ALPHAS = (0.05, 0.005, 0.0005)
BERNOULLI = [
    (0.04, 0.06),
    (0.04, 0.05),
    (0.04, 0.02),
    (0.5, 0.6),
    (0.5, 0.55),
    (0.9, 0.95),
    (0.9, 0.8),
    (0.001, 0.002),
]
GAUSSIAN = (2.0, 1.0, 0.5, 0.2, 0.1, 0.05)
Floats = NDArray[np.float64]


def bernoulli_kl(p: float, q: float) -> float:
    return p * math.log(p / q) + (1.0 - p) * math.log((1.0 - p) / (1.0 - q))


def bernoulli_price(theta: float, rate: float, alpha: float) -> float:
    """Mean trials over the lower bound, from the chance of every (n, S_n) not yet stopped."""
    sign = 1.0 if rate > theta else -1.0
    least = -math.log(alpha) / bernoulli_kl(rate, theta)
    most = int(40.0 * least) + 100
    n = np.arange(1.0, most + 1.0)
    parts = tilts.terms_at(theta * (1.0 - theta), cumulant_at(theta), sign)
    boundary = sign * tilts.needed_sums(parts, n, -math.log(alpha))  # in successes
    if sign > 0:
        return _mean_above(rate, np.ceil(boundary - 1e-9).astype(int)) / least
    failures = np.arange(1, most + 1) - np.floor(boundary + 1e-9).astype(int)
    return _mean_above(1.0 - rate, failures) / least


def _mean_above(rate: float, boundary: NDArray[np.int_]) -> float:
    """The mean number of outcomes until S_n first is at least boundary[n − 1]: Σ_n P(not yet).

    Sums that are ten standard deviations below their mean are left out.
    """
    alive = np.zeros(int(boundary[-1]) + 2)
    alive[0] = 1.0
    low, mean = 0, 0.0
    for n, limit in enumerate(boundary.tolist(), 1):
        left = float(alive[low : max(limit, low)].sum()) if n > 1 else 1.0
        mean += left
        if left < 1e-9:
            return mean
        high = min(limit, n) + 1
        moved = alive[low:high] * rate
        alive[low:high] *= 1.0 - rate
        alive[low + 1 : high + 1] += moved
        alive[limit:] = 0.0
        low = max(low, int(n * rate - 10.0 * math.sqrt(n * rate * (1.0 - rate))) - 10)
    raise RuntimeError("the runs did not end")


def gaussian_price(
    effect: float, alpha: float, runs: int, chance: np.random.Generator
) -> tuple[float, float]:
    """Mean trials over the lower bound, and its standard error."""
    level = -math.log(alpha)
    least = 2.0 * level / effect**2
    parts = tilts.terms_at(1.0, cumulant, 1.0)
    times = np.zeros(runs)
    sums, waiting, n = np.zeros(runs), np.arange(runs), 0
    block = max(16, int(0.25 * least))
    while len(waiting):
        ends = np.arange(n + 1.0, n + block + 1.0)
        boundary = tilts.needed_sums(parts, ends, level)
        stays = []
        for some in np.array_split(waiting, max(1, len(waiting) * block // 2_000_000)):
            steps = effect + chance.standard_normal((len(some), block))
            paths = sums[some, None] + np.cumsum(steps, axis=1)
            over = paths >= boundary
            first = over.argmax(axis=1)
            stopped = over[np.arange(len(some)), first]
            times[some[stopped]] = n + 1 + first[stopped]
            sums[some] = paths[:, -1]
            stays.append(some[~stopped])
        waiting, n = np.concatenate(stays), n + block
    return float(times.mean() / least), float(times.std(ddof=1) / math.sqrt(runs) / least)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = np.random.default_rng(options.seed)
    print(f"{'case':28s}", *(f"α = {alpha:<12g}" for alpha in ALPHAS))
    for theta, rate in BERNOULLI:
        found = [f"{bernoulli_price(theta, rate, alpha):<16.3f}" for alpha in ALPHAS]
        print(f"{f'Bernoulli θ = {theta:g}, p = {rate:g}':28s}", *found)
    for effect in GAUSSIAN:
        both = [gaussian_price(effect, alpha, options.runs, chance) for alpha in ALPHAS]
        print(f"{f'Gaussian Δ = {effect:g}σ':28s}", *(f"{m:.3f} ± {se:<8.3f}" for m, se in both))


if __name__ == "__main__":
    main()
