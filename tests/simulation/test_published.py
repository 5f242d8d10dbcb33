"""The paper's printed numbers (δ = 0.01, 1,000 runs, boundary "glr-tables"; see docs).

All outcomes count as sub-Gaussian, as in the paper.
"""

import math
from functools import partial

import pytest

from goodarm import simulate

simulate = partial(simulate, outcome="sub-gaussian")
NAMES = ["Thr1", "Thr2", "Thr3", "Med1", "Med2", "IsA1", "IsA2", "RealL-gaussian", "NoA1", "NoA2"]
STOPPING_CELLS = [(name, algorithm) for algorithm in ("APGAI", "APGAI-FE") for name in NAMES]
RUNS = 1000


@pytest.mark.parametrize(("name", "algorithm"), STOPPING_CELLS)
def test_stopping_times(published: dict, name: str, algorithm: str) -> None:
    table = published["stopping_time"]
    mean, std = table[algorithm][name]
    ours = simulate(
        name, algorithm, delta=0.01, boundary="glr-tables", cap=100_000, runs=RUNS, seed=2026
    )[algorithm]
    error = math.hypot(ours.se, std / math.sqrt(table["runs"]), 0.5 / math.sqrt(3))
    assert abs(ours.mean - mean) <= 4 * error


def test_the_lemmas_own_boundary_stops_earlier(published: dict) -> None:
    """With the boundary that the paper prints, Thr3 would come out 5 to 8 % lower."""
    result = simulate(
        "Thr3", "APGAI", delta=0.01, boundary="glr", cap=100_000, runs=RUNS, seed=2026
    )["APGAI"]
    printed, _ = published["stopping_time"]["APGAI"]["Thr3"]
    assert 0.88 < result.mean / printed < 0.97


@pytest.mark.parametrize("name", ["RealL", "IsA1", "IsA2", "NoA1", "NoA2"])
@pytest.mark.parametrize("algorithm", ["APGAI", "Unif"])
def test_fixed_budget_errors(published: dict, name: str, algorithm: str) -> None:
    table = published["fixed_budget_error"]
    printed, runs = table[name][algorithm], 10_000
    ours = simulate(name, algorithm, budget=table["budget"][name], runs=runs, seed=1)[algorithm]
    pooled = (ours.errors.sum() + printed * table["runs"] + 1) / (runs + table["runs"] + 2)
    error = math.sqrt(pooled * (1 - pooled) * (1 / runs + 1 / table["runs"]))
    assert abs(ours.error_rate - printed) <= 4 * error


@pytest.mark.parametrize(("algorithm", "rate"), [("APGAI", 0.0055), ("Unif", 0.094)])
def test_noa2_against_an_independent_simulation(algorithm: str, rate: float) -> None:
    """Figures of an independent implementation with 100,000 runs."""
    ours = simulate("NoA2", algorithm, budget=700, runs=40_000, seed=5)[algorithm]
    error = math.sqrt(rate * (1 - rate) * (1 / 40_000 + 1 / 100_000))
    assert abs(ours.error_rate - rate) <= 4 * error
