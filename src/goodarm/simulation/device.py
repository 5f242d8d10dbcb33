"""Where runs are played: the CPU, or a CUDA GPU if there is one."""

from collections.abc import Callable
from typing import Any

from goodarm.errors import InputError, unknown_name
from goodarm.simulation.chunk import Chunk, play_chunk

DEVICES = ("cpu", "cuda")


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


def gpu() -> Any:
    """numba's CUDA module; nothing of CUDA is imported before it is asked for."""
    try:
        import numba_cuda  # noqa: F401
        from numba import cuda
    except ImportError:
        raise InputError(
            "device: 'cuda' needs numba-cuda, which is not installed; "
            "install it with pip install 'goodarm[cuda]', or leave device out"
        ) from None
    return cuda
