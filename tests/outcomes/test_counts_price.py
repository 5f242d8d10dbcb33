"""What counts and durations cost, and how wrong they go for others: bench/counts_price.py."""

import runpy
from pathlib import Path

import numpy as np
import pytest

BENCH = runpy.run_path(str(Path(__file__).parents[2] / "bench" / "counts_price.py"))


@pytest.mark.parametrize(
    ("law", "threshold", "mean", "expected"),
    [
        ("counts", 0.5, 0.75, 1.350),
        ("counts", 3.0, 2.4, 1.301),
        ("counts", 200.0, 207.0, 1.382),
        ("durations", 1.0, 1.5, 1.414),
        ("durations", 1.0, 0.5, 1.459),
    ],
)
def test_price(law: str, threshold: float, mean: float, expected: float) -> None:
    """Over ln(1/α)/KL, at α = 0.05; expected values are from 10,000 runs."""
    case = BENCH[law](threshold, mean)
    price, error = BENCH["price"](case, 0.05, 1500, np.random.default_rng(3))
    assert price == pytest.approx(expected, abs=4.0 * error)


@pytest.mark.parametrize(
    ("law", "arguments", "least", "most"),
    [
        ("counts", (3.0, 3.0), 0.01, 0.05),
        ("durations", (1.0, 1.0), 0.01, 0.05),
        ("wide", (2.0,), 0.0, 0.01),
        ("clustered", (3.0, 2.0), 0.15, 0.4),
        ("wide", (0.5,), 0.12, 0.4),
    ],
)
def test_alarms(law: str, arguments: tuple[float, ...], least: float, most: float) -> None:
    """On 300 paths of 10,000 outcomes of mean θ, at a nominal 5 %, for either side."""
    shares = BENCH["alarms"](BENCH[law](*arguments), 300, np.random.default_rng(2))
    for at_five_percent, at_one_percent in shares:
        assert least <= at_five_percent <= most + 0.02
        assert at_one_percent <= at_five_percent
