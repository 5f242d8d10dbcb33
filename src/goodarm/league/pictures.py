"""Pictures of the league: a heat map of rules and instances, and profile curves."""

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
    """The worst ratio of every rule on every instance, best rule first; random families as one."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.colors import LogNorm
    from matplotlib.figure import Figure

    columns, worst = worst_by_column(league)
    order = [league.rules.index(standing.rule) for standing in standings(league)]
    figure = Figure(figsize=(2.6 + 0.42 * len(columns), 1.9 + 0.3 * len(order)), layout="tight")
    FigureCanvasAgg(figure)
    ax = figure.add_subplot()
    ax.imshow(worst[order], norm=LogNorm(1.0, DARKEST), cmap="YlOrRd", aspect="auto")
    for y, rule in enumerate(order):
        for x in range(len(columns)):
            value = worst[rule, x]
            colour = "white" if value > 100.0 else "black"
            ax.text(x, y, _short(value), ha="center", va="center", fontsize=7, color=colour)
    ax.set_xticks(range(len(columns)), columns, rotation=60, ha="right", fontsize=8)
    ax.set_yticks(range(len(order)), [league.rules[rule] for rule in order], fontsize=8)
    ax.set_title("worst error over the best rule's", loc="left", fontsize=10)
    return figure


def _short(value: float) -> str:
    """A ratio in at most four characters."""
    if np.isnan(value):
        return "–"  # nothing is known
    if value >= 999.5:
        return f"{value:.0e}".replace("e+0", "e")
    return f"{value:.1f}" if value < 9.95 else f"{value:.0f}"


def profile(league: League, shown: int = 9) -> "Figure":
    """At how many instances and times a rule's error is beyond a factor of the best.

    The best rules, APGAI and Unif; of a family of rules only that without options.
    """
    best = [s.rule for s in standings(league) if "[" not in s.rule]
    last = [rule for rule in ("APGAI", "Unif") if rule in best]
    chosen = list(dict.fromkeys([*best[: shown - 2], *last]))
    table = np.concatenate([resolved_ratios(row, league.rules) for row in league.rows], axis=1)
    figure, (ax,) = new_panels([""], 1, len(chosen))
    grid = np.geomspace(1.0, DARKEST, 300)
    for rule in chosen:
        mine = table[league.rules.index(rule)]
        known = np.sort(mine[~np.isnan(mine)])
        look = style(rule)
        share = np.searchsorted(known, grid, side="right") / len(known)
        ax.plot(
            grid, 1.0 - share, color=look.colour, linestyle=look.dashes, label=look.label,
            linewidth=2.2 if rule == best[0] else 1.3,
        )  # fmt: skip
    ax.set_xscale("log")
    ax.set_yscale("symlog", linthresh=0.001)
    ax.set_ylim(0.0, 1.0)
    marks = [1, 2, 5, 10, 100, 1000]
    ax.set_xticks(marks, [f"{mark:,}" for mark in marks])
    ax.set_xticks([], minor=True)
    ax.set_yticks([0, 0.001, 0.01, 0.1, 1], ["0", "0.1 %", "1 %", "10 %", "100 %"])
    ax.set_xlabel("factor over the best rule's error", fontsize=9)
    ax.set_ylabel("share of places beyond it", fontsize=9)
    calm(ax)
    shared_legend(figure, [ax])
    return figure
