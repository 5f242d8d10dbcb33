"""The reference of all commands and options, made from the commands themselves.

python tests/docs/command_reference.py writes it into docs/command-line.md.
"""

from collections.abc import Iterator
from pathlib import Path

import click
import typer
from rich.text import Text

PAGE = Path(__file__).parents[2] / "docs" / "command-line.md"
MARK = "<!-- made by tests/docs/command_reference.py -->"


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every command that does something, by the words that call it."""
    from goodarm.cli.app import app

    yield from _below("goodarm", typer.main.get_command(app))


def _below(words: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    children = getattr(command, "commands", None)
    if children is None:
        yield words, command
        return
    for name in command.list_commands(click.Context(command)):  # in the order of the help
        yield from _below(f"{words} {name}", children[name])


def section(words: str, command: click.Command) -> str:
    """One command: what it does, its arguments and options."""
    lines = [f"## `{words}`", "", (command.help or "").strip(), ""]
    # Asked for in this way, a command spells out what it looks up only when it is needed.
    parameters = command.get_params(click.Context(command))
    rows = [row for row in map(_row, parameters) if row]
    if rows:
        lines += ["| option or argument | meaning |", "| --- | --- |", *rows, ""]
    return "\n".join(lines)


def _row(parameter: click.Parameter) -> str | None:
    if getattr(parameter, "hidden", False) or "--help" in parameter.opts:
        return None
    names = [*parameter.opts, *parameter.secondary_opts]
    if parameter.param_type_name == "argument":
        names = [(parameter.metavar or parameter.name or "").upper()]
    meaning = Text.from_markup(getattr(parameter, "help", None) or "").plain
    for character in "|[":  # which would end a cell, or begin a link
        meaning = meaning.replace(character, f"\\{character}")
    variable = getattr(parameter, "envvar", None)
    if variable:
        meaning += f" Also from the variable `{variable}`."
    if parameter.required and parameter.param_type_name == "option":
        meaning += " Required."
    return f"| {', '.join(f'`{name}`' for name in names)} | {meaning.strip()} |"


def reference() -> str:
    """All sections."""
    return "\n".join(section(words, command) for words, command in commands())


def main() -> None:
    text = PAGE.read_text(encoding="utf-8")
    before = text.split(MARK)[0]
    PAGE.write_text(f"{before}{MARK}\n\n{reference().rstrip()}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
