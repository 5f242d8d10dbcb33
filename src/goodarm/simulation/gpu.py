"""Playing runs on a CUDA GPU: slots are allocated, launched until every run is over, read back.

Every host thread has its own stream and its own room on the GPU, so several small simulations are
under way there at a time. Imported only when `device="cuda"` is asked for (see `device.py`).
"""

import hashlib
import logging
import math
import os
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import numba_cuda
import numpy as np
from numba import cuda
from numpy.typing import NDArray

from goodarm.errors import InputError
from goodarm.run import Sizes
from goodarm.simulation.chunk import MODES, NO_LIMIT_ON_STEPS, Chunk, empty_chunk, new_control
from goodarm.simulation.job import Job
from goodarm.simulation.loops.compiler import (
    fields_read,
    made_once,
    parts_of,
    source_stamp,
    with_own_cache,
)
from goodarm.simulation.loops.gpu_kernel import (
    NUMBER,
    SLOT_NUMBERS,
    GpuOrders,
    Results,
    Shape,
    helpers,
    kind_of,
    make_gpu_kernel,
    slot_sizes,
)
from goodarm.simulation.loops.kernel import CANCEL, PROGRESS
from goodarm.simulation.loops.truth import States, Truth, make_truth, sizes_of
from goodarm.simulation.store import cache_directory

STEPS_PER_LAUNCH = 50_000  # of a thread; some tenths of a second
MOST_STEPS = 2**31 - 1  # counts are 32-bit numbers there
WORTH_COMPILING = 5e9  # pulls; smaller jobs share one kernel for all numbers of arms
USUAL_STOPPING_TIME = 2_000  # for a guess at the pulls of a run that stops by itself
SHARED_UP_TO = 20  # arms; more do not fit into 48 kB for 64 threads
LOCAL_UP_TO = 128  # arms; more are played out of global memory
# All in global memory: for any number of arms. Four such blocks fit on a multiprocessor.
ANYWHERE = Shape(Sizes(0), 128, shared=False, gaps=True, registers=128)
SHARED_PER_ARM = 36  # bytes: sum, two nodes of the tree, spare number and a 32-bit count
SHARED_OF_MULTIPROCESSOR = 227 * 1024
SHARED_RESERVED = 1024  # bytes per block
BY_RUN = ("stopping_times", "answers", "stopped")  # what a chunk has of every run
BY_TIME = {"error_counts": "error_steps", "undefined_counts": "undefined_steps"}

logger = logging.getLogger(__name__)


def play_chunk_on_gpu(
    job: Job, first: int, last: int, control: NDArray[np.int64] | None = None
) -> Chunk:
    """As `play_chunk`, on the GPU: the same runs, the same results."""
    if job.limit > MOST_STEPS:
        raise InputError(f"device: a run on the GPU can have at most {MOST_STEPS:,} pulls")
    shared = new_control() if control is None else control
    for _ in range(2):
        try:
            return _Launcher(job, first, last).play(shared)
        except Exception as error:
            if "OUT_OF_MEMORY" not in str(error):
                raise
        room.arrays.clear()  # it may hold more than this chunk needs
    raise InputError(
        f"device: the GPU has too little memory for {job.instance.K:,} arms and "
        f"{last - first:,} runs at a time; use a smaller chunk, or leave device out"
    )


