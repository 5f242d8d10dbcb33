"""The notebooks run, and show what is stored in them."""

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
OWN_PATH = re.compile(r"/(home|root|Users|tmp|work)/|[A-Z]:\\")


def shown(cell: nbformat.NotebookNode) -> str:
    """What a cell shows, as text; the kernel may send what is printed in any number of pieces."""
    return "".join(
        output["text"] if "text" in output else output["data"]["text/plain"]
        for output in cell.get("outputs", [])
    )


def test_there_is_one_for_each_group() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["algorithms", "loop", "study"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_was_run_from_top_to_bottom(path: Path) -> None:
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert not OWN_PATH.search("".join(map(shown, cells)))


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_shows_what_is_stored(path: Path, tmp_path: Path) -> None:
    stored = nbformat.read(path, as_version=4)
    rerun = nbformat.read(path, as_version=4)
    NotebookClient(rerun, timeout=300, kernel_name="python3").execute(cwd=str(tmp_path))
    assert [shown(cell) for cell in rerun.cells] == [shown(cell) for cell in stored.cells]
