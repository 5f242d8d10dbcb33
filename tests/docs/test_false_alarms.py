"""The table of false alarms in docs/guarantee.md is the one of the benchmark, and within bounds."""

import json
import math
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
ROWS = json.loads((DOCS / "data" / "false_alarms.json").read_text("utf-8"))
ALPHAS, PATHS = (0.1, 0.05, 0.01, 0.005, 0.001), 20_000
SHOWN = {
    "yes or no, ": ("bernoulli",),
    "Gaussian, σ known": ("gaussian:1",),
    "Gaussian, σ not known": ("gaussian",),
    "symmetric": ("symmetric",),
    "counts, ": ("poisson",),
    "durations, ": ("exponential", "exponential:4"),
    "bounded, 0/1": ("bounded:0:1",),
    "bounded on one side": ("bounded:0", "bounded::1"),
}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["outcomes"])
def test_no_model_raises_more_false_alarms_than_allowed(row: dict) -> None:
    for alpha, above, below in zip(ALPHAS, row["above"], row["below"], strict=True):
        error = math.sqrt(alpha * (1.0 - alpha) / PATHS)
        assert max(above, below) <= alpha + 2.0 * error


@pytest.mark.parametrize(("label", "models"), SHOWN.items())
def test_the_table_says_what_was_measured(label: str, models: tuple[str, ...]) -> None:
    page = (DOCS / "guarantee.md").read_text("utf-8")
    _, below = page.split("| largest share of paths with a false alarm |")
    table = below.split("\n\n")[0].splitlines()
    (line,) = [line for line in table if line.startswith(f"| {label}") and line.count("%") == 5]
    chosen = [row[side] for row in ROWS if row["model"] in models for side in ("above", "below")]
    worst = [f"{100 * max(shares):.3g} %" for shares in zip(*chosen, strict=True)]
    assert [cell.strip() for cell in line.strip("|").split("|")][1:] == worst


def test_every_model_is_in_the_table() -> None:
    assert {row["model"] for row in ROWS} == {
        model for models in SHOWN.values() for model in models
    }
