"""The help: what people come for is first, nothing in it is swallowed or cut, and it is fast."""

import subprocess
import sys

import pytest
import typer
from rich.text import Text
from typer.testing import CliRunner

from goodarm.cli.app import COMMANDS, app


def every_command(command=None, words=()):
    """Every command and group of commands by the words that call it."""
    command = command or typer.main.get_command(app)
    yield " ".join(words), command
    for name, child in getattr(command, "commands", {}).items():
        yield from every_command(child, (*words, name))


EVERY = dict(every_command())


def test_commands_are_ordered_by_whom_they_are_for() -> None:
    said = CliRunner().invoke(app, ["--help"]).stdout
    names = [entry.name for entry in COMMANDS]
    starts = [said.index(f"│ {name} ") for name in names]
    assert starts == sorted(starts)
    assert names[:3] == ["plan", "study", "certify"]
    assert set(names) == set(typer.main.get_command(app).commands)
    assert said.index("Run an experiment") < said.index("│ plan ")


@pytest.mark.parametrize("words", EVERY)
@pytest.mark.parametrize("width", [80, 60])
def test_nothing_is_cut(words: str, width: int) -> None:
    done = CliRunner().invoke(app, [*words.split(), "--help"], env={"COLUMNS": str(width)})
    assert done.exit_code == 0
    assert max(len(line) for line in done.stdout.splitlines()) <= width
    if width == 80:
        assert "…" not in done.stdout


@pytest.mark.parametrize("words", EVERY)
def test_no_help_is_taken_for_markup(words: str) -> None:
    """Square brackets are swallowed unless they are escaped, and `:100:` becomes a picture."""
    command = EVERY[words]
    texts = [command.help, *(getattr(parameter, "help", "") for parameter in command.params)]
    for text in filter(None, texts):
        assert Text.from_markup(text).plain == text.replace("\\[", "[")


def test_every_boundary_is_in_the_help() -> None:
    said = " ".join(CliRunner().invoke(app, ["simulate", "--help"]).stdout.split())
    assert "glr-tables, glr[s=S], kano" in said
    assert "TwoG:50:15" in said


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_load_nothing_heavy(option: str) -> None:
    program = (
        "import sys; from goodarm.cli import main\n"
        "try: main()\n"
        "except SystemExit: print(*sys.modules, file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, option], capture_output=True, text=True)
    assert done.stdout
    heavy = {"numpy", "numba", "scipy", "matplotlib", "sqlalchemy", "polars", "fastapi", "pandas"}
    assert not heavy & set(done.stderr.split())
