"""A process that plays out the futures of studies, so that those who serve pages need not.

It is asked on its standard input and answers on its standard output, one question after another,
and ends when the input does: with its server, whatever has ended that.
"""

import os
import pickle
import subprocess
import sys
import threading
from contextlib import suppress
from functools import partial
from typing import Any
from weakref import finalize

from goodarm.errors import InputError
from goodarm.remote.acting import forecast_of
from goodarm.study import Forecast, StorageError, Studies

NICENESS = 5  # pages come first


class TooLongError(InputError):
    """A forecast was given up, because it took too long."""


class Forecaster:
    """The process, begun when it is first needed; one question at a time."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    def forecast(self, name: str, storage: str, seconds: float) -> Forecast:
        """The forecast of a study as its database has it now, unless it takes too long."""
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        too_late = threading.Timer(seconds, process.kill)
        too_late.start()
        try:
            pickle.dump((name, storage), process.stdin)
            process.stdin.flush()
            answer = pickle.load(process.stdout)
        except (OSError, EOFError, pickle.UnpicklingError):
            self._drop()
            if self._closed:
                raise InputError("the server is closing") from None
            raise TooLongError(
                f"forecast: it takes longer than {seconds:g} seconds, more than this server gives "
                "to one; run `goodarm study forecast`"
            ) from None
        finally:
            too_late.cancel()
        if isinstance(answer, Forecast):
            return answer
        raise InputError(str(answer))

    def close(self) -> None:
        """End the process, also in the middle of a forecast."""
        self._closed = True
        process = self._process
        if process is not None:
            process.kill()

    def _running(self) -> "subprocess.Popen[bytes]":
        if self._process is None or self._process.poll() is not None:
            self._drop()
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
            finalize(self, partial(_end, self._process))
            if self._closed:
                self._process.kill()
        return self._process

    def _drop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    for stream in (process.stdin, process.stdout):
        with suppress(OSError):  # what it was not told any more
            if stream is not None:
                stream.close()
    process.wait()


def answer_questions() -> None:
    """The life of the process."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anyone prints is no answer
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    kept: dict[str, Studies] = {}
    while True:
        try:
            name, storage = pickle.load(sys.stdin.buffer)
        except (EOFError, KeyboardInterrupt):
            return
        with suppress(KeyboardInterrupt):  # Ctrl-C is for the server, which will end us
            pickle.dump(_answer(name, storage, kept), answers)
            answers.flush()


def _answer(name: str, storage: str, kept: dict[str, Studies]) -> Any:
    try:
        if storage not in kept:
            kept[storage] = Studies(storage)
        return forecast_of(kept[storage].open(name))
    except (InputError, StorageError) as error:
        return str(error)


if __name__ == "__main__":
    answer_questions()
