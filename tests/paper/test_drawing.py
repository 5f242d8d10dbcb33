"""Pictures are the same wherever they are drawn."""

from multiprocessing import active_children
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from goodarm.paper.report.drawing import drawing


def line(height: float) -> Figure:
    figure = Figure()
    figure.add_subplot().plot([0.0, height])
    return figure


def test_another_process_draws_the_same_files(tmp_path: Path) -> None:
    with drawing(0) as here, drawing(2) as elsewhere:
        draws = (("here", here), ("there", elsewhere))
        waits = [draw(line(h), tmp_path / f"{n}{h}") for n, draw in draws for h in (1.0, 2.0)]
        pngs = [wait() for wait in waits]
    assert pngs[:2] == pngs[2:]
    assert pngs[0] != pngs[1]
    for h in (1.0, 2.0):
        for ending in ("png", "pdf"):
            first, second = (tmp_path / f"{n}{h}.{ending}" for n in ("here", "there"))
            assert first.read_bytes() == second.read_bytes()


def test_a_figure_that_cannot_travel_is_drawn_here(tmp_path: Path, caplog) -> None:
    figure = line(1.0)
    figure.note = lambda: None
    with drawing(1) as draw:
        png = draw(figure, tmp_path / "first")()
    assert (tmp_path / "first.png").read_bytes() == png
    assert "drawn here" in caplog.text


def test_after_an_error_nothing_more_is_drawn(tmp_path: Path) -> None:
    def interrupted() -> None:
        with drawing(1) as draw:
            for number in range(40):
                draw(line(number), tmp_path / str(number))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert len(list(tmp_path.glob("*.pdf"))) < 40


def test_if_the_processes_die_pictures_are_drawn_here(tmp_path: Path) -> None:
    before = set(active_children())
    with drawing(1) as draw:
        draw(line(1.0), tmp_path / "first")()
        for process in set(active_children()) - before:
            process.kill()
            process.join()
        png = draw(line(2.0), tmp_path / "second")()
    assert (tmp_path / "second.png").read_bytes() == png
