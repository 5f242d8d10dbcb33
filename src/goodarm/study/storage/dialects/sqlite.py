"""SQLite: a database in a file, for any number of processes on one machine."""

import os
import random
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import URL

from goodarm.errors import InputError
from goodarm.study.errors import StorageError
from goodarm.study.storage.dialects.contract import (
    GUARDED,
    MISNAMED,
    MOST_CONNECTIONS,
    OUT_OF_TURN,
    REFUSAL,
    UNKNOWN,
    Dialect,
    Insert,
    Trouble,
)

BUSY_MS = 10_000
PRAGMAS: dict[str, str | int] = {
    # A crash of the machine loses nothing that was acknowledged: the log is synced at each commit.
    "journal_mode": "wal",
    "synchronous": 2,
    "foreign_keys": 1,
    "busy_timeout": BUSY_MS,
}
LOOK_AGAIN = (0.0005, 0.003)  # seconds between two attempts to take the lock
MEMORY = (None, "", ":memory:")
READ_ONLY = (
    "the database can only be read, because the file or its folder is write-protected; nothing was "
    "recorded. Have it opened for writing, or copy it with `goodarm db backup` and write to the "
    "copy"
)
TROUBLES = {
    sqlite3.SQLITE_BUSY: Trouble(True, "the database is locked by another program"),
    sqlite3.SQLITE_LOCKED: Trouble(True, "the database is locked by another program"),
    sqlite3.SQLITE_FULL: Trouble(False, "the disk is full; nothing was recorded"),
    sqlite3.SQLITE_IOERR: Trouble(False, "the disk cannot be written or read, or is full{unknown}"),
    sqlite3.SQLITE_READONLY: Trouble(False, READ_ONLY),
    sqlite3.SQLITE_CANTOPEN: Trouble(
        False, "the database file cannot be opened; is its folder write-protected?"
    ),
    sqlite3.SQLITE_CORRUPT: Trouble(False, "the database file is damaged; restore a backup"),
    sqlite3.SQLITE_NOTADB: Trouble(False, "the file is not a SQLite database"),
}
_REFUSE = f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
_NAME_IN_LOG = (
    "(SELECT json_extract(text, '$.body.name') FROM goodarm_events WHERE study_id = OLD.id"
    " AND kind IN ('created', 'renamed') ORDER BY seq DESC LIMIT 1)"
)


class SQLite(Dialect):
    """A file. Writers take turns; each begins by taking the lock on the whole database."""

    name = "sqlite"
    driver = "sqlite"
    example = "sqlite:///studies.db"
    has_one_writer = True
    guards: ClassVar[Mapping[str, str]] = {
        **{
            f"{table}_no_{action.lower()}": (
                f"CREATE TRIGGER {table}_no_{action.lower()} BEFORE {action} ON {table} {_REFUSE}"
            )
            for table, action in (*((table, "DELETE") for table in GUARDED), (GUARDED[0], "UPDATE"))
        },
        "goodarm_studies_only_renamed": (
            "CREATE TRIGGER goodarm_studies_only_renamed BEFORE UPDATE ON goodarm_studies "
            "WHEN NEW.id IS NOT OLD.id OR NEW.uuid IS NOT OLD.uuid "
            f"OR NEW.name IS NOT {_NAME_IN_LOG} BEGIN SELECT RAISE(ABORT, '{MISNAMED}'); END"
        ),
        "goodarm_events_in_turn": (
            "CREATE TRIGGER goodarm_events_in_turn BEFORE INSERT ON goodarm_events "
            f"WHEN {OUT_OF_TURN} {_REFUSE}"
        ),
    }

    def check_url(self, url: URL) -> URL:
        """The URL with an absolute path: connections are opened later, from whatever folder."""
        if url.database in MEMORY or ":memory:" in str(url.database):
            raise InputError(
                "storage: a database in memory is gone with the process; give a file, or use "
                "goodarm.Experiment, which keeps nothing"
            )
        return url.set(database=str(Path(str(url.database)).absolute()))

    def path(self, url: URL) -> Path | None:
        """The file."""
        return Path(str(url.database))

    def engine(self, url: URL) -> sa.Engine:
        """An engine for the file; one that may not be written is opened for reading alone."""
        options = {"connect_args": {"timeout": BUSY_MS / 1000}}
        way_in = _way_into_protected(Path(str(url.database)))
        if way_in is None:
            engine = sa.create_engine(url, max_overflow=MOST_CONNECTIONS, **options)
            event.listen(engine, "connect", _set_up)
            event.listen(engine, "begin", _begin)
            return engine
        query = {"uri": "true", "mode": "ro", **way_in}
        protected = URL.create(
            self.driver, database=f"file:{quote(str(url.database))}", query=query
        )
        # No connection is kept: an immutable file is looked at anew each time.
        engine = sa.create_engine(protected, poolclass=sa.NullPool, **options)
        event.listen(engine, "connect", _begin_ourselves)
        event.listen(engine, "begin", _begin)
        return engine

    def trouble(self, error: object) -> Trouble | None:
        """What SQLite's error code means."""
        if not isinstance(error, sqlite3.Error):
            return None
        if isinstance(error, sqlite3.IntegrityError):
            return Trouble(True, f"the database refused the entry: {error}", refused=True)
        trouble = TROUBLES.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
        if trouble is None:
            return Trouble(False, f"the database reports: {error}{UNKNOWN}")
        return Trouble(trouble.passing, f"{trouble.text.format(unknown=UNKNOWN)} ({error})")

    def drop_guards(self, connection: sa.Connection) -> None:
        """All triggers of ours."""
        for name in self.triggers(connection):
            if name.startswith(GUARDED):
                connection.exec_driver_sql(f"DROP TRIGGER {name}")

    def triggers(self, connection: sa.Connection) -> set[str]:
        """The triggers of the file."""
        names = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        return set(connection.exec_driver_sql(names).scalars())

    def examine(self, connection: sa.Connection) -> list[str]:
        """What SQLite's own checks of the file find."""
        problems: list[str] = []
        for pragma in ("integrity_check", "foreign_key_check"):
            rows = [tuple(row) for row in connection.exec_driver_sql(f"PRAGMA {pragma}")]
            problems += [f"{pragma}: {row}" for row in rows if row != ("ok",)]
        return problems

    @contextmanager
    def insertion(
        self, connection: sa.Connection, table: sa.Table, columns: Sequence[str]
    ) -> Iterator[Insert]:
        """One statement, carried out for each row; nothing looks at the rows on their way."""
        marks = ", ".join("?" * len(columns))
        statement = f"INSERT INTO {table.name} ({', '.join(columns)}) VALUES ({marks})"
        yield lambda rows: connection.exec_driver_sql(statement, [tuple(row) for row in rows])

    def copy_file(self, source: sa.Connection, target: Path) -> bool:
        """Copy page by page, then check the copy and give it its name."""
        part = target.with_name(target.name + ".part")
        try:
            part.touch(0o600)
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
            part.unlink(missing_ok=True)
        return True


