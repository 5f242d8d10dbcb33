"""Bernoulli outcomes: yes or no, told as 1 or 0.

    W = ±√(2N kl(μ̂, θ)),      ln E = ln Σ_j exp(lw_j ± d_j S − N ln(1 + θ(e^{±d_j} − 1)))

with S successes among N, kl(p, q) = p ln(p/q) + (1 − p) ln((1 − p)/(1 − q)), and d_j a step in
log-odds. Guarantee: exact for any sampling rule. What breaks it: outcomes that depend on each
other, or a success rate that moves while the study runs.
Reference: Robbins (1970); Howard et al. (2021). See `tilts.py`.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

import numpy as np

from goodarm.errors import InputError
from goodarm.inputs import number, observed
from goodarm.outcomes.comparable import Comparable, share
from goodarm.outcomes.contract import Floats, Levels, Outcome, Reading, Seen, SimulatedArms
from goodarm.outcomes.drawing import binomial, shares_near
from goodarm.outcomes.tilts import ALSO_OWN, OWN, TiltFamily, engine, limits, table, verdicts
from goodarm.outcomes.watches.contract import Watch, together
from goodarm.outcomes.watches.drift import DriftOfShare
from goodarm.outcomes.watches.uneven_batches import UnevenBatches
from goodarm.run import SIDE, THRESHOLD, Run

SERIES_UP_TO = 0.02  # of |x|; a series is more precise there
NEAREST = 1e-100  # of a threshold to an end of the range, as a share of it; more would overflow
MOST_AT_ONCE = 10**9  # outcomes in one number of successes
INVERSE, REST_INVERSE = OWN, ALSO_OWN  # 1/θ and 1/(1 − θ)


def root_of_kl(x: float, q: float, inverse: float, rest_inverse: float) -> float:
    """√(2 kl(q + x, q)), with the sign of x; 1/q and 1/(1 − q) are given, to save divisions.

    With p = q + x, kl(p, q) = q h(p/q) + (1 − q) h((1 − p)/(1 − q)) with h(r) = r ln r − r + 1 ≥ 0:
    a sum of two numbers that are not negative, so nothing cancels however close p and q are.
    """
    twice = 2.0 * (q * excess(x * inverse) + (1.0 - q) * excess(-x * rest_inverse))
    root = math.sqrt(twice)
    return root if x >= 0.0 else -root


def excess(x: float) -> float:
    """h(1 + x) = (1 + x) ln(1 + x) − x."""
    if -SERIES_UP_TO < x < SERIES_UP_TO:
        # Σ_{k≥2} (−x)^k/(k(k − 1)); the first term left out is below 1e-15 of the first.
        series = 1.0 / 56.0 - x / 72.0
        series = 1.0 / 42.0 - x * series
        series = 1.0 / 30.0 - x * series
        series = 0.05 - x * series
        series = 1.0 / 12.0 - x * series
        series = 1.0 / 6.0 - x * series
        return x * x * (0.5 - x * series)
    ratio = 1.0 + x
    if ratio <= 0.0:
        return 1.0
    return ratio * math.log(ratio) - x


def gap(run: Run, arm: int, n: int, total: float) -> float:
    """±√(2 kl(μ̂, θ)), times −1 where less is good."""
    theta, model = run.levels[THRESHOLD], run.model
    # Not (total − nθ)/n, which a GPU would round once and a CPU twice: a mean at θ must give 0. But
    # around 1/2 that is exact, and as many successes as failures more give the same |W|, a tie for
    # algorithms that look at |W|.
    x = (total - 0.5 * n) / n if theta == 0.5 else total / n - theta
    return run.levels[SIDE] * root_of_kl(x, theta, model[INVERSE], model[REST_INVERSE])


def successes(run: Run, arm: int) -> float:
    """S, times −1 where less is good."""
    return run.sums[arm] * run.levels[SIDE]


def draw(arms: SimulatedArms, arm: int, u: float) -> float:
    """1 with the arm's chance."""
    return 1.0 if u < arms.means[arm] else 0.0


