"""A conformance kit: does an algorithm keep the contract? For our own and for others' alike."""

from collections.abc import Iterator
from typing import Any

from goodarm.algorithms import Algorithm, find_algorithm
from goodarm.algorithms.contract import FIXED_BUDGET, FIXED_CONFIDENCE, SETTINGS
from goodarm.extras import LAB, need
from goodarm.instance import Instance
from goodarm.run import CONTINUE, LEADER, NO_ARM, REACHED, Run, copy_run
from goodarm.simulation.job import Job, make_job
from goodarm.simulation.loops.replay import plain_run
from goodarm.simulation.loops.rewards import make_draw
from goodarm.step import Step, make_step
from goodarm.testing.contract import ContractError
from goodarm.testing.replay import check_compiled_equals_plain, where

INSTANCES = (
    Instance(0.5, [0.9, 0.6, 0.5, 0.3, 0.1], name="gaussian"),
    Instance(0.4, [0.5, 0.3, 0.3], kind="bernoulli", name="bernoulli"),
    Instance(0.0, [-0.8, -1.5], sigma=[1.0, 2.0], name="none good"),
    Instance(0.0, [0.7], name="one arm"),
    Instance(0.4, [0.5, 0.3, 0.3], kind="bernoulli", name="less is good", goal="below"),
)
BOUNDARY_NAMES = (None, "glr")  # the one that the algorithm names, and the paper's


def check_algorithm(spec: str | Algorithm, runs: int = 3, seed: int = 11) -> None:
    """Raise ContractError unless the algorithm behaves alike plain and compiled.

    On several instances and in every setting that it declares, with the boundary that it names
    and with the paper's: the compiled runs and the plain replay agree in every stopping time,
    answer and pull; choosing changes nothing; every choice is an arm. `lower_to_ptx` is the same
    question for CUDA.
    """
    need(LAB, "check_algorithm")
    algorithm = find_algorithm(spec)
    _check_declaration(algorithm)
    for instance in INSTANCES:
        for job in _jobs(algorithm, instance, seed):
            check_compiled_equals_plain(job, runs)
            _check_choosing_is_pure(job)


def _jobs(algorithm: Algorithm, instance: Instance, seed: int) -> Iterator[Job]:
    K = instance.K
    for mode in algorithm.settings:
        if mode == FIXED_CONFIDENCE:
            # The arms' own model for both boundaries, so that one compiled loop serves both.
            own, limit = instance.own_outcome, max(400, K)
            for boundary in BOUNDARY_NAMES:
                yield make_job(algorithm, instance, mode, limit, seed, 0.1, boundary, None, own)
        else:
            limit = max(150, algorithm.smallest_budget(K)) if mode == FIXED_BUDGET else 150
            yield make_job(algorithm, instance, mode, limit, seed)


def _check_declaration(algorithm: Algorithm) -> None:
    for field in ("name", "summary", "reference", "guarantee"):
        if not getattr(algorithm, field).strip():
            raise ContractError(f"{algorithm.name!r}: {field} is empty")
    if not algorithm.settings or any(setting not in SETTINGS for setting in algorithm.settings):
        raise ContractError(f"{algorithm.name}: settings must be among {SETTINGS}")


def _check_choosing_is_pure(job: Job) -> None:
    step, draw = make_step(job.algorithm, job.outcome), make_draw(job.instance.families)
    arms, run = plain_run(job, 0)
    for t in range(min(job.limit, 60)):
        arm = _chosen(job, step, run, t)
        if arm < 0:  # NO_ARM
            return
        step.receive(run, t + 1, arm, draw(arms, run, arm))
        if job.mode == FIXED_CONFIDENCE and step.judge(run, t + 1, arm) != CONTINUE:
            return


def _chosen(job: Job, step: Step, run: Run, t: int) -> int:
    before = copy_run(run)
    arm = step.choose(run, t)
    if arm != step.choose(run, t):
        raise ContractError(f"{where(job)}: choosing twice at t = {t} gives two arms")
    if arm != NO_ARM and not 0 <= arm < job.instance.K:
        raise ContractError(f"{where(job)}: the choice {arm} at t = {t} is no arm")
    if _without_caches(before) != _without_caches(run):
        raise ContractError(f"{where(job)}: choosing at t = {t} changed the run")
    return arm


def _without_caches(run: Run) -> Any:
    """The run less the two numbers that only save work: leading arm and last boundary."""
    clock, levels = list(run.clock), list(run.levels)
    clock[LEADER], levels[REACHED] = 0, 0.0
    return run._replace(clock=clock, levels=levels)
