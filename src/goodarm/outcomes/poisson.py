"""Counts: how many events there were in a known exposure (a time, an area, a number of cases).

    W = ±√(2n kl),   n kl = s ln(s/(nθ)) − s + nθ
    ln E = ln Σ_j exp(lw_j ± d_j s − nθ(e^{±d_j} − 1))

with s events in an exposure of n in all, and θ a rate per unit of exposure: the mean is s/n.
Guarantee: exact for events that come one by one at a constant rate, for any sampling rule, and
whatever ends the exposure as long as it looks at that trial so far and at those before it.
Conservative for counts that scatter less (binomial: smaller in convex order). What breaks it:
counts that scatter more than their mean says, because events come in clusters or the rate differs
from trial to trial. With a variance of twice the mean, one study in four is wrong where one in
twenty may be.
Reference: Robbins (1970); Howard et al. (2021). See `tilts.py` and docs/theory.md.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

import numpy as np
from numpy.typing import NDArray

from goodarm.errors import InputError
from goodarm.inputs import number, observed
from goodarm.numerics import normal_quantile
from goodarm.outcomes.bernoulli import excess
from goodarm.outcomes.comparable import Comparable, counts
from goodarm.outcomes.contract import Floats, Levels, Outcome, Past, Reading, Seen, SimulatedArms
from goodarm.outcomes.drawing import poisson
from goodarm.outcomes.tilts import (
    OWN,
    TiltFamily,
    engine,
    limits,
    table,
    terms_at,
    verdicts,
)
from goodarm.outcomes.watches.contract import Watch, together
from goodarm.outcomes.watches.drift import DriftOfRate
from goodarm.outcomes.watches.over_dispersion import OverDispersion
from goodarm.run import SIDE, THRESHOLD, Run

INVERSE = OWN  # 1/θ
SMALLEST = 1e-100  # of rates and exposures; less would overflow
LARGEST_COUNT = 2**53  # beyond, adding 1 changes nothing
ADDED_UP_TO = 1e6  # of means whose quantiles are found by adding probabilities
STIRLING_FROM = 100.0
FAR = 18.0  # nats between an outcome and the arm's others: 6 standard deviations, one in 10⁹


def gap(run: Run, arm: int, n: int, total: float) -> float:
    """±√(2 kl) per outcome, times −1 where less is good."""
    theta, exposure = run.levels[THRESHOLD], run.kept[arm]
    x = (total / exposure - theta) * run.model[INVERSE]
    root = math.sqrt(2.0 * theta * excess(x) * (exposure / n))
    return run.levels[SIDE] * (root if x >= 0.0 else -root)


def events(run: Run, arm: int) -> float:
    """s, times −1 where less is good."""
    return run.sums[arm] * run.levels[SIDE]


def exposure(run: Run, arm: int) -> float:
    """The arm's exposure so far."""
    return run.kept[arm]


def remember(run: Run, arm: int, value: float, size: float) -> None:
    """Add the exposure."""
    run.kept[arm] += size


def draw(arms: SimulatedArms, arm: int, u: float) -> float:
    """The count at quantile u, in an exposure of 1."""
    return poisson_quantile(arms.means[arm], u)


def poisson_quantile(mean: float, u: float) -> float:
    """The least count that is reached with a probability of at least u, by adding probabilities.

    What lies nine standard deviations below the mean has a chance of less than e^−40 and is left
    out. For means beyond ADDED_UP_TO: Cornish and Fisher's expansion of the normal quantile.
    """
    if mean <= 0.0:
        return 0.0
    spread = math.sqrt(mean)
    if mean > ADDED_UP_TO:
        z = normal_quantile(u)
        return float(math.floor(mean + spread * z + (z * z - 1.0) / 6.0 + 0.5))
    count = max(0.0, float(math.floor(mean - 9.0 * spread - 9.0)))
    last = mean + 9.0 * spread + 40.0
    if count < STIRLING_FROM:
        log_chance = count * math.log(mean) - mean - math.lgamma(count + 1.0)
    else:  # large numbers that all but cancel, done beforehand
        rest = (1.0 / 12.0 - 1.0 / (360.0 * count * count)) / count
        log_chance = -mean * excess((count - mean) / mean) - rest - 0.5 * math.log(math.tau * count)
    chance = math.exp(log_chance)
    below = chance
    while below < u and count < last:
        count += 1.0
        chance *= mean / count
        below += chance
    return count


