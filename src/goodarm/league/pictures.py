"""Pictures of the league: a heat map of algorithms and instances, and profile curves."""

from typing import TYPE_CHECKING

import numpy as np

from goodarm.league.results import League
from goodarm.league.scores import resolved_ratios, standings, worst_by_column
from goodarm.plotting import new_panels, shared_legend, style
from goodarm.plotting.figures import calm

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DARKEST = 1000.0  # ratios beyond are as dark


def heat_map(league: League) -> "Figure":
    """The worst ratio of every algorithm on every instance; each random family is one column."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.colors import LogNorm
    from matplotlib.figure import Figure

    columns, worst = worst_by_column(league)
    order = [league.algorithms.index(standing.algorithm) for standing in standings(league)]
    figure = Figure(figsize=(2.6 + 0.42 * len(columns), 1.9 + 0.3 * len(order)), layout="tight")
    FigureCanvasAgg(figure)
    ax = figure.add_subplot()
    ax.imshow(worst[order], norm=LogNorm(1.0, DARKEST), cmap="YlOrRd", aspect="auto")
    for y, index in enumerate(order):
        for x in range(len(columns)):
            value = worst[index, x]
            colour = "white" if value > 100.0 else "black"
            ax.text(x, y, _short(value), ha="center", va="center", fontsize=7, color=colour)
    ax.set_xticks(range(len(columns)), columns, rotation=60, ha="right", fontsize=8)
    ax.set_yticks(range(len(order)), [league.algorithms[index] for index in order], fontsize=8)
    ax.set_title("worst error over the best algorithm's", loc="left", fontsize=10)
    return figure


def _short(value: float) -> str:
    """A ratio in at most four characters."""
    if np.isnan(value):
        return "–"  # nothing is known
    if value >= 999.5:
        return f"{value:.0e}".replace("e+0", "e")
    return f"{value:.1f}" if value < 9.95 else f"{value:.0f}"


def profile(league: League, most: int = 9) -> "Figure":
    """At how many instances and times an algorithm's error is beyond a factor of the best.

    The best algorithms, APGAI and Unif; of a family of algorithms only that without options.
    """
    best = [s.algorithm for s in standings(league) if "[" not in s.algorithm]
    last = [algorithm for algorithm in ("APGAI", "Unif") if algorithm in best]
    chosen = list(dict.fromkeys([*best[: most - 2], *last]))
    table = np.concatenate([resolved_ratios(row, league.algorithms) for row in league.rows], axis=1)
    figure, (ax,) = new_panels([""], 1, len(chosen))
    grid = np.geomspace(1.0, DARKEST, 300)
    for algorithm in chosen:
        mine = table[league.algorithms.index(algorithm)]
        values = np.sort(mine[~np.isnan(mine)])
        share = np.searchsorted(values, grid, side="right") / len(values)
        width = 2.2 if algorithm == best[0] else 1.3
        ax.plot(grid, 1.0 - share, linewidth=width, **style(algorithm).line())
    ax.set_xscale("log")
    ax.set_yscale("symlog", linthresh=0.001)
    ax.set_ylim(0.0, 1.0)
    marks = [1, 2, 5, 10, 100, 1000]
    ax.set_xticks(marks, [f"{mark:,}" for mark in marks])
    ax.set_xticks([], minor=True)
    ax.set_yticks([0, 0.001, 0.01, 0.1, 1], ["0", "0.1 %", "1 %", "10 %", "100 %"])
    ax.set_xlabel("factor over the best algorithm's error", fontsize=9)
    ax.set_ylabel("share of spots beyond it", fontsize=9)
    calm(ax)
    shared_legend(figure, [ax])
    return figure
