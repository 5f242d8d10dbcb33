"""Figures are never cut: a table that does not fit becomes a few lines for each row."""

import io
import re

import pytest
from rich.console import Console

from goodarm.cli.plain_text import PLAIN, plain
from goodarm.cli.tables import table


def shown(width: int) -> str:
    rows = table("Trials", ["algorithm", "mean \\[95 %]", "median"])
    rows.add_row("Scout", "1,976 \\[1,900, 2,052]", "1,850")
    rows.add_row("APGAI-FE", "12,345 \\[12,000, 12,690]", "11,999")
    out = io.StringIO()
    Console(file=out, width=width).print(rows)
    return out.getvalue()


@pytest.mark.parametrize("width", [120, 80, 60, 45, 40])
def test_nothing_is_cut_at_any_width(width: int) -> None:
    text = shown(width)
    for part in ("1,976 [1,900, 2,052]", "12,345 [12,000, 12,690]", "11,999", "mean [95 %]"):
        assert part in text
    assert "…" not in text
    assert max(len(line.rstrip()) for line in text.splitlines()) <= width


def test_a_wide_terminal_has_a_row_for_each_algorithm() -> None:
    assert len([line for line in shown(80).splitlines() if "[" in line]) == 3
    assert len([line for line in shown(40).splitlines() if "algorithm" in line]) == 2


def test_a_few_rows_become_columns_before_they_are_stacked() -> None:
    rows = table("Trials", ["algorithm", *(f"quantity {i}" for i in range(9))])
    for name in ("Scout", "APGAI"):
        rows.add_row(name, *(f"{name[0]}{i},000" for i in range(9)))
    out = io.StringIO()
    Console(file=out, width=40).print(rows)
    lines = [re.split(r" {2,}", line.strip()) for line in out.getvalue().splitlines()]
    assert ["algorithm", "Scout", "APGAI"] in lines
    assert ["quantity 8", "S8,000", "A8,000"] in lines


def test_text_and_headings_wrap_where_figures_do_not() -> None:
    rows = table("Items", ["name", "what it is", "pulls in all"], left=2)
    rows.add_row("one", "a text that is much longer than its column can be", "1,234")
    out = io.StringIO()
    Console(file=out, width=40).print(rows)
    assert "1,234" in out.getvalue()
    assert "pulls in all" not in out.getvalue()
    assert len([line for line in out.getvalue().splitlines() if "one" in line]) == 1


def test_characters_that_cannot_be_written_have_plain_equivalents() -> None:
    assert plain("δ ≤ 0.05 – 1 ± 2", "ascii") == "delta <= 0.05 - 1 +- 2"
    assert plain("δ ≤ 0.05 – 1 ± 2", "cp1252") == "delta <= 0.05 – 1 ± 2"
    assert plain("δ ≤ 0.05 – 1 ± 2", "utf-8") == "δ ≤ 0.05 – 1 ± 2"
    assert plain("é漢😀", "ascii") == "\\u00e9\\u6f22\\U0001f600"
    assert all(text.isascii() for text in PLAIN.values())
