"""Side by side with the Bernoulli intervals that the library confseq prints in its own tests.

Theirs is the two-sided beta-binomial mixture of Howard et al. (2021), tuned for a sample size t_opt
that is chosen beforehand; ours has two one-sided mixtures of twenty steps and nothing to tune.
The formula is evaluated here from the paper, so that what is compared is what they compute.
"""

import math

import pytest
from scipy.optimize import brentq
from scipy.special import betaln

from goodarm.outcomes import Bernoulli
from goodarm.outcomes.contract import Seen

# Successes, trials, t_opt, and the interval at α = 0.05 that confseq's tests expect.
PRINTED = [
    (700, 1000, 100, 0.651629, 0.745949),
    (15, 50, 50, 0.129556, 0.511896),
    (5, 50, 50, 0.013021, 0.269264),
    (1, 50, 50, 0.0, 0.13489),
    (1, 2, 50, 0.0, 1.0),
    (100, 200, 1, 0.328923, 0.671076),
]


def beta_binomial_log(s: int, n: int, p: float, t_opt: float, alpha_opt: float = 0.05) -> float:
    """ln of the mixture over Beta(r/(1 − p), r/p) against the rate p."""
    spread = p * (1.0 - p)
    needed = 2.0 * math.log(1.0 / alpha_opt)
    rho = t_opt * spread / (needed + math.log1p(needed))
    r = max(rho - spread, 1e-3 * spread)
    a, b = r / (1.0 - p), r / p
    own = s * math.log(p) + (n - s) * math.log1p(-p)
    return float(betaln(a + s, b + n - s) - betaln(a, b) - own)


def their_interval(s: int, n: int, t_opt: float, alpha: float = 0.05) -> tuple[float, float]:
    def excess(p: float) -> float:
        return beta_binomial_log(s, n, p, t_opt) + math.log(alpha)

    mean, edge = s / n, 1e-6
    low = 0.0 if excess(edge) <= 0 else brentq(excess, edge, mean)
    high = 1.0 if excess(1.0 - edge) <= 0 else brentq(excess, mean, 1.0 - edge)
    return low, high


@pytest.mark.parametrize(("s", "n", "t_opt", "low", "high"), PRINTED)
def test_their_printed_intervals_are_what_is_compared(s, n, t_opt, low, high) -> None:
    assert their_interval(s, n, t_opt) == pytest.approx((low, high), abs=2e-5)


@pytest.mark.parametrize(
    ("s", "n", "t_opt", "ratio"),
    [(700, 1000, 100, 1.01), (15, 50, 50, 1.03), (5, 50, 50, 1.06), (100, 200, 1, 0.65)],
)
def test_ours_is_about_as_narrow_without_being_told_the_sample_size(s, n, t_opt, ratio) -> None:
    low, high = (float(end[0]) for end in Bernoulli().limits(Seen.of([n], [s]), 0.5, 0.025, 0.025))
    theirs = their_interval(s, n, t_opt)
    assert high - low <= ratio * (theirs[1] - theirs[0])
