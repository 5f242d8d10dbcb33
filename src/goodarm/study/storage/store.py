"""A database of studies: opened, checked, and tried again where trouble passes."""

import os
import random
import stat
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol, TypeVar
from weakref import WeakSet, WeakValueDictionary

import sqlalchemy as sa
from sqlalchemy import exc

from goodarm import defaults
from goodarm.errors import InputError
from goodarm.study.errors import StorageError
from goodarm.study.storage.dialects import parse_storage
from goodarm.study.storage.dialects.contract import Heard, News
from goodarm.study.storage.schema import check_version, migrate, version
from goodarm.study.storage.transaction import Clock, Transaction
from goodarm.study.storage.turns import Turn, Turns, grant_apart

T = TypeVar("T")
DEFAULT_STORAGE = defaults.STORAGE
PATIENCE = 30.0  # seconds for which passing trouble is waited out
PATIENCE_AT_FIRST = 3.0  # the same before it was ever reached: more likely a wrong address
MOST_REFUSALS = 5
OWN = 0o600  # a new file is its owner's, until that one lets others in


class Follower(Protocol):
    """Someone who wants to hear of what this process adds to a log."""

    def committed(self, study: int, seq: int) -> None:
        """The log of a study, by the number of its row, goes up to this event now."""


class Store:
    """Where studies live. `clock` replaces the server's clock, for tests."""

    def __init__(self, storage: str | Path, clock: Clock | None = None) -> None:
        self.dialect, self.url = parse_storage(storage)
        self.path = self.dialect.path(self.url)
        self.clock = clock
        self.followers: WeakSet[Follower] = WeakSet()
        self._engine: sa.Engine | None = None
        self._process = 0
        self._file: tuple[int, int] | None = None
        self._reached = self._ready = False
        self._turns: Turns[Callable[[Transaction], Any]] = Turns()

    def __str__(self) -> str:
        return self.url.render_as_string(hide_password=True)

    def prepare(self, create: bool = False) -> "Store":
        """Check that the tables are there and of our version; make them if asked to."""
        if self._ready and self._same_file():
            return self
        self.close()
        self._reached = self._ready = False
        self._file = None
        self.check_file(create)
        present = self.attempt(version)
        if present is None and create:
            self.attempt(migrate, writes=True)
            present = self.attempt(version)
        check_version(present)
        self._ready = True
        return self

    def prepare_empty(self, to: str) -> None:
        """Make the tables of some version in a database that has none."""
        self.check_file(create=True)
        if self.attempt(version) is not None:
            raise InputError(f"{self} holds studies already; give an empty database")
        self.attempt(lambda connection: migrate(connection, to), writes=True)

    def read(self, work: Callable[[Transaction], T]) -> T:
        """Do the work in a transaction that only reads."""
        return self.attempt(lambda connection: self._within(connection, work))

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Do the work in a transaction that is committed durably when this returns.

        The work may be done several times, each time from the start: it must look for its own
        traces, because a lost connection can leave a commit whose confirmation never came. Where a
        database has one writer at a time, what several threads write is committed together.
        """
        if self.dialect.has_one_writer:
            done: T = self._turns.take(work, self._write_together)
            return done
        return self.attempt(lambda connection: self._within(connection, work), writes=True)

    def _write_together(self, turns: Sequence[Turn[Callable[[Transaction], Any]]]) -> None:
        def write(some: Sequence[Turn[Callable[[Transaction], Any]]]) -> list[Any]:
            def work(transaction: Transaction) -> list[Any]:
                return [turn.wish(transaction) for turn in some]

            return self.attempt(lambda connection: self._within(connection, work), writes=True)

        grant_apart(turns, write)

    def committed(self, study: int, seq: int) -> None:
        """Let the followers know that a log goes up to this event now."""
        for follower in list(self.followers):
            follower.committed(study, seq)

    def news(self, heard: Heard) -> News | None:
        """How to hear at once of what other processes add, and to tell them; None if it cannot."""
        return self.dialect.news(self.url, heard)

    def _within(self, connection: sa.Connection, work: Callable[[Transaction], T]) -> T:
        with Transaction(connection, self.clock) as transaction:
            return work(transaction)

    def attempt(
        self, work: Callable[[sa.Connection], T], writes: bool = False, snapshot: bool = False
    ) -> T:
        """Do the work in a transaction, again while trouble may pass.

        A `snapshot` sees one state of the database throughout.
        """
        began, pause, refusals = time.monotonic(), 0.01, 0
        while True:
            try:
                with self._connect() as connection:
                    connection.execution_options(writes=writes)
                    level = self.dialect.snapshot if snapshot else None
                    level = level if writes or snapshot else self.dialect.reading
                    if level is not None:
                        connection.execution_options(isolation_level=level)
                    with connection.begin():
                        self._reached = True
                        return work(connection)
            except Exception as error:
                origin = error.orig if isinstance(error, exc.DBAPIError) else error
                trouble = self.dialect.trouble(origin)
                if trouble is None:
                    raise
                refusals += trouble.refused
                patience = PATIENCE if self._reached else PATIENCE_AT_FIRST
                late = time.monotonic() > began + patience or refusals > MOST_REFUSALS
                if late or not trouble.passing:
                    self.close()
                    raise StorageError(f"{self}: {trouble.text}") from error
            time.sleep(pause * random.uniform(0.5, 1.0))
            pause = min(2.0 * pause, 1.0)

    def close(self) -> None:
        """Close the connections; the next use opens new ones."""
        if self._engine is not None and self._process == os.getpid():
            self._engine.dispose()
        self._engine = None

    def raw(self) -> sa.Connection:
        """A connection outside any transaction, for backups; the caller closes it."""
        return self._connect()

    def _connect(self) -> sa.Connection:
        if self._engine is not None and self._process != os.getpid():
            # Connections must not cross a fork: leave the parent's alone.
            self._engine.dispose(close=False)
            self._engine = None
        if not self._same_file():
            # Someone has moved the file: an open connection would write into nowhere, and a new
            # one would begin an empty database.
            self.close()
            raise StorageError(f"{self}: the file was removed or replaced; load the study anew")
        if self._engine is None:
            self._engine, self._process = self.dialect.engine(self.url), os.getpid()
        connection = self._engine.connect()
        self._file = self._file or self._identity()
        return connection

    def _same_file(self) -> bool:
        return self.path is None or self._file is None or self._identity() == self._file

    def _identity(self) -> tuple[int, int] | None:
        if self.path is None:
            return None
        try:
            file = self.path.stat()
        except OSError:
            return (0, 0)
        return (file.st_dev, file.st_ino)

    def check_file(self, create: bool = False) -> None:
        """Refuse a file that is not there, unless it may be created."""
        if self.path is None:
            return
        try:  # asked once: others may be making the file at this moment
            is_file = stat.S_ISREG(self.path.stat().st_mode)
        except OSError:
            pass  # it is not there, or not to be seen
        else:
            if not is_file:
                raise InputError(f"storage: {str(self.path)!r} is not a file")
            return
        if not create:
            raise InputError(
                f"storage: there is no database at {str(self.path)!r}; create a study first, or "
                "name another with storage (--storage, GOODARM_STORAGE)"
            )
        if not self.path.parent.is_dir():
            raise InputError(f"storage: the folder {str(self.path.parent)!r} does not exist")
        with suppress(OSError):  # opening it says better what is wrong
            self.path.touch(OWN)  # before SQLite makes it, which lets everyone read


_stores: "WeakValueDictionary[str, Store]" = WeakValueDictionary()


def open_store(storage: "str | Path | Store") -> Store:
    """The store that is named; studies of one process share it."""
    if isinstance(storage, Store):
        return storage
    fresh = Store(storage)
    return _stores.setdefault(fresh.url.render_as_string(hide_password=False), fresh)
