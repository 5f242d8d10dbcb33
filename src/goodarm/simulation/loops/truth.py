"""What all runs of a job have in common, and the runs themselves as arrays or lists."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.rng import split
from goodarm.run import FIELDS, Run, Sizes
from goodarm.simulation.job import Job
from goodarm.simulation.loops.rewards import Arms, recorded_outcomes

Place = Callable[[NDArray[Any]], Any]


class Truth(NamedTuple):
    """The numbers of a job that no run changes."""

    kinds: Any
    means: Any
    sigmas: Any
    table: Any
    starts: Any
    scales: Any
    model: Any
    constants: Any
    levels: Any
    good: Any
    any_good: bool
    seed0: int
    seed1: int


def make_truth(job: Job, place: Place = np.array) -> Truth:
    """The job's numbers; `place` puts an array where the runs are played."""
    instance = job.instance
    table, starts = recorded_outcomes(instance)
    kinds = [instance.families.index(kind) for kind in instance.kinds]
    return Truth(
        kinds=place(np.array(kinds, dtype=np.int64)),
        means=place(instance.means),
        sigmas=place(instance.sigmas),
        table=place(table),
        starts=place(starts),
        scales=place(1.0 / np.array(job.outcome.scales(instance.K), dtype=np.float64)),
        model=place(np.array(job.model_numbers, dtype=np.float64)),
        constants=place(np.array(job.algorithm.numbers(job.setting) or [0.0], dtype=np.float64)),
        levels=place(np.array([instance.threshold, *job.boundary.numbers, 0.0, instance.side])),
        good=place(instance.good.astype(np.int64)),
        any_good=bool(instance.good.any()),
        seed0=split(job.seed)[0],
        seed1=split(job.seed)[1],
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
    run.key[2:] = split(number)
    return Arms(*(part.tolist() for part in arms)), Run(*(part.tolist() for part in run))


def new_arms(truth: Truth, spare: Any) -> Arms:
    """The arms as `draw` needs them; plain."""
    return Arms(truth.kinds, truth.means, truth.sigmas, truth.table, truth.starts, spare)


States = NamedTuple("States", [(name, Any) for name in (*(f.name for f in FIELDS), "spare")])  # type: ignore[misc]
"""All that runs are made of: [number, place] arrays."""


def view(states: Any, place: int, truth: Any) -> Run:
    """One run of many."""
    return Run(
        states.counts[:, place], states.sums[:, place], states.gaps[:, place],
        states.roots[:, place], states.tree[:, place], states.active[:, place],
        states.kept[:, place], states.levels[:, place], states.clock[:, place],
        states.key[:, place], states.floats[:, place], states.ints[:, place],
        truth.scales, truth.model, truth.constants,
    )  # fmt: skip
