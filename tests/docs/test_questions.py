"""How often every question is answered wrongly: bench/questions.py."""

import importlib
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def bench():
    sys.path.insert(0, str(ROOT / "bench"))
    try:
        return importlib.import_module("questions")
    finally:
        sys.path.remove(str(ROOT / "bench"))


def test_every_question_model_and_suitable_algorithm_is_played(bench):
    alone = [case for case in bench.cases() if case.kind == "one bar"]
    played = {(case.question, *case.models, case.algorithm) for case in alone}
    algorithms = {case.algorithm for case in alone}
    assert len(algorithms) >= 11
    for question in bench.QUESTIONS:
        rules = {"Prospector"} if question == "in-order" else algorithms
        assert {(question, model, rule) for model in bench.MODELS for rule in rules} <= played
    assert {case.kind for case in bench.cases()} == set(bench.KINDS)


def test_the_table_has_the_worst_of_all_cases(bench):
    chosen = [case for case in bench.cases() if case.question == "all" and case.cap <= 80][:4]
    rows = [bench.row_of(case, [bench.play(case, range(2))]) for case in chosen]
    for row, wrong in zip(rows, (100, 500, 300, 200), strict=True):
        row |= {"wrong": wrong, "runs": 10_000}
    assert "| a control, every difference at the margin | – | 5.00 % | – | – | 5 % |" in (
        bench.tables(rows).splitlines()
    )
    assert [round(bench.excess(row), 1) for row in rows] == [-18.4, 0.0, -9.2, -13.8]


def options_of(tmp_path, **others):
    usual = {
        "runs": 2,
        "first": 2,
        "jobs": 1,
        "only": "in-order, Prospector",
        "part": "1/8",
        "clear": 0.6,
    }
    return SimpleNamespace(**usual | {"seconds": None, "json": tmp_path / "rows.json"} | others)


def test_what_was_played_is_not_played_again(bench, tmp_path):
    options = options_of(tmp_path, seconds=1e-9)
    (first,) = bench.played(options)
    again = bench.played(options)
    assert len(again) == 2
    assert again[0] == first
    assert bench.identity(again[1]) != bench.identity(first)


def test_a_case_that_is_clear_is_not_played_further(bench, tmp_path):
    only = "one bar: yes or no, in-order, Prospector"
    apart = bench.played(options_of(tmp_path, only=only, part="1/1", runs=5, first=5))
    (tmp_path / "rows.json").unlink()
    options = options_of(tmp_path, only=only, part="1/1")
    begun = bench.played(options)
    assert [row["runs"] for row in begun] == [2, 2, 2]
    begun[1]["wrong"] = 1  # half of them: not clear
    bench.write_rows(begun, options.json)
    options.runs = 5
    rows = bench.played(options)
    assert [row["runs"] for row in rows] == [2, 5, 2]
    assert rows[1] == apart[1] | {"wrong": apart[1]["wrong"] + 1}


def test_the_page_has_the_table_and_no_case_errs_too_often(bench):
    rows = bench.read_rows([ROOT / "docs" / "data" / "questions.json"])
    assert {bench.key(row) for row in rows} == {
        bench.key(bench.named(case)) for case in bench.cases()
    }
    assert bench.tables(rows) in (ROOT / "docs" / "guarantee.md").read_text("utf-8")
    assert max(map(bench.excess, rows)) < 3.0