def compile_at_once(jobs: Sequence[tuple[Job, int]]) -> None:
    """Compile the kernels of jobs and their numbers of runs, in processes side by side.

    They leave their results in numba's cache on disk, where this process then finds them; a note
    beside our own cache says so to the next one. Where that fails (a script without a main guard,
    a GPU that only one process may use), each kernel is compiled when it is first needed.
    """
    card = cuda.get_current_device().compute_capability
    missing = {}
    for job, runs in jobs:
        shape = _layout(job, runs, _multiprocessors())[0]
        parts = parts_of(job)
        stamp = source_stamp(parts, make_gpu_kernel, helpers(parts))
        text = f"{stamp} {tuple(shape)} {card} {numba_cuda.__version__}"
        note = cache_directory() / "kernels" / hashlib.sha256(text.encode()).hexdigest()[:32]
        if note not in missing and not note.exists():
            missing[note] = (job, runs)
    if len(missing) < 2:  # nothing to do side by side
        return
    workers = min(os.cpu_count() or 1, len(missing))
    try:
        with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
            list(pool.map(_compile, *zip(*missing.values(), strict=True)))
    except Exception as error:
        logger.warning("kernels are compiled one after the other (%s)", error)
        return
    for note in missing:
        note.parent.mkdir(parents=True, exist_ok=True)
        note.touch()


def _compile(job: Job, runs: int) -> None:
    launcher = _Launcher(job, 0, runs)
    launcher.use_blocks(1)  # memory for one is enough to compile
    launcher.compile()


class Room(threading.local):
    """Arrays on the GPU that a host thread uses again and again: asking for memory makes it wait.

    Arrays of one name are taken from the same memory each time, which doubles when it must grow.
    """

    def __init__(self) -> None:
        self.arrays: dict[str, Any] = {}

    def empty(self, name: str, shape: tuple[int, ...], kind: Any) -> Any:
        """An array with whatever was there before."""
        size = math.prod(shape)
        if name not in self.arrays or self.arrays[name].size < size:
            before = self.arrays.pop(name).size if name in self.arrays else 0
            self.arrays[name] = cuda.device_array(max(size, 2 * before), dtype=kind)
        return self.arrays[name][:size].reshape(shape)

    def copy(self, name: str, array: NDArray[Any], stream: Any) -> Any:
        """An array with these contents."""
        there = self.empty(name, array.shape, array.dtype)
        there.copy_to_device(array, stream=stream)
        return there


room = Room()
one_at_a_time = threading.Lock()  # numba-cuda loads modules with no regard to other threads


