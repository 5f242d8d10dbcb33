"""Measure the reproduction: time and memory of the quick and the full one, from nothing and again.

    python bench/paper_full.py [--write-costs]

Every reproduction runs in its own process with an empty store and an empty compilation cache, then
once more with what the first left. At the end it names the claims on which the quick one says more
than the full one, if there are any. --write-costs puts the simulated pulls of each item into
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
from typing import Any

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


def measure(kind: str, folder: Path) -> dict[str, Any]:
    """Run one kind twice; its report."""
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
    report: dict[str, Any] = json.loads((out / "report.json").read_text())
    print(kind, report["published_numbers"], report["claims"], flush=True)
    print(kind, report["power"], flush=True)
    return report


def verdicts(report: dict[str, Any]) -> dict[tuple[str, str], str]:
    """The verdict on each claim."""
    return {
        (item["label"], claim["claim"]): claim["verdict"]
        for item in report["items"]
        for claim in item["claims"]
    }


def stronger(quick: dict[str, Any], full: dict[str, Any]) -> list[str]:
    """The claims on which the quick report says something that the full one does not say, too."""
    final = verdicts(full)
    allowed = {"undecided": set(final.values()), "in part": {"in part", "differs"}}
    return [
        f"{label}, {claim!r}: {verdict}, in the full reproduction {final[label, claim]}"
        for (label, claim), verdict in verdicts(quick).items()
        if final[label, claim] not in allowed.get(verdict, {verdict})
    ]


def main() -> None:
    reports = {}
    for kind in ("quick", "full"):
        with tempfile.TemporaryDirectory() as folder:
            reports[kind] = measure(kind, Path(folder))
    found = stronger(reports["quick"], reports["full"])
    print("the quick reproduction says more on:", *found or ["nothing"], sep="\n  ")
    pulls = {
        kind: {item["label"]: item["pulls"] for item in report["items"]}
        for kind, report in reports.items()
    }
    if "--write-costs" in sys.argv:
        costs = {label: {kind: pulls[kind][label] for kind in pulls} for label in pulls["quick"]}
        lines = (f" {json.dumps(label)}: {json.dumps(cost)}" for label, cost in costs.items())
        COSTS.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
