"""What the commands share that make trials by running a command."""

from typing import Annotated

import typer

Words = Annotated[
    list[str],
    typer.Argument(
        metavar="COMMAND",
        help="What makes a trial, after --; {arm}, {trial} and {seed} in it are filled in, and "
        "there is no shell.",
    ),
]
Parallel = Annotated[int, typer.Option(help="Trials that run at the same time.")]
Timeout = Annotated[
    float | None, typer.Option(help="Seconds that a trial may take; longer is an error.")
]
Value = Annotated[
    str,
    typer.Option(
        help="Where the outcome is: exit (code 0 success, 1 failure), stdout (its last line), "
        "json:PATH (in its output, such as json:results.0.score; of several measurements, an "
        "object with a number for each), file:PATH."
    ),
]
OnError = Annotated[
    str,
    typer.Option(
        help="A trial without an outcome (a crash, a timeout, no number): fail counts it as "
        "the worst outcome, retry:N makes it again, stop ends with exit code 4."
    ),
]
