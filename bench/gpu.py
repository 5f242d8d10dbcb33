"""Everything about the GPU in one call: is it right, and how fast is it?

    python bench/gpu.py [--out FILE] [--only check|speed] [--boundaries glr,mixture]
                        [--algorithm NAME ...]

First speed, in pulls a second, with each boundary in turn. Then every algorithm, in every mode that
it has and with both boundaries, on Gaussian and Bernoulli instances where more is good and where
less is: the same runs on CPU and GPU, compared run by run. Needs a CUDA GPU; works without the
command line's packages.

To compare with an older state, whose sources lie in another folder, in the same session:

    GOODARM_SOURCE=old/src python bench/gpu.py --only speed --boundaries glr
"""

import argparse
import json
import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np

import bare_machine
from goodarm.algorithms import algorithms
from goodarm.instance import Instance, instances
from goodarm.simulation import job as jobs_module
from goodarm.simulation.chunk import play_chunk
from goodarm.simulation.gpu import compile_at_once, play_chunk_on_gpu
from goodarm.simulation.job import make_job

COMPARED = 10_000
BOUNDARIES = ("glr", "mixture")
SUB_GAUSSIAN = getattr(jobs_module, "SUB_GAUSSIAN", None)  # None where there is nothing else
SPEEDS = (
    # instance, mode, limit, delta, runs
    ("Thr3", "fixed-confidence", 1_000_000, 0.01, 4_000_000),
    ("Thr3", "anytime", 10_000, None, 4_000_000),
    ("Thr3", "fixed-budget", 10_000, None, 4_000_000),
    ("NoA2", "fixed-confidence", 1_000_000, 0.01, 4_000_000),
    ("RealL", "anytime", 1_000, None, 4_000_000),
    ("RealL", "fixed-confidence", 1_000_000, 0.01, 1_000_000),
    ("Thr1", "fixed-confidence", 1_000_000, 0.01, 4_000_000),  # heavy-tailed stopping times
    ("TwoG(100, 30)", "fixed-confidence", 1_000_000, 0.01, 4_000_000),
    ("TwoG(100, 0)", "fixed-confidence", 1_000_000, 0.01, 200_000),
    ("TwoG(1000, 300)", "fixed-confidence", 1_000_000, 0.01, 200_000),
)


def compared_instances() -> list[Instance]:
    """Gaussian and Bernoulli, more and less is good; a function, since an old state has no goal."""
    gaussian, real = instances["Thr1"], instances["RealL"]
    return [
        gaussian,
        Instance(0.5, real.means[:10], kind="bernoulli", name="RealL, 10"),
        # Few coins, none of them good: equal counts make ties, which rounding must not break.
        Instance(0.3, [0.01, 0.12, 0.14], kind="bernoulli", name="three coins"),
        Instance(-gaussian.threshold, -gaussian.means, name="Thr1, less is good", goal="below"),
        Instance(
            0.5,
            1.0 - real.means[:10],
            kind="bernoulli",
            name="RealL, 10, less is good",
            goal="below",
        ),
    ]


def jobs_to_compare(names: list[str]) -> list:
    jobs = []
    for name in names:
        algorithm = algorithms[name]
        for instance in compared_instances():
            low = f"[theta_low={instance.threshold - 0.7:g}]"
            spec = name + low * ("two thresholds" in algorithm.needs)
            for mode in algorithm.settings:
                if mode == "fixed-confidence":
                    jobs += [
                        make_job(spec, instance, mode, 3000, delta=0.1, boundary=boundary)
                        for boundary in BOUNDARIES
                    ]
                else:
                    jobs.append(make_job(spec, instance, mode, 300))
    return jobs


def differences(job, here, there) -> int:
    """Runs (or, in anytime mode, counts) that differ between CPU and GPU."""
    if job.mode == "anytime":
        return int(np.abs(here.error_counts - there.error_counts).max())
    return int(
        (
            (here.stopping_times != there.stopping_times)
            | (here.answers != there.answers)
            | (here.stopped != there.stopped)
        ).sum()
    )


def check(names: list[str]) -> list[dict]:
    jobs = jobs_to_compare(names)
    compile_at_once([(job, COMPARED) for job in jobs])
    rows = []
    # Each core plays (and compiles) for the CPU what this process plays on the GPU meanwhile.
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        played = pool.map(play_chunk, jobs, [0] * len(jobs), [COMPARED] * len(jobs))
        for job, here in zip(jobs, played, strict=True):
            flipped = differences(job, here, play_chunk_on_gpu(job, 0, COMPARED))
            rows.append(
                {
                    "algorithm": job.algorithm.name,
                    "mode": job.mode,
                    "boundary": job.boundary.name,
                    "outcome": job.outcome.name,
                    "instance": job.instance.name,
                    "runs": COMPARED,
                    "differ": flipped,
                }
            )
            if flipped:
                print(rows[-1], flush=True)
    return rows


def speed(boundaries: list[str]) -> list[dict]:
    rows = []
    for name, mode, limit, delta, runs in SPEEDS:
        instance = instances[name]
        for boundary in boundaries:
            how = {"boundary": boundary}
            if delta is None:  # no boundary, but evidence as the one or the other has it
                if boundary != "glr" and "bernoulli" not in instance.kinds:
                    continue  # the same again
                how = {"outcome": SUB_GAUSSIAN} if boundary == "glr" and SUB_GAUSSIAN else {}
            job = make_job("APGAI", instance, mode, limit, delta=delta, **how)
            chunk = play_chunk_on_gpu(job, 0, runs)
            pulls = int(chunk.pulls.sum())
            rate = pulls / chunk.seconds
            row = {"instance": name, "mode": mode, "boundary": boundary, "runs": runs}
            seconds = round(chunk.seconds, 3)
            rows.append({**row, "pulls": pulls, "seconds": seconds, "pulls_per_second": rate})
            print(f"{name:18s} {mode:17s} {boundary:8s} {rate:.3e} pulls/s", flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--only", choices=["check", "speed"])
    parser.add_argument("--boundaries", default=",".join(BOUNDARIES))
    parser.add_argument("--algorithm", nargs="+", default=list(algorithms), help="to check")
    options = parser.parse_args()
    print(f"goodarm from {bare_machine.SOURCE}", flush=True)
    found: dict = {}
    if options.only != "check":
        found["speed"] = speed(options.boundaries.split(","))
    if options.only != "speed":
        found["check"] = check(options.algorithm)
        differ = sum(row["differ"] for row in found["check"])
        runs = sum(row["runs"] for row in found["check"])
        print(f"{len(found['check'])} comparisons, {runs:,} runs, {differ} differ", flush=True)
    if options.out:
        options.out.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
