"""A heat map of algorithms and instances, for either league."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from goodarm.plotting.figures import new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PALE_TEXT_BEYOND = 2.0 / 3.0  # of the way to the darkest, on a logarithmic scale


def draw_heat_map(
    columns: Sequence[str],
    rows: Sequence[str],
    ratios: NDArray[np.float64],
    title: str,
    darkest: float,
    decimals: int = 1,
) -> "Figure":
    """[row, column]: ratios of at least 1, the darker the larger; NaN where nothing is known."""
    figure = new_figure(2.6 + 0.42 * len(columns), 1.9 + 0.3 * len(rows), "tight")
    from matplotlib.colors import LogNorm

    ax = figure.add_subplot()
    ax.imshow(ratios, norm=LogNorm(1.0, darkest), cmap="YlOrRd", aspect="auto")
    for (y, x), value in np.ndenumerate(ratios):
        colour = "white" if value > darkest**PALE_TEXT_BEYOND else "black"
        ax.text(x, y, _short(value, decimals), ha="center", va="center", fontsize=7, color=colour)
    ax.set_xticks(range(len(columns)), columns, rotation=60, ha="right", fontsize=8)
    ax.set_yticks(range(len(rows)), rows, fontsize=8)
    ax.set_title(title, loc="left", fontsize=10)
    return figure


def _short(value: float, decimals: int) -> str:
    """A ratio in at most four characters."""
    if np.isnan(value):
        return "–"  # nothing is known
    if value >= 999.5:
        return f"{value:.0e}".replace("e+0", "e")
    return f"{value:.{decimals}f}" if value < 9.95 else f"{value:.0f}"
