"""Batches of yes and no whose rates differ from batch to batch.

For x successes of m at rate p, the beta-binomial law with a = pA, b = (1 − p)A has the same mean;
its variance is about 1 + m/A times as large. The likelihood ratio depends on nothing but x and m,
so it is a martingale while outcomes come in, and a batch may be ended by what has happened in it,
if A is chosen before: A = t/f, with f = 0.3, 1, 4 and t the mean size of the arm's earlier batches.
(The first batch has none, and is passed over.) Its logarithm

    ln E(p) = Σ ln[ BetaBin(x; m, pA, (1 − p)A) / Bin(x; m, p) ]

is convex in p, and its smallest value is the evidence when p is not known. To find it, an arm's
last batches are kept as they are; what older ones add is replaced by a parabola in φ = 2 arcsin √p
through its values at the arm's rate and one standard error to both sides of it, so that an arm's
state does not grow.
Valid at any time for batches of any sizes at one rate per arm, under any sampling rule, up to the
error of the parabolas (a few hundredths of a nat). The evidence of all arms is pooled. A single yes
or no says nothing about batches and is passed over.
"""

import math
from collections.abc import Iterable, Mapping

from goodarm.outcomes.watches.contract import Names, Watch, whose

EXCESSES = (0.3, 1.0, 4.0)  # f: of the variance over that of one rate
KEPT = 12  # batches as they are
ROUNDING = 1e-14  # of the largest ln Γ in a ratio, at most
COUNT, SUCCESSES, TRIALS, SQUARES, PARABOLAS = range(5)
RECENT = PARABOLAS + 3 * len(EXCESSES)

Batch = tuple[float, float, float]  # x, m, and the mean size of those before
Parabola = tuple[float, float, float]


class UnevenBatches(Watch):
    """An e-process against "one rate per arm in all batches"."""

    name = "batches at different rates"
    memory = RECENT

    def see(self, state: list[float], arm: int, value: float, size: float) -> None:
        """Keep the batch, and turn the oldest of those kept into a parabola."""
        if size < 2.0:
            return
        if state[COUNT] > 0.0:
            state += (value, size)
        state[COUNT] += 1.0
        state[SUCCESSES] += value
        state[TRIALS] += size
        state[SQUARES] += value * value / size
        if len(state) > RECENT + 2 * KEPT:
            oldest = _recent(state)[:1]
            del state[RECENT : RECENT + 2]
            middle, width = _place(state)
            for j, excess in enumerate(EXCESSES):
                at = PARABOLAS + 3 * j
                for i, term in enumerate(_parabola(oldest, excess, middle, width), at):
                    state[i] += term

    def logs(self, state: list[float]) -> list[float]:
        """The smallest ln E(p) of one arm, for each excess; none, where rates differ little."""
        batches = _recent(state)
        middle, width = _place(state)
        found = []
        for j, excess in enumerate(EXCESSES):
            at = PARABOLAS + 3 * j
            recent = _parabola(batches, excess, middle, width)
            height, slope, bend = (a + b for a, b in zip(state[at : at + 3], recent, strict=True))
            log = height - 0.25 * slope * slope / bend if bend > 0.0 else min(height, 0.0)
            found.append(log if log <= 0.0 or _ratio(state) > 1.0 else 0.0)
        return found

    def doubt(self, states: Mapping[int, list[float]], K: int, names: Names = None) -> str | None:
        """How much larger the variance is than that of one rate, where that shows most."""
        seen = {arm: self.logs(state) for arm, state in states.items() if state[COUNT] > 1.0}
        arm = self.leading(seen, K)
        if arm is None:
            return None
        return (
            f"Rates differ from batch to batch: those of {whose(arm, names)} have a variance of "
            f"{_ratio(states[arm]):.3g} times what chance alone gives batches of such sizes. The "
            "stated confidence may not hold; begin a study that is told each batch as one outcome, "
            "its mean, under bounded:0:1."
        )


def _ratio(state: list[float]) -> float:
    """The variance between batches over what chance alone gives."""
    count, successes, trials, squares = state[:PARABOLAS]
    rate = successes / trials
    chance = rate * (1.0 - rate) * (count - 1.0)
    return (squares - successes * rate) / chance if chance > 0.0 else 0.0


def _place(state: list[float]) -> tuple[float, float]:
    """φ at the arm's rate, drawn a little towards ½ and away from the ends; its standard error."""
    trials = state[TRIALS] + 2.0
    return 2.0 * math.asin(math.sqrt((state[SUCCESSES] + 1.0) / trials)), 1.0 / math.sqrt(trials)


def _recent(state: list[float]) -> list[Batch]:
    """The batches that are kept, oldest first."""
    found, count, trials = [], state[COUNT], state[TRIALS]
    for at in range(len(state) - 2, RECENT - 1, -2):
        x, size = state[at : at + 2]
        count, trials = count - 1.0, trials - size
        found.append((x, size, trials / count))
    return found[::-1]


def _parabola(batches: Iterable[Batch], excess: float, middle: float, width: float) -> Parabola:
    """What batches add to ln E, as c0 + c1 φ + c2 φ²."""
    below = centre = above = 0.0
    rates = [math.sin(0.5 * phi) ** 2 for phi in (middle - width, middle, middle + width)]
    for x, m, typical in batches:
        weight = typical / excess
        below += log_ratio(x, m, rates[0], weight)
        centre += log_ratio(x, m, rates[1], weight)
        above += log_ratio(x, m, rates[2], weight)
    slope = (above - below) / (2.0 * width)
    bend = max((above - 2.0 * centre + below) / (2.0 * width * width), 0.0)
    return (
        centre - (slope - bend * middle) * middle,
        slope - 2.0 * bend * middle,
        bend,
    )


def log_ratio(x: float, m: float, p: float, weight: float) -> float:
    """The logarithm of beta-binomial over binomial, with a + b = weight, or a little less."""
    lgamma, a = math.lgamma, p * weight
    b, misses = weight - a, m - x
    return (
        -ROUNDING * abs(lgamma(m + weight))
        + (lgamma(x + a) - lgamma(a) - x * math.log(p))
        + (lgamma(misses + b) - lgamma(b) - misses * math.log1p(-p))
        - (lgamma(m + weight) - lgamma(weight))
    )
