"""Plain Python on several cores: calls that other processes answer.

What is done in a moment is done here: starting processes takes longer.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from queue import SimpleQueue
from typing import Any, TypeVar

from goodarm.piped import PipedProcess

Result = TypeVar("Result")
PATIENCE = 0.5  # seconds of work before processes are started


class Processes:
    """So many processes, started when there is something for them to do; they end with `close`."""

    def __init__(self, many: int, patience: float = PATIENCE) -> None:
        self._many, self._patience = many, patience
        self._worked = 0.0  # seconds, here
        self._idle: SimpleQueue[PipedProcess] = SimpleQueue()
        self._running = ExitStack()
        self._threads: ThreadPoolExecutor | None = None

    def each(
        self, function: Callable[..., Result], given: Iterable[tuple[Any, ...]]
    ) -> Iterator[Result]:
        """The results of a function for every tuple of arguments, in that order."""
        left = iter(given)
        while self._many < 2 or self._worked < self._patience:
            arguments = next(left, None)
            if arguments is None:
                return
            begun = time.perf_counter()
            result = function(*arguments)
            self._worked += time.perf_counter() - begun
            yield result
        threads = self._threads or self._start()
        futures: list[Future[Any]] = [
            threads.submit(self._call, function, arguments) for arguments in left
        ]
        for future in futures:
            yield future.result()

    def close(self) -> None:
        """End all processes."""
        self._running.close()

    def _start(self) -> ThreadPoolExecutor:
        threads = self._threads = ThreadPoolExecutor(self._many)
        self._running.callback(threads.shutdown, cancel_futures=True)
        for _ in range(self._many):
            process = PipedProcess()
            self._running.callback(process.end)
            self._idle.put(process)
        return threads

    def _call(self, function: Callable[..., Result], arguments: tuple[Any, ...]) -> Result:
        process = self._idle.get()
        try:
            return process.call(function, *arguments)
        finally:
            self._idle.put(process)


@contextmanager
def processes(many: int | None, patience: float = PATIENCE) -> Iterator[Processes]:
    """Processes on so many cores, by default all; they end with the block."""
    working = Processes(many or os.cpu_count() or 1, patience)
    try:
        yield working
    finally:
        working.close()
