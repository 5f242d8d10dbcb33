"""Plain Python on several cores: calls that other processes answer.

Threads would take turns, and what `multiprocessing` starts runs the caller's script anew if that
does not guard against it. So each process is told a call on its standard input and answers on its
standard output; it ends when the input does. What is done in a moment is done here: starting
processes takes longer.
"""

import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from queue import SimpleQueue
from typing import Any, TypeVar

Result = TypeVar("Result")
Call = tuple[Callable[..., Any], tuple[Any, ...]]
PATIENCE = 0.5  # seconds of work before processes are started


class Processes:
    """So many processes, started when there is something for them to do; they end with `close`."""

    def __init__(self, many: int, patience: float = PATIENCE) -> None:
        self._many, self._patience = many, patience
        self._worked = 0.0  # seconds, here
        self._idle: SimpleQueue[subprocess.Popen[bytes]] = SimpleQueue()
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
            threads.submit(self._call, (function, arguments)) for arguments in left
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
            process = subprocess.Popen(
                [sys.executable, "-m", __name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
            self._running.callback(_end, process)
            self._idle.put(process)
        return threads

    def _call(self, call: Call) -> Any:
        process = self._idle.get()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            pickle.dump(call, process.stdin)
            process.stdin.flush()
            is_well, answer = pickle.load(process.stdout)
        finally:
            self._idle.put(process)
        if is_well:
            return answer
        raise answer


@contextmanager
def processes(many: int | None, patience: float = PATIENCE) -> Iterator[Processes]:
    """Processes on so many cores, by default all; they end with the block."""
    working = Processes(many or os.cpu_count() or 1, patience)
    try:
        yield working
    finally:
        working.close()


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    for stream in (process.stdin, process.stdout):
        with suppress(OSError):  # what it was not told any more
            if stream is not None:
                stream.close()
    process.wait()


def answer_calls() -> None:
    """The life of a process."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anyone prints is no answer
    while True:
        try:
            function, arguments = pickle.load(sys.stdin.buffer)
        except (EOFError, KeyboardInterrupt):
            return
        try:
            answer = True, function(*arguments)
        except KeyboardInterrupt:  # it is for the caller, who will end us
            return
        except Exception as error:
            answer = False, error
        pickle.dump(answer, answers)
        answers.flush()


if __name__ == "__main__":
    answer_calls()
