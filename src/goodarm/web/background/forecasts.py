"""Forecasts for those who look at pages: each computed once, elsewhere, and not too many at once.

Who asks for one that is being computed waits for that one. A study that changes faster than it can
be forecast has one under way and one waiting, which will be of the state that it finds.
"""

import asyncio
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from threading import Lock

from goodarm.remote.failures import BusyError
from goodarm.study import Forecast, Study
from goodarm.web.background.forecaster import Forecaster, TooLongError
from goodarm.web.server.shared import Shared, locked

MOST_KEPT = 200
MOST_WAITING = 8  # studies whose forecasts have not begun
MOST_SECONDS = 20.0  # of one forecast
PATIENCE = 25.0  # of one request
SOON, LATER = 5, 600  # seconds after which it makes sense to ask again


class Forecasts:
    """The latest forecasts, each of a state of a study, and those under way."""

    def __init__(self, storage: str, folder: Path | None = None) -> None:
        self._storage = storage
        # Processes that share a folder compute one at a time, and what one has found all have.
        self._found = Shared[OrderedDict[str, Forecast]](OrderedDict, folder, "forecasts")
        self._turn = None if folder is None else folder / "forecaster"
        self._forecaster = Forecaster()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="goodarm-forecast")
        self._lock = Lock()
        self._kept: OrderedDict[str, Future[Forecast]] = OrderedDict()  # by head
        self._waiting: dict[str, Future[Forecast]] = {}  # by study: not begun

    async def of(self, study: Study, head: str) -> Forecast:
        """The forecast of a study with this head."""
        future = asyncio.wrap_future(self._found_or_begun(study.name, head))
        future.add_done_callback(_look_at)  # everyone may have gone away meanwhile
        try:
            return await asyncio.wait_for(asyncio.shield(future), PATIENCE)
        except TimeoutError:
            raise BusyError("the forecast is not there yet; try again in a moment", SOON) from None
        except TooLongError as error:
            raise BusyError(str(error), LATER) from None
        except asyncio.CancelledError:
            if future.cancelled():
                raise BusyError("the server is closing", SOON) from None
            raise

    def close(self) -> None:
        """Give up what is under way, and let go of what has not begun."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        self._forecaster.close()

    def _found_or_begun(self, name: str, head: str) -> "Future[Forecast]":
        with self._lock:
            found = self._kept.get(head) or self._waiting.get(name)
            if found is not None:
                return found
            if len(self._waiting) >= MOST_WAITING:
                raise BusyError("other forecasts are being computed; try again in a moment", SOON)
            future = self._thread.submit(self._compute, name, head)
            self._kept[head] = self._waiting[name] = future
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
            return future

    def _compute(self, name: str, head: str) -> Forecast:
        with self._lock:
            del self._waiting[name]
        try:
            with nullcontext() if self._turn is None else locked(self._turn):
                return self._found_or_computed(name, head)
        except TooLongError:
            raise  # and kept: of the same state it would take as long again
        except BaseException:
            with self._lock:
                self._kept.pop(head, None)
            raise

    def _found_or_computed(self, name: str, head: str) -> Forecast:
        with self._found.held() as found:
            if head in found:
                return found[head]
        forecast = self._forecaster.forecast(name, self._storage, MOST_SECONDS)
        with self._found.held() as found:
            found[head] = forecast
            while len(found) > MOST_KEPT:
                found.popitem(last=False)
        return forecast


def _look_at(future: "asyncio.Future[Forecast]") -> None:
    """An exception that nobody looks at is logged as an oversight."""
    if not future.cancelled():
        future.exception()
