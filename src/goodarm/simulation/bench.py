"""What a simulated step costs, measured against numpy's own normal numbers in the same process."""

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np

from goodarm.algorithms.contract import ANYTIME, FIXED_CONFIDENCE
from goodarm.defaults import ALGORITHM
from goodarm.inputs import whole
from goodarm.instance import Instance, instances
from goodarm.simulation.chunk import play_chunk
from goodarm.simulation.job import Job, make_job

BATCH = 100_000
BATCHES = 30

# instance, runs, cap, limit on the ratio. K = 100 and 10,000 without a good arm are the hard
# cases: the leading arm changes at almost every step.
CASES = (
    ("Thr3", 200, 1_000_000, 3.0),
    ("NoA2", 800, 1_000_000, 3.0),
    ("TwoG(100, 30)", 8000, 1_000_000, 5.5),
    ("TwoG(100, 0)", 120, 1_000_000, 5.5),
    ("TwoG(10000, 3000)", 100, 1_000_000, 13.0),
    ("TwoG(10000, 0)", 1, 1_000_000, 13.0),
)
# Rates whose evidence takes two logarithms per step, where that of Gaussian outcomes takes none.
COINS = Instance(0.5, [0.55, 0.5, 0.48, 0.45, 0.4], kind="bernoulli", name="five coins")
# The default algorithm, with certificates: instance, runs, limit on the ratio. With all but one
# of a hundred arms at θ, hardly any is ever ruled out.
ALL_BUT_ONE_AT_THETA = Instance(0.5, [0.65] + [0.5] * 99, name="Unique_Qualified(100)")
DEFAULT_CASES = (
    (instances["Thr3"], 100, 5.0),
    (instances["TwoG(100, 30)"], 2000, 15.0),
    (instances["TwoG(100, 0)"], 100, 15.0),
    (ALL_BUT_ONE_AT_THETA, 60, 15.0),
)


class SpeedRatio(NamedTuple):
    """One measured ratio and the limit that it should keep."""

    what: str
    ratio: float
    limit: float
    at_most: bool
    unit: str


def measure(repeat: int = 5) -> list[SpeedRatio]:
    """Every ratio that `goodarm bench` shows, the best of `repeat` measurements each."""
    whole("repeat", repeat, 1, 1_000)
    rows = []
    for name, runs, cap, limit in CASES:
        job = _timed(instances[name], "glr", cap)
        rows.append(_in_normals(job, runs, "fixed confidence", limit, repeat))
    for instance, runs, limit in DEFAULT_CASES:
        job = _timed(instance, "mixture", algorithm=ALGORITHM)
        rows.append(_in_normals(job, runs, "mixture", limit, repeat))
    rows += [_mixture(instances[name], runs, cap, 1.15, repeat) for name, runs, cap, _ in CASES]
    rows.append(_mixture(COINS, 200, 1_000_000, 2.5, repeat))
    for name, runs in (("Thr3", 100), ("NoA2", 400)):
        timed = _timed(instances[name], "glr")
        length = int(play_chunk(timed, 0, runs).stopping_times.mean())
        always = make_job("APGAI", instances[name], ANYTIME, length)
        anytime, confidence = _side_by_side(
            partial(_step, always, runs), partial(_step, timed, runs), repeat
        )
        what = f"APGAI step, anytime, {name}"
        rows.append(SpeedRatio(what, anytime / confidence, 1.5, True, "fixed-confidence steps"))
    if (os.cpu_count() or 1) >= 2:
        job = _timed(instances["Thr3"], "glr")
        one, two = _side_by_side(partial(_wall, job, 1), partial(_wall, job, 2), repeat)
        rows.append(
            SpeedRatio("two threads against one, Thr3", one / two, 1.8, False, "times as fast")
        )
    return rows


def _timed(
    instance: Instance, boundary: str, cap: int = 1_000_000, algorithm: str = "APGAI"
) -> Job:
    return make_job(algorithm, instance, FIXED_CONFIDENCE, cap, delta=0.01, boundary=boundary)


def _in_normals(job: Job, runs: int, how: str, limit: float, repeat: int) -> SpeedRatio:
    """A step beside numpy's normal numbers."""
    step, normal = _side_by_side(partial(_step, job, runs), _normal, repeat)
    name, instance = job.algorithm.name, job.instance
    what = f"{name} step, {how}, {instance.name}, K = {instance.K:,}"
    return SpeedRatio(what, step / normal, limit, True, "numpy normals")


def _mixture(instance: Instance, runs: int, cap: int, limit: float, repeat: int) -> SpeedRatio:
    """A step with certificates beside one with the paper's boundary, on the same instance."""
    mixture, glr = _side_by_side(
        partial(_step, _timed(instance, "mixture", cap), runs),
        partial(_step, _timed(instance, "glr", cap), runs),
        repeat,
    )
    what = f"APGAI step, mixture, {instance.name}"
    return SpeedRatio(what, mixture / glr, limit, True, "glr steps")


def _side_by_side(
    first: Callable[[], float], second: Callable[[], float], repeat: int
) -> tuple[float, float]:
    """The least of each, measured in turn, so that both meet the same state of the machine."""
    pairs = [(first(), second()) for _ in range(repeat + 1)][1:]  # the first round warms up
    return min(a for a, _ in pairs), min(b for _, b in pairs)


def _step(job: Job, runs: int) -> float:
    chunk = play_chunk(job, 0, runs)
    return float(chunk.seconds / chunk.pulls.sum())


def _normal() -> float:
    generator = np.random.default_rng(0)
    began = time.perf_counter()
    for _ in range(BATCHES):
        generator.standard_normal(BATCH)
    return (time.perf_counter() - began) / (BATCH * BATCHES)


def _wall(job: Job, threads: int) -> float:
    """Seconds to play eight equal chunks."""
    began = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda c: play_chunk(job, 40 * c, 40 * (c + 1)), range(8)))
    return time.perf_counter() - began
