"""Connections that bring nothing: how long they may stay, how much they may send, and how many.

A server that waits for ever for whoever has connected runs out of sockets, without anyone showing a
token. So a request's head has to arrive within some seconds, an answer has to be read, and where
there are too many connections, the one that has waited longest without a request gives way.
"""

import asyncio
from collections import OrderedDict
from contextlib import suppress
from typing import Any

HEAD_SECONDS = 10.0  # for the head of a request, from when it was begun to be waited for
IDLE_SECONDS = 20  # between two requests of one connection
READ_SECONDS = 60.0  # in which some of an answer has to be read
LARGEST_HEAD = 64 * 1024
MOST_OPEN = 2_000
SPARE_FILES = 200  # for the database, the files of the page and so on
FEWEST_OPEN = 50


class Crowd:
    """All connections of a server, and those of them that have no request under way."""

    def __init__(self, most: int = MOST_OPEN) -> None:
        self.most = most
        self._open: set[Any] = set()
        self._idle: OrderedDict[Any, None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._open)

    def enter(self, connection: Any) -> None:
        """One more; the idle one that waited longest makes room if there are too many."""
        self._open.add(connection)
        self._idle[connection] = None
        if len(self._open) > self.most:
            longest, _ = self._idle.popitem(last=False)
            longest.transport.abort()

    def leave(self, connection: Any) -> None:
        """One less."""
        self._open.discard(connection)
        self._idle.pop(connection, None)

    def is_busy(self, connection: Any) -> None:
        """A request has come."""
        self._idle.pop(connection, None)

    def is_idle(self, connection: Any) -> None:
        """It was answered."""
        if connection in self._open:
            self._idle[connection] = None


def most_open() -> int:
    """How many connections this process can have, once its limit on files is raised."""
    try:
        import resource
    except ImportError:  # Windows, where there is no such limit
        return MOST_OPEN
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_OPEN + SPARE_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return MOST_OPEN
    return max(FEWEST_OPEN, min(MOST_OPEN, soft - SPARE_FILES))


def impatient(base: type[Any], crowd: Crowd) -> type[Any]:
    """uvicorn's protocol, one object of which serves one connection, with our patience."""

    class Impatient(base):  # type: ignore[misc]
        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            self._received = 0
            self._deadline: asyncio.TimerHandle | None = None
            self._unread: asyncio.TimerHandle | None = None
            crowd.enter(self)
            self._begin_to_wait()

        def connection_lost(self, exc: Exception | None) -> None:
            crowd.leave(self)
            self._stop_waiting()
            _stop(self._unread)
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.transport.is_closing():
                return
            if self.cycle is not None and not self.cycle.response_complete:
                crowd.is_busy(self)
                self._stop_waiting()
                return
            self._received += len(data)
            if self._received > LARGEST_HEAD:
                self.transport.abort()
            elif self._deadline is None:
                self._begin_to_wait()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._received = 0
            if not self.transport.is_closing() and self.cycle.response_complete:
                crowd.is_idle(self)

        def pause_writing(self) -> None:
            super().pause_writing()
            _stop(self._unread)
            self._unread = self.loop.call_later(READ_SECONDS, self.transport.abort)

        def resume_writing(self) -> None:
            super().resume_writing()
            _stop(self._unread)

        def _begin_to_wait(self) -> None:
            self._deadline = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

        def _stop_waiting(self) -> None:
            self._received = 0
            _stop(self._deadline)
            self._deadline = None

    return Impatient


def _stop(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
