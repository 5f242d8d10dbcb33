"""Every example runs, says what its text says, and draws its picture."""

import ast
import importlib.util
import inspect
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest
from matplotlib.figure import Figure

from goodarm.testing import check_algorithm

FOLDER = Path(__file__).parents[2] / "examples"
IMAGES = FOLDER.parent / "docs" / "images"


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{name}", FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Compiled code that was cached on disk looks its functions' module up by name.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def is_drawn(figure: Figure, path: Path) -> bool:
    figure.savefig(path)
    return path.stat().st_size > 5000


def test_none_is_good(tmp_path: Path) -> None:
    module = example("none_is_good")
    found = module.compare(runs=50)
    assert found["one value above the bar"] == found["running mean above the bar"] == 1.0
    assert found["goodarm"] == 0.0
    assert is_drawn(module.draw(found), tmp_path / "picture.png")


def test_stem_cells(tmp_path: Path) -> None:
    module = example("stem_cells")
    assert "is above 0.5" in module.live()
    assert is_drawn(module.draw(module.many(runs=50)), tmp_path / "picture.png")


def test_model_selection(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    module = example("model_selection")
    experiment = module.search(most=24)
    assert experiment.t == 24
    assert min(arm.count for arm in experiment.evidence) >= 1
    assert is_drawn(module.draw(experiment), tmp_path / "picture.png")


def test_ab_test(tmp_path: Path) -> None:
    module = example("ab_test")
    found = module.compare(tests=3)
    assert set(found["answers"]) <= {"short form", "big button"}
    assert is_drawn(module.draw(found), tmp_path / "picture.png")


def test_dose_finding(tmp_path: Path) -> None:
    module = example("dose_finding")
    study = module.conduct(storage=tmp_path / "studies.db")
    assert study.recommendation is None
    assert study.status().meaning.startswith("No arm is above")
    assert is_drawn(module.draw(study), tmp_path / "picture.png")


def test_new_algorithm(tmp_path: Path) -> None:
    module = example("new_algorithm")
    check_algorithm(module.RULE)
    found = module.differences(runs=20, cap=2000)
    assert len(found) == 11
    assert all(low <= value <= high for value, low, high in found.values())
    assert is_drawn(module.draw(found), tmp_path / "picture.png")


def test_the_new_algorithm_is_short() -> None:
    source = (FOLDER / "new_algorithm.py").read_text()
    tree = ast.parse(source)
    lines = sum(
        (node.end_lineno or 0) - node.lineno + 1
        for node in tree.body
        if (isinstance(node, ast.FunctionDef) and node.name == "choose")
        or (isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "RULE")
    )
    assert 0 < lines < 30


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_an_example_that_makes_a_picture_has_it_in_the_docs(path: Path) -> None:
    text = path.read_text()
    assert inspect.cleandoc(ast.get_docstring(ast.parse(text)) or "")
    if "PICTURE =" in text:
        assert (IMAGES / f"{path.stem}.png").exists()


def test_the_leagues_page_says_what_its_data_say(tmp_path: Path) -> None:
    module = example("league_figures")
    data = module.DOCS / "data"
    league = module.load_league(data / "league.json")
    wide, deep, coins, rare = (
        module.load_league(data / f"league_search_{name}.json")
        for name in ("wide", "deep", "coins", "rare")
    )
    page = module.PAGE.read_text(encoding="utf-8")
    held_out = module.standings(league.only([module.HELD_OUT]))
    assert module.standings_table(held_out) in page
    assert module.families_table() in page
    assert module.standings_table(module.standings(wide)[:12]) in page
    assert module.standings_table(module.standings(coins)) in page
    assert held_out[0].rule == "Scout"
    assert module.standings(wide)[0].rule == module.MEMBERS[0]
    assert module.standings_table(module.standings(rare)) in page
    assert module.depths_table(league.only([module.HELD_OUT])) in page
    known = json.loads((data / "rare_errors.json").read_text(encoding="utf-8"))
    assert module.check_text(league, known) in page
    stopping = json.loads((data / "scout_stopping.json").read_text(encoding="utf-8"))
    assert module.stopping_table(stopping) in page
    assert is_drawn(module.trade_off(deep, rare), tmp_path / "picture.png")
    assert is_drawn(module.curves(league), tmp_path / "curves.png")
    assert module.put("a <!-- x -->old<!-- end of x --> b", "x", "new") == (
        "a <!-- x -->\n\nnew\n\n<!-- end of x --> b"
    )


def test_the_page_about_the_price_says_what_was_measured(tmp_path: Path) -> None:
    module = example("price_figure")
    data = json.loads((module.DOCS / "data" / "price.json").read_text("utf-8"))
    page = module.PAGE.read_text("utf-8")
    for table in (module.questions_table, module.instances_table, module.shares_table):
        assert table(data) in page
    assert is_drawn(module.draw(data), tmp_path / "price.png")
    readme = (FOLDER.parent / "README.md").read_text("utf-8")
    for row in (*data["questions"][:2], *data["questions"][3:5]):
        assert f"{row['glr']['mean']:,.0f}" in readme
        assert f"**{row['mixture']['mean']:,.0f}**" in readme
