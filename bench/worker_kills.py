"""Kill workers with SIGKILL in the middle, many times: nothing acknowledged may be missing.

    python bench/worker_kills.py [--kills 100] [--storage URL]

A worker keeps four trials running on one study; it is killed 20 to 200 ms after its first outcome.
Every fifth one is `goodarm study run`, the others are `Study.run` in a forked process, which report
what they have told through a pipe: their outcomes are acknowledged. The next one starts at once,
while the trials of the one before are still open. Without --storage a fresh SQLite file is used.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "study"))

from conftest import Child
from goodarm.study import Gaussian, Study, Trial

GOODARM = [sys.executable, "-c", "from goodarm.cli import main; main()"]
VALUE = "import random; print(random.Random({seed}).random())"


def objective(trial: Trial) -> float:
    time.sleep(random.uniform(0.0, 0.02))
    return random.random()


def work(url: str, name: str, say: Callable[[str], None]) -> None:
    def heard(study: Study, trial: Trial) -> None:
        say(f"{trial.number} {trial.value!r}")

    random.seed()
    Study.load(name, url).run(
        objective, n_jobs=4, trials=10**6, callbacks=[heard], show_progress_bar=False
    )


def by_command(url: str, study: Study, pause: float) -> None:
    """A worker of the command line, killed so long after an outcome of its own."""
    before = study.seq
    words = ["study", "run", study.name, "--storage", url, "--parallel=4", "--trials=1000000"]
    words += ["--value=stdout", "--", sys.executable, "-S", "-c", f"{VALUE} # {{arm}}"]
    worker = subprocess.Popen([*GOODARM, *words], stdout=subprocess.DEVNULL)
    while study.seq < before + 10 and worker.poll() is None:
        time.sleep(0.01)
    time.sleep(pause)
    os.kill(worker.pid, signal.SIGKILL)
    worker.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--storage")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = options.storage or f"sqlite:///{folder}/kills.db"
        study = Study.create(
            f"kills {time.time_ns()}", ["A", "B", "C"], 0.5, Gaussian(1), storage=url, seed=1
        )
        acknowledged: dict[int, float] = {}
        chance, began, idle = random.Random(1), time.time(), 0
        for number in range(options.kills):
            before, pause = study.seq, chance.uniform(0.02, 0.2)
            if number % 5 == 4:
                by_command(url, study, pause)
            else:
                child = Child(lambda say: work(url, study.name, say))
                for line in child.kill_after(pause, at_work=True):
                    if line.startswith("error"):
                        raise SystemExit(line)
                    trial, value = line.split()
                    acknowledged[int(trial)] = float(value)
            idle += study.seq == before
        told = Counter(event.trial for event in study.events() if event.kind == "told")
        values = {trial.number: trial.value for trial in study.trials}
        found = {
            "kills": options.kills,
            "outcomes acknowledged": len(acknowledged),
            "of these lost": sum(values[n] != value for n, value in acknowledged.items()),
            "told": len(told),
            "told twice": sum(many > 1 for many in told.values()),
            "open or expired": sum(t.status in ("open", "expired") for t in study.trials),
            "workers that made nothing": idle,
            "sound": study.verify().ok,
            "seconds": round(time.time() - began, 1),
        }
        print(json.dumps(found, indent=2))
        if found["of these lost"] or found["told twice"] or idle or not found["sound"]:
            raise SystemExit(1)


if __name__ == "__main__":
    main()
