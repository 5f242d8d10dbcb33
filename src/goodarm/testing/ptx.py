"""Compiling for CUDA where there is no GPU."""

from types import SimpleNamespace

from goodarm.algorithms import Algorithm, find_algorithm
from goodarm.extras import CUDA, has, remedy
from goodarm.instance.instance import EMPIRICAL
from goodarm.outcomes import Gaussian, Outcome
from goodarm.run import Sizes
from goodarm.simulation.loops.compiler import Parts, register, roots
from goodarm.simulation.loops.rewards import make_draw, make_reward
from goodarm.step import make_step
from goodarm.testing.contract import CudaToolsMissingError

HOPPER = (9, 0)


def lower_to_ptx(spec: str | Algorithm, outcome: Outcome | None = None, arms: int = 0) -> str:
    """Compile the loop over runs for CUDA and return its PTX; no GPU is needed.

    For an algorithm with outcomes of a model (Gaussian unless given) and arms of that kind, or with
    recorded outcomes. With 0 arms it is the kernel that takes any number of them.
    """
    algorithm, model = find_algorithm(spec), outcome or Gaussian(1.0)
    if not has(CUDA):
        raise CudaToolsMissingError(f"lower_to_ptx needs goodarm[cuda]: {remedy(CUDA)}")
    try:
        import numba.cuda.dispatcher as dispatcher
        from numba import cuda

        from goodarm.simulation.gpu import SHARED_UP_TO
        from goodarm.simulation.loops.gpu_kernel import (
            Shape,
            helpers,
            kernel_signature,
            make_gpu_kernel,
        )
    except ImportError as error:
        raise CudaToolsMissingError(f"numba-cuda: {error}") from None
    parts = _parts(algorithm, model)
    register((*roots(parts), *helpers(parts)))
    sizes = Sizes(arms, model.memory, *algorithm.memory(arms)) if arms else Sizes(0)
    shape = Shape(sizes, 64, shared=0 < arms <= SHARED_UP_TO, gaps=True)
    kernel = make_gpu_kernel(parts, "ptx", shape)
    # numba asks the present GPU for its generation; where there is none, say Hopper.
    present = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=HOPPER)
    try:
        ptx, _ = cuda.compile_ptx(kernel, kernel_signature(), cc=HOPPER)
    except Exception as error:
        if type(error).__name__ == "DynamicLibNotFoundError" or "libnv" in str(error):
            raise CudaToolsMissingError(f"NVIDIA's compiler libraries: {error}") from None
        raise
    finally:
        dispatcher.get_current_device = present
    return str(ptx)


def _parts(algorithm: Algorithm, model: Outcome) -> Parts:
    own = [] if model.functions.draw is None else [model.name]
    families = tuple(sorted([*own, EMPIRICAL]))
    return Parts(make_step(algorithm, model), make_draw(families), make_reward(families))
