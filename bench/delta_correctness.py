"""Is every fixed-confidence algorithm δ-correct? Error rates over easy and hard instances.

    python bench/delta_correctness.py --runs 20000 --cap 100000

For every registered fixed-confidence algorithm (and the boundary "kano" for those that have the
option), every instance below and δ = 0.1 and 0.01: the share of runs that stop with a wrong
answer. A cell fails when Wilson's lower 95 % limit of that share is above δ; the script then ends
with exit status 1. Runs that reach the cap give no answer and cannot err.
"""

import argparse
import sys
from collections.abc import Iterator
from typing import NamedTuple

from goodarm import Instance, simulate
from goodarm.algorithms import algorithms
from goodarm.algorithms.contract import FIXED_CONFIDENCE

DELTAS = (0.1, 0.01)

INSTANCES = (
    Instance(0.0, [-0.05], name="one arm just below θ"),
    Instance(0.0, [-0.02, -0.02], name="two arms just below θ"),
    Instance(0.0, [0.0, -0.5, -0.5], name="a good arm exactly at θ"),
    Instance(0.0, [0.1, -0.05, -0.05, -0.05], name="one good, others just below θ"),
    Instance(0.0, [-0.2] * 10, name="ten bad arms"),
    Instance(0.0, [1.0] + [-0.1] * 19, name="one clearly good among twenty"),
    Instance(0.5, [0.48, 0.48, 0.3], kind="bernoulli", name="Bernoulli just below θ"),
    Instance(0.5, [0.6, 0.4, 0.4, 0.4], kind="bernoulli", name="Bernoulli, one good"),
    Instance(0.0, [-0.3, -0.1], sigma=[3.0, 0.5], name="bad arms of unequal scale"),
)


class Cell(NamedTuple):
    algorithm: str
    instance: str
    delta: float
    errors: int
    runs: int
    stopped: float
    mean: float
    low: float

    @property
    def correct(self) -> bool:
        return self.low <= self.delta


def specs(instance: Instance) -> list[str]:
    """Every fixed-confidence algorithm as it is asked for on this instance."""
    found = []
    for name, algorithm in algorithms.items():
        if FIXED_CONFIDENCE not in algorithm.settings:
            continue
        if "two thresholds" in algorithm.needs:
            found += with_margin(name, instance)
            continue
        found.append(name)
        if "boundary" in algorithm.options:
            found.append(f"{name}[boundary=kano]")
    return found


def with_margin(name: str, instance: Instance) -> list[str]:
    """Ask for the widest margin about which the algorithm makes a promise: no mean inside it."""
    bad = instance.means[~instance.good]
    low = float(bad.max()) if len(bad) else instance.threshold - 0.5
    return [f"{name}[theta_low={low!r}]", f"{name}[theta_low={low!r},bounds=proven]"]


def cells(
    names: list[str], instance: Instance, runs: int, cap: int, seed: int = 0
) -> Iterator[Cell]:
    for delta in DELTAS:
        for name, result in simulate(
            instance, names, delta=delta, cap=cap, runs=runs, seed=seed
        ).items():
            yield Cell(
                algorithm=name,
                instance=instance.name,
                delta=delta,
                errors=int(result.errors.sum()),
                runs=runs,
                stopped=float(result.stopped.mean()),
                mean=result.mean,
                low=result.error_interval()[0],
            )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--cap", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--algorithm", action="append", help="only these (repeatable)")
    options = parser.parse_args()
    wrong = 0
    worst = 0.0
    for instance in INSTANCES:
        names = options.algorithm or specs(instance)
        print(f"\n{instance.name}: means {instance.means.tolist()}, θ = {instance.threshold}")
        for cell in cells(names, instance, options.runs, options.cap, options.seed):
            wrong += not cell.correct
            worst = max(worst, cell.errors / cell.runs / cell.delta)
            print(
                f"  δ = {cell.delta:<5} {cell.algorithm:42} {cell.errors:5} errors, stopped "
                f"{cell.stopped:6.1%}, mean {cell.mean:9.1f}{'' if cell.correct else '  FAILS'}",
                flush=True,
            )
    print(f"\n{wrong} cells fail; the largest error rate is {worst:.3f} δ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
