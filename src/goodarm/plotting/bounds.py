"""A picture of the theory's error bounds, and of simulated errors, against time."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from goodarm.instance import Instance
from goodarm.plotting.errors import ErrorCurve
from goodarm.plotting.figures import calm, new_figure
from goodarm.plotting.styles import style
from goodarm.simulation import wilson
from goodarm.theory.error_formulas import ERROR_THEOREMS
from goodarm.theory.quantities import Array
from goodarm.theory.readings import CORRECTED
from goodarm.theory.upper_bounds import ErrorBound

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_bounds(
    instance: Instance,
    horizon: float,
    simulated: Mapping[str, ErrorCurve] | None = None,
    readings: Sequence[str] = (CORRECTED,),
    algorithms: Sequence[str] = tuple(ERROR_THEOREMS),
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw each algorithm's bound up to `horizon`, and simulated errors with their bands.

    Where a bound is above 1 it is not drawn. With two readings the published one is thinner.
    """
    if ax is None:
        ax = _new_axes()
    times = np.unique(np.floor(np.geomspace(instance.K, max(horizon, 2.0 * instance.K), 600)))
    if "Unif" in algorithms and instance.K > 1:
        times = np.unique(
            np.concatenate([times, np.maximum(instance.K, times // instance.K * instance.K)])
        )
    curves = dict(simulated or {})
    floor = _floor(curves)
    for algorithm in algorithms:
        for reading in readings:
            bound = ErrorBound(instance, algorithm, reading)
            _draw_bound(ax, bound, times, floor, named=len(readings) > 1)
    for algorithm, curve in curves.items():
        _draw_simulated(ax, algorithm, curve, floor)
    _label(ax, instance, times, floor)
    return ax


def _new_axes() -> "Axes":
    """The axes of a figure with room for a legend beside them."""
    figure = new_figure(9.0, 5.6, "constrained")
    return figure.add_subplot()


def _floor(curves: Mapping[str, ErrorCurve]) -> float:
    """The lowest probability shown: a decade below what the runs can see, 1e-6 without any."""
    limits = [wilson(curve.errors[curve.defined], curve.runs)[1] for curve in curves.values()]
    least = [float(high.min()) for high in limits if high.size]
    return 10.0 ** math.floor(math.log10(0.1 * min(least))) if least else 1e-6


def _draw_bound(ax: "Axes", bound: ErrorBound, times: Array, floor: float, named: bool) -> None:
    """One bound; with its reading in its name if there are several."""
    logs = bound.log(times)
    visible = (logs < 0.0) & (logs > math.log(floor) - 3.0)
    if not visible.any():
        return
    look = style(bound.theorem.name)
    label = f"{look.label}, bound" + (f" ({bound.reading})" if named else "")
    width = 0.9 if named and bound.published else 1.8
    appearance: dict[str, Any] = look.line() | {"label": label, "linewidth": width}
    ax.plot(times[visible], np.exp(logs[visible]), **appearance)


def _draw_simulated(ax: "Axes", algorithm: str, curve: ErrorCurve, floor: float) -> None:
    """One curve with its band, up to the first time after its last error.

    Beyond, the band would be a grey box.
    """
    look = style(algorithm)
    times, errors = curve.x[curve.defined], curve.errors[curve.defined]
    erring = np.flatnonzero(errors)
    end = int(erring[-1]) + 2 if erring.size else len(errors)
    times, errors = times[:end], errors[:end]
    low, high = wilson(errors, curve.runs)
    ax.fill_between(times, np.maximum(low, 0.1 * floor), high, **look.band(0.18))
    positive = errors > 0
    ax.plot(
        times[positive],
        errors[positive] / curve.runs,
        color=look.colour,
        linewidth=0.8,
        markevery=max(1, int(positive.sum()) // 12),
        label=f"{look.label}, simulated (95 % band)",
        **look.markers(5.0),
    )


def _label(ax: "Axes", instance: Instance, times: Array, floor: float) -> None:
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlim(float(times[0]), float(times[-1]))
    ax.set_ylim(floor, 1.5)
    ax.axhline(1.0, color="#bbbbbb", linewidth=0.8, zorder=0)
    ax.set_xlabel("observations t (for fixed-budget algorithms, the budget T)")
    ax.set_ylabel("probability of a wrong answer")
    ax.set_title(f"{instance.name}: error bounds and simulated errors", loc="left")
    calm(ax)
    ax.legend(
        fontsize="small",
        loc="center left",
        bbox_to_anchor=(1.01, 0.5),
        frameon=False,
        handlelength=4.0,
    )
