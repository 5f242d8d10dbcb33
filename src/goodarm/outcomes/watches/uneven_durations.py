"""Durations that vary more than exponential ones, or than gamma ones of the declared shape.

Tilted by (1 + x/β)^−c, a gamma density of shape k, and e^−τx, is again a density once it is
divided by its integral. Choose τ so that its mean is μ. As (1 + x/β)^−c e^hx is convex, it has more
scatter than the gamma density of that mean, and the likelihood ratio of n durations is smallest at
μ = their mean m (docs/theory.md). What is left when the mean is not known is

    ln E = −c Σ ln(1 + x/β) + n (k ln(τm/k) + k − τm − ln E[(1 + G/(τβ))^−c]),

with G gamma distributed of shape k and scale 1, and with the τ that makes this largest, which is
the τ whose density has the mean m: any other τ gives less. The alternatives are (c, β/θ) = (1, 0.1)
and (1, 1), near gamma and Weibull shapes below k, and (2, 3), with a heavier tail.
Valid at any time for durations of that shape with any means, under any sampling rule, and for all
that are smaller in convex order: those for which the certificates hold. A duration that was cut
short is added to the next that was not, which is exact for the exponential distribution, as that
has no memory; entries of several durations in one say nothing about scatter and are passed over.
The evidence of all arms is pooled.
"""

import math
from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from goodarm.outcomes.watches.contract import Names, Watch, whose

ALTERNATIVES = ((1.0, 0.1), (1.0, 1.0), (2.0, 3.0))  # c, and β in units of θ
COUNT, TOTAL, SQUARES, WAITING, DIPS = range(5)
NODES_PER_UNIT = 4.0  # of ln G, in the trapezoidal rule
LEFT_OUT = 1e-16  # of the probability of G, at each end
AS_ZERO = -80.0  # values of ln G that are not told from lower ones, which small shapes have
TILTS = np.exp(np.linspace(-35.0, 35.0, 1401))  # τβ, at which means are tabulated

Floats = NDArray[np.float64]


class UnevenDurations(Watch):
    """An e-process against "durations of this shape, whatever their means"."""

    name = "durations that vary too much"
    memory = DIPS + len(ALTERNATIVES)

    def __init__(self, threshold: float, shape: float) -> None:
        self._shape = shape
        self._scales = tuple(beta * threshold for _, beta in ALTERNATIVES)

    def see(self, state: list[float], arm: int, value: float, size: float) -> None:
        """Add up what the ratios need."""
        if size == 0.0:
            state[WAITING] += value
        if size != 1.0:
            return
        value += state[WAITING]
        state[WAITING] = 0.0
        state[COUNT] += 1.0
        state[TOTAL] += value
        state[SQUARES] += value * value
        for j, scale in enumerate(self._scales, DIPS):
            state[j] += math.log1p(value / scale)

    def logs(self, state: list[float]) -> list[float]:
        """ln E of one arm, for each alternative."""
        count, shape = state[COUNT], self._shape
        mean = state[TOTAL] / count
        values, chances = gamma_nodes(shape)
        found = []
        for j, (power, _) in enumerate(ALTERNATIVES):
            scale = self._scales[j]
            tilt = float(np.exp(np.interp(-math.log(mean / scale), *_means(shape, power))))
            rate = tilt * mean / scale  # τm
            share = float(chances @ (1.0 + values / tilt) ** -power)
            gain = shape * math.log(rate / shape) + shape - rate - math.log(share)
            found.append(count * gain - power * state[DIPS + j])
        return found

    def doubt(self, states: Mapping[int, list[float]], K: int, names: Names = None) -> str | None:
        """How large the scatter is, where that shows most."""
        seen = {arm: self.logs(state) for arm, state in states.items() if state[TOTAL] > 0.0}
        arm = self.leading(seen, K)
        if arm is None:
            return None
        count, total, squares = states[arm][:WAITING]
        mean = total / count
        ratio = math.sqrt(max(squares / count - mean * mean, 0.0)) / mean
        usual = 1.0 / math.sqrt(self._shape)
        return (
            f"The durations vary too much: those of {whose(arm, names)} have a standard deviation "
            f"of {ratio:.3g} times their mean, where {usual:.3g} is expected. The stated "
            "confidence may not hold; begin a study with bounded outcomes: Bounded(lo=0) can show "
            "that a mean is large enough, bounded:0:HI also that one is small enough."
        )


@lru_cache(maxsize=16)
def gamma_nodes(shape: float) -> tuple[Floats, Floats]:
    """Values of G with their probabilities: the trapezoidal rule in ln G, which is very exact."""
    low = (math.log(LEFT_OUT) + math.lgamma(shape + 1.0)) / shape
    high = math.log(shape + 9.0 * math.sqrt(shape) + 40.0)
    low = max(low, math.log(shape) - 9.0 / math.sqrt(shape)) if shape > 100.0 else low
    step = 1.0 / (NODES_PER_UNIT * max(1.0, math.sqrt(shape)))
    logs = np.arange(max(low, AS_ZERO), high + step, step)
    weights = np.exp(shape * logs - np.exp(logs) - math.lgamma(shape))
    if low < AS_ZERO:  # all the nodes below, a geometric series
        weights[0] += weights[0] / math.expm1(shape * step)
    return np.exp(logs), weights / weights.sum()


@lru_cache(maxsize=64)
def _means(shape: float, power: float) -> tuple[Floats, Floats]:
    """−ln(mean/β) for a range of ln(τβ), rising: where to find the tilt of a mean."""
    values, chances = gamma_nodes(shape)
    factors = (1.0 + values / TILTS[:, None]) ** -power * chances
    means = factors @ values / (factors.sum(axis=1) * TILTS)
    return -np.log(means), np.log(TILTS)