@dataclass(frozen=True)
class Poisson(Outcome):
    """A count of events, in an exposure of 1 or as given.

    >>> Poisson().check_sized(3, 2.5, threshold=1.0)
    Reading(value=3.0, size=2.5)
    """

    name = "poisson"
    title = "a count"
    summary = (
        "How many events there were, such as faults or calls; the mean is the rate per unit of "
        "time, area or whatever they are counted in."
    )
    functions = engine(gap, events, draw, exposure)._replace(remember=remember)
    memory = 1
    columns = ("count", "exposure")
    size_form = "3/2.5 for 3 events in an exposure of 2.5"

    @property
    def assumes(self) -> str:
        """What must be true."""
        return (
            "Events come one by one, at a rate that stays the same; counts may scatter less than "
            "that."
        )

    @property
    def breaks(self) -> str:
        """What makes the stated confidence too high."""
        return (
            "Events that come in clusters, or a rate that differs from trial to trial: counts "
            "whose variance is above their mean."
        )

    @property
    def low(self) -> float:
        """No events."""
        return 0.0

    def check(self, value: object, threshold: float) -> float:
        """The value, if it is a count."""
        count = observed(value)
        if count > LARGEST_COUNT:
            raise InputError(f"value: {value!r} is too large for a count; check the entry")
        if count < 0.0 or count != int(count):
            raise InputError(
                f"value: {value!r} is not a count; give a whole number of events, 0 or more, and "
                "what they were counted in as the exposure (5 in 2.5 days: 5/2.5)"
            )
        return count

    def check_sized(self, value: object, size: object, threshold: float) -> Reading:
        """The count, and a positive exposure."""
        exposure = 1.0 if size is None else number("exposure", size)
        if exposure < SMALLEST:
            raise InputError(
                f"exposure: {size!r} is too small; give the time, area or number of cases in "
                "which the events were counted, a number above 0"
            )
        return Reading(self.check(value, threshold), exposure)

    def amount(self, count: int, kept: Sequence[float]) -> float:
        """The exposure."""
        return kept[0]

    def check_threshold(self, value: object) -> float:
        """The threshold, if it is a positive rate."""
        return check_positive(super().check_threshold(value))

    def scales(self, K: int) -> list[float]:
        """There is none that holds for every mean: a unit for each."""
        return [1.0] * K

    def spreads(self, threshold: float, K: int) -> list[float]:
        """The standard deviation of a count at the threshold."""
        return [math.sqrt(threshold)] * K

    def sub_gaussian(self, K: int) -> Outcome:
        """Counts have no σ that holds for every mean."""
        raise no_scale(self.name, "counts")

    def numbers(self, threshold: float, side: float, levels: Levels) -> Sequence[float]:
        """The table at this threshold."""
        return _numbers(threshold, side, levels)

    def limits(
        self, seen: Seen, threshold: float, lower: float, upper: float
    ) -> tuple[Floats, Floats]:
        """The rates at which the certificates are just at their levels, by bisection."""
        counts, exposures = seen.sums, seen.kept[:, 0]
        levels = -math.log(lower), -math.log(upper)
        numbers = _numbers(threshold, 1.0, Levels())
        at_threshold = verdicts(numbers, counts, exposures, levels)
        return rate_limits((counts, exposures), threshold, threshold, levels, at_threshold)

    def describe(self) -> str:
        """What an outcome is."""
        return "a count"

    @classmethod
    def guess(cls, values: Sequence[Sequence[float]]) -> "Poisson":
        """There is nothing to guess."""
        return cls()

    def quantile(self, u: float, mean: float) -> float:
        """The count at quantile u."""
        return poisson_quantile(mean, u)

    def comparable(self, arm: int) -> Comparable:
        """Rates, of any exposure."""
        return counts()

    def watches(self, threshold: float) -> tuple[Watch, ...]:
        """Whether counts vary more than they should, or rates change."""
        return together(OverDispersion(threshold), DriftOfRate())

    def unlikely(self, told: Reading, past: Past, threshold: float) -> str | None:
        """Whether the arm's others make it next to impossible, by the likelihood ratio.

        The others are taken to have had the same exposure.
        """
        value, size, count, mean = told.unit, told.size, past.count, past.mean
        if count == 0:
            return None
        pooled = (count * mean + value) / (count + 1)
        parts = ((1, value), (count, mean))
        nats = size * sum(n * rate * math.log(rate / pooled) for n, rate in parts if rate > 0.0)
        if nats <= FAR:
            return None
        unit = "" if size == 1.0 else " per unit of exposure"
        return f"{value:g}{unit} is far from {mean:g}, the mean of the arm's other outcomes"

    def means_near(self, arm: int, threshold: float, steps: Floats, scatter: float) -> Floats:
        """In logarithms."""
        return threshold * np.exp(steps)

    def log_likelihoods(
        self, arm: int, total: float, count: float, means: Floats, scatter: float
    ) -> Floats:
        """Of so many events in that exposure."""
        return total * np.log(means) - count * means

    def draw_sum(self, arm: int, mean: float, many: int, chance: Random) -> Reading:
        """A count in an exposure of so many."""
        return Reading(float(poisson(chance, many * mean)), float(many))

    def draw_outcome(self, arm: int, mean: float, scatter: float, chance: Random) -> float:
        """A count in an exposure of 1."""
        return poisson_quantile(mean, chance.random())