@dataclass(frozen=True)
class Bernoulli(Outcome):
    """Yes or no, told as 1 or 0.

    >>> Bernoulli().check(1, threshold=0.5)
    1.0
    """

    name = "bernoulli"
    title = "yes or no"
    summary = "Yes or no, told as 1 or 0; the mean is the success rate."
    functions = engine(gap, successes, draw)
    default_sigma = 0.5
    aliases = ("binomial",)
    columns = ("successes", "trials")
    size_form = "37/1000 for 37 yes among 1,000"

    @property
    def assumes(self) -> str:
        """What it takes for granted."""
        return "Outcomes are independent, with the same rate of yes throughout."

    @property
    def breaks(self) -> str:
        """What makes it too sure."""
        return "A rate that moves while the study runs, or that differs from batch to batch."

    @property
    def sigma(self) -> float:
        """The sub-Gaussian scale of anything in [0, 1]."""
        return 0.5

    @property
    def low(self) -> float:
        """A failure."""
        return 0.0

    @property
    def high(self) -> float:
        """A success."""
        return 1.0

    def check(self, value: object, threshold: float) -> float:
        """The value, if it is 0 or 1."""
        outcome = observed(value, yes_or_no=True)
        if outcome not in (0.0, 1.0):
            raise InputError(
                f"value: {outcome:g} is neither 0 nor 1; a study of shares needs bounded:0:1"
            )
        return outcome

    def check_sized(self, value: object, size: object, threshold: float) -> Reading:
        """Yes or no; or, with a size, the number of yes among so many."""
        many = 1.0 if size is None else number("size", size)
        if many == 1.0:
            return Reading(self.check(value, threshold))
        if not 1.0 <= many <= MOST_AT_ONCE or many != int(many):
            raise InputError(
                f"size: {size!r} is not a number of trials; give a whole number from 1 to "
                f"{MOST_AT_ONCE}"
            )
        successes = observed(value)
        if not 0.0 <= successes <= many or successes != int(successes):
            raise InputError(
                f"value: {successes:g} of {many:g} is not a number of successes; give a whole "
                f"number from 0 to {many:g}"
            )
        return Reading(successes, many)

    def units(self, size: float) -> int:
        """37 of 1000 stand for 1000 outcomes."""
        return int(size)

    def check_threshold(self, value: object) -> float:
        """The threshold, if it lies between 0 and 1."""
        threshold = super().check_threshold(value)
        return check_inside(threshold, threshold)

    def scales(self, K: int) -> list[float]:
        """Half the range."""
        return [0.5] * K

    def numbers(self, threshold: float, side: float, levels: Levels) -> Sequence[float]:
        """The table at this threshold."""
        return numbers_at(threshold, side, levels)

    def limits(
        self, seen: Seen, threshold: float, lower: float, upper: float
    ) -> tuple[Floats, Floats]:
        """The rates at which the certificates are just at their levels, by bisection."""
        return unit_limits(seen.counts, seen.sums, threshold, lower, upper)

    def describe(self) -> str:
        """What an outcome is."""
        return "0 or 1"

    @classmethod
    def guess(cls, values: Sequence[Sequence[float]]) -> "Bernoulli":
        """There is nothing to guess."""
        return cls()

    def quantile(self, u: float, mean: float) -> float:
        """Yes for the largest."""
        return 1.0 if u > 1.0 - mean else 0.0

    def comparable(self, arm: int) -> Comparable:
        """Rates."""
        return share(0.0, 1.0)

    def watches(self, threshold: float) -> tuple[Watch, ...]:
        """Whether rates differ from batch to batch, or change."""
        return together(UnevenBatches(), DriftOfShare())

    def means_near(self, arm: int, threshold: float, steps: Floats, scatter: float) -> Floats:
        """In logarithms of the odds, which serve rates of 4 % and of 50 % alike."""
        return shares_near(threshold, steps)

    def log_likelihoods(
        self, arm: int, total: float, count: float, means: Floats, scatter: float
    ) -> Floats:
        """Binomial."""
        return total * np.log(means) + (count - total) * np.log1p(-means)

    def draw_sum(self, arm: int, mean: float, many: int, chance: Random) -> Reading:
        """A binomial number."""
        return Reading(float(binomial(chance, many, mean)), float(many))

    def draw_outcome(self, arm: int, mean: float, scatter: float, chance: Random) -> float:
        """Yes or no."""
        return 1.0 if chance.random() < mean else 0.0


def check_inside(threshold: float, share: float) -> float:
    """The threshold, if its share of the range can be told from 0 and from 1."""
    if not NEAREST <= share < 1.0:
        raise InputError(
            f"threshold: {threshold!r} is too close to an end of the range of outcomes; give one "
            "that trials can tell from it"
        )
    return threshold


def cumulant_at(threshold: float | Floats) -> Callable[[Floats], tuple[Floats, Floats]]:
    """a = d, b = ln(1 + θ(e^d − 1)); for one threshold, or for one in each row."""

    def cumulant(steps: Floats) -> tuple[Floats, Floats]:
        return steps, np.log1p(threshold * np.expm1(steps))

    return cumulant


@lru_cache(maxsize=256)
def numbers_at(threshold: float, side: float, levels: Levels) -> tuple[float, ...]:
    """The table of a run for rates around this threshold; the variance of 0/1 is at most 1/4."""
    rest = 1.0 - threshold
    inverses = (1.0 / threshold, 1.0 / rest)
    return table(threshold * rest, cumulant_at(threshold), side, levels, inverses)


def unit_limits(
    counts: Floats, sums: Floats, threshold: float, lower: float, upper: float
) -> tuple[Floats, Floats]:
    """Limits of rates in [0, 1]."""
    numbers = numbers_at(threshold, 1.0, Levels())
    levels = -math.log(lower), -math.log(upper)
    family = TiltFamily(cumulant_at, threshold * (1.0 - threshold))
    most = np.ones_like(counts)
    at_threshold = verdicts(numbers, sums, counts, levels)
    return limits(family, (sums, counts), levels, most, threshold, at_threshold)


OUTCOMES = (Bernoulli,)
