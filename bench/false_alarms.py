"""False alarms of every outcome model: how often does a certificate reach 1/α though it must not?

    python bench/false_alarms.py [--paths 20000] [--length 10000] [--only WORD] [--json FILE]

One arm whose mean is exactly the threshold, the hardest null of both sides. A path is a false
alarm at α as soon as its certificate has once been at least ln(1/α), within `length` outcomes. The
functions are those that studies use, compiled; paths are numbered, so a table can be repeated.
With `--broken` the same for outcomes that are not of the declared kind.
"""

import argparse
import json
import math
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import stats

from goodarm.instance import Instance
from goodarm.outcomes.contract import Functions
from goodarm.outcomes.record import make_record
from goodarm.run import Run, reset
from goodarm.simulation.job import Job, make_job
from goodarm.simulation.loops.compiler import COMPILE_OPTIONS, register
from goodarm.simulation.loops.rewards import Arms, make_draw
from goodarm.simulation.loops.truth import array_run

ALPHAS = (0.1, 0.05, 0.01, 0.005, 0.001)
TABLE = 4096  # equally likely values that stand for a law


def quantiles(law: Any, mean: float) -> NDArray[np.float64]:
    """Equally likely values of a law, scaled so that their mean is exact."""
    values = law.ppf((np.arange(TABLE) + 0.5) / TABLE)
    return np.asarray(values * mean / values.mean())


def beta(mean: float, sd: float) -> NDArray[np.float64]:
    size = mean * (1.0 - mean) / sd**2 - 1.0
    values = stats.beta(mean * size, (1.0 - mean) * size).ppf((np.arange(TABLE) + 0.5) / TABLE)
    return np.clip(values + mean - values.mean(), 0.0, 1.0)


def recorded(threshold: float, values: NDArray[np.float64]) -> Instance:
    return Instance.from_data({"arm": values.tolist()}, threshold)


def cases() -> Iterator[tuple[str, str, Instance]]:
    """What the outcomes are taken for, and what they are."""
    for theta in (0.001, 0.04, 0.5, 0.9):
        yield f"yes or no at {theta:g}", "bernoulli", Instance(theta, [theta], kind="bernoulli")
    yield "normal, σ known", "gaussian:1", Instance(0.0, [0.0])
    yield "normal, σ not known", "gaussian", Instance(0.0, [0.0], sigma=3.0)
    yield "normal as symmetric", "symmetric", Instance(0.0, [0.0], sigma=3.0)
    for rate in (0.02, 0.5, 3.0, 200.0):
        yield f"counts at {rate:g}", "poisson", Instance(rate, [rate], kind="poisson")
    for mean in (1.0, 50.0):
        arm = Instance(mean, [mean], kind="exponential")
        yield f"durations at {mean:g}", "exponential", arm
    arm = Instance(2.0, [2.0], kind="exponential", sigma=0.5)
    yield "durations of shape 4", "exponential:4", arm
    for theta in (0.04, 0.5, 0.9):
        arm = Instance(theta, [theta], kind="bernoulli")
        yield f"0 or 1 as bounded, at {theta:g}", "bounded:0:1", arm
        values = beta(theta, 0.1 if theta > 0.1 else 0.03)
        yield f"beta as bounded, at {theta:g}", "bounded:0:1", recorded(theta, values)
    skewed = quantiles(stats.lognorm(1.0), 2.0)
    yield "lognormal, above 0, at 2", "bounded:0", recorded(2.0, skewed)
    yield "uniform, below 1, at 0.5", "bounded::1", recorded(0.5, beta(0.5, 12**-0.5))


