"""How fast pages are, with many studies, a long one, and people who look at the same time.

    python bench/web_load.py [--outcomes 1000000] [--clients 32] [--studies 1000] [--only sqlite]

A client asks for a page, reads it and asks again at once; so 32 of them are far more than 32
people. `one after another` is what a page takes by itself. The study is written to now and then,
as a study that people look at would be. What programs may write: `web_writes.py`.
"""

import argparse
import threading
import time
from multiprocessing import get_context
from typing import Any

from goodarm.study import Studies
from web_server import Client, percentiles, say, serving, storages

ARMS = [f"arm {number}" for number in range(10)]
AT_ONCE = 100_000  # outcomes told together
PAUSE = 0.5  # seconds between two outcomes that come in meanwhile
PAGES = {
    "study page": "/studies/long",
    "its trials": "/studies/long/trials",
    "its status": "/api/v1/studies/long",
    "chart": "/studies/long/evidence.json",
    "list": "/",
    "search": "/?q=99",
}


def fill(storage: str, count: int, outcomes: int) -> None:
    """Many small studies and one long one."""
    studies = Studies(storage, create=True)
    for number in range(count):
        studies.create(f"study {number}", ["a", "b", "c"], 0.5, "bernoulli", delta=0.05)
    long = studies.create("long", ARMS, 0.5, "bernoulli", delta=None, seed=1)
    for first in range(0, outcomes, AT_ONCE):
        numbers = range(first, min(first + AT_ONCE, outcomes))
        long.tell_many((ARMS[i % 10], int((i * 7919) % 1000 < 480 + 4 * (i % 10))) for i in numbers)


def look(port: int, path: str, seconds: float, times: list[float]) -> None:
    client = Client(port)
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        began = time.perf_counter()
        status, said = client.get(path)
        assert status == 200, said
        times.append(time.perf_counter() - began)


def crowd(port: int, path: str, many: int, seconds: float, result: Any) -> None:
    """A process with so many clients."""
    times: list[float] = []
    threads = [
        threading.Thread(target=look, args=(port, path, seconds, times)) for _ in range(many)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    result.put(times)


def looked(port: int, path: str, many: int, seconds: float) -> list[float]:
    result: Any = get_context("fork").Queue()
    process = get_context("fork").Process(target=crowd, args=(port, path, many, seconds, result))
    process.start()
    times: list[float] = result.get()
    process.join()
    return times


def write_now_and_then(port: int, over: threading.Event) -> None:
    client = Client(port)
    while not over.wait(PAUSE):
        client.post("/api/v1/studies/long/tell", {"arm": ARMS[0], "value": 1})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--outcomes", type=int, default=1_000_000)
    parser.add_argument("--studies", type=int, default=1_000)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--only", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--workers", type=int, default=0)
    options = parser.parse_args()
    words = ["--workers", str(options.workers)] if options.workers else []
    with storages(options.only) as found:
        storage = found[options.only]
        fill(storage, options.studies, options.outcomes)
        with serving(storage, *words) as server:
            over = threading.Event()
            writer = threading.Thread(target=write_now_and_then, args=(server.port, over))
            writer.start()
            for name, path in PAGES.items():
                Client(server.port).get(path)
                for many in (1, options.clients):
                    cpu = server.seconds()
                    times = looked(server.port, path, many, options.seconds)
                    cpu = server.seconds() - cpu
                    per_page = round(1000.0 * cpu / len(times), 2)
                    rate = round(len(times) / options.seconds)
                    more = {"clients": many, "pages per second": rate, "server ms": per_page}
                    say(name, **more, **percentiles(times))
            over.set()
            writer.join()


if __name__ == "__main__":
    main()
