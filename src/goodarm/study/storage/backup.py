"""Backups that are databases themselves, upgrades that make one first, and a check-up."""

import os
import sqlite3
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from goodarm.errors import InputError
from goodarm.study.errors import StorageError
from goodarm.study.storage.schema import NEWEST, VERSION_TABLE, VERSIONS, migrate, version
from goodarm.study.storage.store import Store

TRIGGERS = {
    "sqlite": (
        "goodarm_events_in_turn",
        "goodarm_events_no_delete",
        "goodarm_events_no_update",
        "goodarm_studies_no_delete",
        "goodarm_studies_no_update",
    ),
    "postgresql": (
        "goodarm_events_in_turn",
        "goodarm_events_no_change",
        "goodarm_studies_no_change",
    ),
}
AT_ONCE = 5_000  # rows copied by one statement


@dataclass(frozen=True)
class Backup:
    """A copy of a database, and what is in it."""

    target: str
    version: str
    studies: int
    events: int

    def to_dict(self) -> dict[str, Any]:
        """The backup as plain data."""
        return asdict(self)


def back_up(store: Store, target: str | Path) -> Backup:
    """Copy the whole database, as it is at one moment, into a new one: a file or a URL.

    Others may go on writing. A SQLite file is copied page by page; everything else row by row,
    so a copy to or from PostgreSQL is also how studies move there and back.
    """
    copy = Store(target)
    found = _known_version(store)
    if copy.path is not None and copy.path.exists():
        raise InputError(f"backup: {str(copy.path)!r} exists already; give another name")
    if store.path is not None and copy.path is not None:
        _copy_file(store, copy.path)
    else:
        copy.prepare_empty(found)
        store.attempt(lambda source: _copy_rows(source, copy), snapshot=True)
    counts = copy.attempt(_count)
    copy.close()
    return Backup(str(copy), found, *counts)


def upgrade(store: Store, backup: str | Path) -> Backup | None:
    """Bring the tables to the newest version, after a backup; None if they had it already."""
    found = _known_version(store)
    if found == NEWEST:
        return None
    if found not in VERSIONS:
        raise StorageError(
            f"the database has schema version {found}, made by a newer goodarm; install that one"
        )
    made = back_up(store, backup)
    store.attempt(migrate, writes=True)
    return made


def check_up(store: Store) -> list[str]:
    """What is wrong with the database apart from its studies; empty if nothing is."""
    return store.attempt(_check_up)


def _check_up(connection: sa.Connection) -> list[str]:
    problems: list[str] = []
    kind = connection.dialect.name
    if kind == "sqlite":
        for pragma in ("integrity_check", "foreign_key_check"):
            rows = [tuple(row) for row in connection.exec_driver_sql(f"PRAGMA {pragma}")]
            problems += [f"{pragma}: {row}" for row in rows if row != ("ok",)]
        names = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    else:
        names = "SELECT tgname FROM pg_trigger WHERE tgenabled <> 'D'"
    present = set(connection.exec_driver_sql(names).scalars())
    return problems + [
        f"the trigger {name} is missing: the log could be changed unnoticed until it is verified"
        for name in TRIGGERS[kind]
        if name not in present
    ]


def _known_version(store: Store) -> str:
    store.check_place()
    found = store.attempt(version)
    if found is None:
        raise StorageError(f"{store} holds no studies")
    return found


def _copy_file(store: Store, target: Path) -> None:
    part = target.with_name(target.name + ".part")
    source = store.raw()
    try:
        copy = sqlite3.connect(part)
        try:
            driver = source.connection.driver_connection
            assert isinstance(driver, sqlite3.Connection)
            driver.backup(copy)
            if copy.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                raise StorageError(f"the copy {str(part)!r} is damaged; try again")
        finally:
            copy.close()
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        os.link(part, target)  # unlike a renaming, this never replaces a file
    except (OSError, sqlite3.Error) as error:
        raise StorageError(f"cannot write the backup {str(target)!r}: {error}") from None
    finally:
        source.close()
        part.unlink(missing_ok=True)


def _copy_rows(source: sa.Connection, copy: Store) -> None:
    tables = sa.MetaData()
    tables.reflect(source, only=lambda name, _: name.startswith("goodarm_"))

    def write(target: sa.Connection) -> None:
        for table in tables.sorted_tables:
            if table.name == VERSION_TABLE:
                continue
            rows = source.execute(sa.select(table).order_by(*table.primary_key))
            while batch := rows.fetchmany(AT_ONCE):
                target.execute(table.insert(), [dict(row._mapping) for row in batch])
        if target.dialect.name == "postgresql":
            target.exec_driver_sql(
                "SELECT setval(pg_get_serial_sequence('goodarm_studies', 'id'),"
                " (SELECT COALESCE(MAX(id), 1) FROM goodarm_studies))"
            )

    copy.attempt(write, writes=True)


def _count(connection: sa.Connection) -> tuple[int, int]:
    studies = connection.exec_driver_sql("SELECT COUNT(*) FROM goodarm_studies").scalar_one()
    events = connection.exec_driver_sql("SELECT COUNT(*) FROM goodarm_events").scalar_one()
    return int(studies), int(events)
