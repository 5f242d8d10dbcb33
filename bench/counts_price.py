"""Counts and durations: what certainty costs for one arm, and how often it is wrong at the bar.

    python bench/counts_price.py [--runs N] [--paths N] [--seed N]

The first table has mean trials until the certificate speaks, over ln(1/α)/KL, with standard errors.
The second has the share of paths of 10,000 outcomes of mean θ whose certificate ever reaches 1/α:
at most α for outcomes of the declared kind, and more for those that scatter more.
"""

import argparse
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.outcomes import tilts
from goodarm.outcomes.contract import Levels
from goodarm.outcomes.exponential import Exponential
from goodarm.outcomes.poisson import Poisson

ALPHAS = (0.05, 0.005, 0.0005)
NOMINAL = (0.05, 0.01)
LENGTH = 10_000
BLOCK = 250
Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, tuple[int, int]], Floats]


class Case(NamedTuple):
    """Outcomes of a law, taken for a model at a threshold; sums are in units of `unit`."""

    text: str
    terms: Callable[[float], tilts.Terms]  # of a side
    draw: Draw
    divergence: float = 0.0  # KL between the law and the threshold
    sign: float = 1.0  # of mean − θ
    unit: float = 1.0


def terms_of(model: Poisson | Exponential, threshold: float) -> Callable[[float], tilts.Terms]:
    """Each side's terms, from the table that a run carries."""
    numbers = np.array(model.numbers(threshold, 1.0, Levels()))

    def terms(sign: float) -> tilts.Terms:
        slopes = tilts.GOOD_SLOPES if sign > 0.0 else tilts.BAD_SLOPES
        starts = (tilts.LOG_WEIGHTS, slopes, slopes + tilts.STEPS)
        return tilts.Terms(*(numbers[i : i + tilts.STEPS] for i in starts))

    return terms


def counts(threshold: float, mean: float) -> Case:
    """Poisson counts."""
    divergence = mean * math.log(mean / threshold) - mean + threshold
    terms = terms_of(Poisson(), threshold)
    text = f"Poisson θ = {threshold:g}, μ = {mean:g}"
    sign = math.copysign(1.0, mean - threshold)
    return Case(text, terms, lambda chance, size: chance.poisson(mean, size), divergence, sign)


def durations(threshold: float, mean: float) -> Case:
    """Exponential durations."""
    ratio = mean / threshold
    terms = terms_of(Exponential(), threshold)
    text = f"exponential θ = {threshold:g}, μ = {mean:g}"
    divergence = ratio - 1.0 - math.log(ratio)
    return Case(
        text,
        terms,
        lambda chance, size: chance.exponential(mean, size),
        divergence,
        math.copysign(1.0, mean - threshold),
        threshold,
    )


def clustered(mean: float, excess: float) -> Case:
    """Negative binomial counts of mean θ, whose variance is `excess` times as large."""
    chance_of = 1.0 / excess
    shape = mean * chance_of / (1.0 - chance_of)
    return Case(
        f"negative binomial, variance {excess:g} × mean {mean:g}",
        terms_of(Poisson(), mean),
        lambda chance, size: chance.negative_binomial(shape, chance_of, size),
    )


def wide(shape: float) -> Case:
    """Gamma durations of mean θ = 1, taken for exponential ones."""
    return Case(
        f"gamma of shape {shape:g} as exponential",
        terms_of(Exponential(), 1.0),
        lambda chance, size: chance.gamma(shape, 1.0 / shape, size),
    )


PRICES = [
    *(counts(0.5, mean) for mean in (0.75, 1.0, 0.25)),
    *(counts(3.0, mean) for mean in (4.5, 3.6, 2.4, 1.5)),
    *(counts(200.0, mean) for mean in (214.0, 207.0, 203.0, 193.0)),
    *(durations(1.0, mean) for mean in (1.5, 2.0, 0.5)),
]
ALARMS = [
    *(counts(theta, theta) for theta in (0.02, 0.5, 3.0, 200.0)),
    durations(1.0, 1.0),
    clustered(3.0, 1.3),
    clustered(3.0, 2.0),
    wide(2.0),
    wide(0.5),
]


def price(case: Case, alpha: float, runs: int, chance: np.random.Generator) -> tuple[float, float]:
    """Mean trials over the lower bound, and its standard error."""
    level, sign = -math.log(alpha), case.sign
    least = level / case.divergence
    times, sums = np.zeros(runs), np.zeros(runs)
    waiting, n = np.arange(runs), 0
    block = max(4, int(0.3 * least))
    while len(waiting):
        ends = np.arange(n + 1.0, n + block + 1.0)
        boundary = tilts.needed_sums(case.terms(sign), ends, level)
        drawn = case.draw(chance, (len(waiting), block)) / case.unit
        paths = sums[waiting, None] + np.cumsum(drawn, axis=1)
        over = sign * paths >= boundary
        first = over.argmax(axis=1)
        stopped = over[np.arange(len(waiting)), first]
        times[waiting[stopped]] = n + 1 + first[stopped]
        sums[waiting] = paths[:, -1]
        waiting, n = waiting[~stopped], n + block
    return float(times.mean() / least), float(times.std(ddof=1) / math.sqrt(runs) / least)


def alarms(case: Case, paths: int, chance: np.random.Generator) -> list[list[float]]:
    """For both sides, the shares of paths that ever reach the nominal levels."""
    ends = np.arange(1.0, LENGTH + 1.0)
    boundaries = {
        (sign, alpha): sign * tilts.needed_sums(case.terms(sign), ends, -math.log(alpha))
        for sign in (1.0, -1.0)
        for alpha in NOMINAL
    }
    reached = {key: np.zeros(paths, dtype=bool) for key in boundaries}
    sums = np.zeros(paths)
    for begin in range(0, LENGTH, BLOCK):
        drawn = case.draw(chance, (paths, BLOCK)) / case.unit
        totals = sums[:, None] + np.cumsum(drawn, axis=1)
        for (sign, alpha), boundary in boundaries.items():
            part = boundary[begin : begin + BLOCK]
            over = totals >= part - 1e-9 if sign > 0.0 else totals <= part + 1e-9
            reached[sign, alpha] |= over.any(axis=1)
        sums = totals[:, -1]
    return [[float(reached[sign, alpha].mean()) for alpha in NOMINAL] for sign in (1.0, -1.0)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10_000, help="of the first table")
    parser.add_argument("--paths", type=int, default=4_000, help="of the second")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = np.random.default_rng(options.seed)
    print(f"{'mean trials over ln(1/α)/KL':44s}", *(f"α = {alpha:<11g}" for alpha in ALPHAS))
    for case in PRICES:
        both = [price(case, alpha, options.runs, chance) for alpha in ALPHAS]
        print(f"{case.text:44s}", *(f"{mean:.3f} ± {error:<7.3f}" for mean, error in both))
    print()
    heads = ("E⁺ at 5 %, 1 %", "E⁻ at 5 %, 1 %")
    print(f"{'reached within 10,000 outcomes of mean θ':44s}", *(f"{head:16s}" for head in heads))
    for case in ALARMS:
        shares = [", ".join(f"{x:.2%}" for x in row) for row in alarms(case, options.paths, chance)]
        print(f"{case.text:44s}", *(f"{share:16s}" for share in shares))


if __name__ == "__main__":
    main()
