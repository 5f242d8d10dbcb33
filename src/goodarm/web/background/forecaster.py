"""A process that plays out the futures of studies, so that those who serve pages need not."""

import os
import threading
from functools import cache
from weakref import finalize

from goodarm.errors import InputError
from goodarm.piped import EndedError, PipedProcess
from goodarm.remote.acting import forecast_of
from goodarm.study import Forecast, StorageError, Studies

NICENESS = 5  # pages come first


class TooLongError(InputError):
    """A forecast was given up, because it took too long."""


class Forecaster:
    """The process, begun when it is first needed; one question at a time."""

    def __init__(self) -> None:
        self._process: PipedProcess | None = None
        self._closed = False

    def forecast(self, name: str, storage: str, seconds: float) -> Forecast:
        """The forecast of a study as its database has it now, unless it takes too long."""
        process = self._running()
        too_late = threading.Timer(seconds, process.kill)
        too_late.start()
        try:
            answer = process.call(_answer, name, storage)
        except EndedError:
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
        raise InputError(answer)

    def close(self) -> None:
        """End the process, also in the middle of a forecast."""
        self._closed = True
        process = self._process
        if process is not None:
            process.kill()

    def _running(self) -> PipedProcess:
        if self._process is None or self._process.has_ended:
            self._drop()
            self._process = PipedProcess()
            finalize(self, self._process.end)
            if self._closed:
                self._process.kill()
        return self._process

    def _drop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.end()


# What the process does


def _answer(name: str, storage: str) -> Forecast | str:
    try:
        return forecast_of(_studies(storage).open(name))
    except (InputError, StorageError) as error:
        return str(error)


@cache
def _studies(storage: str) -> Studies:
    """The studies of a database, kept open; the first one makes the process a polite one."""
    _be_polite()
    return Studies(storage)


@cache
def _be_polite() -> None:
    if hasattr(os, "nice"):
        os.nice(NICENESS)
