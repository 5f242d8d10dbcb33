"""Skewed outcomes under the model of normal ones with unknown scatter.

With the sample skewness g = m₃/m₂^(3/2), an arm is doubted if |g| > 1 and n ≥ 20, and if Z(g),
which is close to N(0, 1) for normal outcomes (D'Agostino 1970), is beyond the quantile of
DOUBT/(10K).
Not proved to be valid at any time: the ten stands for all the looks there will be. Normal outcomes
are ever doubted in less than 1 % of studies, by simulation (docs/theory.md); as their skewness
cannot stay above 1, all that matters happens up to a few hundred outcomes.
Heavy tails that are symmetric do the model no harm, but are likely to look skewed.
"""

import math
from collections.abc import Mapping

from goodarm.numerics import normal_quantile
from goodarm.outcomes.watches.contract import DOUBT, Names, Watch, whose

LARGEST, ENOUGH = 1.0, 20.0  # |g|, outcomes
AS_MANY_LOOKS = 10.0
MOST = 1023  # the exponent of the largest power of 2
# Squares and cubes are in units of a power of 2 that no distance from the mean exceeds, so that
# they neither overflow nor vanish.
COUNT, MEAN, SQUARES, CUBES, UNIT = range(5)


class Skewness(Watch):
    """A test of normality by the third moment."""

    name = "skewness"
    memory = 5

    def see(self, state: list[float], arm: int, value: float, size: float) -> None:
        """Welford's update, for the third moment as well."""
        before = state[COUNT]
        count = state[COUNT] = before + 1.0
        away = value - state[MEAN]
        state[MEAN] += away / count
        if abs(away) > state[UNIT]:
            unit = math.ldexp(1.0, min(math.frexp(away)[1], MOST))
            smaller = state[UNIT] / unit
            state[SQUARES] *= smaller**2
            state[CUBES] *= smaller**3
            state[UNIT] = unit
        if away == 0.0:
            return
        away /= state[UNIT]
        step = away / count
        term = away * step * before
        state[CUBES] += term * step * (count - 2.0) - 3.0 * step * state[SQUARES]
        state[SQUARES] += term

    def doubt(self, states: Mapping[int, list[float]], K: int, names: Names = None) -> str | None:
        """The first arm with skewed outcomes."""
        far = -normal_quantile(0.5 * DOUBT * self.share / (K * AS_MANY_LOOKS))
        for arm, state in sorted(states.items()):
            n, squares = state[COUNT], state[SQUARES]
            if n < ENOUGH or squares <= 0.0:
                continue
            g = math.sqrt(n) * state[CUBES] / squares**1.5
            if abs(g) > LARGEST and abs(normal_score(g, n)) >= far:
                return (
                    f"The outcomes of {whose(arm, names)} are skewed: their skewness is {g:.2g} "
                    f"after {n:,.0f}, and that of normal outcomes is 0. The stated confidence may "
                    "not hold; begin a study with bounded outcomes if there are bounds, or with "
                    "symmetric ones if extremes on both sides are alike."
                )
        return None


def normal_score(g: float, n: float) -> float:
    """The skewness of n normal outcomes, turned into a standard normal number."""
    y = g * math.sqrt((n + 1.0) * (n + 3.0) / (6.0 * (n - 2.0)))
    kurtosis = 3.0 * (n * n + 27.0 * n - 70.0) * (n + 1.0) * (n + 3.0)
    kurtosis /= (n - 2.0) * (n + 5.0) * (n + 7.0) * (n + 9.0)
    w = math.sqrt(2.0 * (kurtosis - 1.0)) - 1.0
    return math.asinh(y * math.sqrt(0.5 * (w - 1.0))) / math.sqrt(0.5 * math.log(w))
