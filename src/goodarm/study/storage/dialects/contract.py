"""What a database must say of itself so that studies can live in it: one file of this folder each.

A file with a `DIALECT` is found by itself; `goodarm.testing.check_storage(url)` then asks whether
the database keeps what is promised of a study's log. Everything else about storage is written once,
for all databases, with SQLAlchemy.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol

import sqlalchemy as sa
from sqlalchemy.engine import URL

REFUSAL = "goodarm: events are only ever added, one after another"
OUT_OF_TURN = (
    "NEW.seq <> (SELECT COALESCE(MAX(seq), 0) + 1 FROM goodarm_events"
    " WHERE study_id = NEW.study_id)"
)
GUARDED = ("goodarm_events", "goodarm_studies")  # tables from which nothing is removed
MISNAMED = "goodarm: a study has the name that its log says"
MOST_CONNECTIONS = 30  # of one process, beyond the few that are kept open
UNKNOWN = (
    "; the request may or may not have been recorded: repeat it with the same trial or key, it "
    "cannot count twice"
)


Insert = Callable[[Sequence[Sequence[Any]]], object]
"""Adds some rows."""


Heard = Callable[[int, int], object]
"""Is called with the number of a study and that of its last event, from any thread."""


class News(Protocol):
    """How processes tell each other which logs have grown."""

    def tell(self, study: int, seq: int) -> None:
        """The log of a study goes up to this event now."""

    def close(self) -> None:
        """Tell and hear nothing more."""


class Trouble(NamedTuple):
    """A database's error: whether it may pass by itself, and what the user is told if not."""

    passing: bool
    text: str
    refused: bool = False  # a rule of the tables was broken, as two writers may do at once


class Dialect(ABC):
    """One kind of database: what it is called, and what only it does in its own way."""

    name: ClassVar[str]
    """As SQLAlchemy calls it."""
    driver: ClassVar[str]
    """What stands before ``://`` in its URLs."""
    aliases: ClassVar[tuple[str, ...]] = ()
    """What people may write there as well."""
    example: ClassVar[str]
    """A URL, for messages."""
    guards: ClassVar[Mapping[str, str]]
    """The triggers that refuse every change of the log, each with the statement that makes it."""
    preparations: ClassVar[tuple[str, ...]] = ()
    """Statements that must come before the guards, and may come again."""
    has_one_writer: ClassVar[bool] = False
    """Whether only one transaction at a time can write, of however many studies."""
    snapshot: ClassVar[str | None] = None
    """The isolation level at which a transaction sees one state throughout; None if all do."""
    reading: ClassVar[str | None] = None
    """The isolation level for looking things up, if another than the usual one is cheaper."""

    def check_url(self, url: URL) -> URL:
        """The URL as it is used, or an InputError."""
        return url.set(drivername=self.driver)

    def path(self, url: URL) -> Path | None:
        """The file that the database is, or None where it is a server."""
        return None

    @abstractmethod
    def engine(self, url: URL) -> sa.Engine:
        """An engine whose every connection has been set up and checked: commits are durable.

        A transaction with the execution option `writes` must be able to wait for other writers.
        """

    @abstractmethod
    def trouble(self, error: object) -> Trouble | None:
        """What an error of the database's driver means; None for any other exception."""

    @abstractmethod
    def drop_guards(self, connection: sa.Connection) -> None:
        """Remove the triggers of an earlier version, before those of today are made."""

    @abstractmethod
    def triggers(self, connection: sa.Connection) -> set[str]:
        """The names of the triggers that are in force."""

    def now(self, connection: sa.Connection) -> datetime:
        """The server's time; this machine's where the database is a file."""
        return datetime.now(UTC)

    def lock(self, connection: sa.Connection, studies: sa.Table, study: int) -> None:
        """Make other writers of a study wait, unless those who begin to write wait already."""
        return None

    @contextmanager
    def insertion(
        self, connection: sa.Connection, table: sa.Table, columns: Sequence[str]
    ) -> Iterator[Insert]:
        """Gives what adds rows to a table, thousands at a time and as often as wanted.

        The connection is used for nothing else meanwhile. They are there when the context ends.
        """
        yield lambda rows: connection.execute(
            table.insert(), [dict(zip(columns, row, strict=True)) for row in rows]
        )

    def news(self, url: URL, heard: Heard) -> News | None:
        """How processes hear of each other's changes at once; None where they have to look."""
        return None

    def lock_schema(self, connection: sa.Connection) -> None:
        """Make others wait who would create the tables at the same time; likewise."""
        return None

    def examine(self, connection: sa.Connection) -> list[str]:
        """What is wrong with the database itself; empty if nothing is."""
        return []

    def copy_file(self, source: sa.Connection, target: Path) -> bool:
        """Copy everything into a new file at once; False if rows have to be copied."""
        return False

    def finish_copy(self, connection: sa.Connection) -> None:
        """Whatever must follow once rows have been copied in with their numbers."""
        return None
