"""How fast does the error of an anytime algorithm fall? Measured down to 1e-7, on a GPU.

    python bench/error_decay.py --out docs/data/error_decay.json [--runs 100000000]

For each instance and algorithm: the error at a grid of times, in twenty independent parts (seeds),
so that a fitted rate has an honest standard error although errors at neighbouring times are
correlated. What the file already holds is not measured again. `examples/error_decay_figures.py`
fits the rates and draws the figures. Outcomes count as sub-Gaussian, as in the published results.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np

import bare_machine  # noqa: F401  (before goodarm)
from goodarm.instance import instances
from goodarm.simulation.gpu import play_chunk_on_gpu
from goodarm.simulation.job import SUB_GAUSSIAN, make_job

PARTS = 20
POINTS = 60
# algorithm: instance: the time by which it errs about once in ten million runs
INSTANCES = ("NoA1", "NoA2", "IsA2", "Med2", "Thr1", "IsA1", "Thr2")
SHORT = dict(zip(INSTANCES, (350, 3000, 500, 700, 1200, 900, 2500), strict=True))
HORIZONS = {
    "APGAI": dict(zip(INSTANCES, (350, 3000, 3000, 4500, 8000, 6000, 14_000), strict=True)),
    "APGAI-FE": dict(zip(INSTANCES, (350, 3000, 700, 1600, 2200, 1800, 6000), strict=True)),
    "Unif": {**SHORT, "NoA1": 600, "NoA2": 10_000},
    "HDoC": SHORT,
    "TaS": {**SHORT, "Med2": 1600, "Thr2": 6000},
    "MS": SHORT,
}
SLOW = ("HDoC", "TaS", "MS")  # these get a fifth of the runs


def measure(name: str, algorithm: str, horizon: int, runs: int) -> dict:
    times = sorted(set(np.linspace(horizon / POINTS, horizon, POINTS).astype(int).tolist()))
    counts = []
    began = time.perf_counter()
    pulls = 0
    for part in range(PARTS):
        asked = {"seed": 1000 + part, "times": times, "outcome": SUB_GAUSSIAN}
        job = make_job(algorithm, instances[name], "anytime", horizon, **asked)
        chunk = play_chunk_on_gpu(job, 0, runs // PARTS)
        counts.append(chunk.error_counts.tolist())
        pulls += int(chunk.pulls.sum())
    seconds = time.perf_counter() - began
    print(
        f"{name:6s} {algorithm:9s} {seconds:6.1f} s {pulls / seconds:.2e} pulls/s "
        f"last {sum(c[-1] for c in counts)} of {runs:,}",
        flush=True,
    )
    return {
        "instance": name,
        "rule": algorithm,
        "times": times,
        "runs_per_part": runs // PARTS,
        "counts": counts,
        "seconds": round(seconds, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=100_000_000)
    parser.add_argument("--seconds", type=float, default=540.0, help="start nothing after this")
    options = parser.parse_args()
    began = time.perf_counter()
    rows = json.loads(options.out.read_text()) if options.out.exists() else []
    measured = {(row["rule"], row["instance"], row["times"][-1]) for row in rows}
    for algorithm, horizons in HORIZONS.items():
        for name, horizon in horizons.items():
            late = time.perf_counter() - began > options.seconds
            if (algorithm, name, horizon) in measured or late:
                continue
            runs = options.runs // 5 if algorithm in SLOW else options.runs
            rows = [r for r in rows if (r["rule"], r["instance"]) != (algorithm, name)]
            rows.append(measure(name, algorithm, horizon, runs))
            options.out.write_text(json.dumps(rows) + "\n")


if __name__ == "__main__":
    main()
