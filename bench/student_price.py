"""What it costs not to know the scatter: mean trials of one arm until its certificate speaks.

    python bench/student_price.py [--runs N] [--seed N]

The first table has mean trials over ln(1/α)/(½ ln(1 + Δ²)), which no rule that does not know σ can
beat in the mean. The second has the mean trials that the paper's boundary glr takes *with the true
σ* over those of the certificate without it: above 1, not knowing σ costs less than that boundary.
The third has what it costs over the certificate with the true σ, and what assuming symmetric noise
of any scale (outcome symmetric) costs over normal noise.
"""

import argparse
import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from goodarm.outcomes import tilts
from goodarm.outcomes.gaussian import cumulant
from goodarm.outcomes.student import ENOUGH, needed_distances
from goodarm.stopping import parse_boundary

ARMS = (1, 10, 100)
DELTA = 0.05
EFFECTS = (1.0, 0.5, 0.2, 0.1)
Floats = NDArray[np.float64]
Reached = Callable[[int, Floats], NDArray[np.bool_]]
"""Whether each of some paths has reached its level: all of them are given, one path per row, and
how many of their first outcomes were looked at before."""


def student(level: float) -> Reached:
    """The certificate without σ."""

    def reached(done: int, paths: Floats) -> NDArray[np.bool_]:
        n = np.arange(1.0, paths.shape[1] + 1.0)
        means = np.cumsum(paths, axis=1) / n
        squares = np.cumsum(paths**2, axis=1) - n * means**2
        needed = needed_distances(np.maximum(n, ENOUGH), level)
        over = means * np.sqrt(n) >= needed * np.sqrt(np.maximum(squares, 1e-300))
        return np.asarray((over & (n >= ENOUGH))[:, done:])

    return reached


def known(level: float) -> Reached:
    """The certificate with the true σ."""
    parts = tilts.terms_at(1.0, cumulant, 1.0)

    def reached(done: int, paths: Floats) -> NDArray[np.bool_]:
        needed = tilts.needed_sums(parts, np.arange(1.0, paths.shape[1] + 1.0), level)
        return np.asarray((np.cumsum(paths, axis=1) >= needed)[:, done:])

    return reached


def glr(K: int, delta: float) -> Reached:
    """The paper's boundary with the true σ."""
    boundary = parse_boundary("glr", K, delta)

    def reached(done: int, paths: Floats) -> NDArray[np.bool_]:
        n = np.arange(1.0, paths.shape[1] + 1.0)
        needed = np.array([boundary.level(t) for t in n.tolist()]) * np.sqrt(n)
        return np.asarray((np.cumsum(paths, axis=1) >= needed)[:, done:])

    return reached


def symmetric(level: float) -> Reached:
    """The certificate for symmetric noise of any scale."""
    parts = tilts.terms_at(1.0, cumulant, 1.0)

    def reached(done: int, paths: Floats) -> NDArray[np.bool_]:
        n = np.arange(1.0, paths.shape[1] + 1.0)
        scales = np.sqrt(np.cumsum(paths**2, axis=1) / n)
        y = np.zeros_like(paths)
        y[:, 1:] = np.clip(paths[:, 1:] / scales[:, :-1], -3.0, 3.0)
        sums, variances = np.cumsum(y, axis=1)[:, done:], np.cumsum(y**2, axis=1)[:, done:]
        over = (sums > 0.0) & (sums**2 >= 2.0 * level * variances)  # ln E is at most S²/(2V)
        S, V = sums[over, None], variances[over, None]
        logs = tilts.log_sums(parts.weights + parts.slopes * S - parts.costs * V)
        over[over] = logs >= level
        return np.asarray(over)

    return reached


def mean_trials(effect: float, reached: Reached, runs: int, seed: int) -> tuple[float, float]:
    """Mean trials until it is reached by outcomes of mean Δ and scatter 1; and standard error."""
    chance = np.random.default_rng(seed)  # the same outcomes for all
    times = np.zeros(runs)
    waiting, length = np.arange(runs), 0
    paths = np.empty((runs, 0))
    while len(waiting):
        block = max(32, length)  # as many more as there were
        paths = np.hstack([paths, effect + chance.standard_normal((len(waiting), block))])
        over = reached(length, paths)
        first = over.argmax(axis=1)
        stopped = over[np.arange(len(waiting)), first]
        times[waiting[stopped]] = length + 1 + first[stopped]
        waiting, paths, length = waiting[~stopped], paths[~stopped], length + block
    return float(times.mean()), float(times.std(ddof=1) / math.sqrt(runs))


def student_price(effect: float, alpha: float, runs: int, seed: int) -> tuple[float, float]:
    """Mean trials over the lower bound, and its standard error."""
    least = -math.log(alpha) / (0.5 * math.log1p(effect**2))
    mean, error = mean_trials(effect, student(-math.log(alpha)), runs, seed)
    return mean / least, error / least


def trials_over_student(effect: float, other: Reached, K: int, runs: int, seed: int) -> float:
    """Mean trials of another rule over those of the certificate without σ, one arm among K."""
    own, _ = mean_trials(effect, student(math.log(K / DELTA)), runs, seed)
    return mean_trials(effect, other, runs, seed)[0] / own


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    runs, seed = options.runs, options.seed
    alphas = [DELTA / K for K in ARMS]
    heads = [f"α = {alpha:<11g}" for alpha in alphas]
    print("over the lower bound".ljust(26), *heads)
    for effect in EFFECTS:
        both = [student_price(effect, alpha, runs, seed) for alpha in alphas]
        print(f"Δ = {effect:g}σ".ljust(26), *(f"{m:.3f} ± {se:<7.3f}" for m, se in both))
    rows: dict[str, Callable[[int], Reached]] = {
        "glr with σ over it": lambda K: glr(K, DELTA),
        "certificate with σ over it": lambda K: known(math.log(K / DELTA)),
        "symmetric over it": lambda K: symmetric(math.log(K / DELTA)),
    }
    for title, make in rows.items():
        print("\n" + title.ljust(26), *heads)
        for effect in EFFECTS:
            ratios = [trials_over_student(effect, make(K), K, runs, seed) for K in ARMS]
            print(f"Δ = {effect:g}σ".ljust(26), *(f"{ratio:<15.2f}" for ratio in ratios))


if __name__ == "__main__":
    main()
