"""A conformance kit: does an algorithm keep the contract? For ours and for third parties' alike."""

from types import SimpleNamespace
from typing import Any

from goodarm.algorithms import Algorithm, find_algorithm
from goodarm.algorithms.contract import ANYTIME, FIXED_BUDGET, FIXED_CONFIDENCE, SETTINGS
from goodarm.instance import Instance
from goodarm.run import CONTINUE, LEADER, NO_ARM, NONE, REACHED, Run, copy_run, record
from goodarm.simulation.chunk import play_chunk
from goodarm.simulation.compiler import register, roots
from goodarm.simulation.job import Job, make_job
from goodarm.simulation.kernel import is_error
from goodarm.simulation.rewards import draw
from goodarm.simulation.trace import plain_run, trace

INSTANCES = (
    Instance(0.5, [0.9, 0.6, 0.5, 0.3, 0.1], name="gaussian"),
    Instance(0.4, [0.5, 0.3, 0.3], kind="bernoulli", name="bernoulli"),
    Instance(0.0, [-0.8, -1.5], sigma=[1.0, 2.0], name="none good"),
    Instance(
        0.5, [0.7, 0.2, 0.6, 0.4, 0.5, 0.1], kind=["bernoulli", "gaussian"] * 3, name="mixed",
    ),
    Instance(0.0, [0.7], name="one arm"),
)  # fmt: skip


class ContractError(AssertionError):
    """What an algorithm or a storage does that its contract does not allow."""


class CudaToolsMissingError(RuntimeError):
    """PTX cannot be made here: numba-cuda or NVIDIA's compiler libraries are not installed."""


def check_algorithm(spec: str | Algorithm, runs: int = 3, seed: int = 11) -> None:
    """Raise ContractError unless the algorithm behaves alike plain and compiled.

    On several instances and in every setting that it declares: the compiled runs and the plain
    replay agree in every stopping time, answer and pull; choosing changes nothing; every choice
    is an arm. `lower_to_ptx` is the same question for CUDA.
    """
    algorithm = find_algorithm(spec)
    _check_declaration(algorithm)
    for instance in INSTANCES:
        for mode in algorithm.settings:
            job = _job(algorithm, instance, mode, seed)
            _check_compiled_equals_plain(job, runs)
            _check_choosing_is_pure(job)


def lower_to_ptx(spec: str | Algorithm) -> str:
    """Compile the loop over runs for CUDA and return its PTX; no GPU is needed."""
    algorithm = find_algorithm(spec)
    try:
        import numba.cuda.dispatcher as dispatcher
        import numba_cuda  # noqa: F401
        from numba import cuda

        from goodarm.simulation.gpu_kernel import Shape, kernel_signature, make_gpu_kernel
    except ImportError as error:
        raise CudaToolsMissingError(f"install goodarm[cuda]: {error}") from None
    register(roots(algorithm))
    kernel = make_gpu_kernel(algorithm, "ptx", Shape(0, 1, 1, 64, False, True))
    # numba asks the present GPU for its generation; where there is none, say Hopper.
    present = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=(9, 0))
    try:
        ptx, _ = cuda.compile_ptx(kernel, kernel_signature(), cc=(9, 0))
    except Exception as error:
        if type(error).__name__ == "DynamicLibNotFoundError" or "libnv" in str(error):
            raise CudaToolsMissingError(f"NVIDIA's compiler libraries: {error}") from None
        raise
    finally:
        dispatcher.get_current_device = present
    return str(ptx)


def _job(algorithm: Algorithm, instance: Instance, mode: str, seed: int) -> Job:
    K = instance.K
    if mode == FIXED_CONFIDENCE:
        return make_job(algorithm, instance, mode, max(400, K), seed, delta=0.1)
    limit = max(150, algorithm.smallest_budget(K)) if mode == FIXED_BUDGET else 150
    return make_job(algorithm, instance, mode, limit, seed)


def _check_declaration(algorithm: Algorithm) -> None:
    for field in ("name", "summary", "reference", "guarantee"):
        if not getattr(algorithm, field).strip():
            raise ContractError(f"{algorithm.name!r}: {field} is empty")
    if not algorithm.settings or any(setting not in SETTINGS for setting in algorithm.settings):
        raise ContractError(f"{algorithm.name}: settings must be among {SETTINGS}")


def _check_compiled_equals_plain(job: Job, runs: int) -> None:
    chunk = play_chunk(job, 0, runs)
    pulls = [0] * job.instance.K
    errors = [0] * len(job.times)
    good, any_good = job.instance.good.astype(int), bool(job.instance.good.any())
    for number in range(runs):
        steps = list(trace(job, number))
        for step in steps:
            pulls[step.arm] += 1
            if job.mode == ANYTIME:
                errors[step.t - 1] += is_error(step.answer, good, any_good)
        if job.mode != ANYTIME:
            plain = (len(steps), max(steps[-1].answer, NONE))
            compiled = (int(chunk.stopping_times[number]), int(chunk.answers[number]))
            if plain != compiled:
                raise ContractError(f"{_where(job)}, run {number}: plain {plain}, {compiled=}")
    if pulls != chunk.pulls.tolist():
        raise ContractError(f"{_where(job)}: plain pulls {pulls}, compiled {chunk.pulls}")
    if job.mode == ANYTIME and errors != chunk.error_counts.tolist():
        raise ContractError(f"{_where(job)}: the errors at some time differ")


def _check_choosing_is_pure(job: Job) -> None:
    algorithm = job.algorithm
    arms, run = plain_run(job, 0)
    for t in range(min(job.limit, 60)):
        arm = t if algorithm.sweep and t < job.instance.K else _chosen(job, run, t)
        if arm == NO_ARM:
            return
        value = draw(arms, run, arm)
        record(run, arm, value)
        algorithm.observe(run, t + 1, arm, value)
        if job.mode == FIXED_CONFIDENCE and algorithm.verdict(run, t + 1, arm) != CONTINUE:
            return


def _chosen(job: Job, run: Run, t: int) -> int:
    before = copy_run(run)
    arm = job.algorithm.choose(run, t)
    if arm != job.algorithm.choose(run, t):
        raise ContractError(f"{_where(job)}: choosing twice at t = {t} gives two arms")
    if arm != NO_ARM and not 0 <= arm < job.instance.K:
        raise ContractError(f"{_where(job)}: the choice {arm} at t = {t} is no arm")
    if _without_caches(before) != _without_caches(run):
        raise ContractError(f"{_where(job)}: choosing at t = {t} changed the run")
    return arm


def _without_caches(run: Run) -> Any:
    """The run less the two numbers that only save work: leading arm and last boundary."""
    clock, levels = list(run.clock), list(run.levels)
    clock[LEADER], levels[REACHED] = 0, 0.0
    return run._replace(clock=clock, levels=levels)


def _where(job: Job) -> str:
    return f"{job.algorithm.label} on the {job.instance.name!r} instance, {job.mode} mode"
