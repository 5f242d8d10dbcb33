"""Durations: how long something took, or has taken so far.

    W = ±√(2kn(r − 1 − ln r)),   r = s/(nθ)
    ln E = ln Σ_j exp(lw_j + k(1 − e^{∓d_j}) s/θ ∓ kd_j n)

with n events in a total time s, and k the shape of a gamma distribution, 1 for the exponential one:
the step d turns a mean of θ into θe^{±d}. The mean is s/n. With shape 1 a duration may be cut short
("still running after 5", told as 5+): it adds to the time and is no event. While nothing has ended
W²/2 is s/θ, and there is no mean.
Guarantee: exact for gamma distributed durations of that shape, for any sampling rule, and for any
cutting short that looks at that trial so far and at those before it. If none is cut short,
conservative for durations that scatter less (smaller in convex order; for shape 1 all that are
harmonic new better than used in expectation, such as gamma or Weibull durations of a shape above
1). What breaks it: durations that scatter more than their shape says; and where some are cut short,
a chance to end that changes with age.
Reference: Robbins (1970); Howard et al. (2021). See `tilts.py` and docs/theory.md.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random

import numpy as np

from goodarm.errors import InputError
from goodarm.inputs import number, observed, read_number
from goodarm.numerics import gamma_quantile
from goodarm.outcomes.bernoulli import MOST_AT_ONCE, excess
from goodarm.outcomes.comparable import Comparable, durations
from goodarm.outcomes.contract import Floats, Levels, Outcome, Past, Reading, Seen, SimulatedArms
from goodarm.outcomes.poisson import FAR, SMALLEST, check_positive, no_scale, rate_limits
from goodarm.outcomes.tilts import ALSO_OWN, OWN, engine, keep_side, table, verdicts
from goodarm.outcomes.watches.contract import Watch, together
from goodarm.outcomes.watches.drift import DriftOfDurations
from goodarm.outcomes.watches.uneven_durations import UnevenDurations
from goodarm.run import SIDE, THRESHOLD, Run

INVERSE, SHAPE = OWN, ALSO_OWN  # 1/θ and k
SHAPES = (1e-3, 1e6)
SHORTEST = 1e-200  # of simulated durations, in units of their mean
RUNNING = "+"  # after a duration that was cut short


def gap(run: Run, arm: int, n: int, total: float) -> float:
    """±√(2 kl) per outcome, times −1 where less is good."""
    theta, ended, side = run.levels[THRESHOLD], run.kept[arm], run.levels[SIDE]
    unit = 2.0 * run.model[SHAPE] * run.model[INVERSE]
    if ended == 0.0:
        return side * math.sqrt(unit * total / n)
    # r − 1 − ln r = r h(1/r), with the h of `bernoulli.excess`.
    mean = total / ended
    x = (theta - mean) / mean
    root = math.sqrt(unit * mean * excess(x) * (ended / n))
    return side * (root if x <= 0.0 else -root)


def time_at_risk(run: Run, arm: int) -> float:
    """s/θ, times −1 where less is good."""
    return run.sums[arm] * run.model[INVERSE] * run.levels[SIDE]


def events(run: Run, arm: int) -> float:
    """How many durations have come to their end."""
    return run.kept[arm]


def remember(run: Run, arm: int, value: float, size: float) -> None:
    """Add the events."""
    run.kept[arm] += size


def draw(arms: SimulatedArms, arm: int, u: float) -> float:
    """The duration at quantile u; the scale of such an arm is 1/√k, σ in units of the mean."""
    return duration(arms.means[arm], arms.sigmas[arm], u)


def duration(mean: float, variation: float, u: float) -> float:
    """The duration at quantile u, with a standard deviation of `variation` times the mean."""
    if variation == 1.0:
        return -mean * math.log1p(-u)
    square = variation * variation
    return mean * max(square * gamma_quantile(1.0 / square, u), SHORTEST)


@dataclass(frozen=True)
class Exponential(Outcome):
    """A positive duration; one that is still running is told with size 0, typed as 5+.

    >>> Exponential().read("5+")
    Reading(value=5.0, size=0.0)
    """

    shape: float | None = field(
        default=None,
        metadata={
            "help": "the shape of a gamma distribution, 1 unless given",
            "hint": "Too large a one makes the study surer than it may be; leave it out if in "
            "doubt.",
        },
    )

    name = "exponential"
    title = "a duration"
    summary = "How long something took, such as a repair or a wait; it may still be running."
    functions = engine(gap, time_at_risk, draw, events)._replace(remember=remember)
    memory = 1
    columns = ("duration", "events")
    size_form = "5+ for one that is still running after 5, 12.5/4 for 4 that took 12.5 together"

    def __post_init__(self) -> None:
        if self.shape is None:
            return
        shape, (least, most) = number("shape", self.shape), SHAPES
        if not least <= shape <= most:
            raise InputError(f"shape: {self.shape!r} is outside {least:g} to {most:g}")
        object.__setattr__(self, "shape", None if shape == 1.0 else shape)

    @property
    def k(self) -> float:
        """The shape."""
        return 1.0 if self.shape is None else self.shape

    @property
    def assumes(self) -> str:
        """What must be true."""
        if self.shape is None:
            return (
                "Durations scatter at most as much as exponential ones, whose standard deviation "
                "is their mean; where some are still running, they end with the same chance at "
                "every age."
            )
        return (
            f"Durations follow a gamma distribution of shape {self.shape:g} (a standard deviation "
            f"of {1.0 / math.sqrt(self.k):.3g} times the mean), or scatter less."
        )

    @property
    def breaks(self) -> str:
        """What makes the stated confidence too high."""
        return "Durations that scatter more, such as a mixture of quick and very slow cases."

    @property
    def low(self) -> float:
        """No time at all."""
        return 0.0

    def check(self, value: object, threshold: float) -> float:
        """The value, if it is a positive duration."""
        length = observed(value)
        if length < SMALLEST:
            raise InputError(
                f"value: {value!r} is no duration; give a positive number (what was rounded to 0 "
                "in a finer unit)"
            )
        return length

    def check_sized(self, value: object, size: object, threshold: float) -> Reading:
        """A duration; or, with a number of events, the time that they took together."""
        ended = 1.0 if size is None else number("events", size)
        if not 0.0 <= ended <= MOST_AT_ONCE or ended != int(ended):
            raise InputError(
                f"events: {size!r} is not a number of events; give 1, 0 for a duration that is "
                "still running, or how many durations the value is the sum of"
            )
        if ended == 0.0 and self.shape is not None:
            raise InputError(
                f"events: with shape {self.shape:g} a duration that is still running cannot be "
                "counted, because its chance to end depends on its age; tell it when it has "
                "ended, or use exponential without a shape"
            )
        return Reading(self.check(value, threshold), ended)

    def read(self, text: str) -> Reading:
        """A duration as a person types it: 5+ is one that is still running after 5."""
        plain = text.strip()
        if plain.endswith(RUNNING):
            return Reading(read_number("value", plain.removesuffix(RUNNING)), 0.0)
        reading = super().read(plain)
        if reading.size == 0.0:
            raise InputError(
                f"events: {plain!r} has none; a duration that is still running is written "
                f"{reading.value:g}{RUNNING}"
            )
        return reading

    def write(self, reading: Reading) -> str:
        """The duration as `read` takes it."""
        if reading.size == 0.0:
            return super().write(Reading(reading.value)) + RUNNING
        return super().write(reading)

    def units(self, size: float) -> int:
        """One that is still running is an outcome, too."""
        return max(1, int(size))

    def amount(self, count: int, kept: Sequence[float]) -> float:
        """The events."""
        return kept[0]

    def check_threshold(self, value: object) -> float:
        """The threshold, if it is a positive duration."""
        return check_positive(super().check_threshold(value))

    def check_mean(self, what: str, value: float) -> float:
        """A positive mean."""
        if value < SMALLEST:
            raise InputError(f"{what}: {value:g} is not above 0, where mean durations lie")
        return value

    def scales(self, K: int) -> list[float]:
        """The coefficient of variation: the standard deviation in units of the mean."""
        return [1.0 / math.sqrt(self.k)] * K

    def spreads(self, threshold: float, K: int) -> list[float]:
        """The standard deviation of durations whose mean is the threshold."""
        return [threshold / math.sqrt(self.k)] * K

    def sub_gaussian(self, K: int) -> Outcome:
        """Durations have no σ that holds for every mean."""
        raise no_scale(self.name, "durations")

    def numbers(self, threshold: float, side: float, levels: Levels) -> Sequence[float]:
        """The table at this threshold."""
        return _numbers(threshold, self.k, side, levels)

    def limits(
        self, seen: Seen, threshold: float, lower: float, upper: float
    ) -> tuple[Floats, Floats]:
        """Those of the hazard 1/μ, upside down: n events are a count in an exposure of s."""
        total, ended, k = seen.sums, seen.kept[:, 0], self.k
        levels = -math.log(lower), -math.log(upper)
        numbers = _numbers(threshold, k, 1.0, Levels())
        scaled = total * numbers[INVERSE]  # as a run has it
        above, not_below = verdicts(numbers, scaled, ended, levels)
        least, most = rate_limits(
            (k * ended, k * total), k, 1.0 / threshold, levels[::-1], (~not_below, ~above)
        )
        high = np.divide(1.0, least, out=np.full_like(least, np.inf), where=least > 0.0)
        return keep_side(1.0 / most, above, threshold), keep_side(high, not_below, threshold)

    def describe(self) -> str:
        """What an outcome is."""
        return "a duration" if self.shape is None else f"a duration (gamma, shape {self.shape:g})"

    @classmethod
    def of_arms(cls, sigmas: Sequence[float]) -> "Exponential":
        """Of the shape with that coefficient of variation; where arms differ, of the largest."""
        return cls(float(f"{1.0 / max(sigmas) ** 2:.12g}"))

    @classmethod
    def guess(cls, values: Sequence[Sequence[float]]) -> "Exponential":
        """A shape is nothing to be guessed: exponential."""
        return cls()

    def quantile(self, u: float, mean: float) -> float:
        """The duration at quantile u."""
        return duration(mean, 1.0 / math.sqrt(self.k), u)

    def comparable(self, arm: int) -> Comparable:
        """Means, by their ratio."""
        return durations(self.k)

    def watches(self, threshold: float) -> tuple[Watch, ...]:
        """Whether durations vary more than they should, or change."""
        shape = 1.0 if self.shape is None else self.shape
        return together(UnevenDurations(threshold, shape), DriftOfDurations(shape))

    def unlikely(self, told: Reading, past: Past, threshold: float) -> str | None:
        """Whether the arm's others make it next to impossible, by the likelihood ratio."""
        value, size, count, mean = told.unit, told.size, past.count, past.mean
        if count == 0:
            return None
        k, ratio = self.k, value / mean
        if size == 0.0:
            nats = count * math.log1p(ratio / count)
        else:
            both = math.log((count + size * ratio) / (count + size))
            nats = k * ((count + size) * both - size * math.log(ratio))
        if nats <= FAR:
            return None
        return f"{value:g} is {ratio:.3g} times the mean of the arm's other outcomes, {mean:g}"

    def means_near(self, arm: int, threshold: float, steps: Floats, scatter: float) -> Floats:
        """In logarithms."""
        return threshold * np.exp(steps)

    def log_likelihoods(
        self, arm: int, total: float, count: float, means: Floats, scatter: float
    ) -> Floats:
        """Of so many events in that time."""
        return -self.k * (count * np.log(means) + total / means)

    def draw_sum(self, arm: int, mean: float, many: int, chance: Random) -> Reading:
        """The time of so many events, a gamma number."""
        lasted = chance.gammavariate(many * self.k, mean / self.k)
        return Reading(max(lasted, SHORTEST * mean), float(many))

    def draw_outcome(self, arm: int, mean: float, scatter: float, chance: Random) -> float:
        """A gamma number."""
        return max(chance.gammavariate(self.k, mean / self.k), SHORTEST * mean)


@lru_cache(maxsize=256)
def _numbers(threshold: float, shape: float, side: float, levels: Levels) -> tuple[float, ...]:
    def cumulant(steps: Floats) -> tuple[Floats, Floats]:
        """For durations in units of θ: a = k(1 − e^−d), b = kd."""
        return -shape * np.expm1(-steps), shape * steps

    return table(shape, cumulant, side, levels, (1.0 / threshold, shape))


OUTCOMES = (Exponential,)
