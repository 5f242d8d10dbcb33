"""The error of an anytime algorithm at given times, however small, from runs that are split.

A population of runs is played from one look to the next. At every look the runs are sorted into
bins by how close they are to an error, and the next population has the same number of runs of
every bin, with weights to match (Huber and Kim's weighted ensemble, a kind of splitting). So a few
thousand runs are always close to an error, or in it, although hardly any would be; the error is the
weight of those that are wrong. On average the estimate is exactly the error, whatever the bins.

Looks come after every pull at first, and then after every 2.5 % more: the less time between two
looks, the smaller the weights that can jump from safety into error. How much an estimate can be
trusted is seen by comparing islands, populations of their own that never mix.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithms.contract import ANYTIME, Algorithm
from goodarm.errors import InputError
from goodarm.inputs import whole
from goodarm.instance import Instance, load_instance
from goodarm.numerics import normal_quantile
from goodarm.outcomes import Outcome
from goodarm.run import UNDEFINED
from goodarm.showing.markup import Html
from goodarm.showing.snippet import Shown, snippet
from goodarm.simulation.device import DEVICES, player
from goodarm.simulation.job import SUB_GAUSSIAN, Job, make_job
from goodarm.simulation.loops.kernel import CANCEL
from goodarm.simulation.loops.replay import trace
from goodarm.simulation.results.in_short import error_picture
from goodarm.simulation.splitting.nearness import BINS
from goodarm.simulation.splitting.population import Population
from goodarm.simulation.splitting.resampling import resample
from goodarm.wording import counted, figure

DEFAULT_ISLANDS = 8
ISLAND = 8_192  # runs
MOST_IN_ALL = 2**31 - 1  # runs are numbered by 32-bit integers
LOOK_AFTER = 0.025  # of the pulls so far
NO_LONGER_OF_INTEREST = 1e-8  # an algorithm that errs as seldom as that is not played further


@dataclass(frozen=True, repr=False)
class RareErrors(Shown):
    """What the islands found: [island, time] estimates of the error, NaN where none was made."""

    times: tuple[int, ...]
    estimates: NDArray[np.float64]
    pulls: int

    @property
    def error_rates(self) -> NDArray[np.float64]:
        """[time]: the mean over the islands."""
        return np.asarray(self.estimates.mean(axis=0))

    @property
    def standard_errors(self) -> NDArray[np.float64]:
        """[time]: of that mean, from the spread of the islands."""
        count = len(self.estimates)
        return np.asarray(self.estimates.std(axis=0, ddof=1) / np.sqrt(count))

    def _in_short(self) -> list[str]:
        known = [i for i, error in enumerate(self.error_rates) if np.isfinite(error)]
        few = sorted({known[i] for i in (0, len(known) // 2, -1)}) if known else []
        said = [
            f"{figure(float(self.error_rates[i]), 2)} ± {figure(float(self.standard_errors[i]), 2)}"
            f" at t = {self.times[i]:,}"
            for i in few
        ]
        runs = f"{counted(len(self.estimates), 'island')}, {counted(self.pulls, 'pull')}"
        return [f"wrong {', '.join(said) or 'nowhere estimated'} ({runs})"]

    def _in_html(self) -> Html:
        known = np.isfinite(self.error_rates)
        times, rates = np.array(self.times)[known], self.error_rates[known]
        spread = normal_quantile(0.975) * self.standard_errors[known]
        ends = (
            times.tolist(),
            rates.tolist(),
            (rates - spread).tolist(),
            (rates + spread).tolist(),
        )
        return snippet(self._in_short()[0], error_picture(*ends))


class PlayedPopulation(Protocol):
    """A population, wherever it is played."""

    def play(
        self, source: NDArray[np.int32], begin: int, end: int, number: int
    ) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Continue these runs as those from `number` on, from time begin to end.

        Gives their bins, and what their weights are to be multiplied by.
        """
        ...


def rare_errors(
    instance: Instance | str,
    algorithm: str | Algorithm,
    times: Sequence[int],
    *,
    outcome: Outcome | str = SUB_GAUSSIAN,
    islands: int = DEFAULT_ISLANDS,
    island: int = ISLAND,
    seed: int = 0,
    threads: int = 1,
    device: str = "cpu",
) -> RareErrors:
    """Estimate an anytime algorithm's error at these times, by splitting.

    Some tens of thousands of runs in all are mostly enough for an error of 1e-6, give or take
    10 %; `standard_errors` tells. More islands make it more precise, larger ones more reliable: a
    population that is too small may miss what matters, and so may all of them. Once the error is
    below 1e-8 nothing is estimated any more, nor before the algorithm has an answer: NaN. Unless
    `outcome` names a model, outcomes count as sub-Gaussian with the arms' scales, as in everything
    that was published.

    >>> errors = rare_errors("IsA2", "HDoC", [20, 80], islands=4, island=1000)
    >>> bool(errors.error_rates[1] < errors.error_rates[0] < 0.5)
    True
    """
    problem = load_instance(instance)
    grid = sorted({whole("times", t, 1, 10**7) for t in times})
    if not grid:
        raise InputError("times: the list is empty; give the times at which the error is wanted")
    job = make_job(algorithm, problem, ANYTIME, grid[-1], seed, times=grid, outcome=outcome)
    whole("threads", threads, 1, 4096)
    whole("islands", islands, 2, MOST_IN_ALL // BINS)
    whole("island", island, BINS, MOST_IN_ALL // islands)
    population = make_population(job, islands * island, threads, device)
    errors = split_runs(job, islands, island, population)
    errors.estimates[:, job.times < first_answer(job)] = np.nan
    return errors


def first_answer(job: Job) -> int:
    """When the algorithm first has an answer, which does not depend on the outcomes."""
    return next(step.t for step in trace(job, 0) if step.answer != UNDEFINED)


def make_population(job: Job, size: int, threads: int, device: str) -> PlayedPopulation:
    """A population on that device."""
    player(device)  # raises what is wrong with it
    if device == DEVICES[0]:
        return Population(job, size, threads)
    from goodarm.simulation.splitting.gpu import GpuPopulation

    return GpuPopulation(job, size)


def split_runs(
    job: Job,
    islands: int,
    island: int,
    population: PlayedPopulation,
    control: NDArray[np.int64] | None = None,
) -> RareErrors:
    """Play the population from look to look, up to the last of the job's times.

    It ends early where the algorithm hardly errs any more, or when `control` says so.
    """
    size = islands * island
    chance = np.random.default_rng([job.seed, size])
    weights = np.full(size, 1.0 / island)
    source = np.arange(size, dtype=np.int32)
    times = job.times.tolist()
    estimates = np.full((islands, len(times)), np.nan)
    begin = number = 0
    for end in looks(times):
        bins, factors = population.play(source, begin, end, number)
        begin, number = end, number + size
        weights *= factors
        if control is not None and control[CANCEL]:
            break
        if end in times:
            wrong = np.where(bins & 1, weights, 0.0).reshape(islands, island).sum(axis=1)
            estimates[:, times.index(end)] = wrong
            if 0.0 < wrong.mean() < NO_LONGER_OF_INTEREST:
                break
        source, weights = resample(bins, weights, island, chance)
    return RareErrors(tuple(times), estimates, size * begin)


def looks(times: Sequence[int]) -> list[int]:
    """When the population is looked at: more often than at the times asked for, and then."""
    grid = set(times)
    t = 1.0
    while t < times[-1]:
        grid.add(int(t))
        t = max(t + 1.0, t * (1.0 + LOOK_AFTER))
    return sorted(grid)
