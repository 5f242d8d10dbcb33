"""Thousands of bad inputs, and hundreds of lives of a study.

python bench/study_fuzz.py [--inputs 10000] [--lives 200] [--steps 60] [--kills]

Each bad input must be refused with a clear error and leave the log as it was. Each life is lived on
SQLite and on PostgreSQL side by side, with clocks that jump, checkpoints every few events and
handles that are closed in between; what is said must be the same everywhere, and in the end the two
logs must say the same and be sound. With --kills, processes are killed in the middle of a request,
which is then repeated.
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.stateful import run_state_machine_as_test

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "study"))

from bad_input import bad_requests, bad_studies
from lives import Lives

from conftest import Child, Clock, find_postgresql
from goodarm.errors import InputError
from goodarm.study import Bernoulli, Studies, Study
from goodarm.study.log import checkpoint
from goodarm.study.log.kinds import KINDS


def lots(examples: int, steps: int = 1) -> settings:
    return settings(
        max_examples=examples,
        stateful_step_count=steps,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
        database=None,
        deadline=None,
    )


def live(lives: int, steps: int, kills: bool) -> dict[str, object]:
    """Live so many lives side by side."""
    server = find_postgresql()
    if isinstance(server, str):
        raise SystemExit(f"{server}; --lives 0 leaves them out")
    checkpoint.EVERY = 7
    try:
        with tempfile.TemporaryDirectory() as folder:

            class Both(Lives):
                urls = (f"sqlite:///{folder}/lives.db", server.new_database())
                clock = Clock()
                child = Child if kills else None

            run_state_machine_as_test(Both, settings=lots(lives, steps))
    finally:
        server.remove()
    missing = KINDS.keys() - Lives.kinds.keys()
    assert not missing, f"no life had {missing}"
    return {
        "lives": Lives.number,
        "requests": Lives.made,
        "processes killed": Lives.killed,
        "events": dict(Lives.kinds.most_common()),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--lives", type=int, default=200)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--kills", action="store_true")
    options = parser.parse_args()
    if options.inputs:
        print(json.dumps(refuse(options.inputs)), flush=True)
    if options.lives:
        print(json.dumps(live(options.lives, options.steps, options.kills)))


def refuse(inputs: int) -> dict[str, object]:
    """Hand in so many inputs that must be refused."""
    with tempfile.TemporaryDirectory() as folder:
        study = Study.create("s", ["A", "B"], 0.5, Bernoulli(), storage=f"{folder}/s.db", seed=1)
        study.tell(study.ask(4)[0], 1)
        head, seen = study.head, Counter[str]()
        many = lots(inputs // 2 + 1)

        @many
        @given(bad_requests())
        def requests(request: Any) -> None:
            what, send = request
            refused(what, lambda: send(study))
            seen["requests"] += 1

        @many
        @given(bad_studies())
        def studies(request: Any) -> None:
            what, arguments = request
            store = study._ledger.store
            refused(what, lambda: Study.create(storage=store, **arguments))
            seen["studies"] += 1

        def refused(what: str, act: Any) -> None:
            try:
                act()
            except InputError:
                pass
            else:
                raise AssertionError(f"accepted: {what}")
            assert study.head == head, what

        requests()
        studies()
        assert Studies(study._ledger.store).names() == ["s"]
        return {**seen, "log unchanged": study.head == head, "sound": study.verify().ok}


if __name__ == "__main__":
    main()
