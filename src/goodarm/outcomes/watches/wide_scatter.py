"""Gaussian outcomes that scatter more than their declared σ.

The distances of an arm's outcomes from the mean of those before, scaled, are independent N(0, 1) if
σ is right. With ν = N − 1 of them and their sum of squares Q, the likelihood ratio for a scatter c
times as large is

    c^−ν exp((1 − c^−2) Q/2),

a supermartingale for every scatter up to σ; the evidence is its mean over ten c. Valid at any time,
for each arm by itself at DOUBT/K.
Reference: Brown, Durbin and Evans (1975) for the distances.
"""

import math
from collections.abc import Mapping

import numpy as np

from goodarm.outcomes.watches.contract import Names, Watch, whose

EXCESSES = np.array((1.1, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0, 1000.0))
COUNT, MEAN, SQUARES = range(3)


class WideScatter(Watch):
    """An e-process against "the standard deviation is at most σ"."""

    name = "wide scatter"
    memory = 3

    def __init__(self, sigma: float | tuple[float, ...]) -> None:
        self._sigma = sigma

    def see(self, state: list[float], arm: int, value: float, size: float) -> None:
        """Welford's update: the sum of squared distances from the arm's mean."""
        state[COUNT] += 1.0
        distance = value - state[MEAN]
        state[MEAN] += distance / state[COUNT]
        state[SQUARES] += distance * (value - state[MEAN])

    def doubt(self, states: Mapping[int, list[float]], K: int, names: Names = None) -> str | None:
        """The first arm with too wide a scatter."""
        least = self.level(K)
        for arm, (count, _, squares) in sorted(states.items()):
            if count < 2.0:
                continue
            sigma = self._sigma[arm] if isinstance(self._sigma, tuple) else self._sigma
            ratios = 0.5 * (1.0 - EXCESSES**-2.0) * (squares / sigma / sigma)
            ratios -= (count - 1.0) * np.log(EXCESSES)
            top = float(ratios.max())
            if top + math.log(float(np.exp(ratios - top).mean())) >= least:
                return (
                    f"The outcomes of {whose(arm, names)} scatter by "
                    f"{math.sqrt(squares / (count - 1.0)):.3g} around its mean, more than the "
                    f"declared {sigma:g}. The stated confidence is too high; begin a study with a "
                    "larger sigma, or with none (gaussian)."
                )
        return None
