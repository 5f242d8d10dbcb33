"""How busy workers keep commands of 50 ms: in one process, and in one process each.

    python bench/workers.py [--trials 480] [--workers 8] [--seconds 0.05] [--storage URL]

Every trial is `sleep 0.05`. A share of 100 % would be as many of them per second as fit; what is
missing is asking, telling and starting processes. It is taken from the log between the moment at
which the last worker has begun and that at which the first one has nothing left to do; beside it,
what the commands reach without a study, which is less than 100 % on a busy machine. Without
--storage a fresh SQLite file is used. Also the cost of a trial and of the start of a gate that is
kept in memory, and of one that is kept in a study, on `true`, beside the bare command.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path

from goodarm.study import Bernoulli, Study

GOODARM = [sys.executable, "-c", "from goodarm.cli import main; main()"]


def busy(url: str, name: str, seconds: float, workers: int) -> dict[str, float]:
    """The share of the time for which commands ran, while all workers were at work."""
    study = Study.load(name, url)
    asked, told = defaultdict(list), defaultdict(list)
    trials = [trial for trial in study.trials if trial.status == "told"]
    for trial in trials:
        assert trial.asked_at
        assert trial.told_at
        asked[trial.by].append(datetime.fromisoformat(trial.asked_at).timestamp())
        told[trial.by].append(datetime.fromisoformat(trial.told_at).timestamp())
    began = max(min(times) for times in asked.values())
    ended = min(max(times) for times in told.values())
    made = sum(began < time <= ended for times in told.values() for time in times)
    each = workers * (ended - began) / made
    return {
        "trials": len(trials),
        "busy %": round(100 * seconds / each, 1),
        "overhead of a trial, ms": round(1e3 * (each - seconds), 1),
    }


def race(url: str, workers: int, trials: int, seconds: float, apart: bool) -> dict[str, float]:
    """Workers on a new study; each in a process of its own, or all in one."""
    name = f"workers {time.time_ns()}"
    Study.create(name, ["A", "B", "C"], 0.5, Bernoulli(), storage=url, seed=1, budget=trials)
    each, many = (1, workers) if apart else (workers, 1)
    before = cpu_seconds()
    command = ["--", "sh", "-c", f"exec sleep {seconds:g} # {{arm}}"]
    processes = [
        subprocess.Popen(
            [*GOODARM, "study", "run", name, f"--parallel={each}", f"--by=w{number}", *command],
            env={**os.environ, "GOODARM_STORAGE": url},
            stdout=subprocess.DEVNULL,
        )
        for number in range(many)
    ]
    codes = {process.wait() for process in processes}
    assert codes == {3}, codes  # undecided: all trials are made
    assert Study.load(name, url).verify().ok
    spent = cpu_seconds() - before
    return {
        **busy(url, name, seconds, workers),
        "CPU of a trial, ms": round(1e3 * spent / trials, 1),
    }


def cpu_seconds() -> float:
    """What ended child processes, and theirs, have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def bare(workers: int, trials: int, seconds: float) -> dict[str, float]:
    """The same commands without any study: what this machine can do at the moment."""
    words = ["sh", "-c", f"exec sleep {seconds:g}"]
    began = time.perf_counter()
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(lambda _: subprocess.run(words, check=True), range(trials)))
    each = workers * (time.perf_counter() - began) / trials
    return {
        "busy %": round(100 * seconds / each, 1),
        "overhead of a trial, ms": round(1e3 * (each - seconds), 1),
    }


def gate_cost(url: str, trials: int) -> dict[str, float]:
    """Start and trial of a gate on `true`, which ends after its budget, in milliseconds."""

    def run(budget: int, *more: str) -> float:
        words = ["gate", "--bar=0.9999", f"--budget={budget}", f"--storage={url}", *more]
        began = time.perf_counter()
        code = subprocess.run([*GOODARM, *words, "--", "true"], stdout=subprocess.DEVNULL)
        assert code.returncode == 3
        return 1e3 * (time.perf_counter() - began)

    def alone() -> float:
        began = time.perf_counter()
        subprocess.run(["true"], check=True)
        return 1e3 * (time.perf_counter() - began)

    costs = {"command alone, ms": statistics.median(alone() for _ in range(trials))}
    for what, kept in (("memory", False), ("study", True)):
        one = run(1, *((f"--study=one {time.time_ns()}",) if kept else ()))
        many = run(trials, *((f"--study=many {time.time_ns()}",) if kept else ()))
        each = (many - one) / (trials - 1)
        costs[f"in a {what}: start, ms"] = one - each
        costs[f"in a {what}: trial, ms"] = each - costs["command alone, ms"]
    return {what: round(cost, 1) for what, cost in costs.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=480)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=0.05)
    parser.add_argument("--storage")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = options.storage or f"sqlite:///{Path(folder)}/workers.db"
        given = (url, options.workers, options.trials, options.seconds)
        found = {
            "load": os.getloadavg()[0],
            "commands alone": bare(options.workers, options.trials, options.seconds),
            "one process": race(*given, apart=False),
            "a process each": race(*given, apart=True),
            "a gate": gate_cost(url, min(options.trials, 200)),
        }
        print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
