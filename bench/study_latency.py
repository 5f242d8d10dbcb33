"""What a durable ask plus tell costs, beside one commit of SQLite's log with full sync.

python bench/study_latency.py [--events 100000] [--repeat 300]

Prints the median of one WAL commit, of ask plus tell after 1,000 events and after `--events`
events, in this process and for a process that opens the study anew, and the ratios.
"""

import argparse
import json
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from goodarm.study import Gaussian, Study

ARMS = [f"arm {number}" for number in range(10)]


def median_ms(action: Callable[[], object], repeat: int) -> float:
    times = []
    for _ in range(repeat):
        began = time.perf_counter()
        action()
        times.append(time.perf_counter() - began)
    return 1e3 * statistics.median(times)


def commit_ms(folder: Path, repeat: int) -> float:
    """One row of the size of an event, committed durably."""
    connection = sqlite3.connect(folder / "commit.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)")

    def commit() -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO t (b) VALUES (?)", ("x" * 350,))
        connection.execute("COMMIT")

    result = median_ms(commit, repeat)
    connection.close()
    return result


def fill(study: Study, folder: Path, events: int) -> None:
    """Import outcomes, at once, until the log has so many events."""
    path = folder / "past.csv"
    lines = (f"{ARMS[n % 10]},{(n * 7919 % 1000) / 250 - 2}" for n in range(events - 1))
    path.write_text("arm,value\n" + "\n".join(lines) + "\n")
    study.import_csv(path, source="past")


def measure(study: Study, path: Path, repeat: int) -> dict[str, float]:
    def ask_and_tell() -> None:
        study.tell(study.ask(), 0.1)

    def opened_anew() -> None:
        other = Study.load("s", path)
        other.tell(other.ask(), 0.1)

    ask_and_tell()
    return {
        "ask_and_tell_ms": median_ms(ask_and_tell, repeat),
        "opened_anew_ms": median_ms(opened_anew, max(repeat // 10, 5)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--repeat", type=int, default=300)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        result: dict[str, object] = {"commit_ms": commit_ms(folder, options.repeat)}
        for events in (1_000, options.events):
            path = folder / f"{events}.db"
            study = Study.create("s", ARMS, 0.0, Gaussian(1), storage=path, seed=1)
            fill(study, folder, events)
            result[f"after {events}"] = measure(study, path, options.repeat)
        few, many = result["after 1000"], result[f"after {options.events}"]
        assert isinstance(few, dict)
        assert isinstance(many, dict)
        result["commits_per_ask_and_tell"] = few["ask_and_tell_ms"] / float(
            str(result["commit_ms"])
        )
        result["growth"] = {key: many[key] / few[key] for key in few}
        print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
