"""The outcomes of an arm whose mean changes in the course of the study.

When an arm has 16, 23, 32, 46, … outcomes (a factor of √2, LOOKS times), those up to an earlier
look (1, 2, 4 and 6 looks ago) are compared with those since. If nothing has changed, and given what
both parts have in common, the law of the first part is known, whatever the arm's mean is:

    shares      s₁ of n₁ given s of n successes: hypergeometric
    rates       s₁ in an exposure of e₁ given s in e: binomial (s, e₁/e)
    durations   t₁ of n₁ given t of n, of shape k: t₁/t is Beta(kn₁, kn₂)
    means       (m₁ − m₂)/(σ √(1/n₁ + 1/n₂)) is N(0, 1), and sub-Gaussian if the outcomes are

The first three laws are log-concave. So their tail beyond a value is at most f/(1 − r) with f the
probability there and r the ratio of the next one to it, or f/|(ln f)′| for a density. The arm is
doubted when twice the tail is at most DOUBT/(K · LOOKS · SPLITS): a union over all that is ever
compared, hence valid at any time, under any sampling rule. Outcomes that are only known to have one
distribution (bounded ones, those of unknown scatter) are compared by how often they exceed the
threshold. Not covered: an order of entries that depends on their values, and, by proof, exposures
and batches that were ended because of what happened in them (simulated: docs/theory.md).
"""

import math
from collections.abc import Mapping

from goodarm.outcomes.watches.contract import Names, Watch, whose

FIRST, LOOKS = 16.0, 48  # up to 190 million outcomes
BACK = (1, 2, 4, 6)  # looks ago
SPLITS = len(BACK)
HALF_OCTAVE = 0.5 * math.log(2.0)
CERTAIN = 1e-12  # ratios closer to 1 are not told from it
ROUNDING = 2e-15  # of the largest ln Γ in a tail, at most
# n and Σ so far; outcomes so far, and at the next look; the smallest ln of a tail, with n and Σ of
# its two parts.
AMOUNT, TOTAL, UNITS, NEXT, SMALLEST, FOUND = range(6)
PAST = FOUND + 4  # the looks so far, the youngest last: number, n and Σ of each


class Drift(Watch):
    """Exact comparisons of the earlier with the later outcomes of each arm."""

    name = "drift"
    memory = PAST

    def see(self, state: list[float], arm: int, value: float, size: float) -> None:
        """Add the outcome, and look back if it is time to."""
        state[AMOUNT] += size
        state[TOTAL] += value
        state[UNITS] += 1.0
        if state[UNITS] >= state[NEXT] and state[UNITS] >= FIRST:
            self.look(state, arm)

    def look(self, state: list[float], arm: int) -> None:
        """Compare what came before earlier looks with what has come since."""
        number = math.floor(math.log(state[UNITS] / FIRST) / HALF_OCTAVE + 1e-9)
        state[NEXT] = due(number + 1)
        if number >= LOOKS:
            return
        past = [state[i : i + 3] for i in range(PAST, len(state), 3)]
        compared = set()
        for back in BACK:
            before = [look for look in past if look[0] <= number - back]
            if before and before[-1][0] not in compared:
                split, n, total = before[-1]
                compared.add(split)
                parts = (n, total, state[AMOUNT] - n, state[TOTAL] - total)
                log = self.log_tail(arm, *parts)
                if log < state[SMALLEST]:
                    state[SMALLEST] = log
                    state[FOUND:PAST] = parts
        state += (float(number), state[AMOUNT], state[TOTAL])
        if len(state) > PAST + 3 * (max(BACK) + 1):
            del state[PAST : PAST + 3]

    def doubt(self, states: Mapping[int, list[float]], K: int, names: Names = None) -> str | None:
        """The arm whose outcomes have changed most clearly."""
        least = -self.level(K) - math.log(2.0 * LOOKS * SPLITS)
        arm = min(states, key=lambda a: states[a][SMALLEST], default=None)
        if arm is None or states[arm][SMALLEST] > least:
            return None
        n1, s1, n2, s2 = states[arm][FOUND:PAST]
        return (
            f"The outcomes of {whose(arm, names)} have changed: {self.compare(n1, s1, n2, s2)}. The"
            " stated confidence may not hold; begin a new study for the new conditions. (It means "
            "nothing if they were entered in an order that depends on their values, and little if "
            "they vary too much anyway.)"
        )

    def log_tail(self, arm: int, n1: float, s1: float, n2: float, s2: float) -> float:
        """ln of the chance that the first part is so extreme, on its side; or of a bound."""
        raise NotImplementedError

    def compare(self, n1: float, s1: float, n2: float, s2: float) -> str:
        """The two parts in words."""
        raise NotImplementedError


