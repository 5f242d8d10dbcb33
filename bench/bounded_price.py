"""What betting saves: trials until an arm of bounded outcomes is decided, by the paper's boundary.

    python bench/bounded_price.py [--paths N] [--seed N] [--nulls]

One arm with outcomes in [0, 1]. `glr` takes them as sub-Gaussian with σ = ½, which is all that it
knows; betting sees how little they scatter. α is 1 over what the certificate must reach: δ/K with
δ = 0.05 and 1, 10 or 100 arms. With --nulls: how often the certificates of an arm at the threshold
reach 1/α within 10,000 outcomes, for several distributions.
"""

import argparse
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.outcomes.bets import Bets, bets_at
from goodarm.stopping import parse_boundary

ALPHAS = (0.05, 0.005, 0.0005)
NULL_ALPHAS = (0.1, 0.05, 0.01, 0.005, 0.001)
BLOCK = 64  # outcomes drawn at once
Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int, int], Floats]


class Case(NamedTuple):
    """A distribution of outcomes, the threshold, and the spec's ratios where there are any."""

    name: str
    draw: Draw
    threshold: float
    above: bool
    expected: tuple[float, float, float] = (math.nan,) * 3


def beta(mean: float, sd: float) -> Draw:
    weight = mean * (1.0 - mean) / sd**2 - 1.0
    return lambda chance, paths, many: chance.beta(
        mean * weight, (1.0 - mean) * weight, (paths, many)
    )


def coin(rate: float) -> Draw:
    return lambda chance, paths, many: (chance.random((paths, many)) < rate).astype(float)


def zero_inflated(mean: float) -> Draw:
    """Uniform in [0, 1] with probability 2·mean, else 0."""
    return lambda chance, paths, many: np.where(
        chance.random((paths, many)) < 2.0 * mean, chance.random((paths, many)), 0.0
    )


CASES = [
    Case("beta mean .55 sd .1, θ .5", beta(0.55, 0.1), 0.5, True, (32.9, 26.4, 23.6)),
    Case("beta mean .52 sd .1, θ .5", beta(0.52, 0.1), 0.5, True, (60.8, 47.2, 40.9)),
    Case("beta mean .6 sd .1, θ .5", beta(0.6, 0.1), 0.5, True, (16.9, 13.7, 12.4)),
    Case("beta mean .45 sd .1, θ .5", beta(0.45, 0.1), 0.5, False, (32.6, 26.1, 23.4)),
    Case("beta mean .95 sd .1, θ .9", beta(0.95, 0.1), 0.9, True, (20.4, 16.1, 14.4)),
    Case("beta mean .8 sd .1, θ .9", beta(0.8, 0.1), 0.9, False, (51.4, 42.8, 39.0)),
    Case("beta mean .6 sd .28, θ .5", beta(0.6, 0.28), 0.5, True, (7.2, 5.5, 4.7)),
    Case("zero-inflated mean .06, θ .04", zero_inflated(0.06), 0.04, True, (20.2, 15.7, 13.7)),
    Case("0/1 p .6, θ .5", coin(0.6), 0.5, True, (2.3, 1.8, 1.5)),
    Case("0/1 p .06, θ .04", coin(0.06), 0.04, True, (11.6, 9.4, 8.5)),
    Case("0/1 p .95, θ .9", coin(0.95), 0.9, True, (8.6, 6.4, 5.5)),
]


def exponential(mean: float) -> Draw:
    return lambda chance, paths, many: chance.exponential(mean, (paths, many))


def lognormal(mean: float) -> Draw:
    return lambda chance, paths, many: mean * chance.lognormal(-0.5, 1.0, (paths, many))


UNIFORM = beta(0.5, math.sqrt(1.0 / 12.0))
NULLS = [
    Case("0/1 .04, above", coin(0.04), 0.04, True),
    Case("0/1 .04, below", coin(0.04), 0.04, False),
    Case("0/1 .5, above", coin(0.5), 0.5, True),
    Case("beta sd .1 .5, above", beta(0.5, 0.1), 0.5, True),
    Case("beta sd .1 .9, below", beta(0.9, 0.1), 0.9, False),
    Case("uniform .5, above", UNIFORM, 0.5, True),
    Case("zero-inflated .04, above", zero_inflated(0.04), 0.04, True),
    Case("zero-inflated .04, below", zero_inflated(0.04), 0.04, False),
    Case("exponential, lo = 0, above", exponential(1.0), 1.0, True),
    Case("lognormal, lo = 0, above", lognormal(1.0), 1.0, True),
]


