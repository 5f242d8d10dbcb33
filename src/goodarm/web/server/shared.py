"""What the processes of one server know together: small things, each in a file that they lock.

A server of one process keeps them in memory. Nothing here has to survive the server; what does is
in the database. The files are in a folder of the server's own, which nobody else can read.
"""

import os
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Shared(Generic[T]):
    """Something that all threads change, and all processes, if there is a folder to keep it in."""

    def __init__(self, fresh: Callable[[], T], folder: Path | None, name: str) -> None:
        self._fresh, self._own = fresh, fresh()
        self._lock = Lock()
        self._path = None if folder is None else folder / name

    @contextmanager
    def held(self) -> Iterator[T]:
        """What there is, to be looked at and changed by nobody else meanwhile."""
        with self._lock:
            if self._path is None:
                yield self._own
                return
            with locked(self._path):
                before = self._path.read_bytes() if self._path.exists() else b""
                state: T = pickle.loads(before) if before else self._fresh()
                yield state
                after = pickle.dumps(state)
                if after != before:
                    self._replace(self._path, after)

    @staticmethod
    def _replace(path: Path, content: bytes) -> None:
        """In one step: a process may be killed at any time."""
        part = path.with_suffix(".part")
        part.write_bytes(content)
        os.replace(part, path)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Wait until no other process is within the same; it is let go when a process dies."""
    import fcntl  # not there on Windows, where a server has one process

    with path.with_suffix(".lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
