"""Backups that are databases themselves, upgrades that make one first, and a check-up."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from goodarm.errors import InputError
from goodarm.study.errors import StorageError
from goodarm.study.storage.dialects import dialect_of
from goodarm.study.storage.schema import NEWEST, VERSION_TABLE, VERSIONS, migrate, version
from goodarm.study.storage.store import Store

ROWS_AT_ONCE = 5_000  # rows copied by one statement


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

    Others may go on writing. A file is copied as a whole, between kinds of databases every row is:
    that is also how studies move to a server and back.
    """
    copy = Store(target)
    present = _known_version(store)
    if copy.path is not None and copy.path.exists():
        raise InputError(f"backup: {str(copy.path)!r} exists already; give another name")
    if not _copy_file(store, copy):
        copy.prepare_empty(present)
        store.attempt(lambda source: _copy_rows(source, copy), snapshot=True)
    counts = copy.attempt(_count)
    copy.close()
    return Backup(str(copy), present, *counts)


def upgrade(store: Store, backup: str | Path) -> Backup | None:
    """Bring the tables to the newest version, after a backup; None if they had it already."""
    present = _known_version(store)
    if present == NEWEST:
        return None
    if present not in VERSIONS:
        raise StorageError(
            f"the database has schema version {present}, made by a newer goodarm; install that one"
        )
    copy = back_up(store, backup)
    store.attempt(migrate, writes=True)
    return copy


def check_up(store: Store) -> list[str]:
    """What is wrong with the database apart from its studies; empty if nothing is."""
    return store.attempt(_check_up)


def _check_up(connection: sa.Connection) -> list[str]:
    dialect = dialect_of(connection)
    present = dialect.triggers(connection)
    return dialect.examine(connection) + [
        f"the trigger {name} is missing: the log could be changed unnoticed until it is verified"
        for name in sorted(dialect.guards)
        if name not in present
    ]


def _known_version(store: Store) -> str:
    store.check_file()
    present = store.attempt(version)
    if present is None:
        raise StorageError(f"{store} holds no studies")
    return present


def _copy_file(store: Store, copy: Store) -> bool:
    """Whether the database could be copied in one go."""
    if copy.path is None or copy.dialect is not store.dialect:
        return False
    source = store.raw()
    try:
        return store.dialect.copy_file(source, copy.path)
    finally:
        source.close()


def _copy_rows(source: sa.Connection, copy: Store) -> None:
    tables = sa.MetaData()
    tables.reflect(source, only=lambda name, _: name.startswith("goodarm_"))

    def write(target: sa.Connection) -> None:
        for table in tables.sorted_tables:
            if table.name == VERSION_TABLE:
                continue
            rows = source.execute(sa.select(table).order_by(*table.primary_key))
            while batch := rows.fetchmany(ROWS_AT_ONCE):
                target.execute(table.insert(), [dict(row._mapping) for row in batch])
        dialect_of(target).finish_copy(target)

    copy.attempt(write, writes=True)


def _count(connection: sa.Connection) -> tuple[int, int]:
    studies = connection.exec_driver_sql("SELECT COUNT(*) FROM goodarm_studies").scalar_one()
    events = connection.exec_driver_sql("SELECT COUNT(*) FROM goodarm_events").scalar_one()
    return int(studies), int(events)
