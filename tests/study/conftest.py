"""Databases for the tests: a fresh SQLite file, and a real PostgreSQL that is started here."""

import glob
import importlib.util
import os
import pwd
import select
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.engine.default import DefaultDialect

from goodarm.study import Bernoulli, Study
from goodarm.study.log.events import Stored, read_event
from goodarm.study.storage import Store

NUMBERS = count()
IN_MEMORY, ENOUGH = Path("/dev/shm"), 2 * 2**30  # a folder that no disk is behind, and bytes


class Clock:
    """A clock that goes where it is told."""

    def __init__(self) -> None:
        self.time = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def move(self, **by: float) -> None:
        self.time += timedelta(**by)


class PostgreSQL:
    """A server of our own in a folder of its own, reached through a socket there."""

    def __init__(self, programs: Path, fsync: bool = False) -> None:
        self.programs = programs
        self.fsync = "on" if fsync else "off"  # tests kill processes, not the machine
        self.folder = Path(tempfile.mkdtemp(prefix="gapg", dir=None if fsync else _fast_folder()))
        self.data = self.folder / "data"
        if os.getuid() == 0:  # PostgreSQL refuses to run as root
            shutil.chown(self.folder, "postgres", "postgres")
        self.run("initdb", "-D", str(self.data), "-U", "postgres", "-A", "trust", "--no-sync")
        self.start()

    def run(self, program: str, *arguments: str) -> None:
        command = [str(self.programs / program), *arguments]
        if os.getuid() == 0:
            ids = ["--reuid=postgres", "--regid=postgres", "--clear-groups"]
            command = ["setpriv", *ids, "--", *command]
        log = self.folder / "log.txt"
        with log.open("a") as out:
            done = subprocess.run(command, stdout=out, stderr=out, cwd=self.folder, timeout=60)
        if done.returncode:
            raise RuntimeError(f"{program}: {log.read_text()[-2000:]}")

    def start(self) -> None:
        options = f"-k {self.folder} -c listen_addresses='' -c fsync={self.fsync}"
        options += " -c dynamic_shared_memory_type=mmap"  # nothing is left behind outside of it
        self.run("pg_ctl", "-D", str(self.data), "-w", "-o", options, "start")

    def stop(self, how: str = "fast") -> None:
        self.run("pg_ctl", "-D", str(self.data), "-w", "-m", how, "stop")

    def remove(self) -> None:
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, database: str) -> str:
        return f"postgresql+psycopg://postgres@/{database}?host={self.folder}"

    def new_database(self) -> str:
        import psycopg

        name = f"test{next(NUMBERS)}"
        address = f"host={self.folder} user=postgres dbname=postgres"
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)


def _fast_folder() -> Path | None:
    """Where dozens of databases are made and removed in no time; None: wherever files go."""
    if not os.access(IN_MEMORY, os.W_OK) or shutil.disk_usage(IN_MEMORY).free < ENOUGH:
        return None
    return IN_MEMORY


def find_postgresql(fsync: bool = False) -> PostgreSQL | str:
    """A server that has been started, or why there is none."""
    if importlib.util.find_spec("psycopg") is None:
        return "psycopg is not installed: pip install 'goodarm[postgres]'"
    found = shutil.which("initdb")
    programs = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
    if found is None and not programs:
        return "no PostgreSQL server is installed (Debian: apt-get install postgresql)"
    users = [entry.pw_name for entry in pwd.getpwall()]
    if os.getuid() == 0 and (shutil.which("setpriv") is None or "postgres" not in users):
        return "PostgreSQL does not run as root, and there is no user postgres"
    return PostgreSQL(Path(found or programs[-1]).parent, fsync)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    server = find_postgresql()
    if isinstance(server, str):
        pytest.skip(f"not tested on PostgreSQL: {server}")
    yield server
    server.remove()


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/studies.db"


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> str:
    """The URL of a fresh database, of either kind."""
    if request.param == "sqlite":
        return str(request.getfixturevalue("sqlite"))
    server: PostgreSQL = request.getfixturevalue("postgresql")
    return server.new_database()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(url: str, clock: Clock) -> Iterator[Store]:
    """A database, of either kind, whose clock the test moves."""
    opened = Store(url, clock=clock)
    yield opened
    opened.close()


@pytest.fixture
def study(store: Store) -> Study:
    return Study.create("doses", ["low", "mid", "high"], 0.5, Bernoulli(), storage=store, seed=7)


class Child:
    """A forked process that works until it is done or killed; what it reports comes by a pipe."""

    def __init__(self, work: Callable[[Callable[[str], None]], None]) -> None:
        reading, writing = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            code = 1
            try:
                os.close(reading)
                work(lambda line: os.write(writing, f"{line}\n".encode()) and None)
                code = 0
            except BaseException as error:
                os.write(writing, f"error {type(error).__name__}: {error}\n".encode())
            finally:
                os._exit(code)
        os.close(writing)
        self.reading = reading

    def kill_after(self, seconds: float, *, at_work: bool = False) -> list[str]:
        """Kill it so long after its start, or after its first report; what it reported."""
        if at_work:
            select.select([self.reading], [], [], 60.0)
        time.sleep(seconds)
        os.kill(self.pid, signal.SIGKILL)
        return self.lines()

    def lines(self) -> list[str]:
        """Wait for the end; everything that was reported."""
        with os.fdopen(self.reading, "rb") as pipe:
            said = pipe.read().decode()
        _, self.status = os.waitpid(self.pid, 0)
        return said.splitlines()


@pytest.fixture
def fork() -> type[Child]:
    return Child


@pytest.fixture
def lose_every_other_confirmation(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[int]]:
    """From when it is called on: every other commit is made, but seems to fail (SQLite).

    What it returns grows by one with every commit.
    """
    original = DefaultDialect.do_commit
    seen: list[int] = []

    def lose_every_other(self: object, connection: Any) -> None:
        original(self, connection)  # type: ignore[arg-type]
        seen.append(1)
        if len(seen) % 2:
            error = sqlite3.OperationalError("the line went dead")
            error.sqlite_errorcode = sqlite3.SQLITE_BUSY  # type: ignore[misc]
            raise error

    def begin() -> list[int]:
        monkeypatch.setattr(DefaultDialect, "do_commit", lose_every_other)
        return seen

    return begin


@pytest.fixture
def rechained() -> Callable[..., list[Stored]]:
    """The log as one writes it anew who changes something, everything after it made to fit."""

    def rewrite(log: list[Stored], change: Callable[[int, dict[str, Any]], object]) -> list[Stored]:
        events: list[Stored] = []
        for stored in log:
            event = read_event(stored.text)
            data = event._asdict()
            data["previous"] = events[-1].hash if events else event.previous
            change(event.seq, data)
            events.append(type(event)(**data).stored())
        return events

    return rewrite
