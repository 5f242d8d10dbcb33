"""What a bare installation is used for, and what it refuses; the results as a line of JSON.

test_bare.py has the Python of such an installation run this.
"""

import importlib
import importlib.util
import io
import json
import pkgutil
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import goodarm
from goodarm import cli
from goodarm.study.log.verify import verify_file

PACKAGES = ("matplotlib", "numba", "pandas", "polars", "scipy", "sqlalchemy")
OUTCOMES = (
    "bernoulli",
    "bounded:0:2",
    "exponential",
    "gaussian",
    "gaussian:1",
    "poisson",
    "symmetric",
)
VALUES = {"bernoulli": [1, 1, 0, 1, 1, 1]}
COMMANDS = (
    "simulate NoA1 --budget 20",
    "plan --means 0.2,0.9 --threshold 0.5 --outcome bernoulli --delta 0.1",
    "paper",
    "league --quick",
    "bench",
    "theory NoA1 --plot bounds.png",
    "study export life log.parquet",
    "study list --storage postgresql://nobody@localhost/x",
    "serve",
    "outcomes --kind yes-no --steady",
    "outcomes --kind yes-no --steady --json",
)


def modules_that_fail() -> list[str]:
    """Those of the package that cannot be imported here."""
    failed = []
    for found in pkgutil.walk_packages(goodarm.__path__, "goodarm.", onerror=failed.append):
        try:
            importlib.import_module(found.name)
        except Exception:
            failed.append(found.name)
    return failed


def limits(outcome: str) -> tuple[float, float]:
    """What outcomes prove of their mean."""
    values = VALUES.get(outcome, [1.1, 0.9, 1.4, 1.2, 0.8, 1.3, 1.0, 1.6])
    counts = [round(3 * value) for value in values] if outcome == "poisson" else values
    proved = goodarm.certificate(outcome, 0.5, counts)
    return -1e9 if proved.lower is None else proved.lower, proved.upper or 1e9


def a_life() -> goodarm.Study:
    """A study that has been asked and told for a while, kept in a file of this folder."""
    study = goodarm.Study.create("life", ["A", "B"], 0.5, goodarm.Bernoulli(), seed=1)
    for number in range(12):
        study.tell(study.ask(), int(number % 3 > 0))
    return study


def with_general_boundary() -> bool:
    """Whether the paper's family of boundaries can be used."""
    general = goodarm.Experiment(2, 0.5, 1.0, boundary="glr[s=1.4]", delta=0.1)
    general.tell(0, 1.0)
    return 0.0 <= general.confidence < 1.0


def command(words: str) -> tuple[int, str, str]:
    """What a command of goodarm comes to: its exit code, and what it writes."""
    out, err = io.StringIO(), io.StringIO()
    sys.argv = ["goodarm", *words.split()]
    with redirect_stdout(out), redirect_stderr(err):
        try:
            cli.main()
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
    return code, out.getvalue(), err.getvalue()


def refused(function: Any, *arguments: Any, **named: Any) -> str:
    """What a function says that cannot do its work here."""
    try:
        return f"done: {function(*arguments, **named)}"
    except goodarm.InputError as error:
        return str(error)


def main(golden: Path) -> None:
    """Everything, once."""
    from goodarm.plotting import new_panels

    study = a_life()
    result = {
        "importable": [name for name in PACKAGES if importlib.util.find_spec(name)],
        "not importable": modules_that_fail(),
        "golden logs": {path.stem: verify_file(path).ok for path in sorted(golden.glob("*.json"))},
        "limits": {outcome: limits(outcome) for outcome in OUTCOMES},
        "general boundary": with_general_boundary(),
        "runs of a forecast": study.forecast(0.05, runs=20, horizon=50).runs,
        "report": study.report("life.html").read_text("utf-8"),
        "shown": [repr(study), study._repr_html_()],
        "commands": {words: command(words) for words in COMMANDS},
        "functions": {
            "simulate": refused(goodarm.simulate, "NoA1", "APGAI", budget=20),
            "plan": refused(goodarm.plan, [0.2], threshold=0.5, outcome="bernoulli", delta=0.1),
            "plot": refused(study.plot),
            "plot_study": refused(goodarm.plot_study, study),
            "history": refused(lambda: study.history),
            "new_panels": refused(new_panels, ["one"]),
            "check_outcome": refused(goodarm.check_outcome, "bernoulli", 0.5),
        },
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
