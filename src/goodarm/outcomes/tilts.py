"""The engine of one-parameter exponential families: certificates as mixtures of twenty tilts.

With n outcomes of sum s and the cumulant Λ_θ(a) = ln E_θ e^{aX}, every term of

    ln E = ln Σ_j exp(lw_j + a_j s − b_j n),    b_j = Λ_θ(a_j),

is a product of factors e^{aX − Λ_θ(a)} whose mean is at most 1 for every mean on the null's side
of θ, because E_μ e^{aX} rises with μ for a > 0 and falls for a < 0. So each term, and with weights
that sum to 1 the mixture, is a nonnegative supermartingale that starts at 1, whatever the sampling
rule does, and Ville's inequality bounds the chance that it ever reaches 1/α by α. Steps and weights
change how soon it grows, never its validity. docs/theory.md has the proofs.

n need not be the number of outcomes (`amount`): a count has an exposure, and a duration that was
cut short is no event. ln E is convex in (n, s), so the sum that a level asks for is concave in n,
and its chords lie below it: a step of a simulation compares the sum with a chord, and sums twenty
exponentials only beyond.

Reference: Ville (1939); Robbins, Ann. Math. Statist. 41 (1970); Howard, Ramdas, McAuliffe and
Sekhon, Ann. Statist. 49 (2021). Grid and weights: this project, docs/theory.md.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.outcomes.contract import Floats, Functions, Levels, SimulatedArms
from goodarm.run import NAME_LEVEL, NONE_LEVEL, FloatSequence, Run

STEPS = 20
RATIO = 1.5  # of one step to the next
LARGEST_STEP, HEAVIEST_STEP = 2.0, 0.25  # in units of the scale
SMALLEST_VARIANCE = 0.25  # the scale does not grow beyond that of a fair coin

# Positions in `run.model`. The signs of the steps are taken out: a side's sum has that sign.
# First come two numbers that the model itself chooses, and the least W²/2 that can reach a level.
OWN, ALSO_OWN, GOOD_FLOOR, BAD_FLOOR, LOG_WEIGHTS = range(5)
GOOD_SLOPES = LOG_WEIGHTS + STEPS
GOOD_COSTS = GOOD_SLOPES + STEPS
BAD_SLOPES = GOOD_COSTS + STEPS
BAD_COSTS = BAD_SLOPES + STEPS
PARTS = 8  # chords per octave of n
MOST_DOUBLINGS = 200  # of a mean, in search of one that is too high
OCTAVES = 40  # up to 2^40 outcomes
CHORDS = OCTAVES * PARTS + 1
GOOD_SUMS = BAD_COSTS + STEPS
BAD_SUMS = GOOD_SUMS + CHORDS
SIZE = BAD_SUMS + CHORDS

MOST_ON_CHORDS = 2.0**OCTAVES

Cumulant = Callable[[Floats], tuple[Floats, Floats]]
"""From signed steps to the two numbers of each term, a_j and b_j, at a threshold."""


def steps(variance: float) -> Floats:
    """The steps, largest first, for outcomes with this variance at θ on the natural scale."""
    scale = 1.0 / math.sqrt(max(variance, SMALLEST_VARIANCE))
    return np.asarray(LARGEST_STEP * scale * RATIO ** -np.arange(STEPS, dtype=np.float64))


def log_weights(sizes: Floats) -> Floats:
    """ln w_j, w_j ∝ 1/(d_j/c + c/d_j), summing to 1."""
    ratios = sizes / (sizes[0] * HEAVIEST_STEP / LARGEST_STEP)
    weights = 1.0 / (ratios + 1.0 / ratios)
    return np.asarray(np.log(weights / weights.sum()))


class Terms(NamedTuple):
    """One side's terms: lw_j, a_j and b_j; the sign of its steps is taken out of the slopes."""

    weights: Floats
    slopes: Floats
    costs: Floats


def terms_at(variance: float, cumulant: Cumulant, sign: float) -> Terms:
    """One side's terms."""
    sizes = steps(variance)
    slopes, costs = cumulant(sign * sizes)
    return Terms(log_weights(sizes), sign * slopes, costs)


def table(
    variance: float,
    cumulant: Cumulant,
    side: float,
    levels: Levels,
    own: tuple[float, float] = (0.0, 0.0),
) -> tuple[float, ...]:
    """What a run carries: the model's two numbers, floors, weights, both sides' terms, chords."""
    good = terms_at(variance, cumulant, side)
    bad = terms_at(variance, cumulant, -side)
    sums = (_chord_sums(good, levels.name), _chord_sums(bad, levels.none))
    floors = [_floor(good, sums[0], levels.name), _floor(bad, sums[1], levels.none)]
    parts = (own, floors, *good, *bad[1:], *sums)
    return tuple(np.concatenate(parts).tolist())


def _chord_ends() -> Floats:
    """The numbers of outcomes where chords end."""
    octave, part = np.divmod(np.arange(CHORDS), PARTS)
    return np.asarray(np.exp2(octave) * (1.0 + part / PARTS))


