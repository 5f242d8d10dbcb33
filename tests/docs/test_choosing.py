"""The page about choosing an algorithm says what was measured, and its advice follows from it."""

import importlib.util
import json
import sys
from dataclasses import asdict, replace
from pathlib import Path
from types import ModuleType

import pytest

from goodarm import Instance, defaults

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "choosing.md").read_text("utf-8")
ROWS = json.loads((ROOT / "docs" / "data" / "choosing.json").read_text("utf-8"))


def load() -> ModuleType:
    path = ROOT / "examples" / "choosing.py"
    spec = importlib.util.spec_from_file_location("example_choosing", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


OTHERS = (("A", 0.88), ("B", 0.92), ("C", 0.7))  # and their trials over the default's
CHOOSING = load()
FOUND = CHOOSING.read(ROWS)


def test_the_page_says_what_was_measured() -> None:
    for part in (CHOOSING.trials_table, CHOOSING.errors_table, CHOOSING.advice):
        assert part(ROWS) in PAGE
    assert list(FOUND) == [situation.name for situation in CHOOSING.SITUATIONS]
    assert all(tuple(by_name) == CHOOSING.ALGORITHMS for by_name in FOUND.values())
    assert f"given up after {CHOOSING.CAP:,} trials" in PAGE
    assert f"`{defaults.ALGORITHM}`, the default of a study" in PAGE


def test_the_means_are_precise_or_marked() -> None:
    for row in (row for by_name in FOUND.values() for row in by_name.values()):
        is_precise = row.se <= CHOOSING.PRECISION * row.mean
        assert is_precise or "±" in row.trials or ">" in row.trials
        assert is_precise or row.stopped < 1.0 or row.runs * row.mean > CHOOSING.MOST_PULLS / 2


def test_the_advice_beside_the_tables_follows_from_them() -> None:
    at_the_bar = [name for name in FOUND if "at the bar" in name or name.startswith("conversion")]
    assert len(at_the_bar) == 3
    for name in at_the_bar:
        here = FOUND[name]
        assert here["MS"].mean < here["APGAI-FE"].mean, "MS, if options may lie at the bar"
        assert here["APGAI"].mean > here["APGAI-FE"].mean, "APGAI locks on"
        assert here["APGAI"].stopped < 1.0
        assert here[defaults.ALGORITHM].stopped == 1.0
    for name in ("none of ten is good", "one of ten is barely good"):
        errors = {who: row.error_at_budget for who, row in FOUND[name].items()}
        assert errors["APGAI"] == min(errors.values()), "APGAI, if probably none is good"
    none = FOUND["none of ten is good"]
    assert none["APGAI-FE"].error_at_budget < none[defaults.ALGORITHM].error_at_budget
    clear = FOUND["one of ten is clearly good"]
    assert all(row.mean < clear["Unif"].mean / 2 for row in clear.values() if row != clear["Unif"])


def test_more_runs_are_played_until_the_mean_is_precise(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = Instance(0.5, [0.75, 0.35], kind="bernoulli")

    def play(precision: float, cap: int = 10_000) -> object:
        return CHOOSING.until_precise(instance, "APGAI", 50, cap, precision, {"seed": 1})

    rough, fine = play(1.0), play(0.02)
    assert rough.runs == 50
    assert rough.se > 0.02 * rough.mean
    assert fine.se <= 0.02 * fine.mean
    assert play(0.02, cap=20).runs == 50, "a mean of runs that were given up is a bound"
    monkeypatch.setattr(CHOOSING, "MOST_RUNS", 200)
    assert play(0.001).runs == 200


def test_a_mean_is_marked_where_it_is_vague_or_a_bound() -> None:
    row = next(iter(FOUND["one of ten is clearly good"].values()))
    plain = replace(row, mean=1000.0, se=19.0, median=5.0, stopped=1.0)
    assert plain.trials == "1,000 (5)"
    assert replace(plain, se=30.0).trials == "1,000 ± 30 (5)"
    assert replace(plain, stopped=0.99).trials == "> 1,000 (5)"


def test_another_algorithm_is_named_from_a_tenth_on() -> None:
    first = FOUND["none of ten is good"][defaults.ALGORITHM]
    others = [replace(first, algorithm=name, mean=share * first.mean) for name, share in OTHERS]
    assert CHOOSING.exceptions([asdict(row) for row in (first, *others)], "mean") == [
        "- none of ten is good: `C` 30% fewer, `A` 12% fewer"
    ]
