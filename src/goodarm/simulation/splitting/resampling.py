"""Which runs are continued, and how often: the same number of each bin, with weights to match.

A run of weight w in a bin of n slots and weight W is continued n w/W times on average (systematic
resampling: the next whole number up or down), each time with weight W/n. So the weight of every
bin is kept, and what is estimated is right on average, whatever the bins are.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goodarm.simulation.splitting.nearness import BINS

LIGHT = 1e-8  # the bins that are deepest in error are one while they weigh less together


def resample(
    bins: NDArray[np.int32], weights: NDArray[np.float64], island: int, chance: np.random.Generator
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """For every slot of the next population the run that it continues, and its weight.

    Islands of that many runs are kept apart.
    """
    offsets = chance.random((len(bins) // island, BINS))
    source = np.empty(len(bins), dtype=np.int32)
    fresh = np.empty(len(bins))
    _kernel()(bins, weights, island, offsets, source, fresh)
    return source, fresh


def rearrange(bins: Any, weights: Any, island: int, offsets: Any, source: Any, fresh: Any) -> None:
    """Fill `source` and `fresh`; plain, and compiled."""
    count = offsets.shape[1]
    totals = np.zeros(count)
    begins = np.zeros(count, dtype=np.int64)  # the first slot of each bin, how many it has,
    sizes = np.zeros(count, dtype=np.int64)
    fill = np.zeros(count, dtype=np.int64)  # how many are filled,
    weight_so_far = np.zeros(count)  # and the weight of its runs so far
    for number in range(len(offsets)):
        first = number * island
        totals[:] = 0.0
        fill[:] = 0
        weight_so_far[:] = 0.0
        for i in range(first, first + island):
            totals[bins[i]] += weights[i]
        lowest = 0  # the bins below are one with it
        while lowest < count - 1 and totals[lowest] < LIGHT:
            totals[lowest + 1] += totals[lowest]
            totals[lowest] = 0.0
            lowest += 1
        occupied = 0
        for b in range(count):
            occupied += totals[b] > 0.0
        slot = first
        rest = island % occupied
        for b in range(count):
            begins[b] = slot
            sizes[b] = 0
            if totals[b] > 0.0:
                sizes[b] = island // occupied + (rest > 0)
                rest -= 1
            slot += sizes[b]
        for i in range(first, first + island):
            b = max(bins[i], lowest)
            weight_so_far[b] += weights[i]
            until = min(int(weight_so_far[b] / totals[b] * sizes[b] + offsets[number, b]), sizes[b])
            if weight_so_far[b] >= totals[b] * (1.0 - 1e-9):
                until = sizes[b]  # rounding must not leave a slot empty
            for j in range(begins[b] + fill[b], begins[b] + until):
                source[j] = i
                fresh[j] = totals[b] / sizes[b]
            fill[b] = max(fill[b], until)


@cache
def _kernel() -> Any:
    from numba import njit

    return njit(nogil=True, error_model="numpy", cache=True)(rearrange)
