"""Is every fixed-confidence algorithm δ-correct, and how much of δ does it use?

    python bench/delta_correctness.py --nulls [--device cuda] [--runs N] [--out FILE]
    python bench/delta_correctness.py --runs 20000 --cap 100000

With --nulls: the hardest means there are, for every rule that stops by the certificates of the
outcome model, for Gaussian and 0/1 outcomes and 1, 10 and 100 arms. All arms lie one floating-point
number below the bar, where every name is wrong; or, what is the same run by run, at the bar, where
"none is good" is. Or one arm is at the bar and the others are far below, where both are wrong.
For each: the share of runs with a wrong answer, its 95 % interval, and what share of δ it is. What
the file already holds is not played again. Works on a GPU without the command line's packages.

Otherwise: every registered fixed-confidence algorithm (and the boundary "kano" for those that have
the option), on easy and hard instances, for δ = 0.1 and 0.01. Runs that reach the cap give no
answer and cannot err.

A cell fails when Wilson's lower 95 % limit is above δ; the script then ends with exit status 1.
"""

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

with suppress(ImportError):  # where it is not run as a script, goodarm is there
    import bare_machine  # noqa: F401  (before goodarm)
from goodarm import Instance, simulate
from goodarm.algorithms import algorithms
from goodarm.algorithms.contract import FIXED_CONFIDENCE
from goodarm.simulation import RunResult, wilson
from goodarm.simulation.device import prepare_many
from goodarm.simulation.job import make_job

DELTAS = (0.1, 0.01)
DELTA = 0.05  # at the nulls
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
    high: float

    @property
    def correct(self) -> bool:
        return self.low <= self.delta

    @property
    def share(self) -> float:
        """Of δ."""
        return self.errors / self.runs / self.delta


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


def cell_of(result: RunResult, instance: str, delta: float, errors: int) -> Cell:
    low, high = wilson(errors, result.runs)
    return Cell(
        algorithm=result.algorithm,
        instance=instance,
        delta=delta,
        errors=errors,
        runs=result.runs,
        stopped=float(result.stopped.mean()),
        mean=result.mean,
        low=float(low),
        high=float(high),
    )


def cells(
    names: list[str], instance: Instance, runs: int, cap: int, seed: int = 0
) -> Iterator[Cell]:
    for delta in DELTAS:
        found = simulate(instance, names, delta=delta, cap=cap, runs=runs, seed=seed)
        for result in found.values():
            yield cell_of(result, instance.name, delta, int(result.errors.sum()))


class Kind(NamedTuple):
    """Outcomes of some kind: the bar, a mean far below it, trials that rule such an arm out."""

    kind: str
    threshold: float
    far_below: float
    ruled_out: int


KINDS = (
    Kind("gaussian", 0.0, -2.0, 5),
    Kind("bernoulli", 0.5, 0.0, 10),
    Kind("bernoulli", 0.04, 0.0, 165),
)
AT, BELOW, ONE = "all at the bar", "all just below the bar", "one at the bar, others far below"
# Cheap rules first, for when time runs out; MS draws from all arms' posteriors at every step.
ORDER = (
    "APGAI",
    "APGAI-FE",
    "Unif",
    "APT-G",
    "S-TaS",
    "TaS",
    "HDoC",
    "LUCB-G",
    "Prospector",
    "Scout",
    "UCB-G",
    "MS",
)
SLOW, FEWER = ("MS",), 10  # with many arms these get a tenth of the runs
MANY = 50


class Null(NamedTuple):
    """A rule at one of the hardest nulls."""

    rule: str
    kind: Kind
    K: int
    one: bool
    cap: int
    runs: int

    @property
    def instance(self) -> Instance:
        bar = self.kind.threshold
        below = math.nextafter(bar, -math.inf)
        means = [bar] + [self.kind.far_below] * (self.K - 1) if self.one else [below] * self.K
        name = f"{self.kind.kind}, bar {bar:g}, K = {self.K}"
        return Instance(bar, means, kind=self.kind.kind, name=name)

    def cells(self, device: str, seed: int) -> list[Cell]:
        """What is wrong here; the two nulls of equal arms are the same runs."""
        found = simulate(
            self.instance,
            self.rule,
            delta=DELTA,
            cap=self.cap,
            runs=self.runs,
            seed=seed,
            boundary="mixture",
            device=device,
        )
        result = next(iter(found.values()))
        assert isinstance(result, RunResult)
        name = self.instance.name
        if self.one:
            return [cell_of(result, f"{name}, {ONE}", DELTA, int(result.errors.sum()))]
        named = int(result.errors.sum())
        none = int(result.stopped.sum()) - named
        return [
            cell_of(result, f"{name}, {AT}", DELTA, none),
            cell_of(result, f"{name}, {BELOW}", DELTA, named),
        ]


