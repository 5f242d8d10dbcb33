"""Pictures of the league of errors: a heat map of algorithms and instances, and profile curves."""

from typing import TYPE_CHECKING

import numpy as np

from goodarm.league.errors.results import League
from goodarm.league.errors.scores import resolved_ratios, standings, worst_by_column
from goodarm.league.heat_map import draw_heat_map
from goodarm.plotting import new_panels, shared_legend, style
from goodarm.plotting.figures import calm

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DARKEST = 1000.0  # ratios beyond are as dark


def heat_map(league: League) -> "Figure":
    """The worst ratio of every algorithm on every instance; each random family is one column."""
    columns, worst = worst_by_column(league)
    order = [league.algorithms.index(standing.algorithm) for standing in standings(league)]
    names = [league.algorithms[index] for index in order]
    return draw_heat_map(
        columns, names, worst[order], "worst error over the best algorithm's", DARKEST
    )


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
