"""The engine of bounded outcomes: certificates as mixtures of sixteen constant bets.

With z ≥ 0 the distance of an outcome from a bound and t that of θ, a player who puts the fraction f
of the capital on "the mean is beyond θ" has it multiplied by 1 + f y, y = z/t − 1 ≥ −1. If the mean
is not beyond θ, y has a conditional mean of at most 0, so that the capital is a supermartingale,
and so is a mixture over fractions:

    ln E = ln Σ_j exp(lw_j + L_j),    L_j = Σ_i ln(1 + f_j y_i).

`limit_distance` finds the θ at which it is at a level, without the outcomes: L_j is known at the
study's θ, and how much it changes on the way to another one is at least what it would be if all
outcomes were at two points only that give the same Σz and Σz²: 0 and another one on the way to the
bound, the other bound and another one on the way back. docs/theory.md has the proof.

Reference: Waudby-Smith and Ramdas, JRSS B 86 (2024), for betting; Cover, Math. Finance 1 (1991),
for mixtures of constant bets. Fractions and weights: this project, docs/theory.md.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.outcomes.contract import Floats, Functions
from goodarm.outcomes.tilts import log_sums
from goodarm.run import NAME_LEVEL, NONE_LEVEL, SIDE, THRESHOLD, FloatSequence, Run, evidence

BETS = 16
LARGEST_FRACTION = 0.98  # below 1, so that no outcome takes everything
SMALLEST_OF_CENTRE = 1.0 / 50.0
STEP_OF_CENTRE = 0.5  # the log-odds step of 0/1 outcomes that the central fraction is right for
CENTRE_WITHOUT_END = 0.25  # where there is no other bound
SMALLEST_DISTANCE = 1e-200
ROUNDING = 1e-9
DIGITS = 2.0**36
CLOSEST = 1e-150  # of a mean to θ; the square of less would be 0

# Positions in `run.model`: 1/(θ − lo) and 1/(hi − θ), 0 without the bound; 1/(hi − lo), or the one
# of those that is there; both sides' smallest fractions in that unit; then fractions and weights.
ABOVE_UNIT, BELOW_UNIT, UNIT, ABOVE_LEAST, BELOW_LEAST, ABOVE_BETS = range(6)
ABOVE_WEIGHTS = ABOVE_BETS + BETS
BELOW_BETS = ABOVE_WEIGHTS + BETS
BELOW_WEIGHTS = BELOW_BETS + BETS
# Positions among what an arm keeps: both sides' log capitals, then μ̂ − θ and Σ(x − μ̂)² in the unit.
ABOVE, BELOW, DISTANCE, SQUARES = 0, BETS, 2 * BETS, 2 * BETS + 1
MEMORY = SQUARES + 1


class Bets(NamedTuple):
    """One side's fractions, largest first, and their log weights."""

    fractions: Floats
    weights: Floats


NO_BETS = Bets(np.zeros(BETS), np.array([0.0] + [-math.inf] * (BETS - 1)))
"""Where there is no bound to bet against: the capital stays what it is."""


def bets_at(share: float | None) -> Bets:
    """The bets where θ is at that share of the way from the bound to the other one, if any."""
    centre = CENTRE_WITHOUT_END
    if share is not None:
        odds = share * math.expm1(STEP_OF_CENTRE)
        centre = odds / (1.0 + odds)
    smallest = SMALLEST_OF_CENTRE * centre
    fractions = LARGEST_FRACTION * (smallest / LARGEST_FRACTION) ** np.linspace(0.0, 1.0, BETS)
    weights = fractions / (fractions + centre)
    return Bets(fractions, np.log(weights / weights.sum()))


def log_capital(kept: FloatSequence, capitals: int, model: FloatSequence, weights: int) -> float:
    """ln Σ_j exp(lw_j + L_j), where L_j and lw_j begin at these positions."""
    top = -math.inf
    for j in range(BETS):
        top = max(top, model[weights + j] + kept[capitals + j])
    rest = 0.0
    for j in range(BETS):
        rest += math.exp(model[weights + j] + kept[capitals + j] - top)
    return top + math.log(rest)


def reached(bets: Bets, capitals: Floats, level: float) -> NDArray[np.bool_]:
    """Whether ln E has reached the level, for every arm; the same to the last bit as a verdict."""
    logs = log_sums(bets.weights + capitals)
    over = np.asarray(logs >= level)
    # numpy adds in another order than a run does: where that may matter, do as the run does.
    weights = bets.weights.tolist()
    for arm in np.flatnonzero(np.abs(logs - level) <= 1e-9 * (1.0 + level)).tolist():
        over[arm] = log_capital(capitals[arm].tolist(), 0, weights, 0) >= level
    return over


def remember(run: Run, arm: int, value: float, size: float) -> None:
    """The capitals of both players, and Welford's update of mean and squares."""
    kept, model = run.kept, run.model
    first = arm * MEMORY
    x = value - run.levels[THRESHOLD]
    gain_above = x * model[ABOVE_UNIT]
    gain_below = -x * model[BELOW_UNIT]
    for j in range(BETS):
        kept[first + ABOVE + j] += math.log1p(model[ABOVE_BETS + j] * gain_above)
        kept[first + BELOW + j] += math.log1p(model[BELOW_BETS + j] * gain_below)
    x *= model[UNIT]
    distance = x - kept[first + DISTANCE]
    kept[first + DISTANCE] += distance / run.counts[arm]
    kept[first + SQUARES] += distance * (x - kept[first + DISTANCE])


