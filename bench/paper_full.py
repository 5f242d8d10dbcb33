"""Measure the reproduction: time and memory of the quick and the full one, from nothing and again.

    python bench/paper_full.py [--write] [--reports QUICK FULL]

Every reproduction runs in its own process with an empty store and an empty compilation cache, then
once more with what the first left. At the end it names the claims on which the quick one says more
than the full one, if there are any. --write-costs puts the simulated pulls of each item into
src/goodarm/paper/costs.json, which `goodarm paper --list` shows.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parents[1]
COSTS = HERE / "src" / "goodarm" / "paper" / "costs.json"
VERDICTS = HERE / "docs" / "data" / "paper_verdicts.json"
KINDS = ("quick", "full")
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


def write(reports: dict[str, Any]) -> None:
    """Costs and verdicts, for `--list`, the tests and the docs."""
    pulls = {
        kind: {item["label"]: item["pulls"] for item in reports[kind]["items"]} for kind in KINDS
    }
    costs = {label: {kind: pulls[kind][label] for kind in KINDS} for label in pulls["quick"]}
    lines = (f" {json.dumps(label)}: {json.dumps(cost)}" for label, cost in costs.items())
    COSTS.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    found = {kind: verdicts(reports[kind]) for kind in KINDS}
    data = {
        "published_numbers": {kind: reports[kind]["published_numbers"] for kind in KINDS},
        "claims": [
            {"item": label, "claim": claim, **{kind: found[kind][label, claim] for kind in KINDS}}
            for label, claim in found["full"]
        ],
    }
    VERDICTS.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--reports", type=Path, nargs=2)
    options = parser.parse_args()
    reports = {}
    for number, kind in enumerate(KINDS):
        if options.reports:
            reports[kind] = json.loads(options.reports[number].read_text(encoding="utf-8"))
            continue
        with tempfile.TemporaryDirectory() as folder:
            reports[kind] = measure(kind, Path(folder))
    found = stronger(reports["quick"], reports["full"])
    print("the quick reproduction says more on:", *found or ["nothing"], sep="\n  ")
    if options.write:
        write(reports)


if __name__ == "__main__":
    main()
