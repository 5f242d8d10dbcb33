"""What processes tell each other through PostgreSQL: which logs have grown, by NOTIFY and LISTEN.

It is told after the commit and by a connection of its own, because PostgreSQL lets transactions
that notify commit one after another. What is lost, as with a process that is killed in between, is
found by those who look now and then.
"""

import logging
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import URL

from goodarm.study.storage.dialects.contract import Heard

CHANNEL = "goodarm"
MOST_IN_A_MESSAGE = 200  # in one message, which may have 8,000 bytes
GATHERED = 0.01  # seconds, for what comes at the same time
LISTENING = 1.0  # seconds between two looks whether it is over
PAUSE = 1.0  # seconds before a connection that was lost is opened again
logger = logging.getLogger(__name__)


class PostgreSQLNews:
    """Two threads, each with a connection: one tells, one hears."""

    def __init__(self, url: URL, heard: Heard) -> None:
        self._engine = sa.create_engine(url, poolclass=sa.NullPool)
        self._heard = heard
        self._new: dict[int, int] = {}
        self._lock, self._wake = threading.Lock(), threading.Event()
        self._closing = threading.Event()
        for work in (self._tell, self._hear):
            name = f"goodarm-news{work.__name__}"
            threading.Thread(target=self._go_on, args=(work,), name=name, daemon=True).start()

    def tell(self, study: int, seq: int) -> None:
        """The log of a study goes up to this event now; others hear of it in a moment."""
        with self._lock:
            self._new[study] = max(seq, self._new.get(study, 0))
        self._wake.set()

    def close(self) -> None:
        """Tell and hear nothing more."""
        self._closing.set()
        self._wake.set()

    def _go_on(self, work: Callable[[Any], None]) -> None:
        """Work with a connection, and with a new one when it is lost."""
        while not self._closing.is_set():
            try:
                with closing(self._engine.raw_connection()) as opened:
                    connection: Any = opened.driver_connection
                    connection.autocommit = True
                    work(connection)
            except Exception as error:  # a driver's own; whoever reads or writes says more
                logger.debug("news: %s", error)
                self._closing.wait(PAUSE)

    def _tell(self, connection: Any) -> None:
        connection.execute("SET synchronous_commit = off")
        while not self._closing.is_set():
            self._wake.wait()
            self._closing.wait(GATHERED)
            self._wake.clear()
            with self._lock:
                new, self._new = self._new, {}
            pairs = [f"{study}:{seq}" for study, seq in new.items()]
            for first in range(0, len(pairs), MOST_IN_A_MESSAGE):
                text = " ".join(pairs[first : first + MOST_IN_A_MESSAGE])
                connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, text))

    def _hear(self, connection: Any) -> None:
        connection.execute(f"LISTEN {CHANNEL}")
        while not self._closing.is_set():
            for message in connection.notifies(timeout=LISTENING):
                for pair in message.payload.split():
                    with suppress(ValueError):  # anyone may notify
                        study, seq = map(int, pair.split(":"))
                        self._heard(study, seq)