def broken() -> Iterator[tuple[str, str, Instance]]:
    """Outcomes that are not of the declared kind, their mean at the threshold."""
    for ratio in (2.0, 1.3):
        law = stats.nbinom(3.0 / (ratio - 1.0), 1.0 / ratio)
        values = np.round(law.ppf((np.arange(TABLE) + 0.5) / TABLE))
        mean = float(values.mean())
        yield f"negative binomial, variance {ratio:g} × mean", "poisson", recorded(mean, values)
    yield "gamma of shape ½", "exponential", recorded(1.0, quantiles(stats.gamma(0.5), 1.0))
    yield "exponential", "gaussian", recorded(1.0, quantiles(stats.expon(), 1.0))
    yield "lognormal(0, 1)", "gaussian", recorded(1.0, quantiles(stats.lognorm(1.0), 1.0))
    yield "0 or 1 at 0.04", "gaussian", Instance(0.04, [0.04], kind="bernoulli")


def make_follower(functions: Functions, families: tuple[str, ...]) -> Any:
    """A loop over paths that keeps the largest value of both certificates beyond the first α."""
    record, draw = make_record(functions), make_draw(families)
    good, bad = functions.for_good, functions.for_bad
    surely_good, surely_bad = functions.surely_good, functions.surely_bad
    register((record, draw, good, bad, surely_good, surely_bad, reset))

    def follow(run: Run, arms: Arms, first: int, length: int, above: Any, below: Any) -> None:
        for i in range(above.shape[0]):
            reset(run)
            run.key[2] = first + i
            for _ in range(length):
                record(run, 0, draw(arms, run, 0), 1.0, 1)
                if surely_good(run, 0):
                    above[i] = max(above[i], good(run, 0))
                if surely_bad(run, 0):
                    below[i] = max(below[i], bad(run, 0))

    return njit(**COMPILE_OPTIONS)(follow)


def largest(job: Job, paths: int, length: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The largest value of ln E⁺ and ln E⁻ on every path; 0 where the largest α is not reached."""
    follow = make_follower(job.outcome.functions, job.instance.families)
    above, below = np.zeros(paths), np.zeros(paths)
    arms, run = array_run(job)
    follow(run, arms, 0, 1, above[:1], below[:1])  # compiles
    above[:], below[:] = 0.0, 0.0

    def block(first: int) -> None:
        arms, run = array_run(job)
        part = slice(first, min(first + 250, paths))
        follow(run, arms, first, length, above[part], below[part])

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(block, range(0, paths, 250)))
    return above, below


def shares(name: str, model: str, arm: Instance, paths: int, length: int) -> dict[str, Any]:
    """The shares of paths that reach each α, for both sides."""
    job = make_job("Unif", arm, "fixed-confidence", length, 5, max(ALPHAS), "mixture", None, model)
    sides = largest(job, paths, length)
    return {
        "outcomes": name,
        "model": model,
        "threshold": arm.threshold,
        **{
            side: [float((values >= -math.log(alpha)).mean()) for alpha in ALPHAS]
            for side, values in zip(("above", "below"), sides, strict=True)
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--paths", type=int, default=20_000)
    parser.add_argument("--length", type=int, default=10_000)
    parser.add_argument("--only", default="", help="cases whose name or model has this in it")
    parser.add_argument("--broken", action="store_true", help="outcomes of another kind")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    print(f"{options.paths:,} paths of {options.length:,} outcomes, in per cent of the paths")
    print(f"{'outcomes':42} {'model':14} side  " + "".join(f"α={a:<8g}" for a in ALPHAS))
    rows, worst = [], 0.0
    for name, model, arm in broken() if options.broken else cases():
        if options.only not in name and options.only not in model:
            continue
        row = shares(name, model, arm, options.paths, options.length)
        rows.append(row)
        for side in ("above", "below"):
            print(
                f"{name:42} {model:14} {side} "
                + "".join(f"{100 * share:<10.3g}" for share in row[side]),
                flush=True,
            )
            for alpha, share in zip(ALPHAS, row[side], strict=True):
                error = math.sqrt(alpha * (1.0 - alpha) / options.paths)
                worst = max(worst, (share - alpha) / error)
    print(f"largest excess over α: {worst:.1f} standard errors")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
