"""Every example runs, says what its text says, and draws its picture."""

import ast
import importlib.util
import inspect
import json
import re
import sys
from functools import partial
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
    claims = module.compare(runs=50)
    assert claims["one value above the bar"] == claims["running mean above the bar"] == 1.0
    assert claims["goodarm"] == 0.0
    assert is_drawn(module.draw(claims), tmp_path / "picture.png")


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
    comparison = module.compare(tests=3)
    assert set(comparison["answers"]) <= {"short form", "big button"}
    assert is_drawn(module.draw(comparison), tmp_path / "picture.png")


def test_dose_finding(tmp_path: Path) -> None:
    module = example("dose_finding")
    study = module.conduct(storage=tmp_path / "studies.db")
    assert study.recommendation is None
    assert study.status().meaning.startswith("No arm is above")
    assert is_drawn(module.draw(study), tmp_path / "picture.png")


def test_efficacy_and_safety(tmp_path: Path) -> None:
    module = example("efficacy_and_safety")
    inquiry = module.conduct()
    assert [dose for dose, verdict in inquiry.standings.items() if verdict == "good"] == [
        "20 mg",
        "40 mg",
    ]
    assert is_drawn(module.draw(inquiry), tmp_path / "picture.png")


def test_cheaper_supplier(tmp_path: Path) -> None:
    module = example("cheaper_supplier")
    inquiry, course = module.conduct(most=400)
    assert not inquiry.finished  # the whole picture is in the docs
    assert inquiry.standings["Dorado"] == "undecided"
    assert module.bill(inquiry) < 1.10 * 400
    assert is_drawn(module.draw(inquiry, course), tmp_path / "picture.png")


def test_all_prompts(tmp_path: Path) -> None:
    module = example("all_prompts")
    inquiry = module.conduct()
    good = {prompt for prompt, share in module.PROMPTS.items() if share >= module.BAR}
    assert {inquiry.arms[arm] for arm in inquiry.conclusion} == good
    assert 2 * inquiry.t < module.evenly(inquiry)
    assert is_drawn(module.draw(inquiry), tmp_path / "picture.png")


def test_new_variant(tmp_path: Path) -> None:
    module = example("new_variant")
    inquiry, days = module.conduct()
    assert inquiry.finished
    assert inquiry.risk == module.DELTA
    assert module.DROPPED not in inquiry.standings
    assert days[module.LATE][0] == (module.JOINS - 1, 0.0)
    assert is_drawn(module.draw(inquiry, days), tmp_path / "picture.png")


def test_new_algorithm(tmp_path: Path) -> None:
    module = example("new_algorithm")
    check_algorithm(module.RULE)
    shares = module.differences(runs=20, cap=2000)
    assert len(shares) == 11
    assert all(low <= value <= high for value, low, high in shares.values())
    assert is_drawn(module.draw(shares), tmp_path / "picture.png")


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


# What each example computes, made quick; the others read what was computed before.
QUICK = {
    "ab_test": ("compare", {"tests": 2}),
    "all_prompts": None,
    "cheaper_supplier": None,
    "choosing": ("measure", {"fewest": 5, "cap": 200, "precision": 1.0}),
    "dose_finding": None,
    "efficacy_and_safety": ("conduct", {"most": 60}),
    "error_decay_figures": None,
    "fixed_counts": None,
    "league_figures": None,
    "model_selection": ("search", {"most": 9}),
    "new_variant": ("conduct", {"most": 3}),
    "new_algorithm": ("differences", {"runs": 5, "cap": 100}),
    "none_is_good": ("compare", {"runs": 5}),
    "price_figure": None,
    "stem_cells": ("many", {"runs": 5}),
}


def test_every_example_that_writes_files_is_looked_at_below() -> None:
    writers = {path.stem for path in FOLDER.glob("*.py") if '"--out"' in path.read_text("utf-8")}
    assert writers == set(QUICK)
    others = [path for path in FOLDER.glob("*.py") if path.stem not in writers]
    assert not [path.name for path in others if "savefig" in path.read_text("utf-8")]


@pytest.mark.parametrize("name", QUICK)
def test_running_an_example_leaves_the_documentation_alone(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "model_selection":
        pytest.importorskip("sklearn")
    module = example(name)
    if QUICK[name] is not None:
        function, settings = QUICK[name]
        monkeypatch.setattr(module, function, partial(getattr(module, function), **settings))
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "pictures" if name == "price_figure" else tmp_path
    folder.mkdir(exist_ok=True)
    words = [] if folder == tmp_path else ["--out", str(folder)]
    monkeypatch.setattr(sys, "argv", [f"{name}.py", *words])
    before = documentation()
    module.main()
    assert any(path.is_file() and path.stat().st_size > 1000 for path in folder.iterdir())
    assert documentation() == before


def documentation() -> dict[Path, int]:
    """When each file of the documentation was last written."""
    return {path: path.stat().st_mtime_ns for path in IMAGES.parent.rglob("*") if path.is_file()}


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
    assert held_out[0].algorithm == "Scout"
    assert module.standings(wide)[0].algorithm == module.MEMBERS[0]
    assert module.standings_table(module.standings(rare)) in page
    assert module.depths_table(league.only([module.HELD_OUT])) in page
    checks = json.loads((data / "rare_errors.json").read_text(encoding="utf-8"))
    assert module.check_text(league, checks) in page
    stopping = json.loads((data / "scout_stopping.json").read_text(encoding="utf-8"))
    assert module.stopping_table(stopping) in page
    assert is_drawn(module.trade_off(deep, rare), tmp_path / "picture.png")
    assert is_drawn(module.curves(league), tmp_path / "curves.png")
    assert module.put("a <!-- x -->old<!-- end of x --> b", "x", "new") == (
        "a <!-- x -->\n\nnew\n\n<!-- end of x --> b"
    )


def test_the_page_about_trials_says_what_its_data_say() -> None:
    module = example("league_figures")
    page = module.TRIALS_PAGE.read_text(encoding="utf-8")
    training = module.load_trials(module.DOCS / "data" / "trials_training.json")
    contents = module.trials_contents(module.load_judged_trials(), training)
    assert set(re.findall(r"<!-- end of (.+?) -->", page)) == set(contents)
    for mark, content in contents.items():
        assert module.put(page, mark, content) == page, mark


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
