"""Pages are worked out one at a time: threads would only be in each other's way.

Python does one thing at a time, and thirty threads that want to do it also keep the one waiting
that reads requests and answers them. One after another, thirty people who look at the same moment
wait half as long. What takes longer than moments, such as a forecast that is waited for, gives way
to others, and what is on its way to a slow reader is done: so nobody can hold up anybody.
"""

import asyncio
from typing import Any

PATIENCE = 0.005  # seconds; two hundred that wait for something hold up the next one for a second


class OneAtATime:
    """Lets one request that reads be worked on at a time; an ASGI application around another."""

    def __init__(self, app: Any, patience: float = PATIENCE) -> None:
        self._app, self._patience = app, patience
        self._turn = asyncio.Semaphore(1)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Wait for one's turn where there are any, and let the next one in as soon as may be."""
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        await self._turn.acquire()
        has_given_way = False

        def give_way() -> None:
            nonlocal has_given_way
            if not has_given_way:
                has_given_way = True
                self._turn.release()

        async def sending(message: Any) -> None:
            give_way()
            await send(message)

        later = asyncio.get_running_loop().call_later(self._patience, give_way)
        try:
            await self._app(scope, receive, sending)
        finally:
            later.cancel()
            give_way()
