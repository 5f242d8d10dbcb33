"""Figures without pyplot: panels in rows at fixed positions, one legend for all of them."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from goodarm.extras import LAB, need

if TYPE_CHECKING:
    from typing import Literal

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

    Layout = Literal["constrained", "tight"]

PANEL_WIDTH, PANEL_HEIGHT = 4.7, 3.3  # inches, with the labels
LEFT, RIGHT, BOTTOM, TOP = 0.85, 0.15, 0.52, 0.34  # of a panel, outside its axes
LEGEND_COLUMNS, LEGEND_ROW = 4, 0.24
NARROW = 1.9  # decades
LOG_FROM = 8.0  # a logarithmic axis where values differ by more than this factor
GRID = "#e3e3e3"


def new_figure(width: float, height: float, layout: "Layout | None" = None) -> "Figure":
    """An empty figure, so many inches wide and high, that can be saved."""
    need(LAB, "a picture")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout=layout)
    FigureCanvasAgg(figure)
    return figure


def new_panels(
    titles: Sequence[str], columns: int = 2, names: int = 0
) -> "tuple[Figure, list[Axes]]":
    """A figure with one panel for each title, filled row by row.

    Room is left at the foot for a `shared_legend` of that many names.
    """
    columns = min(columns, len(titles))
    rows = -(-len(titles) // columns)
    foot = -(-names // LEGEND_COLUMNS) * LEGEND_ROW + (0.1 if names else 0.0)
    panel_width = max(PANEL_WIDTH, 7.0 / columns)
    width, height = panel_width * columns, PANEL_HEIGHT * rows + foot
    figure = new_figure(width, height)
    axes = []
    for index, title in enumerate(titles):
        row, column = divmod(index, columns)
        left = column * panel_width + LEFT
        bottom = foot + (rows - 1 - row) * PANEL_HEIGHT + BOTTOM
        across, up = panel_width - LEFT - RIGHT, PANEL_HEIGHT - BOTTOM - TOP
        ax = figure.add_axes((left / width, bottom / height, across / width, up / height))
        ax.set_title(title, loc="left", fontsize=10)
        axes.append(ax)
    return figure, axes


def axes_or_new(ax: "Axes | None") -> "Axes":
    """The axes themselves, or those of a new figure."""
    return new_panels([""])[1][0] if ax is None else ax


def figure_of(ax: "Axes") -> "Figure":
    """The figure that the axes are part of."""
    from matplotlib.figure import Figure

    figure = ax.get_figure()
    assert isinstance(figure, Figure)
    return figure


def calm(ax: "Axes") -> None:
    """A light grid behind the data, no box around it."""
    ax.grid(True, which="major", color=GRID, linewidth=0.6)
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.tick_params(labelsize=8.5)


def log_ticks(axis: "Axis") -> None:
    """A logarithmic axis with numbers that do not overlap: decades, and 2 and 5 where they fit."""
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    low, high = axis.get_view_interval()
    decades = math.log10(high / low)
    subs = (1.0, 2.0, 5.0) if decades < NARROW else (1.0,)
    axis.set_major_locator(LogLocator(base=10.0, subs=subs, numticks=12))
    axis.set_minor_formatter(NullFormatter())
    if low >= 1.0:
        axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    elif decades < NARROW:
        axis.set_major_formatter(StrMethodFormatter("{x:g}"))


def shared_legend(figure: "Figure", axes: "Sequence[Axes]") -> None:
    """One legend under all panels, each name once."""
    entries: dict[str, Artist] = {}
    for ax in axes:
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
            entries.setdefault(label, handle)
    figure.legend(
        handles=list(entries.values()),
        labels=list(entries),
        loc="lower center",
        ncols=min(LEGEND_COLUMNS, max(len(entries), 1)),
        fontsize=8.5,
        frameon=False,
        handlelength=3.6,
        borderaxespad=0.2,
        labelspacing=0.45,
    )
