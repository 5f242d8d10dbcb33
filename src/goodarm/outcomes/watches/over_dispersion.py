"""Counts that vary more than Poisson counts: clustered events, or a rate that differs by trial.

Let the rate of a trial be λ times a gamma distributed number of mean 1 and variance 1/a. Then x
events in an exposure e have the likelihood ratio, against the constant rate λ,

    ln E(λ) = g(x, a) − (a + x) ln(1 + λe/a) + λe,    g(x, a) = ln Γ(a + x) − ln Γ(a) − x ln a,

and a variance of 1 + λe/a times the mean. It depends on nothing but x and e, so it is a martingale
while events come in, and an exposure may be ended by what has happened in it, if a is chosen
before: a = θt/f, with f = ¼, 1, 4, 16 and t about the mean exposure of the arm's earlier trials.
(The first trial has none, and is passed over.)
The sum of ln E(λ) is convex in λ, and its smallest value is the evidence when the rate is not
known. Trials with the same ratio e/t are added up, which is exact; an arm has CLASSES such sums,
and what does not fit goes to the nearest one. There Jensen's inequality,

    Σ w ln(1 + λe/a) ≤ W ln(1 + λQ/W),    w = a + x, W = Σ w, Q = Σ we/a,

makes the evidence smaller, never larger.
Valid at any time for Poisson counts of any rates, under any sampling rule, and, if exposures are
set beforehand, for all counts that are smaller in convex order (each ratio is convex in x). The
evidence of all arms is pooled.
"""

import math
from collections.abc import Mapping

from goodarm.outcomes.watches.contract import Names, Watch, whose

EXCESSES = (0.25, 1.0, 4.0, 16.0)  # f: of the variance over the mean, for an arm at θ
CLASSES = 24  # of exposures
STIRLING_FROM = 1e4
ROUNDING = 1e-14  # of a sum of rises, at most
STEPS = 60  # of Newton's method, at most
COUNT, EVENTS, EXPOSURE, SQUARES, FIRST, RISES = range(6)
SUMS = RISES + len(EXCESSES)  # then, of each class: Σ t, Σ x, Σ e, Σ xe/t
PARTS = 4


class OverDispersion(Watch):
    """An e-process against "Poisson counts, whatever their rates"."""

    name = "counts that vary too much"
    memory = SUMS

    def __init__(self, threshold: float) -> None:
        self._rates = tuple(threshold / excess for excess in EXCESSES)  # θ/f

    def see(self, state: list[float], arm: int, value: float, size: float) -> None:
        """Add up what the ratios need."""
        if state[COUNT] == 0.0:
            state[FIRST] = size
        else:
            self._add(state, value, size, _typical(state))
        state[COUNT] += 1.0
        state[EVENTS] += value
        state[EXPOSURE] += size
        state[SQUARES] += value * value / size

    def _add(self, state: list[float], value: float, size: float, typical: float) -> None:
        """Into the class of its exposure, or the nearest one."""
        if value > 1.0:
            for j, rate in enumerate(self._rates, RISES):
                state[j] += rise(value, rate * typical)
        ratio = size / typical
        at = _nearest(state, ratio)
        if at == len(state):
            state += (0.0,) * PARTS
        state[at] += typical
        state[at + 1] += value
        state[at + 2] += size
        state[at + 3] += value * ratio

    def logs(self, state: list[float]) -> list[float]:
        """ln E of one arm, for each excess; none, where the variance is not too large."""
        found = []
        for j, rate in enumerate(self._rates, RISES):
            log = state[j] * (1.0 - ROUNDING) + _smallest(state, rate)
            found.append(log if log <= 0.0 or _ratio(state) > 1.0 else 0.0)
        return found

    def doubt(self, states: Mapping[int, list[float]], K: int, names: Names = None) -> str | None:
        """How much larger the variance is than the mean, where that shows most."""
        seen = {
            arm: self.logs(state)
            for arm, state in states.items()
            if state[COUNT] > 1.0 and state[EVENTS] > 0.0
        }
        arm = self.leading(seen, K)
        if arm is None:
            return None
        return (
            f"The counts vary too much: those of {whose(arm, names)} have a variance of "
            f"{_ratio(states[arm]):.3g} times what Poisson counts have. The stated confidence may "
            "not hold; begin a study with bounded outcomes: Bounded(lo=0) can show that a mean is "
            "large enough, bounded:0:HI also that one is small enough."
        )


def _typical(state: list[float]) -> float:
    """The mean exposure so far, up to a power of 2 of the first: classes stay few."""
    mean = state[EXPOSURE] / state[COUNT]
    return state[FIRST] * 2.0 ** round(math.log2(mean / state[FIRST]))


def _nearest(state: list[float], ratio: float) -> int:
    """Where the sums of the class with this e/t begin: a new one, if there is none and room."""
    best, least = SUMS, math.inf
    for at in range(SUMS, len(state), PARTS):
        apart = ratio * state[at] / state[at + 2]
        apart = max(apart, 1.0 / apart) if apart > 0.0 else math.inf
        if apart < least:
            best, least = at, apart
    return len(state) if least > 1.0 + 1e-9 and len(state) < SUMS + PARTS * CLASSES else best


def _smallest(state: list[float], rate: float) -> float:
    """The smallest of λn − Σ W ln(1 + λQ/W), or less, by Newton's method.

    Its derivative rises and is concave in λ, so steps lead to the minimum from below.
    """
    classes, exposure, events = [], 0.0, 0.0
    for at in range(SUMS, len(state), PARTS):
        time, x, e, product = state[at : at + PARTS]
        weight = rate * time + x
        classes.append((weight, (e + product / rate) / weight))
        exposure += e
        events += x
    if len(classes) == 1:
        weight, slope = classes[0]
        z = max(weight * slope / exposure - 1.0, 0.0)
        return weight * (z / (1.0 + z) - math.log1p(z))
    mean = events / exposure
    for _ in range(STEPS):
        parts = [(w * q / (1.0 + mean * q), q / (1.0 + mean * q)) for w, q in classes]
        slope = exposure - sum(part for part, _ in parts)
        step = slope / sum(part * q for part, q in parts)
        before, mean = mean, max(mean - step, 0.0)
        if abs(mean - before) <= 1e-12 * mean:
            break
    return mean * exposure - sum(w * math.log1p(mean * q) for w, q in classes)


def _ratio(state: list[float]) -> float:
    """The variance over that of Poisson counts."""
    count, events, exposure, squares = state[:FIRST]
    rate = events / exposure
    return (squares - events * rate) / (rate * max(count - 1.0, 1.0))


def rise(x: float, a: float) -> float:
    """ln Γ(a + x) − ln Γ(a) − x ln a, at least 0: the sum of ln(1 + i/a) over i < x."""
    if a < STIRLING_FROM:
        return max(math.lgamma(a + x) - math.lgamma(a) - x * math.log(a), 0.0)
    return max((a + x - 0.5) * math.log1p(x / a) - x + (1.0 / (a + x) - 1.0 / a) / 12.0, 0.0)
