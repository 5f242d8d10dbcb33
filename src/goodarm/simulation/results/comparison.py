"""Two algorithms under common random numbers: the difference, far less noisy than two results."""

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from goodarm.algorithms.contract import ANYTIME, FIXED_CONFIDENCE
from goodarm.errors import InputError
from goodarm.numerics import normal_quantile
from goodarm.showing.markup import Html
from goodarm.showing.snippet import Shown
from goodarm.simulation.results.by_run import RunResult
from goodarm.simulation.results.by_time import AnytimeResult
from goodarm.simulation.results.in_short import comparison_html, comparison_line


@dataclass(frozen=True, repr=False)
class Comparison(Shown):
    """The mean of `first − second` over paired runs, with its own interval."""

    first: str
    second: str
    quantity: str  # "stopping time" or "error"
    difference: float
    se: float
    low: float
    high: float
    correlation: float  # between the two over runs; what pairing gains

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    def _in_short(self) -> list[str]:
        return [comparison_line(self)]

    def _in_html(self) -> Html:
        return comparison_html(self)


def compare(
    first: RunResult | AnytimeResult, second: RunResult | AnytimeResult, level: float = 0.95
) -> Comparison:
    """Compare two results run by run: stopping times (with delta) or errors (with a budget)."""
    if not isinstance(first, RunResult) or not isinstance(second, RunResult):
        raise InputError(
            f"a paired comparison needs the result of every run, which {ANYTIME} mode does not "
            "keep; simulate with budget=T for the time of interest"
        )
    check_paired(first, second)
    timed = first.mode == FIXED_CONFIDENCE
    x = (first.stopping_times if timed else first.errors).astype(np.float64)
    y = (second.stopping_times if timed else second.errors).astype(np.float64)
    gaps = x - y
    se = float(gaps.std(ddof=1)) / math.sqrt(len(gaps)) if len(gaps) > 1 else math.inf
    spread = normal_quantile(0.5 + 0.5 * level) * se
    mean = float(gaps.mean())
    varies = len(x) > 1 and x.std() > 0.0 and y.std() > 0.0
    return Comparison(
        first=first.algorithm,
        second=second.algorithm,
        quantity="stopping time" if timed else "error",
        difference=mean,
        se=se,
        low=mean - spread,
        high=mean + spread,
        correlation=float(np.corrcoef(x, y)[0, 1]) if varies else 0.0,
    )


def check_paired(first: RunResult, second: RunResult) -> None:
    """Raise an InputError unless the two are of the same runs, one by one."""
    same = (
        first.mode == second.mode
        and first.instance == second.instance
        and (first.job.seed, first.first, first.runs)
        == (second.job.seed, second.first, second.runs)
    )
    if not same:
        raise InputError("paired results need the same instance, mode, seed and runs")
