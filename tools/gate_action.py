"""What action.yml runs: `goodarm gate` with the action's inputs, and its answer as outputs.

The inputs come as variables, and no shell sees them: each becomes one word of the command line, and
the command of the trials is split into words here. Exit codes are those of the gate.
"""

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

OPTIONS = (
    "bar",
    "delta",
    "arms",
    "parallel",
    "budget",
    "timeout",
    "value",
    "outcome",
    "goal",
    "on-error",
    "seed",
    "junit",
)
WRONG_USAGE = 2


def words(inputs: Mapping[str, str]) -> list[str]:
    """The words after `goodarm`."""
    given = {name: inputs.get(variable(name), "").strip() for name in OPTIONS}
    options = [f"--{name}={value}" for name, value in given.items() if value]
    return ["gate", "--json", *options, "--", *shlex.split(inputs[variable("command")])]


def variable(name: str) -> str:
    """Where an input is found."""
    return "GATE_" + name.upper().replace("-", "_")


def outputs(result: Mapping[str, object]) -> str:
    """The lines for GITHUB_OUTPUT; JSON in one line has no line breaks, nor have arms' names."""
    line = json.dumps(result)
    found = {"verdict": result["verdict"], "arm": result["arm"] or "", "trials": result["trials"]}
    return "".join(f"{name}={value}\n" for name, value in {**found, "json": line}.items())


def main() -> int:
    try:
        asked = words(os.environ)
    except ValueError as error:  # a quotation that does not end
        print(f"::error title=goodarm gate::command: {error}; check its quotation marks")
        return WRONG_USAGE
    goodarm = Path(sys.executable).with_name("goodarm")
    gate = subprocess.Popen([goodarm, *asked], stdout=subprocess.PIPE, text=True, encoding="utf-8")
    for number in (signal.SIGINT, signal.SIGTERM):  # the gate ends its trials, and reports
        signal.signal(number, lambda received, _: gate.send_signal(received))
    said, _ = gate.communicate()
    print(said, end="")
    target = os.environ.get("GITHUB_OUTPUT")
    if target and said.lstrip().startswith("{"):
        with Path(target).open("a", encoding="utf-8") as file:
            file.write(outputs(json.loads(said)))
    return gate.returncode


if __name__ == "__main__":
    sys.exit(main())