def _way_into_protected(path: Path) -> dict[str, str] | None:
    """What a URI must say so that a write-protected file can be read; None if it can be written.

    A reader, too, wants to write into the two files beside the database. Where it can neither use
    nor make them, the database is read as if nobody could change it, provided that nothing is in
    them that is missing in the database.
    """
    if not path.is_file():
        return None
    journal, index = (path.with_name(path.name + end) for end in ("-wal", "-shm"))
    beside = os.access(path.parent, os.W_OK) or (journal.exists() and index.exists())
    if os.access(path, os.W_OK) and beside:
        return None
    if beside:
        return {}
    if journal.exists() and journal.stat().st_size:
        raise StorageError(
            f"{str(path)!r} cannot be read where it is: its latest entries are still in "
            f"{journal.name!r}, and the folder is write-protected; copy both files to a folder "
            "that can be written, and use the copy"
        )
    return {"immutable": "1"}


def _begin_ourselves(connection: Any, record: Any) -> None:
    connection.isolation_level = None  # we say BEGIN ourselves


def _set_up(connection: Any, record: Any) -> None:
    _begin_ourselves(connection, record)
    cursor = connection.cursor()
    try:
        cursor.execute(f"PRAGMA busy_timeout = {BUSY_MS}")  # first: the others may have to wait
        for name, wanted in PRAGMAS.items():
            _patiently(cursor.execute, f"PRAGMA {name} = {wanted}")
            actual = cursor.execute(f"PRAGMA {name}").fetchone()[0]
            if actual != wanted:
                raise StorageError(
                    f"SQLite keeps {name} at {actual!r} where {wanted!r} is needed; is the file on "
                    "a network drive? Put it on a local disk, or use PostgreSQL"
                )
    finally:
        cursor.close()


def _begin(connection: sa.Connection) -> None:
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    if not connection.get_execution_options().get("writes", False):
        driver.execute("BEGIN")
        return
    # A writer takes the lock at once: one that began as a reader could not be made to wait. SQLite
    # itself waits in steps of up to 100 ms, far longer than a writer holds the lock: look sooner.
    driver.execute("PRAGMA busy_timeout = 0")
    try:
        _patiently(driver.execute, "BEGIN IMMEDIATE")
    finally:
        driver.execute(f"PRAGMA busy_timeout = {BUSY_MS}")


def _patiently(execute: Callable[[str], object], statement: str) -> None:
    """Execute a statement, again and again while others hold the lock that it needs.

    SQLite does not wait for a lock where two who wait could block each other: for one who reads
    already, as does whoever switches a new file to the journal that writers and readers share.
    """
    deadline = time.monotonic() + BUSY_MS / 1000
    while True:
        try:
            execute(statement)
            return
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > deadline:
                raise
            time.sleep(random.uniform(*LOOK_AGAIN))


DIALECT = SQLite()
