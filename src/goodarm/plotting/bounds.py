"""A picture of the bounds, and of simulated errors, against time."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from goodarm.instance import Instance
from goodarm.theory.error_formulas import ERROR_THEOREMS
from goodarm.theory.quantities import Array
from goodarm.theory.readings import CORRECTED
from goodarm.theory.upper_bounds import ErrorBound

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Colours of clearly different lightness, and a dash pattern or a marker each: readable in grey.
_STYLES: dict[str, tuple[str, Any, str]] = {
    "APGAI": ("#000000", "-", "o"),
    "Unif": ("#d55e00", (0, (6, 2)), "s"),
    "SR-G": ("#0072b2", (0, (1, 1)), "^"),
    "SH-G": ("#56b4e9", (0, (3, 1, 1, 1)), "v"),
    "DSR-G": ("#005b4b", (0, (4, 1, 1, 1, 1, 1)), "D"),
    "DSH-G": ("#cc79a7", (0, (8, 3)), "P"),
    "PKGAI": ("#8a8a8a", (0, (2, 2)), "X"),
    "PKGAI(Unif)": ("#e69f00", (0, (5, 1, 1, 1)), "*"),
}


class ErrorCurve(NamedTuple):
    """Simulated error rates at some times with the limits of their intervals."""

    times: Array
    rate: Array
    low: Array
    high: Array


def plot_bounds(
    instance: Instance,
    horizon: float,
    simulated: Mapping[str, ErrorCurve] | None = None,
    readings: Sequence[str] = (CORRECTED,),
    rules: Sequence[str] = tuple(ERROR_THEOREMS),
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw each rule's bound up to `horizon`, and simulated errors with their bands.

    Where a bound is above 1 it is not drawn. With two readings the printed one is thinner.
    """
    if ax is None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        figure = Figure(figsize=(9.0, 5.6), layout="constrained")
        FigureCanvasAgg(figure)
        ax = figure.add_subplot()
    times = np.unique(np.floor(np.geomspace(instance.K, max(horizon, 2.0 * instance.K), 600)))
    if "Unif" in rules and instance.K > 1:
        times = np.unique(
            np.concatenate([times, np.maximum(instance.K, times // instance.K * instance.K)])
        )
    curves = dict(simulated or {})
    floor = _floor(curves)
    for rule in rules:
        for reading in readings:
            _draw_bound(ax, instance, rule, reading, times, floor, len(readings) > 1)
    for rule, curve in curves.items():
        _draw_simulated(ax, rule, curve, floor)
    _label(ax, instance, times, floor)
    return ax


def _floor(curves: Mapping[str, ErrorCurve]) -> float:
    """The lowest probability shown: a decade below what the runs can see, 1e-6 without any."""
    seen = [float(c.high[c.high > 0.0].min()) for c in curves.values() if (c.high > 0.0).any()]
    return 10.0 ** math.floor(math.log10(0.1 * min(seen))) if seen else 1e-6


def _draw_bound(
    ax: "Axes", instance: Instance, rule: str, reading: str, times: Array, floor: float, both: bool
) -> None:
    logs = ErrorBound(instance, rule, reading).log(times)
    shown = (logs < 0.0) & (logs > math.log(floor) - 3.0)
    if not shown.any():
        return
    colour, dashes, _ = _STYLES[rule]
    label = f"{rule}, bound" + (f" ({reading})" if both else "")
    thin = both and reading != CORRECTED
    ax.plot(
        times[shown], np.exp(logs[shown]), color=colour, linestyle=dashes,
        linewidth=0.9 if thin else 1.8, label=label,
    )  # fmt: skip


def _draw_simulated(ax: "Axes", rule: str, curve: ErrorCurve, floor: float) -> None:
    colour, _, marker = _STYLES.get(rule, ("#444444", "-", "."))
    curve = _until_last_error(curve)
    ax.fill_between(
        curve.times, np.maximum(curve.low, 0.1 * floor), curve.high,
        color=colour, alpha=0.18, linewidth=0.0,
    )  # fmt: skip
    positive = curve.rate > 0.0
    ax.plot(
        curve.times[positive], curve.rate[positive], color=colour, linewidth=0.8, marker=marker,
        markersize=5.0, markerfacecolor="white", markevery=max(1, int(positive.sum()) // 12),
        label=f"{rule}, simulated (95 % band)",
    )  # fmt: skip


def _until_last_error(curve: ErrorCurve) -> ErrorCurve:
    """Without the times after the last error, one excepted: their band would be a grey box."""
    last = np.flatnonzero(curve.rate > 0.0)
    end = len(curve.times) if len(last) == 0 else int(last[-1]) + 2
    return ErrorCurve(*(part[:end] for part in curve))


def _label(ax: "Axes", instance: Instance, times: Array, floor: float) -> None:
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlim(float(times[0]), float(times[-1]))
    ax.set_ylim(floor, 1.5)
    ax.axhline(1.0, color="#bbbbbb", linewidth=0.8, zorder=0)
    ax.set_xlabel("observations t (for fixed-budget rules, the budget T)")
    ax.set_ylabel("probability of a wrong answer")
    ax.set_title(f"{instance.name}: error bounds and simulated errors", loc="left")
    ax.grid(True, which="major", color="#e5e5e5", linewidth=0.6)
    ax.legend(
        fontsize="small",
        loc="center left",
        bbox_to_anchor=(1.01, 0.5),
        frameon=False,
        handlelength=4.0,
    )
