"""Running many runs: jobs are cut into chunks, chunks go to an executor, results are merged."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithms import Algorithm
from goodarm.algorithms.contract import ANYTIME, FIXED_CONFIDENCE
from goodarm.errors import InputError
from goodarm.extras import LAB, need
from goodarm.inputs import whole
from goodarm.instance import Instance, load_instance
from goodarm.outcomes import Outcome
from goodarm.simulation.chunk import Chunk, new_control, play_chunk
from goodarm.simulation.device import player
from goodarm.simulation.job import Job, choose_mode, make_job
from goodarm.simulation.loops.kernel import CANCEL, PROGRESS
from goodarm.simulation.progress import no_progress, progress_bar
from goodarm.simulation.results import AnytimeResult, RunResult, from_chunk, merge
from goodarm.simulation.store import ChunkStore

MOST_RUNS_ASKED = 10**12
LARGEST_CHUNK = 50_000
LARGEST_GPU_CHUNK = 4_000_000
CHUNKS_PER_THREAD = 16
STORED_CHUNKS = 8  # of a simulation whose chunks are kept on disk
PULLS_WORTH_A_FILE = 5_000_000
UNDER_WAY_ELSEWHERE = 128  # chunks handed to an executor at once, at the least
POLL_EVERY = 0.1  # seconds between two looks at progress and at Ctrl-C


def simulate(
    instance: Instance | str,
    algorithms: Sequence[str | Algorithm] | str | Algorithm,
    *,
    delta: float | None = None,
    budget: int | None = None,
    horizon: int | None = None,
    boundary: str | None = None,
    outcome: Outcome | str | None = None,
    cap: int | None = None,
    times: Sequence[int] | None = None,
    runs: int = 1000,
    seed: int = 0,
    threads: int | None = None,
    chunk: int | None = None,
    executor: Executor | None = None,
    store: ChunkStore | None = None,
    device: str = "cpu",
    show_progress_bar: bool = False,
) -> dict[str, RunResult | AnytimeResult]:
    """Simulate algorithms on an instance; a mapping from name to result, in the order asked for.

    Exactly one of three modes:

    * `delta`: every run goes on until the stopping rule is sure at 1 − δ, or until `cap` pulls
      (default 1,000,000); `boundary` names the stopping boundary (default "mixture");
    * `budget`: every run makes that many pulls and answers;
    * `horizon`: the error at every time up to it (at `times`, if given; on a geometric grid of
      times beyond 100,000).

    `outcome` says what the outcomes are taken for: by default the arms' own model, and for the
    paper's boundaries "sub-gaussian" with their scales. With one `seed` all algorithms see the same
    rewards, and results do not depend on `threads`, `chunk` (runs per task) or `executor`. A
    `store` keeps finished chunks. `device="cuda"` plays the same runs on a GPU (goodarm[cuda]).

    >>> simulate("NoA1", "APGAI", budget=150, runs=200)["APGAI"].error_rate
    0.0
    """
    need(LAB, "simulate")
    problem = load_instance(instance)
    mode, limit = choose_mode(delta, budget, horizon, cap)
    jobs = [
        make_job(spec, problem, mode, limit, seed, delta, boundary, times, outcome)
        for spec in _listed(algorithms)
    ]
    labels = _labels(jobs)
    play, workers = player(device), _workers(threads, device)
    tasks = _tasks(jobs, whole("runs", runs, 1, MOST_RUNS_ASKED), chunk, workers, device, store)
    with progress_bar(runs * len(jobs)) if show_progress_bar else no_progress() as report:
        results = dict(run_tasks(tasks, workers, executor, store, report, play))
    return {label: results[index] for index, label in enumerate(labels)}


def _listed(algorithms: Sequence[str | Algorithm] | str | Algorithm) -> list[str | Algorithm]:
    specs = [algorithms] if isinstance(algorithms, str | Algorithm) else list(algorithms)
    if not specs:
        raise InputError("algorithms: the list is empty; name at least one, such as APGAI")
    return specs


def _labels(jobs: Sequence[Job]) -> list[str]:
    labels = [job.algorithm.label for job in jobs]
    if len(set(labels)) < len(labels):
        raise InputError(f"algorithms: one is named twice in {', '.join(labels)}")
    return labels


def _workers(threads: int | None, device: str) -> int:
    if threads is not None:
        whole("threads", threads, 1, 4096)
    if device != "cpu":
        return 1  # the GPU takes one chunk at a time, and a large one
    return threads or os.cpu_count() or 1


def _tasks(
    jobs: Sequence[Job],
    runs: int,
    chunk: int | None,
    workers: int,
    device: str,
    store: ChunkStore | None,
) -> list["Task"]:
    if chunk is not None:
        whole("chunk", chunk, 1, MOST_RUNS_ASKED)
    elif device != "cpu":
        chunk = LARGEST_GPU_CHUNK
    return [
        Task(job, runs, chunk or (stored_size(job, runs) if store else chunk_size(runs, workers)))
        for job in jobs
    ]


@dataclass(frozen=True)
class Task:
    """How often a job is to be run, how many runs make a chunk, and the first run's number."""

    job: Job
    runs: int
    size: int
    first: int = 0

    def chunks(self) -> Iterator[tuple[int, int]]:
        """First and last of every chunk; the last is not part of it."""
        end = self.first + self.runs
        for first in range(self.first, end, self.size):
            yield first, min(first + self.size, end)


