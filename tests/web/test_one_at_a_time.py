"""Pages are worked out one at a time, and nobody holds up anybody."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from goodarm.web.server.one_at_a_time import OneAtATime

Send = Callable[[Any], Awaitable[None]]
Handler = Callable[[Send], Awaitable[None]]
LONG = 60.0  # seconds, more than a test waits
START = {"type": "http.response.start"}


def most_at_once(
    handle: Handler, patience: float, kind: str = "http", method: str = "GET"
) -> tuple[int, list[BaseException | None]]:
    """Of eight requests: how many were worked on at the same moment, and what came of each."""
    now = most = 0

    async def app(scope: Any, receive: Any, send: Send) -> None:
        nonlocal now, most
        now += 1
        most = max(most, now)
        try:
            await handle(send)
        finally:
            now -= 1

    async def sent(message: Any) -> None:
        assert message == START

    async def all_of_them() -> list[BaseException | None]:
        gate = OneAtATime(app, patience)
        requests = (gate({"type": kind, "method": method}, None, sent) for _ in range(8))
        every = asyncio.gather(*requests, return_exceptions=True)
        return await asyncio.wait_for(every, 30.0)

    results = asyncio.run(all_of_them())
    return most, results


async def page(send: Send) -> None:
    for _ in range(3):
        await asyncio.sleep(0)
    await send(START)


def test_pages_come_one_after_another() -> None:
    assert most_at_once(page, LONG) == (1, [None] * 8)


def test_what_is_written_and_what_is_no_request_does_not_wait() -> None:
    assert most_at_once(page, LONG, method="POST") == (8, [None] * 8)
    assert most_at_once(page, LONG, kind="lifespan") == (8, [None] * 8)


def test_an_answer_that_is_read_slowly_holds_up_nobody() -> None:
    async def slowly(send: Send) -> None:
        await send(START)
        await asyncio.sleep(0.05)

    assert most_at_once(slowly, LONG) == (8, [None] * 8)


def test_what_takes_long_gives_way() -> None:
    started = 0

    async def waits_for_all(send: Send) -> None:
        nonlocal started
        started += 1
        while started < 8:
            await asyncio.sleep(0.001)

    assert most_at_once(waits_for_all, 0.001) == (8, [None] * 8)


def test_a_page_that_fails_is_over() -> None:
    async def fails(send: Send) -> None:
        await asyncio.sleep(0)
        raise KeyError("page")

    most, results = most_at_once(fails, LONG)
    assert most == 1
    assert [type(result) for result in results] == [KeyError] * 8
