"""A table as data, and as CSV, JSON, LaTeX (booktabs) and HTML."""

import csv
import html
import io
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from goodarm.files import write
from goodarm.wording import figure

Value = str | float | int | None

ESCAPES = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "δ": r"$\delta$", "θ": r"$\theta$", "Δ": r"$\Delta$", "μ": r"$\mu$", "σ": r"$\sigma$",
    "±": r"$\pm$", "≤": r"$\le$", "≥": r"$\ge$", "−": "$-$", "–": "--", "∅": r"$\emptyset$",
    "′": "'", "²": r"$^2$", "⁻²": r"$^{-2}$", "Δ̂": r"$\hat\Delta$", "×": r"$\times$",
    "β": r"$\beta$", "τ": r"$\tau$", "∞": r"$\infty$", "’": "'", "“": "``", "”": "''", "é": r"\'e",
}  # fmt: skip


_SPECIAL = "|".join(re.escape(text) for text in sorted(ESCAPES, key=len, reverse=True))


def readable(value: Value) -> str:
    """A value as a person would write it: 12,301 or 3.14 or 1.2e-05, – where there is none."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    return figure(value, digits=3)


def fixed(decimals: int) -> Callable[[Value], str]:
    """A format with that many decimals."""

    def show(value: Value) -> str:
        is_number = isinstance(value, int | float)
        return f"{value:.{decimals}f}" if is_number else readable(value)

    return show


@dataclass(frozen=True)
class TableColumn:
    """A column's heading and how its values are shown; the data files hold them as they are."""

    name: str
    show: Callable[[Value], str] = readable
    text: bool = False  # left-aligned


@dataclass(frozen=True)
class Table:
    """Rows of values under columns; `name` is the stem of its files."""

    name: str
    caption: str
    columns: Sequence[TableColumn]
    rows: Sequence[Sequence[Value]]
    marks: Sequence[str] = field(default=())  # one CSS class per row, where verdicts are shown

    def records(self) -> list[dict[str, Any]]:
        """The rows as plain data."""
        names = [column.name for column in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self.rows]

    def to_csv(self) -> str:
        """Comma-separated values with a heading line."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([column.name for column in self.columns])
        writer.writerows(self.rows)
        return out.getvalue()

    def to_json(self) -> str:
        """The caption and the rows."""
        data = {"table": self.name, "caption": self.caption, "rows": self.records()}
        return json.dumps(data, indent=2, ensure_ascii=False) + "\n"

    def texts(self) -> list[list[str]]:
        """The rows as they are read."""
        return [
            [column.show(value) for column, value in zip(self.columns, row, strict=True)]
            for row in self.rows
        ]

    def to_latex(self) -> str:
        """A booktabs table to be \\input."""
        layout = "".join("l" if column.text else "r" for column in self.columns)
        lines = [
            "\\begin{table}[t]",
            "  \\centering",
            f"  \\begin{{tabular}}{{{layout}}}",
            "    \\toprule",
            "    " + _latex_row([column.name for column in self.columns]),
            "    \\midrule",
            *("    " + _latex_row(row) for row in self.texts()),
            "    \\bottomrule",
            "  \\end{tabular}",
            f"  \\caption{{{latex(self.caption)}}}",
            "\\end{table}",
        ]
        return "\n".join(lines) + "\n"

    def to_html(self) -> str:
        """A table element."""
        heads = "".join(_html_cell("th", c.name, c.text) for c in self.columns)
        body = []
        for index, row in enumerate(self.texts()):
            mark = f' class="{self.marks[index]}"' if self.marks else ""
            cells = "".join(
                _html_cell("td", value, column.text)
                for column, value in zip(self.columns, row, strict=True)
            )
            body.append(f"<tr{mark}>{cells}</tr>")
        caption = f"<caption>{html.escape(self.caption)}</caption>"
        return (
            f'<div class="scroll"><table>{caption}<thead><tr>{heads}</tr></thead>'
            f"<tbody>{''.join(body)}</tbody></table></div>"
        )


def write_tables(folder: Path, tables: Sequence[Table]) -> None:
    """Every table as CSV, JSON and LaTeX."""
    for table in tables:
        stem = folder / table.name
        write(stem.with_suffix(".csv"), table.to_csv())
        write(stem.with_suffix(".json"), table.to_json())
        write(stem.with_suffix(".tex"), table.to_latex())


def latex(text: str) -> str:
    """The text with everything escaped that means something to LaTeX."""
    return re.sub(_SPECIAL, lambda match: ESCAPES[match[0]], text)


def _latex_row(cells: Sequence[str]) -> str:
    return " & ".join(latex(cell) for cell in cells) + r" \\"


def _html_cell(tag: str, value: str, text: bool) -> str:
    return f"<{tag}{' class=text' if text else ''}>{html.escape(value)}</{tag}>"
