"""Pictures of studies: what is drawn where."""

from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_hex

from goodarm import extras
from goodarm.errors import InputError
from goodarm.outcomes import Bernoulli, Gaussian
from goodarm.plotting import plot_evidence, plot_study
from goodarm.showing.forest import AGAINST, COLOURS, FOR, OPEN_COLOUR
from goodarm.study import Study


@pytest.fixture
def study(tmp_path: Path) -> Study:
    made = Study.create(
        "s", ["bad", "$x$ good", "new"], 0.5, Bernoulli(), 0.1, storage=tmp_path / "s"
    )
    made.tell_many([("bad", 0), ("$x$ good", 1)] * 20 + [("new", 1)])
    return made


def test_arms_are_sorted_and_stand_against_the_bar(study: Study) -> None:
    ax = plot_study(study)
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels == [r"\$x\$ good  (20)", "new  (1)", "bad  (20)"]
    by_name = {arm.arm: arm for arm in study.evidence}
    order = [by_name[name] for name in ("$x$ good", "new", "bad")]
    drawn = [line.get_segments()[0] for line in ax.collections]
    for y, (arm, segment) in enumerate(zip(order, drawn, strict=True)):
        assert segment == pytest.approx(np.array([[arm.low, y], [arm.high, y]]))
    colours = [to_hex(line.get_colors()[0]) for line in ax.collections]
    assert colours == [COLOURS[FOR], OPEN_COLOUR, COLOURS[AGAINST]]
    assert len({line.get_marker() for line in ax.lines[:3]}) == 3, "legible in grey, too"
    assert any(list(line.get_xdata()) == [0.5, 0.5] for line in ax.lines)
    assert "bar at 0.5" in ax.get_xlabel()
    assert plot_study(study.status(), ax) is ax


def test_limits_that_do_not_exist_are_arrows(tmp_path: Path) -> None:
    made = Study.create("s", ["a", "b"], 0.0, Gaussian(None), 0.1, storage=tmp_path / "s")
    made.tell("a", 3.0)
    ax = plot_study(made)
    assert [line.get_marker() for line in ax.lines[:2]] == ["<", ">"]
    assert [line.get_xdata()[0] for line in ax.lines[:2]] == list(ax.get_xlim())


def test_of_many_arms_both_ends_are_drawn(tmp_path: Path) -> None:
    names = [f"arm {i}" for i in range(60)]
    made = Study.create("s", names, 0.5, Bernoulli(), 0.1, storage=tmp_path / "s")
    made.tell_many([(name, int(i >= 30)) for i, name in enumerate(names)])
    ax = plot_study(made)
    assert len(ax.get_yticks()) == 25
    assert "35 arms in between left out" in ax.get_xlabel()
    lines = plot_evidence(made).lines
    assert [line.get_label() for line in lines[:2]] == ["largest of all", "smallest of all"]


@pytest.mark.parametrize("boundary", ["mixture", "glr"])
def test_evidence_is_a_share_of_what_is_needed(tmp_path: Path, boundary: str) -> None:
    storage = tmp_path / "s"
    made = Study.create("s", ["a", "b"], 0.5, Bernoulli(), 0.1, storage=storage, boundary=boundary)
    empty = plot_evidence(made)
    assert len(empty.get_lines()) == 4  # nothing yet, between two levels
    for value in (1, 1, 0, 1):
        made.tell("a", value)
    ax = plot_evidence(made)
    latest = {line.get_label(): line.get_ydata()[-1] for line in ax.lines}
    for arm in made.evidence[:1]:
        assert latest[arm.arm] == pytest.approx(arm.share, rel=1e-3)
    assert {line.get_ydata()[0] for line in ax.lines[2:]} == {1.0, -1.0}
    assert {line.get_linestyle() for line in ax.lines[:2]} == {"-", "--"}


def test_both_in_one_figure(study: Study) -> None:
    figure = study.plot()
    arms, evidence = figure.axes
    assert (arms.get_ylabel(), evidence.get_xlabel()) == ("arm (trials)", "trials")
    assert arms.get_position().x1 < evidence.get_position().x0


def test_without_matplotlib_one_is_told_what_to_install(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "_found", set())
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"^a picture needs goodarm\[lab\]"):
        study.plot()
