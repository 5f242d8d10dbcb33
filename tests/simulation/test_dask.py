"""A real Dask cluster on loopback: a worker dies in the middle, and the results are the same."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from goodarm import extras
from goodarm.errors import InputError
from goodarm.instance import instances
from goodarm.paper.cluster import dask_executor
from goodarm.simulation.job import make_job
from goodarm.simulation.runner import Task, run_tasks

distributed = pytest.importorskip("distributed")

PATIENCE = 25.0  # seconds until a process must have shown itself


@contextmanager
def process(*arguments: str) -> Iterator[subprocess.Popen]:
    command = [sys.executable, "-m", *arguments]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as started:
        try:
            yield started
        finally:
            started.kill()


def wait_for(true: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, f"{what} did not come"
        time.sleep(0.05)


@contextmanager
def cluster(folder) -> Iterator[tuple[str, list[subprocess.Popen]]]:
    """A scheduler and two worker processes; its address, and the workers."""
    scheduler_file = folder / "scheduler.json"
    local = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(scheduler_file)]
    scheduler = ["distributed.cli.dask_scheduler", "--port", "0", *local]
    alone = ["--nthreads", "1", "--no-nanny", "--local-directory", str(folder)]
    worker = ["distributed.cli.dask_worker", *local, *alone]
    with process(*scheduler):
        wait_for(scheduler_file.is_file, "the scheduler")
        with process(*worker) as one, process(*worker) as two:
            with distributed.Client(scheduler_file=str(scheduler_file)) as client:
                client.wait_for_workers(2, timeout=PATIENCE)
                address = client.scheduler.address
            yield address, [one, two]


def tasks() -> list[Task]:
    anytime = make_job("APGAI", instances["Thr3"], "anytime", 4000, seed=5, times=[100, 4000])
    sure = make_job("APGAI-FE", instances["IsA1"], "fixed-confidence", 20_000, seed=5, delta=0.01)
    return [Task(anytime, 400, 10), Task(sure, 4000, 100)]


def columns(executor, report) -> list[list[bytes]]:
    found = dict(run_tasks(tasks(), 2, executor, None, report))
    return [
        [found[i].pulls.tobytes(), *(c.tobytes() for c in found[i]._columns().values())]
        for i in sorted(found)
    ]


def test_a_worker_dies_and_nothing_changes(tmp_path) -> None:
    wanted = columns(None, lambda runs, pulls: None)
    seen: list[int] = []
    with cluster(tmp_path) as (address, workers), dask_executor(address) as (executor, threads):
        assert threads == 2

        def kill_one(runs: int, pulls: int) -> None:
            if runs > 0 and not seen:
                seen.append(runs)
                workers[0].kill()

        assert columns(executor, kill_one) == wanted
        assert workers[0].wait(PATIENCE) != 0
    assert seen
    assert seen[0] < sum(task.runs for task in tasks())  # it was in the middle


def test_processes_on_this_machine() -> None:
    wanted = columns(None, lambda runs, pulls: None)
    with dask_executor("local:1") as (executor, threads):
        assert threads == 1
        assert columns(executor, lambda runs, pulls: None) == wanted


@pytest.mark.parametrize("where", ["local:", "local:none", "local:0"])
def test_a_wrong_number_of_processes(where: str) -> None:
    with pytest.raises(InputError, match="local:N"), dask_executor(where):
        pass


def test_nobody_answers(monkeypatch) -> None:
    monkeypatch.setattr("goodarm.paper.cluster.CONNECT_WITHIN", 1)
    with (
        pytest.raises(InputError, match="no scheduler answers"),
        dask_executor("tcp://127.0.0.1:9"),
    ):
        pass


def test_the_extra_is_named_where_it_is_missing(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.setattr(extras, "_found", set())
    with pytest.raises(InputError, match=r"goodarm\[dask\]"), dask_executor("local:1"):
        pass
