"""Pictures of results, every algorithm drawn alike everywhere.

`styles.py` has one colour, marker and dash pattern for each algorithm, `errors.py` draws
probabilities of error against time or budget, `times.py` stopping times, `bounds.py` the theory's
bounds, `studies.py` live studies, `figures.py` lays out panels. Every `plot_*` function draws on
the axes it is given, or on new ones, and returns them; no global state is touched, so they work in
scripts, notebooks and threads alike.
"""

from goodarm.plotting.errors import (
    ErrorCurve,
    plot_error,
    plot_error_by_budget,
    plot_error_curves,
)
from goodarm.plotting.figures import new_panels, shared_legend
from goodarm.plotting.studies import draw_study, plot_evidence, plot_study
from goodarm.plotting.styles import Style, style
from goodarm.plotting.times import plot_mean_stopping_times, plot_stopping_times

__all__ = [
    "ErrorCurve",
    "Style",
    "draw_study",
    "new_panels",
    "plot_error",
    "plot_error_by_budget",
    "plot_error_curves",
    "plot_evidence",
    "plot_mean_stopping_times",
    "plot_stopping_times",
    "plot_study",
    "shared_legend",
    "style",
]
