"""Figures are never cut: a table that does not fit becomes a few lines for each row."""

import io

import pytest
from rich.console import Console

from goodarm.cli.tables import table


def shown(width: int) -> str:
    made = table("Trials", ["algorithm", "mean \\[95 %]", "median"])
    made.add_row("Scout", "1,976 \\[1,900, 2,052]", "1,850")
    made.add_row("APGAI-FE", "12,345 \\[12,000, 12,690]", "11,999")
    out = io.StringIO()
    Console(file=out, width=width).print(made)
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
