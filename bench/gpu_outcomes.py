"""Is every outcome model the same on a GPU? The same runs on CPU and GPU, compared run by run.

    python bench/gpu_outcomes.py [--runs 2000] [--out FILE]

For each model two algorithms, fixed confidence, where more is good and where less is. Needs a CUDA
GPU; works without the command line's packages.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np

import bare_machine  # noqa: F401  # first: the newer numpy there
from goodarm.instance import Instance
from goodarm.simulation.chunk import play_chunk
from goodarm.simulation.gpu import play_chunk_on_gpu
from goodarm.simulation.job import make_job

ALGORITHMS = ("APGAI", "Prospector")
CAP = 3000


def cases() -> list[tuple[str, Instance]]:
    """What outcomes are taken for, and the arms."""
    normal = Instance(0.0, [0.4, -0.1, -0.5], sigma=1.5, name="normal")
    coins = Instance(0.5, [0.65, 0.45, 0.3], kind="bernoulli", name="coins")
    counts = Instance(3.0, [4.0, 2.5, 2.0], kind="poisson", name="counts")
    large = Instance(200.0, [212.0, 198.0, 190.0], kind="poisson", name="large counts")
    waits = Instance(2.0, [3.0, 1.8, 1.2], kind="exponential", name="durations")
    shaped = Instance(2.0, [3.0, 1.8, 1.2], kind="exponential", sigma=0.5, name="shape 4")
    return [
        ("bernoulli", coins),
        ("bounded:0:1", coins),
        ("bounded:0", waits),
        ("gaussian:1.5", normal),
        ("gaussian", normal),
        ("symmetric", normal),
        ("poisson", counts),
        ("poisson", large),
        ("exponential", waits),
        ("exponential:4", shaped),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    rows = []
    for model, instance in cases():
        for goal in ("above", "below"):
            arms = instance.altered(goal=goal)
            for algorithm in ALGORITHMS:
                job = make_job(
                    algorithm, arms, "fixed-confidence", CAP, 7, 0.05, "mixture", None, model
                )
                began = time.perf_counter()
                there = play_chunk_on_gpu(job, 0, options.runs)
                took = time.perf_counter() - began
                here = play_chunk(job, 0, options.runs)
                differ = int(
                    np.sum(
                        (here.stopping_times != there.stopping_times)
                        | (here.answers != there.answers)
                    )
                )
                row = {
                    "model": model,
                    "arms": arms.name,
                    "goal": goal,
                    "algorithm": algorithm,
                    "runs": options.runs,
                    "differ": differ,
                    "pulls": int(here.stopping_times.sum()),
                }
                rows.append(row)
                print(json.dumps(row), f"{took:.1f} s", flush=True)
    print("runs that differ:", sum(row["differ"] for row in rows), "of", len(rows) * options.runs)
    if options.out:
        options.out.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
