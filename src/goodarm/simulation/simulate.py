"""Running many runs: jobs are cut into chunks, chunks go to an executor, results are merged."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithms import Algorithm
from goodarm.algorithms.contract import ANYTIME
from goodarm.errors import InputError
from goodarm.instance import Instance, load_instance
from goodarm.simulation.chunk import Chunk, new_control, play_chunk
from goodarm.simulation.job import Job, choose_mode, make_job, whole
from goodarm.simulation.kernel import CANCEL, STEPS
from goodarm.simulation.progress import no_progress, progress_bar
from goodarm.simulation.results import AnytimeResult, RunResult, from_chunk, merge

LARGEST_CHUNK = 50_000
CHUNKS_PER_THREAD = 16
LOOK_EVERY = 0.1  # seconds between two looks at progress and at Ctrl-C


def simulate(
    instance: Instance | str,
    algorithms: Sequence[str | Algorithm] | str | Algorithm,
    *,
    delta: float | None = None,
    budget: int | None = None,
    horizon: int | None = None,
    boundary: str | None = None,
    cap: int | None = None,
    times: Sequence[int] | None = None,
    runs: int = 1000,
    seed: int = 0,
    threads: int | None = None,
    chunk: int | None = None,
    executor: Executor | None = None,
    show_progress_bar: bool = False,
) -> dict[str, RunResult | AnytimeResult]:
    """Simulate algorithms on an instance; a mapping from name to result, in the order asked for.

    Exactly one of three modes:

    * `delta`: every run goes on until the stopping rule is sure at 1 − δ, or until `cap` pulls
      (default 1,000,000); `boundary` names the stopping boundary;
    * `budget`: every run makes that many pulls and answers;
    * `horizon`: the error at every time up to it (at `times`, if given; on a geometric grid of
      times beyond 100,000).

    The n-th reward of an arm in a run depends on the seed, the run, the arm and n only. So
    algorithms simulated with one seed see the same rewards, and results do not depend on
    `threads`, on the `chunk` size (runs a task) or on the `executor`.

    >>> simulate("NoA1", "APGAI", budget=150, runs=200)["APGAI"].error_rate
    0.0
    """
    problem = load_instance(instance)
    mode, limit = choose_mode(delta, budget, horizon, cap)
    specs = [algorithms] if isinstance(algorithms, str | Algorithm) else list(algorithms)
    if not specs:
        raise InputError("algorithms: the list is empty; name at least one, such as APGAI")
    jobs = [make_job(spec, problem, mode, limit, seed, delta, boundary, times) for spec in specs]
    labels = [job.algorithm.label for job in jobs]
    if len(set(labels)) < len(labels):
        raise InputError(f"algorithms: one is named twice in {', '.join(labels)}")
    runs = whole("runs", runs, 1, 10**12)
    workers = os.cpu_count() or 1 if threads is None else whole("threads", threads, 1, 4096)
    size = max(1, min(LARGEST_CHUNK, -(-runs // (workers * CHUNKS_PER_THREAD))))
    size = size if chunk is None else whole("chunk", chunk, 1, 10**12)
    with progress_bar(runs * len(jobs)) if show_progress_bar else no_progress() as report:
        results = run_jobs(jobs, runs, size, workers, executor, report)
    return dict(zip(labels, results, strict=True))


@dataclass
class _Part:
    """One job's chunks as they come in."""

    job: Job
    chunks: list[Chunk] = field(default_factory=list)

    def add(self, chunk: Chunk) -> None:
        if self.job.mode == ANYTIME and self.chunks:
            self.chunks[0].add_counts(chunk)  # so that memory does not grow with the runs
        else:
            self.chunks.append(chunk)

    def result(self) -> RunResult | AnytimeResult:
        return merge([from_chunk(self.job, chunk) for chunk in self.chunks])


def run_jobs(
    jobs: Sequence[Job],
    runs: int,
    size: int,
    workers: int,
    executor: Executor | None,
    report: Callable[[int, int], None],
) -> list[RunResult | AnytimeResult]:
    """Play `runs` runs of each job in chunks of `size`; `report(runs, pulls)` hears of progress."""
    parts = [_Part(job) for job in jobs]
    waiting = (
        (part, first, min(first + size, runs)) for part in parts for first in range(0, runs, size)
    )
    with _pool(executor, workers) as submit:
        _drain(waiting, submit, 2 * workers, report)
    return [part.result() for part in parts]


Submit = Callable[[Job, int, int], tuple["Future[Chunk]", NDArray[np.int64]]]


@contextmanager
def _pool(executor: Executor | None, workers: int) -> Iterator[Submit]:
    """A function that hands a chunk to the executor; local threads share a control with it."""
    if executor is not None:
        # Elsewhere there is no shared memory to watch or to cancel through.
        yield lambda job, first, last: (
            executor.submit(play_chunk, job, first, last),
            new_control(),
        )
        return
    controls: list[NDArray[np.int64]] = []
    pool = ThreadPoolExecutor(workers, thread_name_prefix="goodarm")

    def submit(job: Job, first: int, last: int) -> tuple["Future[Chunk]", NDArray[np.int64]]:
        control = new_control()
        controls.append(control)
        return pool.submit(play_chunk, job, first, last, control), control

    try:
        yield submit
    except BaseException:
        for control in controls:
            control[CANCEL] = 1
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def _drain(
    waiting: Iterator[tuple[_Part, int, int]],
    submit: Submit,
    at_once: int,
    report: Callable[[int, int], None],
) -> None:
    """Keep `at_once` chunks under way until none is left."""
    under_way: dict[Future[Chunk], tuple[_Part, NDArray[np.int64]]] = {}
    runs = pulls = 0
    while True:
        while len(under_way) < at_once and (task := next(waiting, None)) is not None:
            part, first, last = task
            future, control = submit(part.job, first, last)
            under_way[future] = (part, control)
        if not under_way:
            return
        done, _ = wait(under_way, timeout=LOOK_EVERY, return_when=FIRST_COMPLETED)
        for future in done:
            part, _ = under_way.pop(future)
            chunk = future.result()
            part.add(chunk)
            runs += chunk.last - chunk.first
            pulls += int(chunk.pulls.sum())
        report(runs, pulls + sum(int(control[STEPS]) for _, control in under_way.values()))
