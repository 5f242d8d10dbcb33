"""What betting saves, and that it costs no more errors than promised: bench/bounded_price.py."""

import runpy
from pathlib import Path

import numpy as np
import pytest

BENCH = runpy.run_path(str(Path(__file__).parents[2] / "bench" / "bounded_price.py"))
CASES = {case.name: case for case in BENCH["CASES"]}


@pytest.mark.parametrize(
    "name",
    [
        "beta mean .55 sd .1, θ .5",
        "beta mean .8 sd .1, θ .9",
        "zero-inflated mean .06, θ .04",
        "0/1 p .95, θ .9",
    ],
)
def test_trials_against_the_papers_boundary(name: str) -> None:
    """The specification's ratios; here with the noise of a few hundred paths."""
    case = CASES[name]
    found, _ = BENCH["ratios"](case, 400, np.random.default_rng(7))
    assert found == pytest.approx(case.expected, rel=0.12)


@pytest.mark.parametrize("case", BENCH["NULLS"], ids=lambda case: case.name)
def test_false_alarms_at_the_threshold(case: tuple) -> None:
    alphas, paths = (0.1, 0.05, 0.01), 600
    one_sided = "lo = 0" in case.name  # type: ignore[attr-defined]
    chance = np.random.default_rng(3)
    times = BENCH["betting_times"](case, alphas, paths, 400, chance, one_sided)
    shares = np.isfinite(times).mean(axis=0)
    errors = np.sqrt(np.array(alphas) * (1.0 - np.array(alphas)) / paths)
    assert np.all(shares <= np.array(alphas) + 2.5 * errors)
    assert shares[0] > 0.01  # they are not idle either
