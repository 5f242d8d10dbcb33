"""Pictures: what is drawn where, looked up in the axes."""

import subprocess
import sys

import numpy as np
import pytest

from goodarm import simulate
from goodarm.algorithms import algorithms
from goodarm.plotting import (
    ErrorCurve,
    new_panels,
    plot_error,
    plot_error_by_budget,
    plot_error_curves,
    plot_mean_stopping_times,
    plot_stopping_times,
    shared_legend,
    style,
)

TOGETHER = [
    ("APGAI", "PKGAI(APT_P)", "PKGAI(LCB-G)", "PKGAI(UCB)", "PKGAI(Unif)", "SH-G", "SR-G", "Unif"),
    ("APGAI", "Unif", "DSR-G", "DSH-G", "DSH-G-WR"),
    ("APGAI", "APGAI-FE", "TaS", "MS", "HDoC", "LUCB-G", "APT-G", "SEE", "S-TaS", "Unif"),
]


@pytest.mark.parametrize("names", TOGETHER)
def test_algorithms_drawn_together_differ_in_colour_and_in_marker(names) -> None:
    looks = [style(name) for name in names]
    assert len({look.colour for look in looks}) == len(names)
    assert len({look.marker for look in looks}) == len(names)


def test_every_algorithm_has_a_look_and_options_do_not_change_it() -> None:
    for name in algorithms:
        assert style(name)[:3] == style(f"{name}[x=1]")[:3]
    assert style("PKGAI(APT_P)").label == "PKGAI(APT$_P$)"
    assert style("Somebody's own") == style("Somebody's own")


def curve(rates, runs=1000, defined=None) -> ErrorCurve:
    rates = np.array(rates)
    here = np.ones(len(rates), bool) if defined is None else np.array(defined)
    return ErrorCurve(
        np.arange(1, len(rates) + 1), np.round(rates * runs).astype(np.int64), runs, here
    )


def test_small_errors_get_a_logarithmic_axis_and_zeros_are_not_drawn() -> None:
    ax = plot_error_curves({"APGAI": curve([0.5, 0.1, 0.001, 0.0])})
    assert ax.get_yscale() == "log"
    drawn = ax.lines[0].get_ydata()
    assert np.isnan(drawn[3])
    assert drawn[:3] == pytest.approx([0.5, 0.1, 0.001])
    assert plot_error_curves({"APGAI": curve([0.5, 0.4])}).get_yscale() == "linear"


def test_places_without_errors_are_still_shown() -> None:
    shown = {"APGAI": curve([0.5, 0.1, 0.0, 0.0]), "DSR-G": curve([0.0, 0.0, 0.0, 0.0])}
    ax = plot_error_curves(shown)
    low, high = ax.get_xlim()
    assert low < 1
    assert high > 4
    assert [text.get_text() for text in ax.texts] == ["no error seen:\nDSR-G"]


def test_undefined_times_are_left_out() -> None:
    shown = {"DSR-G": curve([0.0, 0.3, 0.2], defined=[False, True, True])}
    assert plot_error_curves(shown).lines[0].get_xdata().tolist() == [2, 3]


def test_curves_from_results() -> None:
    anytime = simulate("NoA1", ["APGAI", "DSR-G"], horizon=60, runs=30)
    ax = plot_error(anytime)
    assert [line.get_label() for line in ax.lines[:2]] == ["APGAI", "DSR-G"]
    assert ax.lines[0].get_xdata()[0] == 1
    assert ax.lines[1].get_xdata()[0] > 5
    budgets = {T: simulate("NoA1", "SR-G", budget=T, runs=30)["SR-G"] for T in (40, 20)}
    ax = plot_error_by_budget({"SR-G": budgets})
    assert ax.lines[0].get_xdata().tolist() == [20, 40]
    assert ax.get_xlabel() == "budget T"


def test_boxes_show_quantiles_mean_and_the_capped_share() -> None:
    found = simulate("IsA1", ["APGAI", "Unif"], delta=0.01, cap=700, runs=400)
    figure, (ax,) = new_panels(["IsA1"])
    assert plot_stopping_times(found, ax) is ax
    assert ax.get_xscale() == "log"
    assert [label.get_text() for label in ax.get_yticklabels()] == ["APGAI", "Unif"]
    means = [line.get_xdata()[0] for line in ax.lines if line.get_marker() in ("o", "s")]
    assert means == pytest.approx([found["APGAI"].mean, found["Unif"].mean])
    texts = [text.get_text() for text in ax.texts]
    capped = 100 * (1 - found["Unif"].stopped.mean())
    assert f"{capped:.3g} % at the cap" in texts
    assert figure.axes == [ax]


def test_means_with_bands_stay_above_the_shortest_run() -> None:
    rows = {
        name: [simulate(f"TwoG(6, {g})", name, delta=0.1, runs=40, cap=5000)[name] for g in (1, 3)]
        for name in ("APGAI", "Unif")
    }
    ax = plot_mean_stopping_times((1, 3), rows)
    band = ax.collections[0].get_paths()[0].vertices[:, 1]
    assert band.min() >= min(r.stopping_times.min() for r in rows["APGAI"])
    assert ax.get_xlabel() == "number of good arms"


def test_panels_and_one_legend() -> None:
    figure, axes = new_panels(["a", "b", "c"], columns=2, names=2)
    for ax in axes:
        plot_error_curves({"APGAI": curve([0.5, 0.4]), "Unif": curve([0.6, 0.5])}, ax)
    shared_legend(figure, axes)
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["APGAI", "Unif"]
    figure.canvas.draw()
    boxes = [ax.get_tightbbox() for ax in axes] + [legend.get_window_extent()]
    for i, one in enumerate(boxes):
        assert not any(one.overlaps(other) for other in boxes[i + 1 :])


def test_no_global_state() -> None:
    code = "import sys, goodarm.plotting as p; p.new_panels(['x']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "matplotlib.figure" in done.stdout.split()
    assert "matplotlib.pyplot" not in done.stdout.split()
