"""Thousands of bad inputs: each must be refused with a clear error and leave the log as it was.

python bench/study_fuzz.py [--inputs 10000]
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "study"))

from bad_input import bad_requests, bad_studies

from goodarm.errors import InputError
from goodarm.study import Bernoulli, Studies, Study


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=10_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        study = Study.create("s", ["A", "B"], 0.5, Bernoulli(), storage=f"{folder}/s.db", seed=1)
        study.tell(study.ask(4)[0], 1)
        head, seen = study.head, Counter[str]()
        many = settings(
            max_examples=options.inputs // 2 + 1,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate],
            database=None,
            deadline=None,
        )

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
        print(json.dumps({**seen, "log unchanged": study.head == head, "sound": study.verify().ok}))


if __name__ == "__main__":
    main()
