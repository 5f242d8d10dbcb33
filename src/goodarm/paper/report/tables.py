"""A table as data, and as CSV, JSON, LaTeX (booktabs) and HTML."""

import csv
import html
import io
import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

Value = str | float | int | None

ESCAPES = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "δ": r"$\delta$", "θ": r"$\theta$", "Δ": r"$\Delta$", "μ": r"$\mu$", "σ": r"$\sigma$",
    "±": r"$\pm$", "≤": r"$\le$", "≥": r"$\ge$", "−": "$-$", "–": "--", "∅": r"$\emptyset$",
    "′": "'", "²": r"$^2$", "⁻²": r"$^{-2}$", "Δ̂": r"$\hat\Delta$", "×": r"$\times$",
    "β": r"$\beta$", "τ": r"$\tau$", "’": "'", "“": "``", "”": "''", "é": r"\'e",
}  # fmt: skip


_SPECIAL = "|".join(re.escape(text) for text in sorted(ESCAPES, key=len, reverse=True))


def number(value: Value) -> str:
    """A value as a person would write it: 12,301 or 3.14 or 1.2e-05, – where there is none."""
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) or value == 0 or math.isinf(value):
        return f"{value:,}" if isinstance(value, int) else f"{value:g}"
    size = abs(value)
    if size >= 1e9 or size < 1e-3:
        return f"{value:.2e}"
    if size >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if size >= 10 else f"{value:.3g}"


def fixed(places: int) -> Callable[[Value], str]:
    """A format with that many decimals."""
    return lambda value: f"{value:.{places}f}" if isinstance(value, int | float) else number(value)


@dataclass(frozen=True)
class Column:
    """A column's heading and how its values are shown; the data files hold them as they are."""

    name: str
    show: Callable[[Value], str] = number
    text: bool = False  # left-aligned


@dataclass(frozen=True)
class Table:
    """Rows of values under columns; `name` is the stem of its files."""

    name: str
    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Value]]
    marks: Sequence[str] = field(default=())  # one CSS class a row, where verdicts are shown

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

    def shown(self) -> list[list[str]]:
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
            *("    " + _latex_row(row) for row in self.shown()),
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
        for place, row in enumerate(self.shown()):
            mark = f' class="{self.marks[place]}"' if self.marks else ""
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


def latex(text: str) -> str:
    """The text with everything escaped that means something to LaTeX."""
    return re.sub(_SPECIAL, lambda found: ESCAPES[found[0]], text)


def _latex_row(cells: Sequence[str]) -> str:
    return " & ".join(latex(cell) for cell in cells) + r" \\"


def _html_cell(tag: str, value: str, text: bool) -> str:
    return f"<{tag}{' class=text' if text else ''}>{html.escape(value)}</{tag}>"
