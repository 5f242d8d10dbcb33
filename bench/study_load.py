"""Many writers on one study: throughput, and whether anything was lost or doubled.

python bench/study_load.py [--tells 4000] [--writers 16] [--storage postgresql+psycopg://…]

Without --storage: 4 writers on a SQLite file, then 16 on a PostgreSQL that is started here with
its settings as they come (fsync on).
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "study"))

from conftest import Child, find_postgresql
from goodarm.study import Bernoulli, Study

ARMS = [f"arm {number}" for number in range(10)]


def load(url: str, writers: int, tells: int) -> dict[str, object]:
    name = f"load {time.time_ns()}"
    study = Study.create(name, ARMS, 0.5, Bernoulli(), storage=url, seed=1)
    each = tells // writers

    def work(say: Callable[[str], None]) -> None:
        mine = Study.load(name, url)
        for number in range(each):
            trial = mine.ask()
            mine.tell(trial, float(number % 2))
            say(str(trial.number))

    began = time.perf_counter()
    lines = [line for child in [Child(work) for _ in range(writers)] for line in child.lines()]
    seconds = time.perf_counter() - began
    wrong = [line for line in lines if not line.isdigit()]
    return {
        "storage": url.partition(":")[0] if "://" in url else "sqlite",
        "writers": writers,
        "tells": study.status().trials,
        "lost": each * writers - study.status().trials,
        "doubled": len(lines) - len(set(lines)),
        "errors": wrong[:3],
        "asks and tells per second": round(2 * each * writers / seconds),
        "sound": study.verify().ok,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tells", type=int, default=4_000)
    parser.add_argument("--writers", type=int)
    parser.add_argument("--storage")
    options = parser.parse_args()
    results = []
    if options.storage:
        results.append(load(options.storage, options.writers or 16, options.tells))
    else:
        with tempfile.TemporaryDirectory() as folder:
            results.append(load(f"{folder}/load.db", options.writers or 4, options.tells))
        server = find_postgresql(fsync=True)
        if isinstance(server, str):
            print(server, file=sys.stderr)
        else:
            try:
                results.append(load(server.new_database(), options.writers or 16, options.tells))
            finally:
                server.remove()
    print(json.dumps({"cores": os.cpu_count(), "results": results}, indent=2))


if __name__ == "__main__":
    main()
