"""What all runs of a job have in common, and the runs themselves as arrays or lists."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.rng import split
from goodarm.run import FIELDS, FloatSequence, IntSequence, Run, Sizes
from goodarm.simulation.job import Job
from goodarm.simulation.loops.rewards import Arms, outcome_table

Put = Callable[[NDArray[Any]], Any]
"""Puts an array where the runs are played, and gives the array there."""


class Truth(NamedTuple):
    """The numbers of a job that no run changes."""

    kinds: IntSequence
    means: FloatSequence
    sigmas: FloatSequence
    table: FloatSequence
    starts: IntSequence
    scales: FloatSequence
    model: FloatSequence
    constants: FloatSequence
    levels: FloatSequence
    good: IntSequence
    any_good: bool
    seed0: int
    seed1: int


def make_truth(job: Job, put: Put = np.array) -> Truth:
    """The job's numbers, put where the runs are played."""
    instance = job.instance
    table, starts = outcome_table(instance)
    families = instance.families
    kinds = [families.index(kind) for kind in instance.kinds]
    seed0, seed1 = split(job.seed)
    return Truth(
        kinds=put(np.array(kinds, dtype=np.int64)),
        means=put(instance.means),
        sigmas=put(instance.sigmas),
        table=put(table),
        starts=put(starts),
        scales=put(1.0 / np.array(job.outcome.scales(instance.K), dtype=np.float64)),
        model=put(np.array(job.model_numbers, dtype=np.float64)),
        constants=put(np.array(job.algorithm.numbers(job.setting) or [0.0], dtype=np.float64)),
        levels=put(np.array([instance.threshold, *job.boundary.numbers, 0.0, instance.side])),
        good=put(instance.good.astype(np.int64)),
        any_good=bool(instance.good.any()),
        seed0=seed0,
        seed1=seed1,
    )


def sizes_of(job: Job) -> Sizes:
    """What decides how long the sequences of the job's runs are."""
    return Sizes(job.instance.K, job.outcome.memory, *job.algorithm.memory(job.instance.K))


def array_run(job: Job) -> tuple[Arms, Run]:
    """A run as arrays; always writable copies, so that one compiled signature serves all."""
    truth, sizes = make_truth(job), sizes_of(job)
    parts: dict[str, Any] = {
        field.name: np.zeros(field.size(sizes), dtype=np.int64 if field.whole else np.float64)
        for field in FIELDS
    }
    parts["levels"][:] = truth.levels
    parts["key"][:2] = truth.seed0, truth.seed1
    run = Run(**parts, scales=truth.scales, model=truth.model, constants=truth.constants)
    return new_arms(truth, np.zeros(job.instance.K)), run


def list_run(job: Job, number: int) -> tuple[Arms, Run]:
    """The run of that number as lists, for plain Python."""
    arms, run = array_run(job)
    run.key[2], run.key[3] = split(number)
    arms_as_lists = Arms._make(np.asarray(part).tolist() for part in arms)
    return arms_as_lists, Run._make(np.asarray(part).tolist() for part in run)


def new_arms(truth: Truth, spare: FloatSequence) -> Arms:
    """The arms as `draw` needs them; plain."""
    return Arms(truth.kinds, truth.means, truth.sigmas, truth.table, truth.starts, spare)


States = NamedTuple("States", [(name, Any) for name in (*(f.name for f in FIELDS), "spare")])  # type: ignore[misc]
"""All that many runs are made of: arrays [position, slot], with a slot for each run."""


def view(states: Any, slot: int, truth: Truth) -> Run:
    """One run of many."""
    return Run(
        states.counts[:, slot],
        states.sums[:, slot],
        states.gaps[:, slot],
        states.roots[:, slot],
        states.tree[:, slot],
        states.active[:, slot],
        states.kept[:, slot],
        states.levels[:, slot],
        states.clock[:, slot],
        states.key[:, slot],
        states.floats[:, slot],
        states.ints[:, slot],
        truth.scales,
        truth.model,
        truth.constants,
    )