def chunk_size(runs: int, workers: int) -> int:
    """Runs per chunk, few enough that no worker waits long for the others at the end."""
    return max(1, min(LARGEST_CHUNK, -(-runs // (workers * CHUNKS_PER_THREAD))))


def stored_size(job: Job, runs: int) -> int:
    """The chunk size where chunks are kept: whatever the machine, so that they are found again."""
    size = -(-runs // STORED_CHUNKS)
    if job.mode != FIXED_CONFIDENCE:  # the pulls are known: small simulations are not cut up
        size = max(size, PULLS_WORTH_A_FILE // job.limit)
    return max(1, min(LARGEST_CHUNK, size))


@dataclass
class _Part:
    """One task's chunks as they come in."""

    index: int
    task: Task
    missing: int  # runs
    chunks: list[Chunk] = field(default_factory=list)

    def add(self, chunk: Chunk) -> None:
        self.missing -= chunk.last - chunk.first
        if self.task.job.mode == ANYTIME and self.chunks:
            self.chunks[0].add_counts(chunk)  # so that memory does not grow with the runs
        else:
            self.chunks.append(chunk)

    def result(self) -> RunResult | AnytimeResult:
        result = merge([from_chunk(self.task.job, chunk) for chunk in self.chunks])
        self.chunks.clear()
        return result


def run_tasks(
    tasks: Sequence[Task],
    workers: int,
    executor: Executor | None,
    store: ChunkStore | None,
    report: Callable[[int, int], None],
    play: Callable[..., Chunk] = play_chunk,
) -> Iterator[tuple[int, RunResult | AnytimeResult]]:
    """Play all tasks side by side; each result with its task's position, as soon as it is whole.

    `report(runs, pulls)` hears of progress over all tasks.
    """
    parts = [_Part(index, task, task.runs) for index, task in enumerate(tasks)]
    waiting = ((part, first, last) for part in parts for first, last in part.task.chunks())
    at_once = 2 * workers if executor is None else max(2 * workers, UNDER_WAY_ELSEWHERE)
    with _pool(executor, workers, play) as submit:
        for part, chunk in _finished(waiting, submit, at_once, store, report):
            part.add(chunk)
            if part.missing == 0:
                yield part.index, part.result()


Submit = Callable[[Job, int, int], tuple["Future[Chunk]", NDArray[np.int64]]]


@contextmanager
def _pool(executor: Executor | None, workers: int, play: Callable[..., Chunk]) -> Iterator[Submit]:
    """A function that hands a chunk to the executor; local threads share a control with it."""
    if executor is not None:
        # Elsewhere there is no shared memory to watch or to cancel through.
        yield lambda job, first, last: (
            executor.submit(play, job, first, last),
            new_control(),
        )
        return
    controls: list[NDArray[np.int64]] = []
    pool = ThreadPoolExecutor(workers, thread_name_prefix="goodarm")

    def submit(job: Job, first: int, last: int) -> tuple["Future[Chunk]", NDArray[np.int64]]:
        control = new_control()
        controls.append(control)
        return pool.submit(play, job, first, last, control), control

    try:
        yield submit
    except BaseException:
        for control in controls:
            control[CANCEL] = 1
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def _finished(
    waiting: Iterator[tuple[_Part, int, int]],
    submit: Submit,
    at_once: int,
    store: ChunkStore | None,
    report: Callable[[int, int], None],
) -> Iterator[tuple[_Part, Chunk]]:
    """Every chunk when it is there, from the store or played; `at_once` are under way."""
    under_way: dict[Future[Chunk], tuple[_Part, NDArray[np.int64]]] = {}
    runs = pulls = 0
    while True:
        while len(under_way) < at_once and (next_one := next(waiting, None)) is not None:
            part, first, last = next_one
            chunk = store.load(part.task.job, first, last) if store else None
            if chunk is not None:
                runs += last - first
                pulls += int(chunk.pulls.sum())
                report(runs, pulls)
                yield part, chunk
            else:
                future, control = submit(part.task.job, first, last)
                under_way[future] = (part, control)
        if not under_way:
            return
        done, _ = wait(under_way, timeout=POLL_EVERY, return_when=FIRST_COMPLETED)
        for future in done:
            part, _ = under_way.pop(future)
            chunk = future.result()
            if store:
                store.save(part.task.job, chunk)
            runs += chunk.last - chunk.first
            pulls += int(chunk.pulls.sum())
            yield part, chunk
        report(runs, pulls + sum(int(control[PROGRESS]) for _, control in under_way.values()))
