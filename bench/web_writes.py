"""Asking and telling through the API: pairs a second, outcomes a second in bulk.

    python bench/web_writes.py [--only sqlite] [--clients 8] [--seconds 10] [--workers 0]

The clients are threads of one process. `one study` is the hardest case: its writers take turns.
What is counted is what the log holds in the end, and every log is verified.
"""

import argparse
import json
import multiprocessing
import threading
import time
from typing import Any

from goodarm.study import Studies
from web_server import Client, elapsed, say, serving, storages

ARMS = [f"arm {number}" for number in range(10)]
AT_ONCE = 5_000  # outcomes in one request
BULKS = 10


def client(port: int, study: str, seconds: float, done: list[int]) -> None:
    """Ask and tell until the time is up."""
    own, at, pairs = Client(port), f"/api/v1/studies/{study}", 0
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        status, said = own.post(f"{at}/ask", {})
        assert status == 200, said
        number = json.loads(said)[0]["number"]
        status, said = own.post(f"{at}/tell", {"trial": number, "value": number % 2})
        assert status == 200, said
        pairs += 1
    done.append(pairs)


def clients(port: int, studies: list[str], seconds: float, result: Any) -> None:
    """A process with a client for each of the studies named."""
    done: list[int] = []
    threads = [threading.Thread(target=client, args=(port, s, seconds, done)) for s in studies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    result.put((sum(done), time.process_time()))


def pairs(storage: str, names: list[str], seconds: float, words: list[str]) -> dict[str, object]:
    """Asks and tells for so long, each client on the study of its name."""
    studies = Studies(storage, create=True)
    for name in set(names):
        studies.create(name, ARMS, 0.5, "bernoulli", delta=None, seed=1)
    with serving(storage, *words) as server:
        Client(server.port).get("/healthz")
        result: Any = multiprocessing.get_context("fork").Queue()
        began, cpu = time.perf_counter(), server.seconds()
        process = multiprocessing.get_context("fork").Process(
            target=clients, args=(server.port, names, seconds, result)
        )
        process.start()
        acknowledged, own_cpu = result.get()
        took = elapsed(began)
        process.join()
        cpu = server.seconds() - cpu
    every = [studies.open(name) for name in set(names)]
    told = sum(study.status().trials for study in every)
    return {
        "pairs per second": round(told / took),
        "acknowledged": acknowledged,
        "in the log": told,
        "sound": all(study.verify().ok for study in every),
        "server ms per pair": round(1000.0 * cpu / max(told, 1), 2),
        "clients ms per pair": round(1000.0 * own_cpu / max(told, 1), 2),
    }


def bulk(storage: str, words: list[str]) -> dict[str, object]:
    """Some thousands of outcomes in each request."""
    studies = Studies(storage, create=True)
    study = studies.create("bulk", ARMS, 0.5, "bernoulli", delta=None, seed=1)
    told = [{"arm": ARMS[i % 10], "value": (i * 7919) % 1000 < 500} for i in range(AT_ONCE)]
    told = [{**one, "value": int(one["value"])} for one in told]
    bodies = [
        json.dumps({"outcomes": told, "brief": True, "key": f"{n}"}).encode() for n in range(BULKS)
    ]
    with serving(storage, *words) as server:
        own = Client(server.port)
        own.get("/healthz")
        began = time.perf_counter()
        for body in bodies:
            status, said = own.request("POST", "/api/v1/studies/bulk/tell-many", body)
            assert status == 200, said
        took = elapsed(began)
    there = study.status().trials
    return {
        "outcomes per second": round(there / took),
        "sent": AT_ONCE * BULKS,
        "in the log": there,
        "sound": study.verify().ok,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=["sqlite", "postgresql"])
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--workers", type=int, default=0)
    options = parser.parse_args()
    words = ["--workers", str(options.workers)] if options.workers else []
    with storages(options.only) as found:
        for kind, storage in found.items():
            one = ["shared"] * options.clients
            several = [f"own{number}" for number in range(options.clients)]
            for what, names in (("one study", one), ("a study each", several)):
                say(f"pairs, {kind}, {what}", **pairs(storage, names, options.seconds, words))
            say(f"bulk, {kind}", **bulk(storage, words))


if __name__ == "__main__":
    main()
