"""How fast the web page answers with many studies and a long one; whether writers lose anything.

    python bench/web_load.py [--studies 1000] [--events 100000] [--requests 200] [--writers 20]

Starts a server of its own on a free port of this machine, measures over loopback, and stops it.
"""

import argparse
import csv
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx

from goodarm.study import Studies

TOKEN = "a-token-for-the-benchmark-0123456789"
HEADERS = {"Authorization": f"Bearer {TOKEN}"}
START = "import typer; from goodarm.cli.serve import serve; typer.run(serve)"
GOAL_MS = 300.0
TELLS = 25  # of each writer
PAGES = {
    "list": "/",
    "search": "/?q=99",
    "study page": "/studies/long",
    "chart": "/studies/long/evidence.json",
    "log": "/studies/long/log",
}


def fill(folder: Path, count: int, events: int) -> Path:
    """A database with many small studies and one long one."""
    database = folder / "studies.db"
    studies = Studies(database, create=True)
    for number in range(count - 2):
        studies.create(f"study {number}", ["a", "b", "c"], 0.5, "bernoulli", delta=0.05)
    arms = [f"arm {number}" for number in range(10)]
    long = studies.create("long", arms, 0.5, "bernoulli", budget=10**6)
    with (folder / "past.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["arm", "value"])
        writer.writerows([arms[i % 10], int((i * 7919) % 1000 < 500)] for i in range(events - 1))
    long.import_csv(folder / "past.csv")
    studies.create("shared", ["a", "b"], 0.5, "bernoulli")
    return database


def start(database: Path) -> tuple[subprocess.Popen[str], str]:
    """A server in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-c", START, "--port", "0", "--storage", str(database)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "GOODARM_TOKEN": TOKEN},
    )
    assert process.stdout is not None
    found = re.search(r"http://[^/]+", process.stdout.readline())
    assert found
    return process, found[0]


def percentile_95(url: str, path: str, requests: int, at_once: int) -> dict[str, float]:
    """Milliseconds per request, with some clients at once."""

    def client(_: int) -> list[float]:
        times = []
        with httpx.Client(base_url=url, headers=HEADERS, timeout=60) as connection:
            for _ in range(requests // at_once):
                began = time.perf_counter()
                answer = connection.get(path)
                times.append(1000 * (time.perf_counter() - began))
                assert answer.status_code == 200, answer.text
        return times

    with ThreadPoolExecutor(at_once) as pool:
        times = sorted(t for part in pool.map(client, range(at_once)) for t in part)
    cold, middle = max(times), statistics.median(times)
    return {"median": middle, "p95": times[int(0.95 * len(times)) - 1], "max": cold}


def write_at_once(url: str, writers: int) -> dict[str, float]:
    """Writers on one study at once: how many outcomes a second, and how many were lost."""

    def write(worker: int) -> int:
        done = 0
        with httpx.Client(base_url=url, headers=HEADERS, timeout=60) as client:
            for number in range(TELLS):
                body = {"arm": "a", "value": 1, "key": f"{worker}/{number}"}
                done += client.post("/api/studies/shared/tell", json=body).status_code == 200
        return done

    began = time.perf_counter()
    with ThreadPoolExecutor(writers) as pool:
        acknowledged = sum(pool.map(write, range(writers)))
    seconds = time.perf_counter() - began
    there = httpx.get(f"{url}/api/studies/shared", headers=HEADERS).json()["trials"]
    sound = httpx.get(f"{url}/api/studies/shared/verify", headers=HEADERS, timeout=60).json()["ok"]
    return {
        "sent": writers * TELLS, "acknowledged": acknowledged, "recorded": there,
        "verified": sound, "per_second": acknowledged / seconds,
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--studies", type=int, default=1000)
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--writers", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = fill(Path(folder), options.studies, options.events)
        process, url = start(database)
        try:
            for name, path in PAGES.items():
                for at_once in (1, 4):
                    found = percentile_95(url, path, options.requests, at_once)
                    verdict = "ok" if found["p95"] < GOAL_MS else "TOO SLOW"
                    shown = "  ".join(f"{key} {value:7.1f} ms" for key, value in found.items())
                    print(f"{name:<11} {at_once} at once  {shown}  {verdict}", flush=True)
            print("writers    ", json.dumps(write_at_once(url, options.writers)), flush=True)
        finally:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    main()
