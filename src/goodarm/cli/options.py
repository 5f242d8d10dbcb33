"""Options and arguments that several commands share: one name, one meaning, one help text."""

from typing import Annotated

import typer

Instance = Annotated[
    str, typer.Argument(help="A name (goodarm list instances), TwoG:50:15, or a file.")
]
Algorithms = Annotated[
    list[str] | None,
    typer.Option("--algorithm", "-a", help="An algorithm; may be given several times."),
]
Threshold = Annotated[float | None, typer.Option(help="Replace the instance's threshold.")]
Seed = Annotated[int, typer.Option(help="The seed of all random numbers.")]
Threads = Annotated[int | None, typer.Option(help="Threads; all cores by default.")]
Device = Annotated[str, typer.Option(help="cpu, or cuda for a GPU.")]
Fresh = Annotated[bool, typer.Option("--fresh", help="Do not use what earlier runs have finished.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
