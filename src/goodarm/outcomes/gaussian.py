"""Gaussian outcomes: numbers that scatter around their arm's mean, with a known σ or an unknown.

With σ known,

    W = √N (μ̂ − θ)/σ,      ln E = ln Σ_j exp(lw_j ± d_j Σ(x − θ)/σ − d_j² N/2)

Guarantee: exact for normal outcomes, and for all that are σ-sub-Gaussian (bounded outcomes of
width 2σ, for example). What breaks it: a declared σ that is smaller than the true one. A larger one
only costs trials.
Reference: Robbins (1970); Howard et al. (2021). See `tilts.py`.

Without σ, every arm's scatter is its own and is learnt from its outcomes: `student.py` says how,
and what breaks that. It costs a few trials more than the true σ would.
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
from goodarm.outcomes import student
from goodarm.outcomes.comparable import Comparable, normal
from goodarm.outcomes.contract import Floats, Levels, Outcome, Past, Reading, Seen, SimulatedArms
from goodarm.outcomes.tilts import engine, keep_side, needed_sums, table, terms_at, verdicts
from goodarm.outcomes.watches.contract import Watch, together
from goodarm.outcomes.watches.drift import DriftAcross, DriftOfMean
from goodarm.outcomes.watches.few_values import FewValues
from goodarm.outcomes.watches.skewness import Skewness
from goodarm.outcomes.watches.wide_scatter import WideScatter
from goodarm.run import SIDE, THRESHOLD, Run, evidence

FARTHEST_OUTCOME = 1e12  # in units of σ from the threshold; more is a mistaken unit
SMALLEST_SIGMA = 1e-100
FAR_FROM_MEAN = 6.0  # standard deviations: one outcome in 500 million, if σ is right
FEWEST_TO_COMPARE = 3  # outcomes that say how far is far, where σ is not known
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


OF_UNKNOWN_SCATTER = student.FUNCTIONS._replace(draw=draw)


@dataclass(frozen=True)
class Gaussian(Outcome):
    """A number that scatters around its arm's mean; with sigma, by at most that.

    `sigma` is a standard deviation for all arms, or one for each. Without it, every arm's scatter
    is learnt from its own outcomes.

    >>> Gaussian(0.5).check(0.7, threshold=0.5)
    0.7
    >>> Gaussian().text()
    'gaussian'
    """

    sigma: float | tuple[float, ...] | None = field(
        default=None,
        metadata={
            "help": "the standard deviation, at most, if it is known",
            "hint": "If you do not know it for sure, leave it out: it is then learnt from the "
            "outcomes, for a few trials more. Too small a one makes the study surer than it may "
            "be.",
            "per_arm": True,
        },
    )

    name = "gaussian"
    title = "a measurement: a number that scatters"
    summary = (
        "A number that scatters evenly around its option's mean, by a standard deviation that is "
        "known or not. For most measurements; not for numbers with few values or a long tail."
    )
    functions = engine(gap, standardised_sum, draw)

    def __post_init__(self) -> None:
        values: Any = self.sigma
        if isinstance(values, np.ndarray):
            values = values.tolist()
        if values is None:
            object.__setattr__(self, "functions", OF_UNKNOWN_SCATTER)
            object.__setattr__(self, "memory", student.MEMORY)
            object.__setattr__(self, "monotone", False)  # an outlier widens the scatter, too
        elif isinstance(values, list | tuple):
            sigmas = tuple(_sigma(sigma) for sigma in values)
            if not sigmas:
                raise InputError("sigma: the list is empty; give one for all arms, or one for each")
            alike = len(set(sigmas)) == 1
            object.__setattr__(self, "sigma", sigmas[0] if alike else sigmas)
        else:
            object.__setattr__(self, "sigma", _sigma(values))

    @property
    def knows_scatter(self) -> bool:
        """Whether σ was given."""
        return self.sigma is not None

    @property
    def assumes(self) -> str:
        """What it takes for granted."""
        if self.sigma is None:
            return "Outcomes scatter about evenly around their mean, like a bell curve or wider."
        return "Outcomes scatter around their mean by at most sigma, without a heavy tail."

    @property
    def breaks(self) -> str:
        """What makes it too sure."""
        if self.sigma is None:
            return "A long tail on one side; many equal values; yes or no."
        return "A sigma that is declared too small."

    def check(self, value: object, threshold: float) -> float:
        """The value, if it is within reason."""
        outcome = observed(value)
        if self.sigma is None:
            return outcome
        distance = abs(outcome - threshold) / max(self.scales(1))
        if distance > FARTHEST_OUTCOME:
            raise InputError(
                f"value: {value!r} is {distance:.0e} standard deviations from the threshold; "
                "check the entry and its unit"
            )
        return outcome

    def scales(self, K: int) -> list[float]:
        """The standard deviations; 1 where they are not known."""
        return list(self.sigma) if isinstance(self.sigma, tuple) else [self._sigma(0)] * K

    def sub_gaussian(self, K: int) -> "Gaussian":
        """The same model, if σ is known."""
        if self.sigma is None:
            raise InputError(
                "outcome: the paper's boundaries, and algorithms with their own stopping rule, "
                "need a known standard deviation; give gaussian:SIGMA, or use boundary mixture"
            )
        return Gaussian(tuple(self.scales(K)))

    def numbers(self, threshold: float, side: float, levels: Levels) -> Sequence[float]:
        """The table for standardised outcomes: the same for every threshold and σ."""
        return student.PRECISIONS if self.sigma is None else _numbers(levels)

    def limits(
        self, seen: Seen, threshold: float, lower: float, upper: float
    ) -> tuple[Floats, Floats]:
        """The means at which the standardised sum is the one that the level asks for."""
        if self.sigma is None:
            return student.limits(seen, threshold, lower, upper)
        counts, means, roots = seen.counts, seen.sums / seen.counts, np.sqrt(seen.counts)
        sigmas = np.array(self.scales(int(seen.arms.max()) + 1))[seen.arms]
        total = roots * (roots * ((means - threshold) * (1.0 / sigmas)))  # as a run has it
        levels = -math.log(lower), -math.log(upper)
        above, not_below = verdicts(_numbers(Levels()), total, counts, levels)
        low, high = (sigmas / counts * _needed(counts, level) for level in levels)
        return keep_side(means - low, above, threshold), keep_side(
            means + high, not_below, threshold
        )

    def describe(self) -> str:
        """What an outcome is."""
        if self.sigma is None:
            return "a number whose scatter is not known"
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
        """Without σ: what recorded outcomes scatter by is no bound on what others will."""
        return cls()

    def quantile(self, u: float, mean: float) -> float:
        """The normal quantile, with the first arm's scatter; 1 where it is not known."""
        return mean + self._sigma(0) * normal_quantile(u)

    def comparable(self, arm: int) -> Comparable | None:
        """Means, by their difference, if σ is known."""
        return None if self.sigma is None else normal(self._sigma(arm))

    def watches(self, threshold: float) -> tuple[Watch, ...]:
        """Whether outcomes scatter more than declared, or are not normal, or change."""
        if self.sigma is None:
            return (*together(Skewness(), DriftAcross(threshold)), FewValues())
        return together(WideScatter(self.sigma), DriftOfMean(self.sigma))

    def unlikely(self, told: Reading, past: Past, threshold: float) -> str | None:
        """Whether the outcome is far from the arm's others, or absurdly far from the threshold."""
        count, mean, scatter = past.count, past.mean, past.scatter
        sigma, far = self._sigma(past.arm), FAR_FROM_MEAN
        other = "the mean of the arm's other outcomes"
        if self.sigma is None:
            if count < FEWEST_TO_COMPARE or not scatter > 0.0:
                return None
            # As unlikely under Student's distribution as that is under the normal one.
            freedom = count - 1.0
            far = math.sqrt(freedom * math.expm1(far * far / freedom))
            sigma = scatter
        if count:
            distance = abs(told.value - mean) / (sigma * math.sqrt(1.0 + 1.0 / count))
        else:
            distance = abs(told.value - threshold) / sigma
            far, other = FAR_FROM_THRESHOLD, "the threshold"
        if distance <= far:
            return None
        return f"{told.value:g} is {distance:.3g} standard deviations ({sigma:.3g}) from {other}"

    def means_near(self, arm: int, threshold: float, steps: Floats, scatter: float) -> Floats:
        """In standard deviations."""
        return threshold + self._sigma(arm, scatter) * steps

    def log_likelihoods(
        self, arm: int, total: float, count: float, means: Floats, scatter: float
    ) -> Floats:
        """Normal, with the σ that is known."""
        known = scatter if self.sigma is None else self._sigma(arm) ** 2
        return super().log_likelihoods(arm, total, count, means, known)

    def draw_sum(self, arm: int, mean: float, many: int, chance: Random) -> Reading | None:
        """A normal sum; where σ is learnt, each outcome has a part in that."""
        if self.sigma is None:
            return None
        return Reading(chance.gauss(many * mean, math.sqrt(many) * self._sigma(arm)))

    def draw_outcome(self, arm: int, mean: float, scatter: float, chance: Random) -> float:
        """A normal number."""
        return chance.gauss(mean, self._sigma(arm, scatter))

    def _sigma(self, arm: int, scatter: float = math.nan) -> float:
        """The arm's σ; where it is not known, that of the scatter seen, or else 1."""
        if self.sigma is None:
            return 1.0 if scatter != scatter else math.sqrt(scatter)
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
