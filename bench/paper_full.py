"""Measure the reproduction: time and memory of the quick and the full one, from nothing and again.

    python bench/paper_full.py [--write-costs]

Every reproduction runs in its own process with an empty store and an empty compilation cache, then
once more with what the first left. --write-costs puts the simulated pulls of each item into
src/goodarm/paper/costs.json, which `goodarm paper --list` shows.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COSTS = Path(__file__).parents[1] / "src" / "goodarm" / "paper" / "costs.json"
PEAK = """
import resource, sys
from goodarm.cli import main
sys.argv = ["goodarm", *sys.argv[1:]]
try:
    main()
finally:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"peak memory {peak / 1024:.0f} MB", file=sys.stderr)
"""


def measure(kind: str, folder: Path) -> dict[str, int]:
    """Run one kind twice; the pulls of each item."""
    environment = {
        **os.environ,
        "GOODARM_CACHE": str(folder / "store"),
        "NUMBA_CACHE_DIR": str(folder / "numba"),
    }
    out = folder / kind
    for which in ("from nothing", "again"):
        began, used = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-c", PEAK, "paper", f"--{kind}", "--out", str(out)]
        done = subprocess.run(command, env=environment, check=True, text=True, capture_output=True)
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
        wall = time.perf_counter() - began
        peak = done.stderr.strip().splitlines()[-1]
        print(f"{kind}, {which}: {wall:.1f} s, {spent:.1f} s of processor time, {peak}", flush=True)
    report = json.loads((out / "report.json").read_text())
    print(kind, report["published_numbers"], report["claims"], flush=True)
    return {item["label"]: item["pulls"] for item in report["items"]}


def main() -> None:
    pulls = {}
    for kind in ("quick", "full"):
        with tempfile.TemporaryDirectory() as folder:
            pulls[kind] = measure(kind, Path(folder))
    if "--write-costs" in sys.argv:
        costs = {label: {kind: pulls[kind][label] for kind in pulls} for label in pulls["quick"]}
        lines = (f" {json.dumps(label)}: {json.dumps(cost)}" for label, cost in costs.items())
        COSTS.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