def _floor(terms: Terms, sums: Floats, level: float) -> float:
    """A number that W²/2 has reached wherever the sum is on or above its chord.

    W²/2 is at least each a_j s − b_j n, which is linear along a chord. As amounts may be less than
    one outcome, there is one more chord, from 0 to 1.
    """
    if not np.isfinite(sums[0]):
        return math.inf
    amounts = np.concatenate([[0.0], _chord_ends()])
    sums = np.concatenate([needed_sums(terms, np.zeros(1), level), sums])
    ratios = terms.slopes * sums[:, None] - terms.costs * amounts[:, None]
    return float(np.minimum(ratios[:-1], ratios[1:]).max(axis=1).min()) - 1e-9


def _chord_sums(terms: Terms, level: float) -> Floats:
    """The sum at which ln E reaches the level, at the ends of every chord; a hair less."""
    if not math.isfinite(level):
        return np.full(CHORDS, math.inf)
    sums = needed_sums(terms, _chord_ends(), level)
    return np.asarray(sums - 1e-12 * np.abs(sums) - 1e-9)  # sums of one side are negative


def needed_sums(terms: Terms, n: Floats, level: float) -> Floats:
    """The sums s at which ln Σ exp(lw_j + a_j s − b_j n) is the level, by Newton from above."""
    weights, slopes, costs = terms
    s = ((level - weights + costs * n[:, None]) / slopes).min(axis=1)  # one term alone reaches it
    for _ in range(30):
        exponents = weights + slopes * s[:, None] - costs * n[:, None]
        top = exponents.max(axis=1)
        shares = np.exp(exponents - top[:, None])
        total = shares.sum(axis=1)
        change = (top + np.log(total) - level) * total / (shares * slopes).sum(axis=1)
        s = s - change
        if np.all(np.abs(change) <= 1e-13 * (1.0 + np.abs(s))):
            break
    return np.asarray(s)


def log_mixture(model: FloatSequence, slopes: int, total: float, count: float) -> float:
    """ln Σ_j exp(lw_j + a_j s − b_j n); `slopes` says where that side's a_j begin."""
    top = -math.inf
    for j in range(STEPS):
        term = (
            model[LOG_WEIGHTS + j] + model[slopes + j] * total - model[slopes + STEPS + j] * count
        )
        top = max(top, term)
    rest = 0.0
    for j in range(STEPS):
        term = (
            model[LOG_WEIGHTS + j] + model[slopes + j] * total - model[slopes + STEPS + j] * count
        )
        rest += math.exp(term - top)
    return top + math.log(rest)


def reached(
    model: tuple[float, ...], slopes: int, sums: Floats, counts: Floats, level: float
) -> NDArray[np.bool_]:
    """Whether ln E has reached the level, for every arm; the same to the last bit as a verdict."""
    numbers = np.array(model[: BAD_COSTS + STEPS])
    weights, rates, costs = (numbers[i : i + STEPS] for i in (LOG_WEIGHTS, slopes, slopes + STEPS))
    logs = log_sums(weights + rates * sums[:, None] - costs * counts[:, None])
    over = np.asarray(logs >= level)
    # numpy adds in another order than a run does: where that may matter, do as the run does.
    for arm in np.flatnonzero(np.abs(logs - level) <= 1e-9 * (1.0 + level)).tolist():
        over[arm] = log_mixture(list(model), slopes, float(sums[arm]), float(counts[arm])) >= level
    return over