class _Launcher:
    """One chunk on the GPU: its arrays there, and the launches."""

    def __init__(self, job: Job, first: int, last: int) -> None:
        self.job, self.first, self.last = job, first, last
        self.shape, blocks = _layout(job, last - first, _multiprocessors())
        self.use_blocks(min(blocks, -(-(last - first) // self.shape.threads)))  # a run each
        self.kernel = _kernel(job, self.shape)
        self.stream = cuda.per_thread_default_stream()
        self.chunk = empty_chunk(job, first, last)

    def use_blocks(self, blocks: int) -> None:
        """Launch this number of blocks, each with a slot for every thread."""
        self.blocks, self.slots_count = blocks, blocks * self.shape.threads

    def compile(self) -> None:
        """Compile the kernel, or load it from the cache; a launch of no steps does it."""
        self._allocate()
        with one_at_a_time:
            self._launch(0)
        self.stream.synchronize()

    def play(self, control: NDArray[np.int64]) -> Chunk:
        """Launch until every run is over."""
        chunk = self.chunk
        self.compile()  # outside the time measured
        began = time.perf_counter()
        while not self._finished() and control[CANCEL] == 0:
            self._launch(STEPS_PER_LAUNCH)
            control[PROGRESS] = int(self._read(self.results.progress)[0])
        chunk.seconds = time.perf_counter() - began
        chunk.pulls[:] = self._read(self.results.pulls).sum(axis=0)
        for name in BY_RUN:
            here = getattr(chunk, name)
            here[:] = self._read(getattr(self.results, name))[: len(here)]
        for name, steps in BY_TIME.items():
            here = getattr(chunk, name)
            here[:] = np.cumsum(self._read(getattr(self.results, steps))[: len(here)])
        return chunk

    def _read(self, there: Any) -> Any:
        here = there.copy_to_host(stream=self.stream)
        self.stream.synchronize()
        return here

    def _up(self, name: str, array: NDArray[Any]) -> Any:
        return room.copy(name, array if array.size else np.zeros(1, array.dtype), self.stream)

    def _allocate(self) -> None:
        job, chunk = self.job, self.chunk
        self.truth = Truth(
            *(
                self._up(f"truth {name}", part) if isinstance(part, np.ndarray) else part
                for name, part in make_truth(job)._asdict().items()
            )
        )
        self.slots = States(
            **{
                name: room.empty(f"slots {name}", (words, self.slots_count), kind_of(name))
                for name, words in slot_sizes(sizes_of(job)).items()
            }
        )
        free = np.zeros((SLOT_NUMBERS, self.slots_count), dtype=np.int64)
        free[NUMBER] = -1
        self.own = self._up("own", free)
        self.times = self._up("times", np.append(job.times, NO_LIMIT_ON_STEPS))
        self.queue = self._up("queue", new_control())
        here = {
            "pulls": np.zeros((self.blocks, job.instance.K), dtype=np.int64),
            "progress": new_control(),
            **{name: getattr(chunk, name) for name in BY_RUN},
            **{s: np.zeros(len(chunk.error_counts) + 1, np.int64) for s in BY_TIME.values()},
        }
        self.results = Results(**{name: self._up(name, array) for name, array in here.items()})

    def _launch(self, steps: int) -> None:
        orders = GpuOrders(
            mode=MODES[self.job.mode],
            first=self.first,
            last=self.last,
            limit=self.job.limit,
            steps=steps,
            times=self.times,
            queue=self.queue,
        )
        launch = self.kernel[self.blocks, self.shape.threads, self.stream]
        launch(orders, self.truth, self.slots, self.own, self.results)

    def _finished(self) -> bool:
        if self._read(self.queue)[0] < self.last - self.first:
            return False
        return bool((self._read(self.own)[NUMBER] < 0).all())


def _multiprocessors() -> int:
    """Of the present GPU; one where numba only simulates a GPU, for tests."""
    return int(getattr(cuda.get_current_device(), "MULTIPROCESSOR_COUNT", 0))


def _layout(job: Job, runs: int, multiprocessors: int) -> tuple[Shape, int]:
    """Where the arrays of a run go, and how many blocks are launched.

    Few threads with their data close by beat many that wait for memory: measured, see docs/gpu.md.
    That takes a kernel for each number of arms, which pays for large jobs only.
    """
    sizes = sizes_of(job)
    reads_gaps = bool({"gaps", "roots"} & fields_read(job))
    close = Shape(sizes, 64, shared=True, gaps=reads_gaps)
    if multiprocessors == 0:  # small ones, so that a test has several
        everywhere = ANYWHERE if sizes.arms > LOCAL_UP_TO else close
        return everywhere._replace(threads=2, shared=sizes.arms <= SHARED_UP_TO, registers=0), 1
    length = min(job.limit, USUAL_STOPPING_TIME) if job.delta is not None else job.limit
    if runs * length < WORTH_COMPILING or sizes.arms > LOCAL_UP_TO:
        return ANYWHERE, 4 * multiprocessors
    if sizes.arms > SHARED_UP_TO:
        return close._replace(threads=128, shared=False), 2 * multiprocessors
    a_block = SHARED_PER_ARM * sizes.arms * close.threads + SHARED_RESERVED
    return close, min(8, SHARED_OF_MULTIPROCESSOR // a_block) * multiprocessors


def _kernel(job: Job, shape: Shape) -> Any:
    parts = parts_of(job)

    def build(stamp: str, cached: bool) -> Any:
        limits = {"max_registers": shape.registers} if shape.registers else {}
        play = with_own_cache(make_gpu_kernel(parts, stamp, shape), stamp)
        return cuda.jit(play, cache=cached, **limits)

    return made_once(parts, make_gpu_kernel, build, helpers(parts), shape)
