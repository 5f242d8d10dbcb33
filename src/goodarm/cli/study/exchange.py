"""goodarm study export, report, import: what goes into files, and what comes from them."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from goodarm.cli.options import AsJson
from goodarm.cli.study.options import DEFAULT, By, Name, Simultaneous, Storage, Sure
from goodarm.cli.study.session import opened_study, say, surely, table_text, with_progress
from goodarm.errors import InputError
from goodarm.showing.page import path_of_page

CSV = "csv"


def export(
    name: Name,
    path: Annotated[Path, typer.Argument(help="A new file: .csv, .json or .parquet.")],
    storage: Storage = DEFAULT,
    as_json: AsJson = False,
) -> None:
    """Write the whole log to a file."""
    with opened_study(name, storage) as study:
        study.export(path)
        say(study, {"path": str(path)}, f"wrote {path}", as_json)


def report(
    name: Name,
    out: Annotated[Path, typer.Option(help="The HTML file; one that is there is replaced.")],
    simultaneous: Simultaneous = False,
    storage: Storage = DEFAULT,
    as_json: AsJson = False,
) -> None:
    """Write a page that can be sent to others: question, answer, pictures, how to check it.

    The file needs nothing else: no network, no scripts.
    """
    path_of_page("out", out)
    with opened_study(name, storage) as study:
        written = study.report(out, simultaneous)
        say(study, {"path": str(written)}, f"wrote {written}", as_json)


def import_outcomes(
    name: Name,
    path: Annotated[
        Path,
        typer.Argument(
            help="CSV: arm or trial; value, or the model's columns such as successes, trials; "
            "maybe at, note. Or a file of another tool, see --format."
        ),
    ],
    form: Annotated[
        str,
        typer.Option(
            "--format",
            help="csv, promptfoo (results.json or .jsonl) or lm-eval (samples_TASK_DATE.jsonl).",
        ),
    ] = CSV,
    pick: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            help="Which of several, for --format: metric=acc, filter=strict-match, arm=both.",
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(help="Where they come from; default: the file, by its name and folder."),
    ] = None,
    sure: Sure = False,
    storage: Storage = DEFAULT,
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """Enter past outcomes, which all count at the same moment.

    A line of the same source counts once.
    """
    from goodarm.study import Study

    if form == CSV:
        if pick:
            raise InputError("pick: a CSV file leaves nothing open; name its --format")
        work = partial(Study.import_csv, path=path)
    else:
        from goodarm.integrations.formats import read_results

        work = partial(Study.import_results, results=read_results(form, path, pick or ()))
    with opened_study(name, storage, by) as study:
        done = surely(
            lambda sure: with_progress(lambda p: work(study, source=source, sure=sure, progress=p)),
            sure,
        )
        say(study, done._asdict(), table_text(done), as_json)
