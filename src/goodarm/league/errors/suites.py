"""What the algorithms are compared on: instances, each with the times at which errors are seen.

The times are a geometric grid from one pull of each arm to a horizon by which a good algorithm
hardly errs any more, unless the instance is so hard that the horizon is cut.
"""

from dataclasses import dataclass

import numpy as np

from goodarm.algorithms import Algorithm
from goodarm.algorithms.contract import ANYTIME
from goodarm.instance import Instance, instances
from goodarm.league.families import RANDOM_FAMILIES, SIZED
from goodarm.simulation.job import SUB_GAUSSIAN, Job, make_job

PAPER, SIZES, HELD_OUT, TRAINING = "paper", "sizes", "held out", "training"
OF_EACH_FAMILY = 26
MOST_TIME = 2_500
LEAST_PULLS_EACH = 6  # of every arm, which the horizon allows at the least
TIMES_LOOKED_AT = 14


@dataclass(frozen=True)
class LeagueEntry:
    """An instance, the group that it belongs to, and the times of its comparison."""

    group: str
    instance: Instance
    times: tuple[int, ...]

    def job(self, algorithm: Algorithm, seed: int, looks: int | None = None) -> Job:
        """What the simulator plays, with sub-Gaussian outcomes; `looks` keeps the first times."""
        times = self.times[:looks]
        return make_job(
            algorithm,
            self.instance,
            ANYTIME,
            times[-1],
            seed,
            times=times,
            outcome=SUB_GAUSSIAN,
        )

    @property
    def family(self) -> str:
        """The name without the number, for an instance of a random family."""
        name = self.instance.name
        return name.rsplit(" ", 1)[0] if self.group in (HELD_OUT, TRAINING) else name


def horizon(instance: Instance) -> int:
    """30 times the pulls that tell one good arm, or all bad ones, from θ by 1 standard error.

    No arm is good: Σ 1/d². Otherwise 2(K/g)/d², g being the number of good arms and d their median
    gap: as if they had to be found one after the other. In standard deviations, cut at 2,500.
    """
    gaps = (instance.means - instance.threshold) / instance.sigmas
    good = gaps >= 0.0
    if good.any():
        needed = 2.0 * instance.K / good.sum() / np.median(gaps[good]) ** 2
    else:
        needed = float((1.0 / gaps**2).sum())
    return int(np.clip(30.0 * needed, LEAST_PULLS_EACH * instance.K, MOST_TIME))


def entry(group: str, instance: Instance) -> LeagueEntry:
    """The instance with its times."""
    first = max(instance.K, 4)
    last = max(horizon(instance), first + 1)
    grid = np.round(np.geomspace(first, last, TIMES_LOOKED_AT)).astype(int)
    return LeagueEntry(group, instance, tuple(sorted(set(grid.tolist()))))


def suite(quick: bool = False) -> list[LeagueEntry]:
    """The paper's instances, TwoG and LinG at several sizes, and those of the held-out families."""
    sized = SIZED[:3] if quick else SIZED
    return [
        *(entry(PAPER, instances[name]) for name in instances),
        *(entry(SIZES, instances[name]) for name in sized),
        *random_entries(False, 2 if quick else OF_EACH_FAMILY),
    ]


def random_entries(training: bool, of_each: int) -> list[LeagueEntry]:
    """The first instances of every training, or of every held-out, family."""
    group = TRAINING if training else HELD_OUT
    return [
        entry(group, family.instance(number))
        for family in RANDOM_FAMILIES
        if family.training == training
        for number in range(of_each)
    ]
