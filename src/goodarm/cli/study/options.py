"""Options and arguments that several study commands share."""

from typing import Annotated

import typer

from goodarm import defaults

DEFAULT = defaults.STORAGE

Storage = Annotated[
    str,
    typer.Option(
        envvar="GOODARM_STORAGE",
        help="The database: a file, sqlite:///file, or postgresql+psycopg://user@host/db.",
    ),
]
Name = Annotated[str, typer.Argument(metavar="STUDY", help="The study's name.")]
Number = Annotated[int, typer.Argument(metavar="TRIAL", help="The trial's number.")]
MaybeNumber = Annotated[int | None, typer.Argument(metavar="[TRIAL]", help="The trial's number.")]
Size = Annotated[
    float | None,
    typer.Option(
        "--size", help="What the value is out of, where the outcome model has that: 37 of 1000."
    ),
]
Exposure = Annotated[
    float | None,
    typer.Option("--exposure", help="The time, area or number of cases of a count of events."),
]
Simultaneous = Annotated[
    bool,
    typer.Option("--simultaneous", help="Limits that hold for all arms and both sides at once."),
]
Reason = Annotated[str, typer.Option(help="Why; kept in the log.")]
MaybeReason = Annotated[str | None, typer.Option("--reason", help="Why; kept in the log.")]
Key = Annotated[
    str | None, typer.Option(help="Repeating a request with the same key changes nothing.")
]
By = Annotated[
    str | None, typer.Option(envvar="GOODARM_BY", help="Who is doing this; default: the login.")
]
Sure = Annotated[
    bool,
    typer.Option(
        "--sure", help="Record it even if the declared outcome model makes it very unlikely."
    ),
]
