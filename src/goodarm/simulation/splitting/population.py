"""A population of runs of one rule, and how it is played on."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithms.contract import Algorithm
from goodarm.rng import philox, split, uniform
from goodarm.run import Run, record, reset
from goodarm.simulation.compiler import COMPILE_OPTIONS, made_once, register
from goodarm.simulation.job import Job
from goodarm.simulation.kernel import is_error
from goodarm.simulation.rewards import Arms, draw, next_uniform, recorded_outcomes, reward
from goodarm.simulation.splitting.nearness import bin_of, steepness, stretch, tails


class States(NamedTuple):
    """All that runs are made of: [number, place] arrays."""

    counts: Any
    sums: Any
    gaps: Any
    roots: Any
    tree: Any
    spare: Any
    active: Any
    levels: Any
    clock: Any
    key: Any
    floats: Any
    ints: Any


class Truth(NamedTuple):
    """What all runs of a job have in common."""

    kinds: Any
    means: Any
    sigmas: Any
    table: Any
    starts: Any
    scales: Any
    constants: Any
    levels: Any
    good: Any
    any_good: bool
    steep: Any
    tails: Any
    seed0: int
    seed1: int


def state_sizes(job: Job) -> dict[str, tuple[int, Any]]:
    """How many numbers of a state each array holds, and of what kind."""
    K = job.instance.K
    floats, ints = job.algorithm.memory(K)
    return {
        "counts": (K, np.int64), "sums": (K, np.float64), "gaps": (K, np.float64),
        "roots": (K, np.float64), "tree": (2 * K, np.float64), "spare": (K, np.float64),
        "active": (K, np.int64), "levels": (5, np.float64), "clock": (3, np.int64),
        "key": (4, np.int64), "floats": (max(floats, 1), np.float64),
        "ints": (max(ints, 1), np.int64),
    }  # fmt: skip


def make_truth(job: Job, place: Callable[[NDArray[Any]], Any] = np.array) -> Truth:
    """The job's numbers; `place` puts an array where the runs are played."""
    instance = job.instance
    table, starts = recorded_outcomes(instance)
    return Truth(
        place(instance.kinds), place(instance.means), place(instance.sigmas), place(table),
        place(starts), place(1.0 / instance.sigmas),
        place(np.array(job.algorithm.numbers(job.setting) or [0.0], dtype=np.float64)),
        place(np.array([instance.threshold, *job.boundary.numbers, 0.0])),
        place(instance.good.astype(np.int64)), bool(instance.good.any()),
        place(steepness(instance)), place(tails(instance)), *split(job.seed),
    )  # fmt: skip


def take_over(run: Run, spare: Any, old: States, origin: int) -> None:
    """Make a run what another one is, but for the random numbers to come: its key stays."""
    K = len(run.counts)
    for i in range(len(run.levels)):
        run.levels[i] = old.levels[i, origin]
    for i in range(len(run.clock)):
        run.clock[i] = old.clock[i, origin]
    for a in range(K):
        n = old.counts[a, origin]
        run.counts[a] = n
        run.sums[a] = old.sums[a, origin]
        run.gaps[a] = old.gaps[a, origin]
        run.roots[a] = old.roots[a, origin]
        run.tree[a] = old.tree[a, origin]
        run.tree[K + a] = old.tree[K + a, origin]
        run.active[a] = old.active[a, origin]
        if n & 1:  # the next reward is the second number of a block
            _, _, w2, w3 = philox(
                int(n >> 1), int(a), int(run.key[2]), int(run.key[3]), int(run.key[0]),
                int(run.key[1]),
            )  # fmt: skip
            spare[a] = uniform(w2, w3)
    for i in range(len(run.floats)):
        run.floats[i] = old.floats[i, origin]
    for i in range(len(run.ints)):
        run.ints[i] = old.ints[i, origin]


def make_play_on(algorithm: Algorithm) -> Callable[..., tuple[int, float]]:
    """The plain function that plays one run on."""
    start, choose, observe = algorithm.start, algorithm.choose, algorithm.observe
    answer, sweep = algorithm.answer, algorithm.sweep

    def play_on(  # type: ignore[no-untyped-def]
        old, new, truth, origin, place, number, begin, end
    ):
        """Continue run `origin` of `old` as run `number`, from time `begin` to `end`.

        Returns its bin, and what its weight is to be multiplied by.
        """
        run = Run(
            new.counts[:, place], new.sums[:, place], new.gaps[:, place], new.roots[:, place],
            new.tree[:, place], truth.scales, new.active[:, place], new.levels[:, place],
            new.clock[:, place], new.key[:, place], truth.constants, new.floats[:, place],
            new.ints[:, place],
        )  # fmt: skip
        spare = new.spare[:, place]
        arms = Arms(truth.kinds, truth.means, truth.sigmas, truth.table, truth.starts, spare)
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
            take_over(run, spare, old, origin)
        factor = 1.0
        t = begin
        while t < end:
            arm = t if sweep and t < len(run.counts) else choose(run, t)
            if arm < 0:
                break
            if run.counts[arm] == 0 and truth.tails[arm] != 0:
                u, share = stretch(next_uniform(arms, run, arm), truth.tails[arm])
                value = reward(arms, arm, u)
                factor *= share
            else:
                value = draw(arms, run, arm)
            record(run, arm, value)
            t += 1
            observe(run, t, arm, value)
        wrong = is_error(answer(run, end), truth.good, truth.any_good)
        return bin_of(run, wrong, truth.good, truth.any_good, truth.steep), factor

    return play_on


HELPERS = (take_over, bin_of, stretch, next_uniform, reward)  # that it calls


class Population:
    """The runs of a job that are under way, in memory, played on by threads."""

    def __init__(self, job: Job, size: int, threads: int = 1) -> None:
        self.job, self.size, self.threads = job, size, threads
        self.truth = make_truth(job)
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
        play = _kernel(self.job.algorithm)
        self.old, self.new = self.new, self.old
        edges = np.linspace(0, self.size, self.threads + 1).astype(int).tolist()

        def part(first: int, last: int) -> None:
            play(
                self.old, self.new, self.truth, source, first, last, number, begin, end,
                self.bins, self.factors,
            )  # fmt: skip

        _side_by_side(part, edges)
        return self.bins, self.factors


def _side_by_side(part: Callable[[int, int], None], edges: Sequence[int]) -> None:
    if len(edges) == 2:
        part(edges[0], edges[1])
        return
    with ThreadPoolExecutor(len(edges) - 1) as pool:
        list(pool.map(part, edges[:-1], edges[1:]))


def _kernel(algorithm: Algorithm) -> Any:
    from numba import njit

    def make(stamp: str, cached: bool) -> Any:
        play_on = make_play_on(algorithm)
        register((play_on,))

        def play(  # type: ignore[no-untyped-def]
            old, new, truth, source, first, last, number, begin, end, bins, factors
        ):
            len(stamp)
            for i in range(first, last):
                bins[i], factors[i] = play_on(old, new, truth, source[i], i, number + i, begin, end)

        return njit(**COMPILE_OPTIONS, cache=cached)(play)

    return made_once(algorithm, "splitting", make, HELPERS)
