"""Stopping times: boxes that show the whole distribution, and means against a parameter."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from goodarm.plotting.figures import LOG_FROM, axes_or_new, calm, log_ticks
from goodarm.plotting.styles import THICK, THIN, Style, style
from goodarm.simulation import RunResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BOX, WHISKERS = (0.25, 0.75), (0.01, 0.99)
HEIGHT = 0.56


def plot_stopping_times(results: Mapping[str, RunResult], ax: "Axes | None" = None) -> "Axes":
    """One box per algorithm, on a logarithmic axis.

    The box holds the middle half of the runs with a line at the median; whiskers reach from the
    1 % to the 99 % quantile; every run beyond them is a dot; the algorithm's marker is the mean.
    Where runs were given up at the cap, their share is written beside the box.
    """
    ax = axes_or_new(ax)
    for height, (name, result) in enumerate(results.items()):
        _box(ax, height, style(name), result)
    ax.set_xscale("log")
    ax.set_yticks(range(len(results)), [style(name).label for name in results], fontsize=8.5)
    ax.set_ylim(len(results) - 0.5, -0.5)
    ax.set_xlabel("stopping time", fontsize=9)
    ax.margins(x=0.08)
    log_ticks(ax.xaxis)
    calm(ax)
    ax.grid(False, axis="y")
    return ax


def _box(ax: "Axes", y: int, look: Style, result: RunResult) -> None:
    times, colour = result.stopping_times, look.colour
    low, high = np.quantile(times, WHISKERS)
    first, third = np.quantile(times, BOX)
    top, bottom = y - HEIGHT / 2, y + HEIGHT / 2
    ax.fill_betweenx([top, bottom], first, third, facecolor=colour, edgecolor=colour, alpha=0.25)
    outline = ([first, third, third, first, first], [top, top, bottom, bottom, top])
    ax.plot(*outline, color=colour, linewidth=1.0)
    ax.hlines([y, y], [low, third], [first, high], color=colour, linewidth=1.2)
    ax.vlines([low, high], y - HEIGHT / 4, y + HEIGHT / 4, color=colour, linewidth=1.2)
    ax.vlines(float(np.median(times)), top, bottom, color=colour, linewidth=2.4)
    beyond = times[(times < low) | (times > high)]
    dots = ax.plot(beyond, np.full(len(beyond), y), ".", color=colour, alpha=0.5, zorder=1)
    dots[0].set(markersize=2.5, rasterized=True)
    ax.plot(result.mean, y, color=colour, linestyle="none", zorder=3, **look.markers(5.5))
    capped = 1.0 - float(result.stopped.mean())
    if capped > 0.0:
        ax.annotate(
            f"{100 * capped:.3g} % at the cap",
            (result.job.limit, y),
            xytext=(0, -8),
            textcoords="offset points",
            ha="right",
            va="top",
            fontsize=7.5,
            color=colour,
        )


def plot_mean_stopping_times(
    x: Sequence[float],
    results: Mapping[str, Sequence[RunResult]],
    ax: "Axes | None" = None,
    x_label: str = "number of good arms",
) -> "Axes":
    """Mean stopping times against a parameter, with bands of one standard deviation.

    A band ends at the shortest run: below it there is nothing, even where a heavy tail makes the
    standard deviation larger than the mean.
    """
    ax = axes_or_new(ax)
    means = {name: np.array([r.mean for r in row]) for name, row in results.items()}
    for name, row in results.items():
        look, mean = style(name), means[name]
        spread = np.array([r.std for r in row])
        shortest = np.array([float(r.stopping_times.min()) for r in row])
        low, high = np.maximum(mean - spread, shortest), mean + spread
        ax.fill_between(x, low, high, **look.band(0.13))
        width = THICK if name == "APGAI" else THIN
        ax.plot(x, mean, linewidth=width, **look.line(), **look.markers(4.5))
    everything = np.concatenate(list(means.values()))
    if everything.max() > LOG_FROM * everything.min():
        ax.set_yscale("log")
        log_ticks(ax.yaxis)
    ax.set_xlabel(x_label, fontsize=9)
    ax.set_ylabel("stopping time", fontsize=9)
    calm(ax)
    return ax
