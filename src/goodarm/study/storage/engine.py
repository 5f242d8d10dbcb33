"""Databases by URL, and connections that are what they must be before anything is written."""

import random
import sqlite3
import time
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from goodarm.errors import InputError
from goodarm.study.errors import StorageError

BUSY_MS = 10_000
PRAGMAS: dict[str, str | int] = {
    # A crash of the machine loses nothing that was acknowledged: the log is synced at each commit.
    "journal_mode": "wal",
    "synchronous": 2,
    "foreign_keys": 1,
    "busy_timeout": BUSY_MS,
}
LOOK_AGAIN = (0.0005, 0.003)  # seconds between two tries to take SQLite's lock
LOCK_TIMEOUT = "10s"
MOST_CONNECTIONS = 30  # of one process, beyond the few that are kept open


def parse_url(storage: str | Path) -> URL:
    """The URL that a storage names: itself, or the SQLite file at that path."""
    if not isinstance(storage, str | Path) or not str(storage).strip():
        raise InputError(f"storage: {storage!r} is neither a URL nor a path")
    text = str(storage)
    if "://" not in text:
        return URL.create("sqlite", database=text)
    try:
        url = make_url(text)
    except ArgumentError:
        raise InputError(
            "storage: not a URL that can be read; write sqlite:///studies.db or "
            "postgresql+psycopg://user@host/database"
        ) from None
    if url.drivername in ("postgresql", "postgres"):
        url = url.set(drivername="postgresql+psycopg")
    if url.drivername not in ("sqlite", "postgresql+psycopg"):
        raise InputError(f"storage: {url.drivername!r} is not sqlite or postgresql+psycopg")
    if url.drivername == "sqlite" and url.database in (None, "", ":memory:"):
        raise InputError(
            "storage: a database in memory is gone with the process; give a file, or use "
            "goodarm.Experiment, which keeps nothing"
        )
    return url


def make_engine(url: URL) -> sa.Engine:
    """An engine whose every connection has been set up and checked."""
    if url.drivername == "sqlite":
        engine = sa.create_engine(
            url, connect_args={"timeout": BUSY_MS / 1000}, max_overflow=MOST_CONNECTIONS
        )
        sa.event.listen(engine, "connect", _set_up_sqlite)
        sa.event.listen(engine, "begin", _begin_sqlite)
        return engine
    try:
        engine = sa.create_engine(
            url, connect_args={"connect_timeout": 10}, max_overflow=MOST_CONNECTIONS
        )
    except ModuleNotFoundError:
        raise InputError(
            "storage: PostgreSQL needs psycopg; pip install 'goodarm[postgres]'"
        ) from None
    sa.event.listen(engine, "connect", _set_up_postgresql)
    return engine


def _set_up_sqlite(connection: Any, record: Any) -> None:
    connection.isolation_level = None  # we say BEGIN ourselves
    cursor = connection.cursor()
    try:
        cursor.execute(f"PRAGMA busy_timeout = {BUSY_MS}")  # first: the others may have to wait
        for name, wanted in PRAGMAS.items():
            cursor.execute(f"PRAGMA {name} = {wanted}")
            found = cursor.execute(f"PRAGMA {name}").fetchone()[0]
            if found != wanted:
                raise StorageError(
                    f"SQLite keeps {name} at {found!r} where {wanted!r} is needed; is the file on "
                    "a network drive? Put it on a local disk, or use PostgreSQL"
                )
    finally:
        cursor.close()


def _begin_sqlite(connection: sa.Connection) -> None:
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    if not connection.get_execution_options().get("writes", False):
        driver.execute("BEGIN")
        return
    # A writer takes the lock at once: one that began as a reader could not be made to wait. SQLite
    # itself waits in steps of up to 100 ms, far longer than a writer holds the lock: look sooner.
    deadline = time.monotonic() + BUSY_MS / 1000
    driver.execute("PRAGMA busy_timeout = 0")
    try:
        while True:
            try:
                driver.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as error:
                busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
                if not busy or time.monotonic() > deadline:
                    raise
                time.sleep(random.uniform(*LOOK_AGAIN))
    finally:
        driver.execute(f"PRAGMA busy_timeout = {BUSY_MS}")


def _set_up_postgresql(connection: Any, record: Any) -> None:
    before = connection.autocommit
    connection.autocommit = True
    try:
        with connection.cursor() as cursor:
            for name, wanted in (("synchronous_commit", "on"), ("lock_timeout", LOCK_TIMEOUT)):
                cursor.execute(f"SET {name} = '{wanted}'")
                found = cursor.execute(f"SHOW {name}").fetchone()[0]
                if found != wanted:
                    raise StorageError(f"PostgreSQL keeps {name} at {found!r}, not {wanted!r}")
    finally:
        connection.autocommit = before
