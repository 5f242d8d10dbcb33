"""What the benchmarks of the page share: a server in processes of its own, and lean clients.

A client is a socket and a few lines, so that on two cores it takes little from the server. All of
it stays on this machine.
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "study"))

from conftest import find_postgresql

TOKEN = "a-token-for-the-benchmark-0123456789"
START = "import typer; from goodarm.cli.serve import serve; typer.run(serve)"
LOOPBACK = "127.0.0.1"


class Server:
    """`goodarm serve` on a free port of this machine."""

    def __init__(self, storage: str, *words: str) -> None:
        self._folder = tempfile.mkdtemp(prefix="goodarm-bench-")
        self.process = subprocess.Popen(
            [sys.executable, "-c", START, "--port", "0", "--storage", storage, *words],
            stdout=subprocess.PIPE,
            text=True,
            env={
                **os.environ,
                "GOODARM_TOKEN": TOKEN,
                "GOODARM_TOKENS": f"{self._folder}/tokens.json",
            },
        )
        assert self.process.stdout is not None
        found = re.search(rf"http://{LOOPBACK}:(\d+)", self.process.stdout.readline())
        assert found, "the server did not start"
        self.port = int(found[1])

    def workers(self) -> list[int]:
        """The processes that serve, where there are several."""
        said = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(number) for number in said.split() if _serves(int(number))]

    def seconds(self) -> float:
        """CPU time of all processes that serve, so far."""
        return sum(seconds_of(number) for number in (self.process.pid, *self.workers()))

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30.0)
        assert self.process.stdout is not None
        self.process.stdout.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def _serves(number: int) -> bool:
    try:
        words = Path(f"/proc/{number}/cmdline").read_bytes()
    except OSError:
        return False
    return b"forecaster" not in words and b"resource_tracker" not in words


@contextmanager
def serving(storage: str, *words: str) -> Iterator[Server]:
    """A server for a while."""
    server = Server(storage, *words)
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def storages(only: str | None) -> Iterator[dict[str, str]]:
    """A new SQLite file, and a database of a PostgreSQL that syncs its disk, as it comes."""
    with tempfile.TemporaryDirectory() as folder:
        found = {"sqlite": f"sqlite:///{folder}/bench.db"} if only != "postgresql" else {}
        if only == "sqlite":
            yield found
            return
        server = find_postgresql(fsync=True)
        if isinstance(server, str):
            print(server, file=sys.stderr)
            yield found
            return
        try:
            yield {**found, "postgresql": server.new_database()}
        finally:
            server.remove()


class Client:
    """One connection that is kept, and a token in each request."""

    def __init__(self, port: int, timeout: float = 60.0) -> None:
        self.port, self._timeout = port, timeout
        self._socket: socket.socket | None = None

    def get(self, path: str) -> tuple[int, bytes]:
        return self.request("GET", path, b"")

    def post(self, path: str, body: object) -> tuple[int, bytes]:
        return self.request("POST", path, json.dumps(body).encode())

    def json(self, path: str) -> Any:
        status, said = self.get(path)
        assert status == 200, said
        return json.loads(said)

    def request(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        """Status and body; an OSError if the connection broke before all of it was there."""
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {LOOPBACK}:{self.port}\r\n"
            f"Authorization: Bearer {TOKEN}\r\nContent-Length: {len(body)}\r\n"
            "Content-Type: application/json\r\n\r\n"
        )
        try:
            return self._exchange(head.encode() + body)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _exchange(self, sent: bytes) -> tuple[int, bytes]:
        if self._socket is None:
            self._socket = socket.create_connection((LOOPBACK, self.port), self._timeout)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.sendall(sent)
        got = b""
        while b"\r\n\r\n" not in got:
            got += self._more()
        head, _, body = got.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: (\d+)", head)
        assert length, head
        parts, missing = [body], int(length[1]) - len(body)
        while missing > 0:
            parts.append(self._more())
            missing -= len(parts[-1])
        return int(head[9:12]), b"".join(parts)

    def _more(self) -> bytes:
        assert self._socket is not None
        some = self._socket.recv(1 << 18)
        if not some:
            raise ConnectionResetError("the server has closed the connection")
        return some


def percentiles(times: Sequence[float]) -> dict[str, float]:
    """Milliseconds, of seconds."""
    ordered = sorted(times)

    def at(share: float) -> float:
        return round(1000.0 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)

    return {"median": at(0.5), "p95": at(0.95), "max": at(1.0)}


def load() -> str:
    """How much else this machine has to do: processes that want a core, over a minute."""
    return f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def say(what: str, **found: object) -> None:
    """A line of results, with the load at that moment."""
    print(json.dumps({"what": what, **found, "load": load()}), flush=True)


def seconds_of(process: int) -> float:
    """Seconds of processors that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def elapsed(began: float) -> float:
    return time.perf_counter() - began
