"""Where runs are played: the CPU, or a CUDA GPU if there is one."""

import os
from collections.abc import Callable, Sequence
from typing import Any

from goodarm.errors import InputError, unknown_name
from goodarm.extras import CUDA, need
from goodarm.simulation.chunk import Chunk, play_chunk
from goodarm.simulation.job import Job

DEVICES = ("cpu", "cuda")
GPU_JOBS_AT_ONCE = 4  # with more, their threads wait for each other


def player(device: str) -> Callable[..., Chunk]:
    """The function that plays a chunk on that device; an error that says what to do if none is."""
    if device == "cpu":
        return play_chunk
    if device != "cuda":
        raise unknown_name("device", device, DEVICES)
    if not gpu().is_available():
        raise InputError(
            "device: no CUDA GPU can be used; check that nvidia-smi lists one and that its driver "
            "is installed, or leave device out to use the CPU"
        )
    from goodarm.simulation.gpu import play_chunk_on_gpu

    return play_chunk_on_gpu


def prepare_many(device: str, jobs: Sequence[tuple[Job, int]], workers: int) -> int:
    """Get ready for many jobs with their numbers of runs; how many to play at a time there."""
    if device == "cpu":
        return workers
    from goodarm.simulation.gpu import compile_at_once

    compile_at_once(jobs)
    return GPU_JOBS_AT_ONCE


def gpu() -> Any:
    """numba's CUDA module; nothing of CUDA is imported before it is asked for."""
    # Giving memory back makes every simulation on the GPU wait: seldom, then. And numba would warn
    # of every small simulation that it leaves much of the GPU idle.
    os.environ.setdefault("NUMBA_CUDA_MAX_PENDING_DEALLOCS_COUNT", "1000")
    os.environ.setdefault("NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS", "0")
    need(CUDA, "device: 'cuda'")
    import numba_cuda  # noqa: F401
    from numba import cuda

    return cuda
