"""Studies of very many options: created, opened, asked, told, looked at, audited.

python bench/large_studies.py [--options 10000 100000] [--algorithm Prospector] [--postgresql]

Prints seconds of the clock and of the processor. Each line is a process of its own, in which only
the work itself is timed, not the start of Python. A study of a million events is in bench/bulk.py.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bulk import child

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "study"))

from conftest import find_postgresql

TIMED = """
import sys, time
from goodarm.study import Study
storage, algorithm, many = sys.argv[1], sys.argv[2], int(sys.argv[3])
name, few = f"{many} options", 100
def create():
    arms = [f"compound {number}" for number in range(many)]
    return Study.create(name, arms, 0.5, "bernoulli", 0.05, algorithm, storage, 1)
def tell(trials):
    study.tell_many([(trial, float(trial.number % 3 == 0)) for trial in trials])
def one_by_one():
    for _ in range(few):
        study.tell(study.ask(), 0)
study = None if "WORK" == "create()" else Study.load(name, storage)
began, cpu = time.perf_counter(), time.process_time()
WORK
print(time.perf_counter() - began, time.process_time() - cpu)
"""
WORKS = {
    "create": "create()",
    "open": "study.pending",
    "open, status": "study.status()",
    "ask for a trial of each": "study.ask(many)",
    "open, all pending": "study.pending",
    "tell them together": "tell(study.pending)",
    "open, all told": "study.pending",
    "open, status of all": "study.status()",
    "open, 100 asked and told": "one_by_one()",
    "forecast": "study.forecast()",
    "verify": "assert study.verify().ok",
}


@contextmanager
def storage(on_server: bool) -> Iterator[str]:
    if not on_server:
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite:///{folder}/large.db"
        return
    server = find_postgresql(fsync=True)
    if isinstance(server, str):
        raise SystemExit(server)
    try:
        yield server.new_database()
    finally:
        server.remove()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--options", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--algorithm", default="Prospector")
    parser.add_argument("--postgresql", action="store_true")
    given = parser.parse_args()
    with storage(given.postgresql) as url:
        for many in given.options:
            print(f"{f'{many:,} options, {given.algorithm}':32}{'s':>8}{'cpu s':>8}{'MB':>7}")
            for what, work in WORKS.items():
                cost, said = child(TIMED.replace("WORK", work), url, given.algorithm, many)
                seconds, cpu = map(float, said.split())
                print(f"{what:32}{seconds:8.2f}{cpu:8.2f}{cost.megabytes:7.0f}", flush=True)


if __name__ == "__main__":
    main()
