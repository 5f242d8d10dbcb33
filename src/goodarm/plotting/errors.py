"""Probabilities of error against time or budget, with Wilson's bands."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goodarm.plotting.figures import LOG_FROM, axes_or_new, calm, log_ticks
from goodarm.plotting.styles import THICK, THIN, style
from goodarm.simulation import AnytimeResult, RunResult, wilson

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARKERS_PER_CURVE = 9


@dataclass(frozen=True)
class ErrorCurve:
    """In how many of `runs` runs the answer at each x (time or budget) was wrong.

    Where `defined` is false there was no answer yet: such points are left out everywhere.
    """

    x: NDArray[np.int64]
    errors: NDArray[np.int64]
    runs: int
    defined: NDArray[np.bool_]

    @classmethod
    def by_time(cls, result: AnytimeResult) -> "ErrorCurve":
        """The curve of an anytime simulation."""
        return cls(result.times, result.error_counts, result.runs, result.defined)

    @classmethod
    def by_budget(cls, results: Mapping[int, RunResult]) -> "ErrorCurve":
        """The curve of simulations with several budgets, all with the same number of runs."""
        budgets = sorted(results)
        counts = [int(results[budget].errors.sum()) for budget in budgets]
        return cls.from_counts(budgets, counts, results[budgets[0]].runs)

    @classmethod
    def from_counts(cls, x: ArrayLike, errors: ArrayLike, runs: int) -> "ErrorCurve":
        """The curve of counts that are defined everywhere."""
        at = np.asarray(x, dtype=np.int64)
        return cls(at, np.asarray(errors, dtype=np.int64), runs, np.ones(len(at), dtype=np.bool_))

    @property
    def rate(self) -> NDArray[np.float64]:
        """The share of wrong answers at each x."""
        return self.errors / self.runs


def plot_error(results: Mapping[str, AnytimeResult], ax: "Axes | None" = None) -> "Axes":
    """The error of anytime simulations at every time, one curve per algorithm."""
    curves = {name: ErrorCurve.by_time(result) for name, result in results.items()}
    return plot_error_curves(curves, ax)


def plot_error_by_budget(
    results: Mapping[str, Mapping[int, RunResult]], ax: "Axes | None" = None
) -> "Axes":
    """The error of fixed-budget simulations against the budget, one curve per algorithm."""
    curves = {name: ErrorCurve.by_budget(by) for name, by in results.items()}
    return plot_error_curves(curves, ax, x_label="budget T")


def plot_error_curves(
    curves: Mapping[str, ErrorCurve],
    ax: "Axes | None" = None,
    x_label: str = "observations t",
    log_x: bool = False,
) -> "Axes":
    """Error curves with 95 % bands; logarithmic where errors get small.

    On a logarithmic axis a curve ends where no run erred, and an algorithm that never erred is
    named in the corner. A dotted line shows how large the error may still be there: the upper
    limit of the interval for no error in that many runs.
    """
    ax = axes_or_new(ax)
    rates = np.concatenate([curve.rate[curve.defined] for curve in curves.values()])
    positive = rates[rates > 0.0]
    unseen = positive.size < rates.size  # somewhere no run erred
    logarithmic = positive.size > 0 and (unseen or positive.max() > LOG_FROM * positive.min())
    runs = max(curve.runs for curve in curves.values())
    floor = (0.6 / runs if unseen else 0.5 * float(positive.min())) if logarithmic else 0.0
    for index, (name, curve) in enumerate(curves.items()):
        _draw(ax, name, curve, floor, index / len(curves))
    if logarithmic:
        ax.set_yscale("log")
        ax.set_ylim(floor, min(1.0, 2.0 * float(positive.max())))
        log_ticks(ax.yaxis)
        if unseen:
            ax.axhline(float(wilson(0, runs)[1]), color="#777777", linewidth=0.9, linestyle=":")
    else:
        ax.set_ylim(bottom=0.0)
    perfect = [style(name).label for name, curve in curves.items() if not curve.errors.any()]
    if logarithmic and perfect:
        note = "no error seen:\n" + "\n".join(perfect)
        ax.text(0.98, 0.97, note, ha="right", va="top", fontsize=7.5, transform=ax.transAxes)
    every_x = np.concatenate([curve.x[curve.defined] for curve in curves.values()])
    _whole_range(ax, float(every_x.min()), float(every_x.max()), log_x)
    ax.set_xlabel(x_label, fontsize=9)
    ax.set_ylabel("error", fontsize=9)
    calm(ax)
    return ax


def _whole_range(ax: "Axes", low: float, high: float, log_x: bool) -> None:
    """Show all points, also those at which no run erred."""
    if log_x:
        ax.set_xscale("log")
        ax.set_xlim(low / (high / low) ** 0.04, high * (high / low) ** 0.04)
        log_ticks(ax.xaxis)
    else:
        room = 0.04 * (high - low) or 1.0
        ax.set_xlim(low - room, high + room)


def _draw(ax: "Axes", name: str, curve: ErrorCurve, floor: float, offset: float) -> None:
    look = style(name)
    x, errors = curve.x[curve.defined], curve.errors[curve.defined]
    visible = (errors > 0) | (floor == 0.0)  # what a logarithmic axis can show
    low, high = wilson(errors, curve.runs)
    ax.fill_between(x, np.maximum(low, floor), high, where=visible, **look.band(0.12))
    every = max(1, len(x) // MARKERS_PER_CURVE)
    rates = np.where(visible, errors / curve.runs, np.nan)
    width = THICK if name == "APGAI" else THIN
    marks = (int(offset * every), every)
    ax.plot(x, rates, linewidth=width, markevery=marks, **look.line(), **look.markers(4.8))
