"""What a database's errors mean: will it pass, and what is the user to be told?"""

import sqlite3
from typing import Any, NamedTuple

import sqlalchemy as sa


class Trouble(NamedTuple):
    """An error that may pass by itself, or one that the user must hear of."""

    passing: bool
    text: str


UNKNOWN = (
    "; the request may or may not have been recorded: repeat it with the same trial or key, it "
    "cannot count twice"
)
SQLITE = {
    sqlite3.SQLITE_BUSY: Trouble(True, "the database is locked by another program"),
    sqlite3.SQLITE_LOCKED: Trouble(True, "the database is locked by another program"),
    sqlite3.SQLITE_FULL: Trouble(False, "the disk is full; nothing was recorded"),
    sqlite3.SQLITE_IOERR: Trouble(False, "the disk cannot be written or read, or is full{unknown}"),
    sqlite3.SQLITE_READONLY: Trouble(False, "the database may only be read; nothing was recorded"),
    sqlite3.SQLITE_CANTOPEN: Trouble(False, "the database file cannot be opened"),
    sqlite3.SQLITE_CORRUPT: Trouble(False, "the database file is damaged; restore a backup"),
    sqlite3.SQLITE_NOTADB: Trouble(False, "the file is not a SQLite database"),
}
PASSING_CLASSES = ("08", "40", "57")  # connection, transaction rollback, operator intervention
PASSING_STATES = ("55P03", "53300")  # lock not available, too many connections
DISK_FULL = "53100"


def trouble_of(error: Exception) -> Trouble | None:
    """What a database driver's error means; None for any other exception."""
    origin: Any = error.orig if isinstance(error, sa.exc.DBAPIError) else error
    if isinstance(origin, sqlite3.Error):
        return _sqlite_trouble(origin)
    if type(origin).__module__.startswith("psycopg"):
        return _postgresql_trouble(origin)
    return None


def _sqlite_trouble(error: sqlite3.Error) -> Trouble:
    if isinstance(error, sqlite3.IntegrityError):
        return Trouble(True, f"the database refused the entry: {error}")
    known = SQLITE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
    if known is None:
        return Trouble(False, f"the database reports: {error}{UNKNOWN}")
    return Trouble(known.passing, f"{known.text.format(unknown=UNKNOWN)} ({error})")


def _postgresql_trouble(error: Any) -> Trouble:
    state: str | None = error.sqlstate
    message = " ".join(str(error).split())
    if state is None:  # no connection, or a lost one
        return Trouble(True, f"PostgreSQL cannot be reached: {message}{UNKNOWN}")
    if state.startswith("23"):
        return Trouble(True, f"the database refused the entry: {message}")
    if state == DISK_FULL:
        return Trouble(False, f"PostgreSQL's disk is full; nothing was recorded ({message})")
    passing = state[:2] in PASSING_CLASSES or state in PASSING_STATES
    return Trouble(passing, f"PostgreSQL reports {state}: {message}")