def verdicts(
    model: tuple[float, ...], sums: Floats, amounts: Floats, levels: tuple[float, float]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether each mean is certainly above the threshold, and whether it is not certainly below.

    `model` is the table where more is good; the first level is for "above", the second for "below".
    """
    above = reached(model, GOOD_SLOPES, sums, amounts, levels[0])
    below = reached(model, BAD_SLOPES, -sums, amounts, levels[1])
    return above, ~below


def log_sums(terms: Floats) -> Floats:
    """ln Σ_j exp(term_j) of every row."""
    top = terms.max(axis=1)
    return np.asarray(top + np.log(np.exp(terms - top[:, None]).sum(axis=1)))


def keep_side(ends: Floats, beyond: NDArray[np.bool_], threshold: float) -> Floats:
    """The limits, moved by rounding at most: at or above θ where `beyond`, below it elsewhere."""
    before = np.nextafter(threshold, -np.inf)
    return np.where(beyond, np.maximum(ends, threshold), np.minimum(ends, before))


class TiltFamily(NamedTuple):
    """Distributions by their means, with the variance that has set the steps."""

    cumulant_at: Callable[[Any], Cumulant]  # for a mean, or for one in each row
    variance: float


def limits(
    family: TiltFamily,
    seen: tuple[Floats, Floats],
    levels: tuple[float, float],
    most: Floats,
    threshold: float,
    at_threshold: tuple[NDArray[np.bool_], NDArray[np.bool_]],
) -> tuple[Floats, Floats]:
    """Limits of means between 0 and `most`, where the certificates are just at their levels.

    `seen` has the arms' sums and amounts. Steps and weights are the threshold's, fixed beforehand.
    What holds at the threshold is known already (`verdicts`).
    """
    sums, amounts = (part[:, None] for part in seen)
    means = seen[0] / seen[1]

    def above(rates: Floats) -> Any:
        weights, slopes, costs = terms_at(family.variance, family.cumulant_at(rates[:, None]), 1.0)
        return log_sums(weights + slopes * sums - costs * amounts) >= levels[0]

    def not_below(rates: Floats) -> Any:
        weights, slopes, costs = terms_at(family.variance, family.cumulant_at(rates[:, None]), -1.0)
        return log_sums(weights - slopes * sums - costs * amounts) < levels[1]

    return (
        _edge(above, np.zeros_like(means), means, threshold, at_threshold[0]),
        _edge(not_below, means, most, threshold, at_threshold[1]),
    )


def limits_beyond(
    family: TiltFamily,
    seen: tuple[Floats, Floats],
    threshold: float,
    numbers: tuple[float, ...],
    alphas: tuple[float, float],
) -> tuple[Floats, Floats]:
    """Limits of means that may be any number above 0, missed with those chances; see `limits`.

    `numbers` is the table at the threshold where more is good.
    """
    sums, amounts = seen
    levels = -math.log(alphas[0]), -math.log(alphas[1])
    most = sums / amounts + threshold
    for _ in range(MOST_DOUBLINGS):
        weights, slopes, costs = terms_at(family.variance, family.cumulant_at(most[:, None]), -1.0)
        logs = log_sums(weights - slopes * sums[:, None] - costs * amounts[:, None])
        if (logs >= levels[1]).all():
            break
        most = np.where(logs >= levels[1], most, 2.0 * most)
    at_threshold = verdicts(numbers, sums, amounts, levels)
    return limits(family, seen, levels, most, threshold, at_threshold)


def _edge(
    holds: Callable[[Floats], Any], first: Floats, last: Floats, threshold: float, at_theta: Any
) -> Floats:
    """The last rate at which something holds that holds from the first rate up to some rate.

    Whether it holds at the threshold is known already, and decides on which side of it the edge is.
    """
    inside = (first < threshold) & (threshold < last)
    low = np.where(inside & at_theta, threshold, first)
    high = np.where(inside & ~at_theta, threshold, last)
    whole = holds(high) & (high == last)
    for _ in range(60):
        middle = 0.5 * (low + high)
        true = holds(middle)
        low, high = np.where(true, middle, low), np.where(true, high, middle)
    return keep_side(np.where(whole, last, low), at_theta, threshold)


def chord(model: FloatSequence, sums: int, count: float) -> float:
    """A sum that is certainly too small to reach the side's level with that many outcomes."""
    if not 1.0 <= count < MOST_ON_CHORDS:
        return -math.inf  # nothing is certain where there are no chords
    fraction, exponent = math.frexp(count)
    distance = (2.0 * fraction - 1.0) * PARTS
    part = int(distance)
    begin = sums + (exponent - 1) * PARTS + part
    return model[begin] + (distance - part) * (model[begin + 1] - model[begin])


def least(run: Run) -> float:
    """The lower of the two floors."""
    return min(run.model[GOOD_FLOOR], run.model[BAD_FLOOR])


def number_of_outcomes(run: Run, arm: int) -> float:
    """N."""
    return run.counts[arm]


def engine(
    gap: Callable[[Run, int, int, float], float],
    oriented_sum: Callable[[Run, int], float],
    draw: Callable[[SimulatedArms, int, float], float] | None = None,
    amount: Callable[[Run, int], float] = number_of_outcomes,
) -> Functions:
    """The functions of a model that lives on Σx and an amount: N, or an exposure, or events.

    `oriented_sum` is s on the family's natural scale, times −1 where less is good.
    """

    def for_good(run: Run, arm: int) -> float:
        return log_mixture(run.model, GOOD_SLOPES, oriented_sum(run, arm), amount(run, arm))

    def for_bad(run: Run, arm: int) -> float:
        return log_mixture(run.model, BAD_SLOPES, -oriented_sum(run, arm), amount(run, arm))

    def surely_good(run: Run, arm: int) -> bool:
        s = oriented_sum(run, arm)
        n = amount(run, arm)
        if s < chord(run.model, GOOD_SUMS, n):
            return False
        return log_mixture(run.model, GOOD_SLOPES, s, n) >= run.levels[NAME_LEVEL]

    def surely_bad(run: Run, arm: int) -> bool:
        s = -oriented_sum(run, arm)
        n = amount(run, arm)
        if s < chord(run.model, BAD_SUMS, n):
            return False
        return log_mixture(run.model, BAD_SLOPES, s, n) >= run.levels[NONE_LEVEL]

    return Functions(gap, for_good, for_bad, surely_good, surely_bad, least, draw)
