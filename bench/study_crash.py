"""Kill writers at random moments, many times; nothing acknowledged may be missing.

python bench/study_crash.py [--kills 2000] [--storage URL]

A child process asks, tells, and tells many at once, in a loop, and reports each acknowledgement
through a pipe; it is killed with SIGKILL after 5 to 60 ms of work. Of many that are told at once
all are there or none, acknowledged or not. Without --storage a fresh SQLite file is used.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "study"))

from conftest import Child
from goodarm.study import Gaussian, Study

ARMS, EACH = ["A", "B", "C"], 10  # outcomes of each that are told at once


def work(url: str, name: str, say: Callable[[str], None]) -> None:
    study = Study.load(name, url)
    say("ready")
    while True:
        trial = study.ask()
        value = random.random()
        study.tell(trial, value)
        say(f"{trial.number} {value!r}")
        key = uuid4().hex
        study.tell_many([(arm, random.random()) for arm in ARMS * EACH], key=key)
        say(f"many {key}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=2_000)
    parser.add_argument("--storage")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = options.storage or f"{folder}/crash.db"
        name = f"crash {time.time_ns()}"
        study = Study.create(name, ARMS, 0.5, Gaussian(1), storage=url, seed=1, lease=1.0)
        acknowledged: dict[int, float] = {}
        many: set[str] = set()
        chance = random.Random(1)
        began = time.time()
        for _ in range(options.kills):
            child = Child(lambda say: work(url, name, say))
            lines = child.kill_after(chance.uniform(0.005, 0.06), at_work=True)
            for line in lines:
                if line.startswith("error"):
                    raise SystemExit(line)
                number, _, value = line.partition(" ")
                if number == "many":
                    many.add(value)
                elif line != "ready":
                    acknowledged[int(number)] = float(value)
            study.ask()  # no lock was left behind
        trials = {trial.number: trial for trial in study.trials}
        lost = [n for n, value in acknowledged.items() if trials[n].value != value]
        keys = [event.key.split("/") for event in study.events() if event.key is not None]
        batches = Counter(key[1] for key in keys if key[0] == "batch")
        torn = [key for key in many | set(batches) if batches[key] != EACH * len(ARMS)]
        told = sum(t.status == "told" for t in trials.values()) - batches.total()
        found = study.verify()
        print(
            json.dumps(
                {
                    "kills": options.kills,
                    "acknowledged": len(acknowledged),
                    "lost": len(lost),
                    "acknowledged, many at once": len(many),
                    "lost or in part": len(torn),
                    "committed but never acknowledged": told - len(acknowledged),
                    "sound": found.ok,
                    "events": found.events,
                    "seconds": round(time.time() - began, 1),
                },
                indent=2,
            )
        )
        if lost or torn or not found.ok:
            raise SystemExit(1)


if __name__ == "__main__":
    main()