def bets_of(case: Case, one_sided: bool = False) -> tuple[Bets, Callable[[Floats], Floats]]:
    """The bets in favour of the case's side, and what an outcome pays per unit."""
    theta = case.threshold
    if case.above:
        return bets_at(None if one_sided else theta), lambda x: x / theta - 1.0
    return bets_at(1.0 - theta), lambda x: (theta - x) / (1.0 - theta)


def betting_times(
    case: Case,
    alphas: tuple[float, ...],
    paths: int,
    most: int,
    chance: np.random.Generator,
    one_sided: bool = False,
) -> Floats:
    """When ln E first reaches ln(1/α), a row for each path; infinite where it does not."""
    (fractions, weights), pays = bets_of(case, one_sided)
    times = np.full((paths, len(alphas)), math.inf)
    capitals, alive, n = np.zeros((paths, len(fractions))), np.arange(paths), 0
    while len(alive) and n < most:
        many = min(BLOCK, most - n)
        gains = pays(case.draw(chance, len(alive), many))
        logs = np.log1p(fractions * gains[:, :, None]).cumsum(axis=1)
        logs += capitals[alive][:, None, :]
        capitals[alive] = logs[:, -1]
        logs += weights
        top = logs.max(axis=2)
        found = top + np.log(np.exp(logs - top[:, :, None]).sum(axis=2))
        for column, alpha in enumerate(alphas):
            over = found >= -math.log(alpha)
            first = n + 1.0 + over.argmax(axis=1)
            times[alive, column] = np.minimum(
                times[alive, column], np.where(over.any(axis=1), first, math.inf)
            )
        alive, n = alive[~np.isfinite(times[alive, -1])], n + many
    return times


def glr_time(case: Case, alpha: float, paths: int, chance: np.random.Generator) -> float:
    """The mean number of outcomes until √N |μ̂ − θ|/½ first reaches the paper's boundary."""
    boundary, sign = parse_boundary("glr", 1, alpha), 1.0 if case.above else -1.0
    times, sums, alive, n = np.zeros(paths), np.zeros(paths), np.arange(paths), 0
    while len(alive):
        ends = np.arange(n + 1.0, n + BLOCK + 1.0)
        needed = 0.5 * np.sqrt(ends) * [boundary.level(t) for t in ends]
        gaps = sign * (case.draw(chance, len(alive), BLOCK) - case.threshold)
        walks = sums[alive, None] + gaps.cumsum(axis=1)
        sums[alive] = walks[:, -1]
        over = walks >= needed
        stopped = over.any(axis=1)
        times[alive[stopped]] = n + 1 + over[stopped].argmax(axis=1)
        alive, n = alive[~stopped], n + BLOCK
    return float(times.mean())


def ratios(case: Case, paths: int, chance: np.random.Generator) -> tuple[list[float], list[float]]:
    """Trials with `glr` over trials with betting for each α, and the latter."""
    trials = betting_times(case, ALPHAS, paths, 10**6, chance).mean(axis=0).tolist()
    found = [glr_time(case, alpha, max(paths // 4, 100), chance) for alpha in ALPHAS]
    return [glr / own for glr, own in zip(found, trials, strict=True)], trials


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--paths", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nulls", action="store_true")
    options = parser.parse_args()
    chance = np.random.default_rng(options.seed)
    if options.nulls:
        print(f"{'case':32s}", *(f"{alpha:8g}" for alpha in NULL_ALPHAS))
        for case in NULLS:
            one_sided = "lo = 0" in case.name
            times = betting_times(case, NULL_ALPHAS, options.paths, 10_000, chance, one_sided)
            shares = np.isfinite(times).mean(axis=0)
            print(f"{case.name:32s}", *(f"{share:8.4f}" for share in shares), flush=True)
        return
    print(f"{'case':32s} {'glr over betting (expected)':48s} trials with betting")
    for case in CASES:
        found, trials = ratios(case, options.paths, chance)
        both = zip(found, case.expected, strict=True)
        shown = "  ".join(f"{ratio:5.1f} ({expected:4.1f})" for ratio, expected in both)
        print(f"{case.name:32s} {shown:48s}", *(f"{t:8.1f}" for t in trials), flush=True)


if __name__ == "__main__":
    main()
