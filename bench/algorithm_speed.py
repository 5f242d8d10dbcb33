"""What a step of each algorithm costs, as a multiple of APGAI's, and how it grows with K.

    python bench/algorithm_speed.py [--boundary mixture]

Measured on one thread, side by side with APGAI, on instances of ten and of a hundred arms, all
with one boundary (glr unless another is named). Limits: 4 times APGAI at K = 10 (Murphy Sampling
and SEE: 12); at K = 100 12 times its own K = 10 cost.
"""

import argparse

from goodarm.algorithms import algorithms
from goodarm.instance import instances
from goodarm.simulation.chunk import play_chunk
from goodarm.simulation.job import make_job

OPTIONS = {"two thresholds": "[theta_low=-0.05]"}
LOOSE = ("MS", "SEE")
PULLS = 400_000


def job_for(name: str, instance: str, boundary: str):
    algorithm = algorithms[name]
    spec = name + "".join(text for need, text in OPTIONS.items() if need in algorithm.needs)
    if "fixed-confidence" in algorithm.settings:
        return make_job(
            spec, instances[instance], "fixed-confidence", 20_000, delta=0.01, boundary=boundary
        )
    budget = 300 * instances[instance].K
    return make_job(spec, instances[instance], "fixed-budget", budget)


def step(name: str, instance: str, boundary: str) -> float:
    job = job_for(name, instance, boundary)
    first = play_chunk(job, 0, 20)
    runs = max(20, int(PULLS / (first.pulls.sum() / 20)))
    return min(_cost(job, runs) for _ in range(4))


def _cost(job, runs: int) -> float:
    chunk = play_chunk(job, 0, runs)
    return chunk.seconds / chunk.pulls.sum()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boundary", default="glr")
    boundary = parser.parse_args().boundary
    apgai = {name: step("APGAI", name, boundary) for name in ("Thr3", "TwoG(10, 3)")}
    print(f"{'algorithm':14s} {'Thr3':>6s} {'TwoG10':>7s} {'limit':>6s} {'K=100/K=10':>11s}")
    for name in algorithms:
        ratios = [step(name, instance, boundary) / apgai[instance] for instance in apgai]
        growth = step(name, "TwoG(100, 30)", boundary) / step(name, "TwoG(10, 3)", boundary)
        limit = 12 if name in LOOSE else 4
        print(f"{name:14s} {ratios[0]:6.2f} {ratios[1]:7.2f} {limit:6d} {growth:11.2f}", flush=True)


if __name__ == "__main__":
    main()
