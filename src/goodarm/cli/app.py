"""The commands: which there are, whom they are for, and their order in the help."""

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from goodarm import __version__
from goodarm.cli.bench import bench
from goodarm.cli.certify import certify
from goodarm.cli.db import db
from goodarm.cli.gate import GateCommand, gate
from goodarm.cli.league import league
from goodarm.cli.listing import listing
from goodarm.cli.mcp import mcp
from goodarm.cli.outcome_command import OutcomeCommand
from goodarm.cli.outcomes import outcomes
from goodarm.cli.paper import paper
from goodarm.cli.plan import plan
from goodarm.cli.serve import serve
from goodarm.cli.simulate import simulate
from goodarm.cli.study import study
from goodarm.cli.theory import TheoryCommand, theory
from goodarm.cli.token import token
from goodarm.extras import LAB, MCP, WEB, needs


class CommandEntry(NamedTuple):
    """A command, or several under one name, in the help's panel for the people it is for.

    One that cannot do anything without an extra names it.
    """

    name: str
    panel: str
    command: Callable[..., None] | typer.Typer
    parser: type[TyperCommand] | None = None
    extra: str | None = None


EXPERIMENTING = "Run an experiment"
SHARING = "Share it: web page and database"
SIMULATING = "Simulate and study algorithms"
COMMANDS = (
    CommandEntry("plan", EXPERIMENTING, plan, OutcomeCommand, LAB),
    CommandEntry("study", EXPERIMENTING, study),
    CommandEntry("certify", EXPERIMENTING, certify, OutcomeCommand),
    CommandEntry("gate", EXPERIMENTING, gate, GateCommand),
    CommandEntry("outcomes", EXPERIMENTING, outcomes),
    CommandEntry("serve", SHARING, serve, extra=WEB),
    CommandEntry("mcp", SHARING, mcp, extra=MCP),
    CommandEntry("token", SHARING, token),
    CommandEntry("db", SHARING, db),
    CommandEntry("simulate", SIMULATING, simulate, OutcomeCommand, LAB),
    CommandEntry("theory", SIMULATING, theory, TheoryCommand),
    CommandEntry("paper", SIMULATING, paper, extra=LAB),
    CommandEntry("league", SIMULATING, league, extra=LAB),
    CommandEntry("list", SIMULATING, listing),
    CommandEntry("bench", SIMULATING, bench, extra=LAB),
)


class InOrder(TyperGroup):
    """Lists the commands as above; by itself, typer puts groups of commands last."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names in the order of the table."""
        return [entry.name for entry in COMMANDS]


app = typer.Typer(
    name="goodarm",
    cls=InOrder,
    help="Find an option (an arm) that clears the bar, or learn that none does, with few noisy "
    "trials.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"goodarm {__version__}")
        raise typer.Exit


@app.callback()
def _goodarm(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    pass


for entry in COMMANDS:
    if isinstance(entry.command, typer.Typer):
        app.add_typer(entry.command, name=entry.name, rich_help_panel=entry.panel)
    else:
        ask_first = needs(entry.extra, entry.name) if entry.extra else lambda command: command
        command = ask_first(entry.command)
        app.command(entry.name, cls=entry.parser, rich_help_panel=entry.panel)(command)
