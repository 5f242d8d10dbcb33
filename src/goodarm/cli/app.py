"""The commands and their order in the help."""

from typing import Annotated

import typer

from goodarm import __version__
from goodarm.cli.bench import bench
from goodarm.cli.certify import certify
from goodarm.cli.db import db
from goodarm.cli.league import league
from goodarm.cli.listing import listing
from goodarm.cli.outcome_command import OutcomeCommand
from goodarm.cli.paper import paper
from goodarm.cli.plan import plan
from goodarm.cli.serve import serve
from goodarm.cli.simulate import simulate
from goodarm.cli.study import study
from goodarm.cli.theory import TheoryCommand, theory
from goodarm.cli.token import token

app = typer.Typer(
    name="goodarm",
    help="Find an option that clears the bar, or learn that none does, with few noisy trials.",
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


app.command("plan", cls=OutcomeCommand)(plan)
app.add_typer(study, name="study")
app.command("certify", cls=OutcomeCommand)(certify)
app.command("serve")(serve)
app.add_typer(token, name="token")
app.command("simulate", cls=OutcomeCommand)(simulate)
app.command("theory", cls=TheoryCommand)(theory)
app.command("paper")(paper)
app.command("league")(league)
app.add_typer(listing, name="list")
app.add_typer(db, name="db")
app.command("bench")(bench)
