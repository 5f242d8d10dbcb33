"""Does a page still answer while the server is under siege?

    python bench/web_siege.py [--half-open 1000] [--forecasts 200] [--arms 1000] [--seconds 20]

Half-open connections send the beginning of a request and nothing more, and come back when they are
closed. Forecasts of a study with many options, which changes twice a second, are asked for in
parallel. Meanwhile a person who is
signed in opens pages, each on a connection of its own. All of it stays on this machine.
"""

import argparse
import asyncio
import random
import re
import resource
import time
from collections import Counter
from multiprocessing import get_context
from typing import Any

from goodarm.study import Studies
from web_server import LOOPBACK, TOKEN, percentiles, say, serving, storages

PATIENCE = 60.0
PAUSE = 0.1  # seconds between two pages
PATHS = ("/", "/studies/small", "/studies/large")


def fill(storage: str, arms: int) -> None:
    studies = Studies(storage, create=True)
    studies.create("small", ["a", "b"], 0.5, "bernoulli").tell("a", 1)
    names = [f"arm {number}" for number in range(arms)]
    large = studies.create("large", names, 0.5, "bernoulli", budget=10**6)
    chance = random.Random(1)
    large.tell_many((name, int(chance.random() < 0.45)) for name in names for _ in range(3))


async def exchange(port: int, path: str, head: str, body: str = "") -> tuple[int, float, str]:
    """A request on a connection of its own: its status, how long it took, and its head."""
    began = time.perf_counter()
    reading, writing = await asyncio.open_connection(LOOPBACK, port)
    lines = f"{'POST' if body else 'GET'} {path} HTTP/1.1\r\nHost: {LOOPBACK}:{port}\r\n{head}"
    lines += f"Content-Length: {len(body)}\r\nContent-Type: application/json\r\n"
    try:
        writing.write(f"{lines}Connection: close\r\n\r\n{body}".encode())
        got = await asyncio.wait_for(reading.read(), PATIENCE)
    finally:
        writing.close()
    return int(got[9:12] or 0), time.perf_counter() - began, got[:2000].decode("latin-1")


async def half_open(port: int, end: float, many: int, seen: Counter[str]) -> None:
    """So many connections at any time that bring nothing."""

    async def one() -> None:
        while time.perf_counter() < end:
            try:
                reading, writing = await asyncio.open_connection(LOOPBACK, port)
                writing.write(b"GET / HTTP/1.1\r\nHost: ")
                seen["half-open"] += 1
                await asyncio.wait_for(reading.read(), max(0.0, end - time.perf_counter()))
                seen["closed by the server"] += 1
                writing.close()
            except (OSError, TimeoutError):
                await asyncio.sleep(0.1)

    await asyncio.gather(*(one() for _ in range(many)))


async def forecasts(port: int, end: float, many: int, seen: Counter[str]) -> None:
    """So many who want a forecast at any time, and at once again when they are answered."""
    bearer = f"Authorization: Bearer {TOKEN}\r\n"

    async def one() -> None:
        while time.perf_counter() < end:
            try:
                status, _, _ = await exchange(port, "/api/v1/studies/large/forecast", bearer)
                seen[f"forecasts answered with {status}"] += 1
            except (OSError, TimeoutError):
                seen["forecasts without an answer"] += 1
            await asyncio.sleep(0.5)

    async def change() -> None:
        while time.perf_counter() < end:  # or one forecast would do for all
            told = '{"arm": "arm 0", "value": 1}'
            status, _, _ = await exchange(port, "/api/v1/studies/large/tell", bearer, told)
            seen[f"outcomes answered with {status}"] += 1
            await asyncio.sleep(0.5)

    await asyncio.gather(change(), *(one() for _ in range(many)))


def besiege(port: int, seconds: float, many: int, asked: int, result: Any) -> None:
    seen: Counter[str] = Counter()

    async def all_of_it() -> None:
        end = time.perf_counter() + seconds
        await asyncio.gather(half_open(port, end, many, seen), forecasts(port, end, asked, seen))

    asyncio.run(all_of_it())
    result.put(dict(seen))


async def person(port: int, seconds: float) -> tuple[list[float], int]:
    """Signs in, and opens one page after another; how long each took, and how many failed."""
    _, _, head = await exchange(port, f"/enter?token={TOKEN}", "")
    cookie = re.search(r"(?i)set-cookie: ([^;]+)", head)
    assert cookie, head
    times, failed, n = [], 0, 0
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        try:
            path = PATHS[n % len(PATHS)]
            status, took, _ = await exchange(port, path, f"Cookie: {cookie[1]}\r\n")
            failed += status != 200
            times.append(took)
        except (OSError, TimeoutError):
            failed += 1
        n += 1
        await asyncio.sleep(PAUSE)
    return times, failed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--half-open", type=int, default=1_000)
    parser.add_argument("--forecasts", type=int, default=200)
    parser.add_argument("--arms", type=int, default=1_000)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--only", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--workers", type=int, default=0)
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    words = ["--workers", str(options.workers)] if options.workers else []
    with storages(options.only) as found:
        fill(found[options.only], options.arms)
        with serving(found[options.only], *words) as server:
            times, failed = asyncio.run(person(server.port, 5.0))
            say("pages in peace", pages=len(times), failed=failed, **percentiles(times))
            result: Any = get_context("fork").Queue()
            sizes = (options.half_open, options.forecasts)
            siege = get_context("fork").Process(
                target=besiege, args=(server.port, options.seconds, *sizes, result)
            )
            siege.start()
            time.sleep(1.0)
            times, failed = asyncio.run(person(server.port, options.seconds - 2.0))
            seen = result.get()
            siege.join()
            say("pages under siege", pages=len(times), failed=failed, **percentiles(times), **seen)


if __name__ == "__main__":
    main()
