"""Everything about the GPU in one call: is it right, and how fast is it?

    python bench/gpu.py [--out FILE]

First every algorithm, in every mode that it has, on a Gaussian and two Bernoulli instances: the
same runs on CPU and GPU, compared run by run. Then speed, in pulls a second. Needs a CUDA GPU;
works without the command line's packages.
"""

import argparse
import json
from pathlib import Path

import numpy as np

import bare_machine  # noqa: F401  (before goodarm)
from goodarm.algorithms import algorithms
from goodarm.instance import Instance, instances
from goodarm.simulation.chunk import play_chunk
from goodarm.simulation.gpu import compile_at_once, play_chunk_on_gpu
from goodarm.simulation.job import make_job

COMPARED = 10_000
EXTRA = {"two thresholds": "[theta_low=-0.2]"}


GAUSSIAN = instances["Thr1"]
BERNOULLI = Instance(0.5, instances["RealL"].means[:10], kind="bernoulli", name="RealL, 10")
# Few coins, none of them good: equal counts make ties, which rounding must not break.
TIES = Instance(0.3, [0.01, 0.12, 0.14], kind="bernoulli", name="three coins")


def job_for(name: str, instance: Instance, mode: str):
    algorithm = algorithms[name]
    spec = name + "".join(text for need, text in EXTRA.items() if need in algorithm.needs)
    limit = 3000 if mode == "fixed-confidence" else 300
    return make_job(spec, instance, mode, limit, delta=0.1 if mode == "fixed-confidence" else None)


def differences(job, runs: int) -> int:
    """Runs (or, in anytime mode, counts) that differ between CPU and GPU."""
    here, there = play_chunk(job, 0, runs), play_chunk_on_gpu(job, 0, runs)
    if job.mode == "anytime":
        return int(np.abs(here.error_counts - there.error_counts).max())
    return int(
        (
            (here.stopping_times != there.stopping_times)
            | (here.answers != there.answers)
            | (here.stopped != there.stopped)
        ).sum()
    )


def check() -> list[dict]:
    jobs = [
        job_for(name, instance, mode)
        for name in algorithms
        for mode in algorithms[name].settings
        for instance in (GAUSSIAN, BERNOULLI, TIES)
    ]
    compile_at_once([(job, COMPARED) for job in jobs])
    rows = []
    for job in jobs:
        flipped = differences(job, COMPARED)
        row = {"algorithm": job.algorithm.name, "mode": job.mode, "instance": job.instance.name}
        rows.append({**row, "runs": COMPARED, "differ": flipped})
        if flipped:
            print(rows[-1], flush=True)
    return rows


SPEEDS = (
    # instance, mode, limit, delta, runs
    ("Thr3", "fixed-confidence", 1_000_000, 0.01, 4_000_000),
    ("Thr3", "anytime", 10_000, None, 4_000_000),
    ("Thr3", "fixed-budget", 10_000, None, 4_000_000),
    ("NoA2", "fixed-confidence", 1_000_000, 0.01, 4_000_000),
    ("RealL", "anytime", 1_000, None, 4_000_000),
    ("Thr1", "fixed-confidence", 1_000_000, 0.01, 4_000_000),  # heavy-tailed stopping times
    ("TwoG(100, 30)", "fixed-confidence", 1_000_000, 0.01, 4_000_000),
    ("TwoG(100, 0)", "fixed-confidence", 1_000_000, 0.01, 200_000),
    ("TwoG(1000, 300)", "fixed-confidence", 1_000_000, 0.01, 200_000),
)


def speed() -> list[dict]:
    rows = []
    for name, mode, limit, delta, runs in SPEEDS:
        job = make_job("APGAI", instances[name], mode, limit, delta=delta)
        chunk = play_chunk_on_gpu(job, 0, runs)
        pulls = int(chunk.pulls.sum())
        row = {"instance": name, "mode": mode, "runs": runs, "pulls": pulls}
        rows.append(
            {**row, "seconds": round(chunk.seconds, 3), "pulls_per_second": pulls / chunk.seconds}
        )
        print(f"{name:18s} {mode:17s} {rows[-1]['pulls_per_second']:.3e} pulls/s", flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--only", choices=["check", "speed"])
    options = parser.parse_args()
    found: dict = {}
    if options.only != "check":
        found["speed"] = speed()
    if options.only != "speed":
        found["check"] = check()
        differ = sum(row["differ"] for row in found["check"])
        runs = sum(row["runs"] for row in found["check"])
        print(f"{len(found['check'])} comparisons, {runs:,} runs, {differ} differ", flush=True)
    if options.out:
        options.out.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
