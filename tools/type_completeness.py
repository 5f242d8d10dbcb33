"""How much of the package's interface a type checker knows, as pyright counts it.

Fails below LEAST, in percent. Raise it when the share grows; it must not fall.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

LEAST = 91.0
SHOWN = 20


def report() -> dict:
    """What `pyright --verifytypes` says of the installed package."""
    binaries = Path(sys.executable).parent  # not resolved: it would leave the environment
    environment = dict(os.environ, VIRTUAL_ENV=str(binaries.parent))
    environment["PATH"] = f"{binaries}{os.pathsep}{environment['PATH']}"
    command = ["pyright", "--verifytypes", "goodarm", "--ignoreexternal", "--outputjson"]
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, cwd=binaries.parent
    )
    try:
        return json.loads(done.stdout)["typeCompleteness"]
    except (json.JSONDecodeError, KeyError):
        sys.exit(f"pyright said nothing that can be read:\n{done.stdout}{done.stderr}")


def main() -> None:
    found = report()
    share = 100 * found["completenessScore"]
    print(f"{share:.1f} % of the interface has known types; at least {LEAST:g} % are wanted")
    if found["packageName"] != "goodarm" or not found.get("pyTypedPath"):
        sys.exit("py.typed was not found")
    if share < LEAST:
        vague = [symbol["name"] for symbol in found["symbols"] if not symbol["isTypeKnown"]]
        sys.exit("\n".join([f"{len(vague)} are not, among them:", *vague[:SHOWN]]))


if __name__ == "__main__":
    main()
