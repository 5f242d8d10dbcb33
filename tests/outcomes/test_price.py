"""What certainty costs for one arm, over the least that any rule can need: bench/one_arm_price.py.

The aims are 1.36 at α = 0.05 and 1.25 at 0.005. Bernoulli figures are exact.
"""

import runpy
from pathlib import Path

import numpy as np
import pytest

BENCH = runpy.run_path(str(Path(__file__).parents[2] / "bench" / "one_arm_price.py"))
AIMS = {0.05: 1.36, 0.005: 1.25}


@pytest.mark.parametrize("alpha", AIMS)
@pytest.mark.parametrize(
    ("theta", "rate", "more"),
    [
        (0.04, 0.06, 0.0),
        (0.04, 0.05, 0.0),
        (0.04, 0.02, 0.0),
        (0.5, 0.6, 0.0),
        (0.5, 0.55, 0.0),
        (0.9, 0.95, 0.0),
        (0.9, 0.8, 0.006),  # 1.3652 and 1.2515: just above the aims
    ],
)
def test_bernoulli(theta: float, rate: float, more: float, alpha: float) -> None:
    assert 1.0 < BENCH["bernoulli_price"](theta, rate, alpha) <= AIMS[alpha] + more


@pytest.mark.parametrize(
    ("effect", "alpha", "expected"),
    [
        (1.0, 0.05, 1.675),
        (0.5, 0.05, 1.389),
        (0.2, 0.05, 1.258),
        (0.1, 0.05, 1.325),
        (1.0, 0.005, 1.438),
        (0.5, 0.005, 1.263),
        (0.2, 0.005, 1.195),
        (0.1, 0.005, 1.225),
    ],
)
def test_gaussian(effect: float, alpha: float, expected: float) -> None:
    """Large effects cost more: few outcomes suffice, and the heaviest step is a quarter of σ."""
    price, error = BENCH["gaussian_price"](effect, alpha, 1500, np.random.default_rng(5))
    assert price == pytest.approx(expected, abs=4.0 * error)
    assert effect > 0.2 or price - 2.0 * error <= AIMS[alpha]
