"""Gaussian outcomes: numbers that scatter around their arm's mean with a known σ.

    W = √N (μ̂ − θ)/σ,      ln E = ln Σ_j exp(lw_j ± d_j Σ(x − θ)/σ − d_j² N/2)

Guarantee: exact for normal outcomes, and for all that are σ-sub-Gaussian (bounded outcomes of
width 2σ, for example). What breaks it: a declared σ that is smaller than the true one. A larger one
only costs trials.
Reference: Robbins (1970); Howard et al. (2021). See `tilts.py`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np

from goodarm.errors import InputError
from goodarm.inputs import number, observed
from goodarm.numerics import normal_quantile
from goodarm.outcomes.contract import Floats, Levels, Outcome, Seen, SimulatedArms
from goodarm.outcomes.tilts import (
    BAD_SLOPES,
    GOOD_SLOPES,
    engine,
    keep_side,
    needed_sums,
    reached,
    table,
    terms_at,
)
from goodarm.outcomes.watches.contract import Watch
from goodarm.outcomes.watches.wide_scatter import WideScatter
from goodarm.run import SIDE, THRESHOLD, Run, evidence

FARTHEST_OUTCOME = 1e12  # in units of σ from the threshold; more is a mistaken unit
SMALLEST_SIGMA = 1e-100
FAR_FROM_MEAN = 6.0  # standard deviations: one outcome in 500 million, if σ is right
FAR_FROM_THRESHOLD = 20.0  # for an arm's first outcome


def gap(run: Run, arm: int, n: int, total: float) -> float:
    """(μ̂ − θ)/σ, times −1 where less is good."""
    distance = total / n - run.levels[THRESHOLD]
    return distance * run.scales[arm] * run.levels[SIDE]


def standardised_sum(run: Run, arm: int) -> float:
    """Σ(x − θ)/σ = √N W."""
    return math.sqrt(run.counts[arm]) * evidence(run, arm)


def draw(arms: SimulatedArms, arm: int, u: float) -> float:
    """The normal quantile at u."""
    return arms.means[arm] + arms.sigmas[arm] * normal_quantile(u)


@dataclass(frozen=True)
class Gaussian(Outcome):
    """A number that scatters around its arm's mean with a standard deviation of at most sigma.

    `sigma` is one number for all arms, or one for each.

    >>> Gaussian(0.5).check(0.7, threshold=0.5)
    0.7
    """

    sigma: float | tuple[float, ...] = field(
        metadata={
            "help": "the standard deviation, at most",
            "hint": "Too small a one makes the study surer than it may be; if in doubt, larger.",
            "per_arm": True,
        }
    )

    name = "gaussian"
    title = "a number with a known scatter"
    summary = "A number that scatters around its option's mean with a known standard deviation."
    functions = engine(gap, standardised_sum, draw)

    def __post_init__(self) -> None:
        values: Any = self.sigma
        if isinstance(values, np.ndarray):
            values = values.tolist()
        if isinstance(values, list | tuple):
            sigmas = tuple(_sigma(sigma) for sigma in values)
            if not sigmas:
                raise InputError("sigma: the list is empty; give one for all arms, or one for each")
            alike = len(set(sigmas)) == 1
            object.__setattr__(self, "sigma", sigmas[0] if alike else sigmas)
        else:
            object.__setattr__(self, "sigma", _sigma(values))

    def check(self, value: object, threshold: float) -> float:
        """The value, if it is within reason."""
        outcome = observed(value)
        distance = abs(outcome - threshold) / max(self.scales(1))
        if distance > FARTHEST_OUTCOME:
            raise InputError(
                f"value: {value!r} is {distance:.0e} standard deviations from the threshold; "
                "check the entry and its unit"
            )
        return outcome

    def scales(self, K: int) -> list[float]:
        """The standard deviations."""
        return list(self.sigma) if isinstance(self.sigma, tuple) else [self.sigma] * K

    def numbers(self, threshold: float, side: float, levels: Levels) -> Sequence[float]:
        """The table for standardised outcomes: the same for every threshold and σ."""
        return _numbers(levels)

    def limits(
        self, seen: Seen, threshold: float, lower: float, upper: float
    ) -> tuple[Floats, Floats]:
        """The means at which the standardised sum is the one that the level asks for."""
        counts, means, roots = seen.counts, seen.sums / seen.counts, np.sqrt(seen.counts)
        sigmas = np.array(self.scales(int(seen.arms.max()) + 1))[seen.arms]
        total = roots * (roots * ((means - threshold) * (1.0 / sigmas)))  # as a run has it
        levels = -math.log(lower), -math.log(upper)
        above = reached(_numbers(Levels()), GOOD_SLOPES, total, counts, levels[0])
        below = reached(_numbers(Levels()), BAD_SLOPES, -total, counts, levels[1])
        low, high = (sigmas / counts * _needed(counts, level) for level in levels)
        return keep_side(means - low, above, threshold), keep_side(means + high, ~below, threshold)

    def describe(self) -> str:
        """What an outcome is."""
        if isinstance(self.sigma, tuple):
            return (
                "a number with a known standard deviation for each option, "
                f"{min(self.sigma):g} to {max(self.sigma):g}"
            )
        return f"a number with a standard deviation of at most {self.sigma:g}"

    @classmethod
    def of_arms(cls, sigmas: Sequence[float]) -> "Gaussian":
        """With the scales of simulated arms."""
        return cls(tuple(float(sigma) for sigma in sigmas))

    @classmethod
    def guess(cls, values: Sequence[Sequence[float]]) -> "Gaussian":
        """With the scatter of recorded outcomes around their arms' means."""
        squares = sum(float(np.var(v)) * len(v) for v in values)
        freedom = sum(len(v) - 1 for v in values)
        if freedom < 1 or squares == 0.0:
            raise InputError("sigma: the recorded outcomes do not scatter; give it yourself")
        return cls(float(np.sqrt(squares / freedom)))

    def quantile(self, u: float, mean: float) -> float:
        """The normal quantile, with the first arm's scatter."""
        return mean + self._sigma(0) * normal_quantile(u)

    def watches(self, threshold: float) -> tuple[Watch, ...]:
        """Whether an arm's outcomes scatter more than declared."""
        return (WideScatter(self.sigma),)

    def unlikely(
        self, value: float, arm: int, count: int, mean: float, threshold: float
    ) -> str | None:
        """Whether the outcome is far from the arm's others, or absurdly far from the threshold."""
        sigma = self._sigma(arm)
        if count:
            distance = abs(value - mean) / (sigma * math.sqrt(1.0 + 1.0 / count))
            far, other = FAR_FROM_MEAN, "the mean of the arm's other outcomes"
        else:
            distance = abs(value - threshold) / sigma
            far, other = FAR_FROM_THRESHOLD, "the threshold"
        if distance <= far:
            return None
        return f"{value:g} is {distance:.3g} standard deviations ({sigma:g}) from {other}"

    def draw_mean(
        self, arm: int, total: float, count: float, threshold: float, scatter: float, chance: Random
    ) -> float:
        """From the normal posterior."""
        spread = self._sigma(arm) / math.sqrt(count + 1)
        return chance.gauss((total + threshold) / (count + 1), spread)

    def draw_outcome(self, arm: int, mean: float, scatter: float, chance: Random) -> float:
        """A normal number."""
        return chance.gauss(mean, self._sigma(arm))

    def _sigma(self, arm: int) -> float:
        return self.sigma[arm] if isinstance(self.sigma, tuple) else self.sigma


def _sigma(value: object) -> float:
    sigma = number("sigma", value)
    if sigma < SMALLEST_SIGMA:
        fault = "too small" if sigma > 0.0 else "not positive"
        raise InputError(f"sigma: {value!r} is {fault}; give the outcomes' standard deviation")
    return sigma


def cumulant(steps: Floats) -> tuple[Floats, Floats]:
    """a = d, b = d²/2 for standardised outcomes at θ = 0."""
    return steps, 0.5 * steps * steps


@lru_cache(maxsize=256)
def _numbers(levels: Levels) -> tuple[float, ...]:
    return table(1.0, cumulant, 1.0, levels)


def _needed(counts: Floats, level: float) -> Floats:
    return needed_sums(terms_at(1.0, cumulant, 1.0), counts, level)


OUTCOMES = (Gaussian,)