def rules() -> list[str]:
    """Every rule that stops by a boundary, the cheap ones first."""
    found = [
        name
        for name, rule in algorithms.items()
        if FIXED_CONFIDENCE in rule.settings
        and not rule.own_stopping
        and set(rule.needs) <= {"delta"}
    ]
    return sorted(found, key=lambda name: ORDER.index(name) if name in ORDER else len(ORDER))


def nulls(arms: Sequence[int], names: Sequence[str], runs: int, cap: int) -> list[Null]:
    """All that is to be played.

    Where it takes many trials to rule out the arms far below, the cap is larger and the runs are
    fewer, so that all cost about the same.
    """
    found = []
    for K in arms:
        for name in names:
            mine = max(runs // FEWER, 1) if name in SLOW and K > MANY else runs
            for kind in KINDS:
                found.append(Null(name, kind, K, False, cap, mine))
                if K > 1:
                    longer = max(cap, 2 * K * kind.ruled_out)
                    fewer = max(mine * cap // longer, 1)
                    found.append(Null(name, kind, K, True, longer, fewer))
    return found


def play_nulls(options: argparse.Namespace) -> list[Cell]:
    names = options.algorithm or rules()
    wanted = nulls(options.arms, names, options.runs or 1_000_000, options.cap or 2_000)
    known = json.loads(options.out.read_text()) if options.out and options.out.exists() else []
    rows = {row["question"]: row for row in known}
    began = time.perf_counter()
    jobs = [
        (make_job(n.rule, n.instance, FIXED_CONFIDENCE, n.cap, options.seed, DELTA), n.runs)
        for n in wanted
        if str(n) not in rows
    ]
    prepare_many(options.device, jobs, 1)
    for null in wanted:
        if str(null) not in rows:
            if time.perf_counter() - began > options.seconds:
                continue
            found = null.cells(options.device, options.seed)
            rows[str(null)] = {"question": str(null), "cap": null.cap} | {
                "cells": [c._asdict() | {"share_of_delta": c.share} for c in found]
            }
            if options.out:
                options.out.write_text(json.dumps(list(rows.values()), indent=1) + "\n")
            show(found)
    print(f"{time.perf_counter() - began:.0f} s, {len(wanted)} simulations", flush=True)
    if left := sum(str(null) not in rows for null in wanted):
        print(f"{left} of them are left; the same command goes on with them")
    fields = set(Cell._fields)
    return [
        Cell(**{key: value for key, value in cell.items() if key in fields})
        for null in wanted
        for cell in rows.get(str(null), {"cells": []})["cells"]
    ]


def show(found: Sequence[Cell]) -> None:
    for c in found:
        print(
            f"{c.instance:66} {c.algorithm:24} {c.errors:6} of {c.runs:<9,} "
            f"[{c.low:.5f}, {c.high:.5f}]  {c.share:6.1%} of δ = {c.delta:<5} stopped "
            f"{c.stopped:6.1%}, mean {c.mean:9.1f}{'' if c.correct else '  FAILS'}",
            flush=True,
        )


def survey(options: argparse.Namespace) -> list[Cell]:
    found = []
    for instance in INSTANCES:
        names = options.algorithm or specs(instance)
        for cell in cells(
            names, instance, options.runs or 2000, options.cap or 50_000, options.seed
        ):
            show([cell])
            found.append(cell)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nulls", action="store_true", help="the hardest means there are")
    parser.add_argument("--runs", type=int, help="default: 2,000; 1,000,000 with --nulls")
    parser.add_argument("--cap", type=int, help="pulls of a run; default: 50,000; 2,000")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--algorithm", action="append", help="only these (repeatable)")
    parser.add_argument("--arms", type=int, nargs="+", default=[1, 10, 100])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seconds", type=float, default=math.inf, help="start nothing after this")
    parser.add_argument("--out", type=Path, help="with --nulls: where the results are kept")
    options = parser.parse_args()
    found = play_nulls(options) if options.nulls else survey(options)
    wrong = sum(not cell.correct for cell in found)
    shares = sorted(cell.share for cell in found)
    print(
        f"{len(found)} cells, {wrong} fail; wrong answers are at most {shares[-1]:.1%} of δ, "
        f"{shares[len(shares) // 2]:.1%} in the median"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
