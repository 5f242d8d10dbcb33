"""Is any corrected error bound violated by simulation? Every instance, a grid of times.

    python bench/theory_bounds.py --runs 20000 --cap 20000

For every algorithm with a bound, every benchmark instance and a few small ones whose gaps are large
(there the bounds come close to the truth at small times): simulated errors with Wilson's 95 %
limits against the corrected bound, at times from the first at which it is stated up to the cap. A
cell fails when the lower limit is above the bound, or, where the runs can resolve the bound, the
upper limit is. The script then ends with exit status 1. Published bounds can be tried as well
(--reading published): those fail. Outcomes count as sub-Gaussian, which the bounds are about.
"""

import argparse
import math
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from goodarm import Instance, instances, simulate
from goodarm.algorithms import Algorithm, algorithms
from goodarm.simulation import wilson
from goodarm.simulation.job import SUB_GAUSSIAN
from goodarm.theory import ERROR_THEOREMS, ErrorBound, complexity

SHARP = (
    Instance(0.0, [5.0, -0.1], name="(5, −0.1)"),
    Instance(0.0, [9.9, -0.1], name="(9.9, −0.1)"),
    Instance(0.0, [0.1, -10.0], name="(0.1, −10)"),
    Instance(0.0, [3.0, -3.0, -3.0], name="(3, −3, −3)"),
    Instance(0.0, [2.0, 1.9, -0.1, -0.2, -0.3], name="two good, three just bad"),
    Instance(0.0, [-1.0] * 4, name="four bad"),
    Instance(0.0, [1.0], name="one good"),
    Instance(0.5, [0.9, 0.1, 0.1], kind="bernoulli", name="Bernoulli (0.9, 0.1, 0.1)"),
)
FAMILIES = ("TwoG:100:5", "TwoG:100:95", "LinG:100:30")


class Cell(NamedTuple):
    algorithm: str
    instance: str
    t: int
    errors: int
    low: float
    high: float
    bound: float
    resolved: bool  # the bound is above what a single error in all runs would suggest

    @property
    def fails(self) -> bool:
        return self.low > self.bound or (self.resolved and self.high > self.bound)


def spec_of(algorithm: str, instance: Instance, T: int, reading: str) -> str | Algorithm:
    """The algorithm as the theorem has it: PKGAI with the width of the statement."""
    if not algorithm.startswith("PKGAI"):
        return algorithm
    c = complexity(instance)
    if algorithm == "PKGAI" or c.good == 0:
        beta = (T - c.K) / (4.0 * c.need("H1"))
    else:
        beta = (T - c.K) / (4.0 * c.need("K_delta_hat_inv_sq")) if c.bad else math.inf
        if reading == "corrected":
            beta = min(beta, (T - 2 * c.K) * c.need("delta_max_good") ** 2 / c.K)
    known = algorithms["PKGAI(Unif)" if algorithm == "PKGAI(Unif)" else "PKGAI(APT_P)"]

    def constants(setting, options):  # type: ignore[no-untyped-def]
        return (known.constants(setting, options)[0], math.sqrt(max(beta, 0.0)))

    return replace(known, constants=constants)


def times_of(bound: ErrorBound, cap: int, count: int) -> list[int]:
    """A geometric grid, and the times at which the bound starts to say something."""
    start = bound.below_one_from()
    runnable = ErrorBound(bound.complexity, bound.theorem.name).first_time
    first = max(bound.first_time, runnable, bound.complexity.K + 1)
    if start is None or first > cap:
        return []
    grid = {int(t) for t in np.geomspace(first, cap, count)}
    grid |= {int(start * factor) for factor in (1.0, 1.1, 1.5, 2.0, 3.0)}
    return sorted(t for t in grid if first <= t <= cap)


def with_budget(
    instance: Instance, algorithm: str, reading: str, T: int, runs: int, seed: int
) -> int:
    """In how many runs the algorithm with budget T erred."""
    spec = spec_of(algorithm, instance, T, reading)
    found = simulate(instance, spec, budget=T, outcome=SUB_GAUSSIAN, runs=runs, seed=seed)
    return int(next(iter(found.values())).errors.sum())


def cells(
    instance: Instance, algorithm: str, reading: str, cap: int, runs: int, seed: int
) -> Iterator[Cell]:
    bound = ErrorBound(instance, algorithm, reading)
    anytime = bound.theorem.anytime
    times = times_of(bound, cap, 40 if anytime else 6)
    if not times:
        return
    if anytime:
        asked = {"horizon": times[-1], "times": times, "outcome": SUB_GAUSSIAN}
        found = simulate(instance, algorithm, runs=runs, seed=seed, **asked)
        errors = next(iter(found.values())).error_counts
    else:
        errors = np.array([with_budget(instance, algorithm, reading, T, runs, seed) for T in times])
    low, high = wilson(errors, runs)
    allowed = np.exp(np.minimum(bound.log(times), 0.0))
    smallest = float(wilson(1, runs)[1])
    for i, t in enumerate(times):
        yield Cell(
            algorithm=algorithm,
            instance=instance.name,
            t=t,
            errors=int(errors[i]),
            low=float(low[i]),
            high=float(high[i]),
            bound=float(allowed[i]),
            resolved=bool(allowed[i] > smallest),
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=20_000)
    parser.add_argument("--cap", type=int, default=20_000, help="the longest run")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--reading", default="corrected", choices=["corrected", "published"])
    parser.add_argument("--instance", action="append", help="only these benchmark instances")
    options = parser.parse_args()
    chosen = options.instance or [*instances, *FAMILIES]
    problems = [*(() if options.instance else SHARP), *(instances[name] for name in chosen)]
    failed = total = 0
    for instance in problems:
        for algorithm in ERROR_THEOREMS:
            found = list(
                cells(instance, algorithm, options.reading, options.cap, options.runs, options.seed)
            )
            telling = [cell for cell in found if cell.bound < 1.0]
            nearest = max((cell.high / cell.bound for cell in telling if cell.resolved), default=0)
            bad = [cell for cell in found if cell.fails]
            total, failed = total + len(found), failed + len(bad)
            print(
                f"{instance.name:<26} {algorithm:<12} {len(found):>3} times, {len(telling):>3} "
                f"with a bound below 1, upper limit at most {nearest:.3f} of it, "
                f"{len(bad)} violated",
                flush=True,
            )
            for cell in bad[:3]:
                print(
                    f"    t = {cell.t:,}: {cell.errors} errors, [{cell.low:.3g}, {cell.high:.3g}] "
                    f"against {cell.bound:.3g}"
                )
    print(f"{total} cells, {failed} violated ({options.reading}, {options.runs:,} runs)")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
