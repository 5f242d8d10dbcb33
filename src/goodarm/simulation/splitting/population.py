"""A population of runs of one algorithm, and how it is played on."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.rng import philox, uniform
from goodarm.run import FIELDS, FloatSequence, IntSequence, Run, make_copier, reset
from goodarm.simulation.job import Job
from goodarm.simulation.loops.compiler import Parts, compiled, parts_of, register
from goodarm.simulation.loops.kernel import is_error
from goodarm.simulation.loops.rewards import next_uniform
from goodarm.simulation.loops.truth import (
    Put,
    States,
    Truth,
    make_truth,
    new_arms,
    sizes_of,
    view,
)
from goodarm.simulation.splitting.nearness import bin_of, steepness, stretch, tails


class Ground(NamedTuple):
    """What all runs of a job have in common."""

    truth: Truth
    steep: FloatSequence
    tails: IntSequence


class Leg(NamedTuple):
    """The way from one look to the next; the runs are told apart by numbers from `number` on."""

    begin: int
    end: int
    number: int


def state_sizes(job: Job) -> dict[str, tuple[int, Any]]:
    """How many numbers of a state each array holds, and of what kind."""
    sizes = sizes_of(job)
    words = {f.name: (max(f.size(sizes), 1), np.int64 if f.whole else np.float64) for f in FIELDS}
    return {**words, "spare": (job.instance.K, np.float64)}


def make_ground(job: Job, put: Put = np.array) -> Ground:
    """The job's numbers, put where the runs are played."""
    instance = job.instance
    return Ground(make_truth(job, put), put(steepness(instance)), put(tails(instance)))


take_state = make_copier(skip=("key",))


def take_over(run: Run, spare: FloatSequence, old: Run) -> None:
    """Make a run what another one is, but for the random numbers to come: its key stays."""
    take_state(run, old)
    key = run.key
    for a in range(len(run.counts)):
        n = run.counts[a]
        if n & 1:  # the next reward is the second number of a block
            _, _, w2, w3 = philox(
                int(n >> 1), int(a), int(key[2]), int(key[3]), int(key[0]), int(key[1])
            )
            spare[a] = uniform(w2, w3)


def make_play_on(parts: Parts) -> Callable[..., tuple[int, float]]:
    """The plain function that plays one run on."""
    start, choose, receive, _, answer = parts.step
    draw, reward = parts.draw, parts.reward

    def play_on(
        old: Any, new: Any, ground: Ground, origin: int, slot: int, leg: Leg
    ) -> tuple[int, float]:
        """Continue the run in slot `origin` of `old` in a slot of `new`, for one leg.

        Returns its bin, and what its weight is to be multiplied by.
        """
        begin, end, number = leg.begin, leg.end, leg.number + slot
        truth = ground.truth
        run = view(new, slot, truth)
        spare = new.spare[:, slot]
        arms = new_arms(truth, spare)
        run.key[0] = truth.seed0
        run.key[1] = truth.seed1
        run.key[2] = number & 0xFFFFFFFF
        run.key[3] = (number >> 32) & 0xFFFFFFFF
        if begin == 0:
            for i in range(len(run.levels)):
                run.levels[i] = truth.levels[i]
            reset(run)
            start(run)
        else:
            take_over(run, spare, view(old, origin, truth))
        factor = 1.0
        t = begin
        while t < end:
            arm = choose(run, t)
            if arm < 0:
                break
            if run.counts[arm] == 0 and ground.tails[arm] != 0:
                u, share = stretch(next_uniform(arms, run, arm), ground.tails[arm])
                value = reward(arms, arm, u)
                factor *= share
            else:
                value = draw(arms, run, arm)
            t += 1
            receive(run, t, arm, value)
        wrong = is_error(answer(run, end), truth.good, truth.any_good)
        return bin_of(run, wrong, truth.good, truth.any_good, ground.steep), factor

    return play_on


HELPERS = (take_over, view, new_arms, bin_of, stretch, next_uniform, is_error)  # that it calls


class Population:
    """The runs of a job that are under way, in memory, played on by threads."""

    def __init__(self, job: Job, size: int, threads: int = 1) -> None:
        self.job, self.size, self.threads = job, size, threads
        self.ground = make_ground(job)
        self.old, self.new = (
            States(
                *(
                    np.zeros((words, size), dtype=kind, order="F")
                    for words, kind in state_sizes(job).values()
                )
            )
            for _ in range(2)
        )
        self.bins = np.zeros(size, dtype=np.int32)
        self.factors = np.ones(size)

    def play(
        self, source: NDArray[np.int32], begin: int, end: int, number: int
    ) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Continue the runs `source` as those from `number` on, from time begin to end."""
        play = compiled(parts_of(self.job), make_population_kernel, HELPERS)
        self.old, self.new = self.new, self.old
        edges = np.linspace(0, self.size, self.threads + 1).astype(int).tolist()
        runs, results = (self.old, self.new, self.ground), (self.bins, self.factors)

        def part(first: int, last: int) -> None:
            play(*runs, source, Leg(begin, end, number), first, last, *results)

        _side_by_side(part, edges)
        return self.bins, self.factors


def _side_by_side(part: Callable[[int, int], None], edges: Sequence[int]) -> None:
    if len(edges) == 2:
        part(edges[0], edges[1])
        return
    with ThreadPoolExecutor(len(edges) - 1) as pool:
        list(pool.map(part, edges[:-1], edges[1:]))


def make_population_kernel(parts: Parts, stamp: str, decorate: Callable[[Any], Any]) -> Any:
    """The loop over a part of the population; see `kernel.make_kernel`."""
    play_on = make_play_on(parts)
    register((parts.reward, play_on))

    def play(
        old: Any,
        new: Any,
        ground: Ground,
        source: IntSequence,
        leg: Leg,
        first: int,
        last: int,
        bins: IntSequence,
        factors: FloatSequence,
    ) -> None:
        len(stamp)
        for i in range(first, last):
            bins[i], factors[i] = play_on(old, new, ground, source[i], i, leg)

    return decorate(play)
