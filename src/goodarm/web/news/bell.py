"""Who waits for a study to change is woken: at once by changes of this process, soon by others'.

Where the database can, processes tell each other. Where it cannot, or a word is lost, they look:
however many wait, the database is asked by one question for all of their studies.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from starlette.concurrency import run_in_threadpool

from goodarm.study import StorageError, Studies, Study
from goodarm.study.storage import News

LISTEN_EVERY = 1.0  # seconds


class Bell:
    """Rings for those who wait. All but `committed` is called on the server's own thread."""

    def __init__(self, studies: Studies) -> None:
        self._studies = studies
        self._seqs: dict[int, int] = {}  # of studies that someone waits for
        self._waiting: dict[int, set[asyncio.Event]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listening: asyncio.Task[None] | None = None
        self._news: News | None = None
        studies.store.followers.add(self)

    def open(self) -> None:
        """Tell other processes, and hear of their changes at once, where the database can."""
        if self._news is None:
            self._news = self._studies.store.news(self._heard_elsewhere)

    async def wait(self, study: Study, seen: int, seconds: float) -> int:
        """The number of the last event: when it is beyond `seen`, or after so many seconds."""
        number = self._studies.number_of(study)
        rung = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._waiting.setdefault(number, set()).add(rung)
        if self._listening is None or self._listening.done():
            self._listening = self._loop.create_task(self._listen())
        try:
            if self._seqs.get(number, 0) <= seen:
                with suppress(TimeoutError):
                    await asyncio.wait_for(rung.wait(), seconds)
            return max(seen, self._seqs.get(number, 0))
        finally:
            self._waiting[number].discard(rung)
            if not self._waiting[number]:
                del self._waiting[number]
                self._seqs.pop(number, None)

    def committed(self, study: int, seq: int) -> None:
        """An event was added by this process, in whichever of its threads."""
        if self._news is not None:
            self._news.tell(study, seq)
        self._heard_elsewhere(study, seq)

    def close(self) -> None:
        """Nothing more is told or heard."""
        if self._news is not None:
            self._news.close()
            self._news = None

    def _heard_elsewhere(self, study: int, seq: int) -> None:
        self._tell(lambda: self._heard(study, seq))

    def look(self) -> None:
        """Something was added somewhere: look now. From any thread."""
        self._tell(lambda: self._loop and self._loop.create_task(self._ask()))

    def _tell(self, what: Callable[[], object]) -> None:
        loop = self._loop
        if loop is not None and self._waiting:
            with suppress(RuntimeError):  # it has ended
                loop.call_soon_threadsafe(what)

    def _heard(self, study: int, seq: int) -> None:
        if study in self._waiting and seq > self._seqs.get(study, 0):
            self._seqs[study] = seq
            for rung in self._waiting[study]:
                rung.set()

    async def _listen(self) -> None:
        while self._waiting:
            await self._ask()
            await asyncio.sleep(LISTEN_EVERY)

    async def _ask(self) -> None:
        wanted = list(self._waiting)
        with suppress(StorageError):  # those who read or write will hear of it
            seqs = await run_in_threadpool(self._studies.heads, wanted)
            for study, seq in seqs.items():
                self._heard(study, seq)