def check_positive(threshold: float) -> float:
    """The threshold, if it can be told from 0."""
    if threshold < SMALLEST:
        raise InputError(
            f"threshold: {threshold!r} is too close to 0; give one that trials can tell from it, "
            "or use another unit"
        )
    return threshold


def no_scale(name: str, outcomes: str) -> InputError:
    """What is wrong with the paper's boundaries for such outcomes."""
    return InputError(
        f"outcome: {name} has no known standard deviation, which the paper's boundaries and "
        f"stopping rules need; stop studies of {outcomes} by boundary mixture"
    )


def cumulant_at(threshold: float | Floats) -> Callable[[Floats], tuple[Floats, Floats]]:
    """a = d, b = θ(e^d − 1); for one threshold, or for one in each row."""

    def cumulant(steps: Floats) -> tuple[Floats, Floats]:
        return steps, threshold * np.expm1(steps)

    return cumulant


@lru_cache(maxsize=256)
def _numbers(threshold: float, side: float, levels: Levels) -> tuple[float, ...]:
    own = (1.0 / threshold, 0.0)
    return table(threshold, cumulant_at(threshold), side, levels, own)


def rate_limits(
    seen: tuple[Floats, Floats],
    variance: float,
    threshold: float,
    levels: tuple[float, float],
    at_threshold: tuple[NDArray[np.bool_], NDArray[np.bool_]],
) -> tuple[Floats, Floats]:
    """Limits of rates, from counts and exposures; see `tilts.limits`.

    No rate is the highest: where one term alone reaches the level, the mixture has reached it, too.
    """
    counts, exposures = seen
    weights, slopes, costs = terms_at(variance, cumulant_at(1.0), -1.0)
    alone = (levels[1] - weights + slopes * counts[:, None]) / (-costs * exposures[:, None])
    most = alone.min(axis=1) * (1.0 + 1e-9)
    return limits(TiltFamily(cumulant_at, variance), seen, levels, most, threshold, at_threshold)


OUTCOMES = (Poisson,)
