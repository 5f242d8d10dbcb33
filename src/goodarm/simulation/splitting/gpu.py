"""A population on a CUDA GPU: one thread plays one run from one look to the next."""

from typing import Any

import numpy as np
from numba import cuda
from numpy.typing import NDArray

from goodarm.run import FloatSequence, IntSequence
from goodarm.simulation.gpu import one_at_a_time, room
from goodarm.simulation.job import Job
from goodarm.simulation.loops.compiler import Parts, made_once, parts_of, register, with_own_cache
from goodarm.simulation.loops.truth import States
from goodarm.simulation.splitting.population import (
    HELPERS,
    Ground,
    Leg,
    make_ground,
    make_play_on,
    state_sizes,
)

THREADS = 128  # of a block


class GpuPopulation:
    """As `Population`, on the GPU."""

    def __init__(self, job: Job, size: int) -> None:
        self.job, self.size = job, size
        self.stream = cuda.per_thread_default_stream()
        self.ground = make_ground(job, self._up)
        self.old, self.new = (
            States(
                *(
                    room.empty(f"{half} {name}", (words, size), kind)
                    for name, (words, kind) in state_sizes(job).items()
                )
            )
            for half in ("old", "new")
        )
        self.source = room.empty("source", (size,), np.int32)
        self.bins = room.empty("bins", (size,), np.int32)
        self.factors = room.empty("factors", (size,), np.float64)
        with one_at_a_time:
            self.kernel = _kernel(parts_of(job))
            self._launch(0, Leg(0, 0, 0))

    def play(
        self, source: NDArray[np.int32], begin: int, end: int, number: int
    ) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Continue the runs `source` as those from `number` on, from time begin to end."""
        self.old, self.new = self.new, self.old
        self.source.copy_to_device(source, stream=self.stream)
        self._launch(self.size, Leg(begin, end, number))
        bins = self.bins.copy_to_host(stream=self.stream)
        factors = self.factors.copy_to_host(stream=self.stream)
        self.stream.synchronize()
        return bins, factors

    def _launch(self, size: int, leg: Leg) -> None:
        launch = self.kernel[-(-self.size // THREADS), THREADS, self.stream]
        runs, results = (self.old, self.new, self.ground), (self.bins, self.factors)
        launch(*runs, self.source, leg, size, *results)

    def _up(self, array: NDArray[Any]) -> Any:
        return cuda.to_device(np.ascontiguousarray(array), stream=self.stream)


def _kernel(parts: Parts) -> Any:
    def build(stamp: str, cached: bool) -> Any:
        play_on = make_play_on(parts)
        register((parts.reward, play_on))

        def play(
            old: Any,
            new: Any,
            ground: Ground,
            source: IntSequence,
            leg: Leg,
            size: int,
            bins: IntSequence,
            factors: FloatSequence,
        ) -> None:
            len(stamp)
            slot = cuda.grid(1)
            if slot < size:
                bins[slot], factors[slot] = play_on(old, new, ground, source[slot], slot, leg)

        return cuda.jit(with_own_cache(play, stamp), cache=cached)

    return made_once(parts, make_play_on, build, HELPERS, "splitting on a GPU")
