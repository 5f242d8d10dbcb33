"""Several processes that serve one address, and one that does nothing but keep them going.

The workers are forked from it before it has any thread or connection, and share its socket: whoever
is free takes the next visitor. One that ends, however it ends, is begun again. They end with it:
each holds one end of a pipe whose other end nobody else has.
"""

import gc
import logging
import os
import select
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from traceback import print_exc
from types import FrameType

from goodarm.errors import InputError
from goodarm.inputs import whole

logger = logging.getLogger("goodarm.web")
MOST_PROCESSES = 64
SHORT_LIFE = 5.0  # seconds; a worker that ends sooner is begun again after a pause
PAUSES = (0.0, 1.0, 2.0, 5.0, 10.0, 30.0)
LAST_SECONDS = 10.0  # for workers that were asked to end
Serve = Callable[[int], None]
"""What a worker does until it is asked to end; given a pipe that ends when it should end, too."""


def check_workers(many: int, has_one_writer: bool) -> int:
    """How many processes, if there may be so many."""
    whole("workers", many, 1, MOST_PROCESSES)
    if many > 1 and has_one_writer:
        raise InputError(
            "workers: several processes need PostgreSQL (--storage); a SQLite file has one writer "
            "at a time, and one process makes the most of it"
        )
    if many > 1 and not hasattr(os, "fork"):
        raise InputError("workers: this system has no fork; leave --workers out")
    return many


class Crew:
    """Keeps so many processes at work until someone says stop."""

    def __init__(self, many: int, work: Serve, ended: Callable[[int], object]) -> None:
        self._many, self._work, self._ended = many, work, ended
        self._alive, self._own_end = os.pipe()
        self._begun: dict[int, float] = {}  # by process, when
        self._due: list[float] = []  # when others are to be begun
        self._short_lives = 0
        self._stop = False

    def run(self) -> None:
        """Until SIGINT or SIGTERM."""
        gc.collect()
        gc.freeze()  # what the workers share is not touched by their collections
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        before = signal.set_wakeup_fd(writing)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD):
            signal.signal(number, self._hear)
        self._due = [monotonic()] * self._many
        try:
            while not self._stop:
                self._begin_those_due()
                wait = max(0.0, min(self._due) - monotonic()) if self._due else None
                if select.select([reading], [], [], wait)[0]:
                    os.read(reading, 4096)
                self._bury()
        finally:
            self._end_all()
            signal.set_wakeup_fd(before)
            for end in (reading, writing, self._alive, self._own_end):
                os.close(end)

    def _hear(self, number: int, frame: FrameType | None) -> None:
        if number != signal.SIGCHLD:
            self._stop = True

    def _begin_those_due(self) -> None:
        now = monotonic()
        late = [due for due in self._due if due <= now]
        self._due = [due for due in self._due if due > now]
        for _ in late:
            self._begin()

    def _begin(self) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        # Held back until the new process has handlers of its own.
        signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
        process = os.fork()
        if process == 0:
            self._be_worker()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, signal.SIGTERM))
        self._begun[process] = monotonic()

    def _be_worker(self) -> None:
        status = 1
        try:
            os.close(self._own_end)
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, lambda *_: os._exit(0))  # until the server listens to them
            signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, signal.SIGTERM))
            self._work(self._alive)
            status = 0
        except BaseException:
            print_exc()
        finally:
            with suppress(Exception):
                sys.stderr.flush()
            os._exit(status)

    def _bury(self) -> None:
        """Take leave of those that have ended, and have others take their places."""
        for process, status in _all_ended():
            life = monotonic() - self._begun.pop(process, monotonic())
            self._ended(process)
            if self._stop:
                continue
            self._short_lives = self._short_lives + 1 if life < SHORT_LIFE else 0
            pause = PAUSES[min(self._short_lives, len(PAUSES) - 1)]
            self._due.append(monotonic() + pause)
            logger.error("a worker has ended (%s); another takes its place", _how(status))

    def _end_all(self) -> None:
        for process in self._begun:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGTERM)
        patience = monotonic() + LAST_SECONDS
        while self._begun and monotonic() < patience:
            for process, _ in _all_ended():
                self._begun.pop(process, None)
            if self._begun:
                select.select([], [], [], 0.02)
        for process in self._begun:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)


def _all_ended() -> list[tuple[int, int]]:
    """The processes that have ended since, with the status of each."""
    ended = []
    with suppress(ChildProcessError):
        while True:
            process, status = os.waitpid(-1, os.WNOHANG)
            if process == 0:
                break
            ended.append((process, status))
    return ended


def _how(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    return f"by signal {-code}" if code < 0 else f"with status {code}"
