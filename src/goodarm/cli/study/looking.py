"""goodarm study status, forecast, list."""

from typing import Annotated

import typer

from goodarm.cli.options import AsJson
from goodarm.cli.output import print_json
from goodarm.cli.study.options import DEFAULT, Name, Simultaneous, Storage
from goodarm.cli.study.session import opened_study, storage_errors
from goodarm.wording import NOTHING, confidence, printable


def status(
    name: Name,
    simultaneous: Simultaneous = False,
    storage: Storage = DEFAULT,
    as_json: AsJson = False,
) -> None:
    """The answer, the evidence and how far it must go, the next suggestion."""
    with opened_study(name, storage) as study:
        now = study.status(simultaneous)
    if as_json:
        print_json(now.to_dict())
        return
    from goodarm.cli.tables import console
    from goodarm.study.report.status_text import SCREEN_WIDTH, picture

    print(picture(now, min(console().width, SCREEN_WIDTH)))


def forecast(
    name: Name,
    delta: Annotated[float | None, typer.Option(help="For this δ, not the study's own.")] = None,
    runs: Annotated[int, typer.Option(help="How many futures to play.")] = 100,
    horizon: Annotated[
        int | None,
        typer.Option(help="Trials per future at most; without it, as far as can be computed."),
    ] = None,
    storage: Storage = DEFAULT,
    as_json: AsJson = False,
) -> None:
    """How many more trials until the study may stop."""
    with opened_study(name, storage) as study:
        expected = study.forecast(delta, runs, horizon)
    if as_json:
        print_json(expected.to_dict())
        return
    from goodarm.study.report.status_text import forecast_text

    print(forecast_text(expected))


def list_studies(
    search: Annotated[str | None, typer.Argument(help="A part of the name.")] = None,
    tag: Annotated[str | None, typer.Option(help="Only those that have this tag.")] = None,
    archived: Annotated[
        bool, typer.Option("--archived", help="Those that were put away, instead of the others.")
    ] = False,
    storage: Storage = DEFAULT,
    as_json: AsJson = False,
) -> None:
    """All studies and how they stand."""
    from goodarm.study import Studies

    with storage_errors():
        summaries = Studies(storage).list(search, tag=tag, archived=archived)
    if as_json:
        print_json([summary.to_dict() for summary in summaries])
        return
    from rich.text import Text

    from goodarm.cli.tables import console, table

    columns = ["name", "state", "answer", "confidence", "trials", "pending", "head"]
    listing = table("Studies", columns, 3)
    for summary in summaries:
        answer = NOTHING if summary.answer is None else printable(summary.answer)
        listing.add_row(
            Text("\n".join([printable(summary.name), *map(printable, summary.tags)])),
            summary.state,
            Text(answer),
            confidence(summary.confidence),
            str(summary.told),
            str(summary.open),
            summary.head[:12],
        )
    console().print(listing)
