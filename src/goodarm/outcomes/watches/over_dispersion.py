"""Counts that vary more than Poisson counts: clustered events, or a rate that differs by trial.

For a count x in an exposure e with rate λ, the negative binomial law of shape re has the same mean
λe and the variance (1 + λ/r) λe. With s events in an exposure of n in all, the likelihood ratio is

    ln E(λ) = Σ g(x, re) − (s + rn) ln(1 + λ/r) + λn,    g(x, a) = ln Γ(a + x) − ln Γ(a) − x ln a.

It is convex in λ with its minimum at s/n, so that what is left when the rate is not known is

    ln E = Σ g(x, re) − rn ((1 + z) ln(1 + z) − z),    z = s/(nr),

with r = θ/f, f = ¼, 1, 4, 16: a variance of 1 + f times the mean for an arm at the threshold.
Valid at any time for Poisson counts of any rates, under any sampling rule, and for all counts that
are smaller in convex order (each ratio is convex in x): exactly those for which the certificates
hold. The evidence of all arms is pooled.
"""

import math
from collections.abc import Mapping

from goodarm.outcomes.watches.contract import Names, Watch, pooled, whose

EXCESSES = (0.25, 1.0, 4.0, 16.0)  # f: of the variance over the mean, for an arm at θ
STIRLING_FROM = 1e4
COUNT, EVENTS, EXPOSURE, SQUARES, RISES = range(5)


class OverDispersion(Watch):
    """An e-process against "Poisson counts, whatever their rates"."""

    name = "counts that vary too much"
    memory = RISES + len(EXCESSES)

    def __init__(self, threshold: float) -> None:
        self._shapes = tuple(threshold / excess for excess in EXCESSES)

    def see(self, state: list[float], arm: int, value: float, size: float) -> None:
        """Add up what the ratios need."""
        state[COUNT] += 1.0
        state[EVENTS] += value
        state[EXPOSURE] += size
        state[SQUARES] += value * value / size
        if value > 1.0:
            for j, shape in enumerate(self._shapes, RISES):
                state[j] += rise(value, shape * size)

    def logs(self, state: list[float]) -> list[float]:
        """ln E of one arm, for each excess."""
        events, exposure = state[EVENTS], state[EXPOSURE]
        found = []
        for j, shape in enumerate(self._shapes, RISES):
            z = events / (exposure * shape)
            found.append(state[j] - shape * exposure * ((1.0 + z) * math.log1p(z) - z))
        return found

    def doubt(self, states: Mapping[int, list[float]], K: int, names: Names = None) -> str | None:
        """How much larger the variance is than the mean, where that shows most."""
        seen = {arm: self.logs(state) for arm, state in states.items() if state[EVENTS] > 0.0}
        if not seen:
            return None
        evidence, arm = pooled(seen, K)
        if evidence < self.level():
            return None
        count, events, exposure, squares = states[arm][:RISES]
        rate = events / exposure
        ratio = (squares - events * rate) / (rate * max(count - 1.0, 1.0))
        return (
            f"The counts vary too much: those of {whose(arm, names)} have a variance of {ratio:.3g}"
            " times what Poisson counts have. The stated confidence may not hold; begin a study "
            "with bounded outcomes, if a count has an upper limit, or with gaussian ones."
        )


def rise(x: float, a: float) -> float:
    """ln Γ(a + x) − ln Γ(a) − x ln a, at least 0: the sum of ln(1 + i/a) over i < x."""
    if a < STIRLING_FROM:
        return max(math.lgamma(a + x) - math.lgamma(a) - x * math.log(a), 0.0)
    return max((a + x - 0.5) * math.log1p(x / a) - x + (1.0 / (a + x) - 1.0 / a) / 12.0, 0.0)