class DriftOfShare(Drift):
    """Yes and no."""

    what: str = "yes"

    def see(self, state: list[float], arm: int, value: float, size: float) -> None:
        """A batch counts as so many outcomes."""
        state[UNITS] += size - 1.0
        super().see(state, arm, value, size)

    def log_tail(self, arm: int, n1: float, s1: float, n2: float, s2: float) -> float:
        """Hypergeometric."""
        if s1 * n2 > s2 * n1:  # the tail below: exchange the parts
            n1, s1, n2, s2 = n2, s2, n1, s1
        ratio = s1 * (n2 - s2) / ((n1 - s1 + 1.0) * (s2 + 1.0))
        log = _choose(n1, s1) + _choose(n2, s2) - _choose(n1 + n2, s1 + s2)
        return _bounded(log + _error(n1 + n2), ratio)

    def compare(self, n1: float, s1: float, n2: float, s2: float) -> str:
        """As percentages."""
        return (
            f"{_percent(s1, n1)} of the first {n1:,.0f} were {self.what}, and {_percent(s2, n2)} of"
            f" the {n2:,.0f} after them"
        )


class DriftAcross(DriftOfShare):
    """Numbers of any distribution, by how often they exceed the threshold."""

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold
        self.what = f"above {threshold:g}"

    def see(self, state: list[float], arm: int, value: float, size: float) -> None:
        """Whether it exceeds the threshold."""
        super().see(state, arm, float(value > self._threshold), 1.0)


class DriftOfRate(Drift):
    """Counts with exposures."""

    def log_tail(self, arm: int, n1: float, s1: float, n2: float, s2: float) -> float:
        """Binomial."""
        if s1 * n2 > s2 * n1:
            n1, s1, n2, s2 = n2, s2, n1, s1
        share = n1 / (n1 + n2)
        if not CERTAIN < share < 1.0 - CERTAIN:
            return 0.0  # one exposure is lost in the rounding of the other
        ratio = s1 * n2 / ((s2 + 1.0) * n1)
        log = _choose(s1 + s2, s1) + s1 * math.log(share) + s2 * math.log1p(-share)
        return _bounded(log + _error(s1 + s2), ratio)

    def compare(self, n1: float, s1: float, n2: float, s2: float) -> str:
        """As rates."""
        return (
            f"a rate of {s1 / n1:.3g} in the first {n1:,.6g} units of exposure, and of "
            f"{s2 / n2:.3g} in the {n2:,.6g} after them"
        )


class DriftOfDurations(Drift):
    """Durations, some of them cut short."""

    def __init__(self, shape: float) -> None:
        self._shape = shape

    def see(self, state: list[float], arm: int, value: float, size: float) -> None:
        """Looks are at events: what was cut short only adds to the time."""
        if size == 0.0:
            state[TOTAL] += value
            return
        state[UNITS] += size - 1.0
        super().see(state, arm, value, size)

    def log_tail(self, arm: int, n1: float, s1: float, n2: float, s2: float) -> float:
        """Beta."""
        if s1 * n2 > s2 * n1:
            n1, s1, n2, s2 = n2, s2, n1, s1
        a, b, total = self._shape * n1, self._shape * n2, s1 + s2
        if s1 <= 0.0 or min(a, b) <= 1.0:
            return 0.0  # too few: the density is not log-concave
        x = s1 / total
        rest = s2 / total
        if min(x, rest) <= CERTAIN:
            return 0.0  # one sum is lost in the rounding of the other
        slope = (a - 1.0) / x - (b - 1.0) / rest
        if slope <= 0.0:
            return 0.0
        log = (a - 1.0) * math.log(x) + (b - 1.0) * math.log(rest)
        log += math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
        return min(log + _error(a + b) - math.log(slope), 0.0)

    def compare(self, n1: float, s1: float, n2: float, s2: float) -> str:
        """As means."""
        return _means(n1, s1, n2, s2)


class DriftOfMean(Drift):
    """Numbers of known scatter."""

    def __init__(self, sigma: float | tuple[float, ...]) -> None:
        self._sigma = sigma

    def log_tail(self, arm: int, n1: float, s1: float, n2: float, s2: float) -> float:
        """Chernoff's bound, as for all that is sub-Gaussian."""
        sigma = self._sigma[arm] if isinstance(self._sigma, tuple) else self._sigma
        distance = (s1 / n1 - s2 / n2) / sigma
        return -0.5 * distance * distance / (1.0 / n1 + 1.0 / n2)

    def compare(self, n1: float, s1: float, n2: float, s2: float) -> str:
        """As means."""
        return _means(n1, s1, n2, s2)


def due(number: int) -> float:
    """After how many outcomes there is a look."""
    return float(math.ceil(FIRST * math.exp(HALF_OCTAVE * number) - 1e-6))


def _bounded(log: float, ratio: float) -> float:
    """A tail that begins with e^log and falls at least by that ratio."""
    return min(log - math.log1p(-ratio), 0.0) if ratio < 1.0 - CERTAIN else 0.0


def _error(n: float) -> float:
    """What rounding may have taken from the logarithm of a probability."""
    return ROUNDING * math.lgamma(n + 1.0)


def _choose(n: float, k: float) -> float:
    return math.lgamma(n + 1.0) - math.lgamma(k + 1.0) - math.lgamma(n - k + 1.0)


def _percent(part: float, whole: float) -> str:
    return f"{100.0 * part / whole:.3g} %"


def _means(n1: float, s1: float, n2: float, s2: float) -> str:
    return (
        f"a mean of {s1 / n1:.3g} in the first {n1:,.0f}, and of {s2 / n2:.3g} in the {n2:,.0f} "
        "after them"
    )
