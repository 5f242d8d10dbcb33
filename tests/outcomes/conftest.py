"""An independent route to the certificates: 50 digits, written anew from the specification.

    ln E = ln Σ_j exp(ln w_j + a_j s − b_j n),   d_j = 2r·1.5^(−j),   w_j ∝ 1/(d_j/c + c/d_j)

with r = 1/√max(v, 1/4), v the variance of an outcome at θ, and c = r/4.
"""

from collections.abc import Callable, Sequence
from types import SimpleNamespace

import pytest
from mpmath import mp, mpf

from goodarm.outcomes.contract import Levels, Outcome
from goodarm.outcomes.record import make_record, one_arm_run
from goodarm.run import Run

mp.dps = 50


def steps_and_weights(variance: mpf) -> tuple[list[mpf], list[mpf]]:
    scale = 1 / mp.sqrt(max(variance, mpf(1) / 4))
    steps = [2 * scale / mpf("1.5") ** j for j in range(20)]
    raw = [1 / (d / (scale / 4) + (scale / 4) / d) for d in steps]
    return steps, [w / sum(raw) for w in raw]


class Exact:
    """One side of one model in high precision: sign 1 speaks for "above", −1 for "below"."""

    def __init__(self, kind: str, threshold: float, sign: int, variance_at: float | None = None):
        self.kind, self.sign, self.theta = kind, sign, mpf(threshold)
        at = self.theta if variance_at is None else mpf(variance_at)
        variance = mpf(1) if kind == "gaussian" else at * (1 - at)
        self.steps, self.weights = steps_and_weights(variance)

    def cost(self, d: mpf) -> mpf:
        if self.kind == "gaussian":
            return d * d / 2
        return mp.log1p(self.theta * mp.expm1(self.sign * d))

    def terms(self, n: int, s: mpf) -> list[mpf]:
        """For Gaussian outcomes s is the standardised sum."""
        both = zip(self.steps, self.weights, strict=True)
        return [mp.log(w) + self.sign * d * mpf(s) - self.cost(d) * n for d, w in both]

    def log(self, n: int, s: mpf) -> mpf:
        terms = self.terms(n, s)
        return max(terms) + mp.log(sum(mp.exp(t - max(terms)) for t in terms))

    def size(self, n: int, s: mpf) -> float:
        """How large the products are whose difference is an exponent that matters."""
        terms = self.terms(n, s)
        matter = [d for d, t in zip(self.steps, terms, strict=True) if t > max(terms) - 40]
        return float(max(1 + abs(d * s) + abs(self.cost(d) * n) for d in matter))


NEVER = Levels()


def state(
    model: Outcome,
    threshold: float,
    n: int,
    total: float,
    levels: Levels = NEVER,
    side: float = 1.0,
    kept: Sequence[float] = (),
) -> Run:
    """A run of one arm with n outcomes of that sum, and that memory where the model has one."""
    run = one_arm_run(model, threshold, (), levels, side)
    run.counts[0], run.sums[0] = n - 1, total
    run.kept[:] = list(kept) or run.kept
    make_record(model.functions)(run, 0, 0.0, 0.0 if kept else 1.0, 1)
    return run


def root(log: Callable[[mpf], mpf], low: float, high: float, level: float) -> float:
    """Where a monotone function between low and high is the level, by bisection."""
    with mp.workdps(25):
        ends = [mpf(low), mpf(high)]
        rising = log(ends[1]) > log(ends[0])
        for _ in range(45):
            middle = (ends[0] + ends[1]) / 2
            ends[(log(middle) > level) == rising] = middle
        return float(ends[0])


@pytest.fixture(scope="session")
def exact() -> SimpleNamespace:
    return SimpleNamespace(Side=Exact, state=state, root=root, steps_and_weights=steps_and_weights)
