"""A million outcomes: told, opened, looked at, audited, exported; on SQLite and on PostgreSQL.

python bench/bulk.py [--outcomes 1000000] [--only sqlite] [--json]

Prints a table: seconds of the clock, seconds of this machine's processors for the client, and the
largest memory of the process. Every line but the first is a command of its own, as a user would
type it. The PostgreSQL server is started here, with its settings as they come (fsync on).
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "study"))

from conftest import find_postgresql
from goodarm.study import Bernoulli, Study

ARMS = [f"arm {number}" for number in range(10)]
RATES = [0.30 + 0.02 * number for number in range(10)]
FEW = 1_000
COUNTED = 1_000  # outcomes in one line of counts
REPEAT = 5
TELL_MANY = """
import csv, sys, time
from goodarm.study import Study
with open(sys.argv[2], newline="") as file:
    told = [(row["arm"], float(row["value"])) for row in csv.DictReader(file)]
study = Study.load("python", sys.argv[1])
began, cpu = time.perf_counter(), time.process_time()
study.tell_many(told)
print(time.perf_counter() - began, time.process_time() - cpu)
"""


class Cost(NamedTuple):
    """What something took."""

    seconds: float
    cpu: float
    megabytes: float


def child(code: str, *words: object) -> tuple[Cost, str]:
    """Run a program in a process of its own, whose memory can be told; what it took and said."""
    began = time.perf_counter()
    run = [sys.executable, "-c", code, *map(str, words)]
    process = subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    said = process.stdout.read()
    _, code_and_signal, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(code_and_signal)
    if process.returncode:
        raise SystemExit(f"{' '.join(run[2:])} ended with {process.returncode}")
    seconds = time.perf_counter() - began
    return Cost(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024), said


def command(*words: object) -> Cost:
    """Run goodarm with these words."""
    return child("from goodarm.cli import main; main()", *words)[0]


def median(costs: list[Cost]) -> Cost:
    return Cost(*(sorted(parts)[len(parts) // 2] for parts in zip(*costs, strict=True)))


def create(name: str, storage: str) -> Study:
    return Study.create(name, ARMS, 0.5, Bernoulli(), None, storage=storage, seed=1)


def write_tables(folder: Path, many: int) -> tuple[Path, Path]:
    """Outcomes line by line, and as counts."""
    chance = random.Random(1)
    single, counted = folder / "outcomes.csv", folder / "counts.csv"
    with single.open("w") as lines, counted.open("w") as counts:
        lines.write("arm,value\n")
        counts.write("arm,successes,trials\n")
        for _ in range(many // COUNTED):
            for _ in range(COUNTED):
                arm = chance.randrange(len(ARMS))
                lines.write(f"{ARMS[arm]},{int(chance.random() < RATES[arm])}\n")
            arm = chance.randrange(len(ARMS))
            successes = sum(chance.random() < RATES[arm] for _ in range(COUNTED))
            counts.write(f"{ARMS[arm]},{successes},{COUNTED}\n")
    return single, counted


def told_from_python(storage: str, table: Path) -> Cost:
    create("python", storage)
    cost, said = child(TELL_MANY, storage, table)
    return Cost(*map(float, said.split()), cost.megabytes)


def daily_work(name: str, storage: str) -> dict[str, Cost]:
    """What a user does with a study, each time from the beginning."""
    at = ("--storage", storage)
    works = {
        "status": ("study", "status", name, *at),
        "tell": ("study", "tell", name, "--arm", ARMS[0], "0", *at),
        "ask": ("study", "ask", name, *at),
    }
    return {what: median([command(*words) for _ in range(REPEAT)]) for what, words in works.items()}


def measure(storage: str, folder: Path, many: int) -> dict[str, Cost]:
    single, counted = write_tables(folder, many)
    few, _ = write_tables(Path(tempfile.mkdtemp(dir=folder)), FEW)
    at = ("--storage", storage)
    costs = {"Study.tell_many": told_from_python(storage, single)}
    create("long", storage)
    create("counts", storage)
    create("short", storage).tell_csv(few)
    costs["tell --csv"] = command("study", "tell", "long", "--csv", single, *at)
    costs["tell --csv, as counts"] = command("study", "tell", "counts", "--csv", counted, *at)
    for name, size in (("short", FEW), ("long", many)):
        for what, cost in daily_work(name, storage).items():
            costs[f"{what}, {size:,} outcomes"] = cost
    costs["verify"] = command("study", "verify", "long", *at)
    for ending in ("csv", "json", "parquet"):
        path = folder / f"log.{ending}"
        costs[f"export {ending}"] = command("study", "export", "long", path, *at)
    costs["verify log.json"] = command("study", "verify", folder / "log.json")
    return costs


@contextmanager
def storages(only: str | None) -> Iterator[dict[str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        found = {"sqlite": f"sqlite:///{folder}/bulk.db"} if only != "postgresql" else {}
        server = "not wanted" if only == "sqlite" else find_postgresql(fsync=True)
        if isinstance(server, str):
            print(server, file=sys.stderr)
            yield found
            return
        try:
            yield {**found, "postgresql": server.new_database()}
        finally:
            server.remove()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--outcomes", type=int, default=1_000_000)
    parser.add_argument("--only", choices=["sqlite", "postgresql"])
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results: dict[str, dict[str, Cost]] = {}
    with storages(options.only) as found:
        for kind, storage in found.items():
            with tempfile.TemporaryDirectory() as folder:
                results[kind] = measure(storage, Path(folder), options.outcomes)
    if options.json:
        plain = {k: {what: c._asdict() for what, c in v.items()} for k, v in results.items()}
        print(json.dumps({"outcomes": options.outcomes, "results": plain}, indent=2))
        return
    head = "".join(f"{kind + ': s':>16}{'cpu s':>9}{'MB':>7}" for kind in results)
    print(f"{f'{options.outcomes:,} outcomes':28}{head}")
    for what in next(iter(results.values())):
        cells = (results[kind][what] for kind in results)
        print(f"{what:28}" + "".join(f"{c[0]:16.2f}{c[1]:9.2f}{c[2]:7.0f}" for c in cells))


if __name__ == "__main__":
    main()
