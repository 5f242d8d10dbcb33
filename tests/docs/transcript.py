"""Runs the commands and programs on a page, in order, in one folder; can write their output in.

    python tests/docs/transcript.py docs/first-study.md

writes what each `$ goodarm …` printed below it. Hashes are left out: they differ every time.
"""

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from typer.testing import CliRunner

BLOCK = re.compile(r"```(console|python)\n(.*?)```", re.DOTALL)


def outputs(page: str) -> Iterator[tuple[str, str, str]]:
    """Every block of the page as (kind, as it is, as it comes out when it is run)."""
    from goodarm.cli.app import app

    runner = CliRunner(env={"COLUMNS": "120"})  # whatever the terminal is
    # Compiled code that was cached on disk looks its functions' module up by name.
    program = sys.modules["documentation_page"] = ModuleType("documentation_page")
    for block in BLOCK.finditer(page):
        kind, text = block.groups()
        if kind == "python":
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(text, "page", "exec"), program.__dict__)
            yield kind, text, text
            continue
        lines = []
        for line in text.splitlines():
            if line.startswith("$ goodarm "):
                done = runner.invoke(app, shlex.split(line)[2:], catch_exceptions=False)
                printed = [out.rstrip() for out in done.stdout.splitlines()]
                lines += [line, *(out for out in printed if not out.lstrip().startswith("head "))]
        yield kind, text, "\n".join(lines).rstrip() + "\n"


def rewrite(path: Path) -> None:
    """Put the present output into the page."""
    page = path.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        os.environ.pop("GOODARM_STORAGE", None)
        blocks = iter(list(outputs(page)))
    fresh = BLOCK.sub(lambda m: f"```{m[1]}\n{next(blocks)[2]}```", page)
    path.write_text(fresh, encoding="utf-8")


if __name__ == "__main__":
    rewrite(Path(sys.argv[1]).resolve())
