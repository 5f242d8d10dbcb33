import numpy as np
import pytest
from matplotlib.figure import Figure

from goodarm.instance import instances
from goodarm.plotting import ErrorCurve
from goodarm.plotting.bounds import plot_bounds
from goodarm.theory import ErrorBound


def curve(times, rates, runs=1000):
    return ErrorCurve.from_counts(times, np.round(np.asarray(rates) * runs), runs)


def test_lines_are_the_bounds():
    ax = plot_bounds(instances["NoA2"], 50_000)
    lines = {line.get_label(): line for line in ax.get_lines()}
    x, y = lines["APGAI, bound"].get_data()
    assert x.min() >= 12_354
    expected = np.exp(ErrorBound(instances["NoA2"], "APGAI").log(x))
    assert y == pytest.approx(expected)
    assert (y < 1).all()
    assert ax.get_xscale() == ax.get_yscale() == "log"
    assert ax.get_xlabel()
    assert ax.get_ylabel()


def test_lines_differ_without_colour():
    lines = [
        x for x in plot_bounds(instances["IsA1"], 10**6).get_lines() if "bound" in x.get_label()
    ]
    assert len({str(line._dash_pattern) for line in lines}) == len(lines) == 8


def test_simulated_curves_and_two_readings():
    simulated = {"APGAI": curve([10, 100, 1000, 2000], [0.5, 0.1, 0.01, 0.0])}
    ax = plot_bounds(instances["NoA2"], 20_000, simulated, readings=("published", "corrected"))
    labels = [line.get_label() for line in ax.get_lines()]
    assert "APGAI, simulated (95 % band)" in labels
    assert "Unif, bound (published)" in labels
    assert len(ax.collections) == 1  # the band
    assert ax.get_ylim()[0] < 0.01


def test_into_a_figure_of_ones_own():
    ax = Figure().add_subplot()
    assert plot_bounds(instances["TwoG:1:1"], 100, ax=ax) is ax
