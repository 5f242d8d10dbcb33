"""goodarm db …: look after the database that studies live in."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from goodarm.cli.options import AsJson
from goodarm.cli.output import print_json
from goodarm.cli.study.options import DEFAULT, Storage
from goodarm.cli.study.session import storage_errors

if TYPE_CHECKING:
    from goodarm.study.storage import Store

db = typer.Typer(help="Look after the database that studies live in.", no_args_is_help=True)


@db.command()
def backup(
    target: Annotated[
        str, typer.Argument(help="A new SQLite file, or the URL of an empty database.")
    ],
    storage: Storage = DEFAULT,
    as_json: AsJson = False,
) -> None:
    """Copy the whole database while others go on working. The copy is a database itself."""
    from goodarm.study.storage import open_store
    from goodarm.study.storage.backup import back_up

    with storage_errors():
        store = open_store(storage)
        copy = back_up(store, target)
    said = f"copied to {copy.target} (studies: {copy.studies}, events: {copy.events})"
    _say(copy.to_dict(), said, as_json)


@db.command()
def upgrade(
    backup_to: Annotated[
        str | None,
        typer.Option("--backup", help="Where the backup goes; default: beside the database."),
    ] = None,
    storage: Storage = DEFAULT,
    as_json: AsJson = False,
) -> None:
    """Bring an older database up to date, after a backup."""
    from goodarm.study.storage import open_store
    from goodarm.study.storage.backup import upgrade as bring_up_to_date

    with storage_errors():
        store = open_store(storage)
        copy = bring_up_to_date(store, backup_to or _beside(store))
    if copy is None:
        _say({"upgraded": False}, "the database is up to date", as_json)
        return
    said = f"upgraded from version {copy.version}; the backup is {copy.target}"
    _say({"upgraded": True, "backup": copy.to_dict()}, said, as_json)


@db.command()
def check(storage: Storage = DEFAULT, as_json: AsJson = False) -> None:
    """Check the database and every study in it. Exit code 1 if something is wrong."""
    from goodarm.study import Studies
    from goodarm.study.report.status_text import verification_text
    from goodarm.study.storage import open_store
    from goodarm.study.storage.backup import check_up

    with storage_errors():
        store = open_store(storage)
        studies = Studies(store)
        problems = check_up(store)
        audits = [studies.open(name).verify() for name in studies.names()]
    sound = not problems and all(audit.ok for audit in audits)
    data = {"ok": sound, "database": problems, "studies": [audit.to_dict() for audit in audits]}
    lines = [*problems, *(verification_text(audit) for audit in audits)]
    _say(data, "\n".join([*lines, "all is well" if sound else "something is wrong"]), as_json)
    if not sound:
        raise typer.Exit(1)


def _beside(store: "Store") -> Path:
    time = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    if store.path is not None:
        return store.path.with_name(f"{store.path.stem}-backup-{time}.db")
    return Path(f"{store.url.database}-backup-{time}.db")


def _say(data: dict[str, Any], said: str, as_json: bool) -> None:
    if as_json:
        print_json(data)
    else:
        print(said)
