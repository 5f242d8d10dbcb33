"""goodarm study seal, verify: what to keep elsewhere, and whether the log is what it was."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goodarm.cli.options import AsJson
from goodarm.cli.output import print_json
from goodarm.cli.study.options import DEFAULT, Name, Storage
from goodarm.cli.study.session import opened_study
from goodarm.errors import InputError

if TYPE_CHECKING:
    from goodarm.study import Verification
    from goodarm.study.timestamps import Timestamp


def seal(
    name: Name,
    timestamp_request: Annotated[
        Path | None,
        typer.Option(help="A new file, to be sent to a timestamp authority (RFC 3161)."),
    ] = None,
    storage: Storage = DEFAULT,
    as_json: AsJson = False,
) -> None:
    """Print the study's head with its name, number of events and the time, to be kept elsewhere.

    Mail it or print it: `verify --seal` shows later that nothing up to there was changed.
    """
    from goodarm.study.log.export import write_new
    from goodarm.study.timestamps import timestamp_request as request_for

    with opened_study(name, storage) as study:
        sealed = study.seal()
    if timestamp_request is not None:
        write_new(timestamp_request, request_for(sealed.head))
    if as_json:
        print_json(sealed.to_dict())
    else:
        print(sealed.text())


def verify(
    name: Name,
    head: Annotated[
        str | None, typer.Option(help="A head hash noted earlier: was the end cut off?")
    ] = None,
    seal: Annotated[
        Path | None, typer.Option(help="A file with the output of `study seal`; likewise.")
    ] = None,
    timestamp: Annotated[
        Path | None, typer.Option(help="A timestamp authority's answer; likewise.")
    ] = None,
    authority: Annotated[
        Path | None, typer.Option(help="The certificates (PEM) of whom to trust for --timestamp.")
    ] = None,
    storage: Storage = DEFAULT,
    as_json: AsJson = False,
) -> None:
    """Audit the log: derive everything anew. STUDY may be a JSON export. Exit code 1 if wrong."""
    from goodarm import files

    stamped = _timestamp(timestamp, authority)
    if stamped is not None and head not in (None, stamped.head):
        raise InputError("head: the timestamp is of another one; give one of the two")
    noted = head if stamped is None else stamped.head
    text = None if seal is None else files.read_text(seal)
    if name.endswith(".json") and Path(name).is_file():
        from goodarm.study.log.verify import verify_file

        audit = verify_file(Path(name), noted, text)
    else:
        with opened_study(name, storage) as study:
            audit = study.verify(noted, text)
    _say(audit, stamped, as_json)
    if not audit.ok:
        raise typer.Exit(1)


def _timestamp(response: Path | None, authority: Path | None) -> "Timestamp | None":
    if (response is None) != (authority is None):
        raise InputError("timestamp: give --timestamp and --authority, both or neither")
    if response is None or authority is None:
        return None
    from goodarm.study.timestamps import read_timestamp

    return read_timestamp(response, authority)


def _say(audit: "Verification", stamped: "Timestamp | None", as_json: bool) -> None:
    if as_json:
        print_json(audit.to_dict() | ({"timestamp": stamped.to_dict()} if stamped else {}))
        return
    from goodarm.cli.tables import console
    from goodarm.study.report.status_text import SCREEN_WIDTH, verification_text
    from goodarm.wording import printable

    if stamped is not None:
        print(printable(f"timestamp of {stamped.time} by {stamped.authority}"))
    print(verification_text(audit, min(console().width, SCREEN_WIDTH)))