def gap(run: Run, arm: int, n: int, total: float) -> float:
    """W/√N, where W²/2 is the largest log capital, times −1 where less is good.

    Below the smallest fraction L = fΣy − f²Σy²/2, all but exactly; its largest value is positive
    however close to θ the mean is, and it is all there is where there is no bound to bet against.
    """
    x = (total / n - run.levels[THRESHOLD]) * run.model[UNIT]
    distance = abs(x)
    if distance < CLOSEST:
        return 0.0
    square = run.kept[arm * MEMORY + SQUARES] / n + distance * distance
    least = run.model[ABOVE_LEAST if x > 0.0 else BELOW_LEAST]
    fraction = min(distance, least * square) / square
    half = fraction * (distance - 0.5 * fraction * square)
    half = max(half, largest(run, arm, ABOVE if x > 0.0 else BELOW) / n)
    root = rounded(math.sqrt(2.0 * half))
    return root * run.levels[SIDE] if x > 0.0 else -root * run.levels[SIDE]


def rounded(x: float) -> float:
    """A number to 36 binary digits.

    The capitals of two arms with the same outcomes in another order differ in their last digits,
    as do those of a CPU and a GPU. That must not decide which of the arms is ahead.
    """
    fraction, exponent = math.frexp(x)
    return math.ldexp(math.floor(fraction * DIGITS + 0.5) / DIGITS, exponent)


def above(run: Run, arm: int) -> float:
    """ln E⁺."""
    return log_capital(run.kept, arm * MEMORY + ABOVE, run.model, ABOVE_WEIGHTS)


def below(run: Run, arm: int) -> float:
    """ln E⁻."""
    return log_capital(run.kept, arm * MEMORY + BELOW, run.model, BELOW_WEIGHTS)


def for_good(run: Run, arm: int) -> float:
    """ln E⁺, or ln E⁻ where less is good."""
    return above(run, arm) if run.levels[SIDE] > 0.0 else below(run, arm)


def for_bad(run: Run, arm: int) -> float:
    """ln E⁻, or ln E⁺ where less is good."""
    return below(run, arm) if run.levels[SIDE] > 0.0 else above(run, arm)


def largest(run: Run, arm: int, capitals: int) -> float:
    """The largest log capital of a side; the mixture is never above it."""
    first = arm * MEMORY + capitals
    top = run.kept[first]
    for j in range(1, BETS):
        top = max(top, run.kept[first + j])
    return top


def surely_good(run: Run, arm: int) -> bool:
    """Whether the certificate has reached the level; seldom worth sixteen exponentials."""
    level, w = run.levels[NAME_LEVEL], evidence(run, arm)
    return w > 0.0 and 0.5 * w * w >= level - ROUNDING and for_good(run, arm) >= level


def surely_bad(run: Run, arm: int) -> bool:
    """As `surely_good`, for the other certificate."""
    level, w = run.levels[NONE_LEVEL], evidence(run, arm)
    return w < 0.0 and 0.5 * w * w >= level - ROUNDING and for_bad(run, arm) >= level


class Moments(NamedTuple):
    """What is known of some arms' outcomes, as distances from a bound in units of the study's t."""

    counts: Floats
    means: Floats
    variances: Floats  # with divisor N
    end: float  # where the other bound is


class TwoPoints(NamedTuple):
    """For each arm, at most two points with chances that have the moments of its outcomes."""

    points: Floats
    chances: Floats

    def change(self, fractions: Floats, ratios: Floats) -> Floats:
        """The mean change of ln(1 + fy) when z/t is multiplied by a ratio, one for each arm."""
        rest, stake = 1.0 - fractions, fractions * self.points[:, :, None]
        logs = np.log((rest + stake * ratios[:, None, None]) / (rest + stake))
        return np.asarray((self.chances[:, :, None] * logs).sum(axis=1))


def limit_distance(bets: Bets, capitals: Floats, moments: Moments, level: float) -> Floats:
    """The largest t, in units of the study's, at which ln E is certainly at the level; or 0."""
    near, far = _with_bound(moments), _with_other_bound(moments)
    held, n = bets.weights + capitals, moments.counts[:, None]

    def holds(distances: Floats) -> Floats:
        ratios = 1.0 / distances
        nearer = near.change(bets.fractions, np.maximum(ratios, 1.0))
        farther = far.change(bets.fractions, np.minimum(ratios, 1.0))
        return np.asarray(log_sums(held + n * (nearer + farther)) >= level)

    low, high = np.zeros_like(moments.means), np.maximum(moments.means, SMALLEST_DISTANCE)
    for _ in range(60):
        middle = 0.5 * (low + high)
        true = holds(middle)
        low, high = np.where(true, middle, low), np.where(true, high, middle)
    return np.asarray(low)


def _with_bound(moments: Moments) -> TwoPoints:
    """One of the points is 0."""
    means, squares = moments.means, moments.variances + moments.means**2
    some = squares > 0.0  # they may be 0 where means are not, by underflow
    point = np.divide(squares, means, out=np.zeros_like(means), where=some)
    chance = np.divide(means**2, squares, out=np.ones_like(means), where=some)
    return TwoPoints(np.stack([0.0 * point, point], 1), np.stack([1.0 - chance, chance], 1))


def _with_other_bound(moments: Moments) -> TwoPoints:
    """One of the points is the other bound; without one, all outcomes are at their mean."""
    _, means, variances, end = moments
    if math.isinf(end):
        return TwoPoints(means[:, None], np.ones((len(means), 1)))
    way = np.maximum(end - means, 0.0)
    back = np.divide(variances, way, out=np.zeros_like(means), where=way > 0.0)
    chance = np.divide(back, back + way, out=np.zeros_like(means), where=way > 0.0)
    points = np.stack([np.maximum(means - back, 0.0), np.full_like(means, end)], 1)
    return TwoPoints(points, np.stack([1.0 - chance, chance], 1))


BETTING = Functions(gap, for_good, for_bad, surely_good, surely_bad, remember=remember)
