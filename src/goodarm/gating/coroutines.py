"""Coroutines make the trials; apart from the other workers, as asyncio takes a while to load."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from threading import Thread
from typing import Any

from goodarm.gating.question import Call


class Coroutines:
    """Several coroutines at once on one event loop, whether or not this thread has its own."""

    queue = False
    seconds = 0.0

    def __init__(self, play: Callable[[Call], Coroutine[Any, Any, object]], many: int) -> None:
        self.many = many
        self._play = play
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="goodarm-loop", daemon=True)
        self._thread.start()

    def submit(self, call: Call) -> "Future[object]":
        """Begin a trial on the loop."""
        return asyncio.run_coroutine_threadsafe(self._play(call), self._loop)

    def close(self) -> None:
        """Cancel what runs, let it clean up, and end the loop."""
        asyncio.run_coroutine_threadsafe(_cancel_all(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _cancel_all() -> None:
    tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
