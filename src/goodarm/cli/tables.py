"""Tables for the terminal: they fit its width, and no figure is ever cut."""

import os
import sys
from collections.abc import Sequence

from rich import box
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.markup import escape
from rich.table import Column, Table
from rich.text import Text

from goodarm.cli.plain_text import plain
from goodarm.wording import figure as number  # the name under which plan_tables knows it

__all__ = ["FittingTable", "console", "number", "rate", "table"]

WIDTH = 120  # where there is no terminal and nobody says how wide the output is
NARROWEST = 18  # columns that text needs to be read easily


def console() -> Console:
    """Standard output; wide enough for a table where it is no terminal."""
    out = Console(highlight=False)
    if out.is_terminal or "COLUMNS" in os.environ:
        return out
    return Console(highlight=False, width=WIDTH)


class FittingTable(Table):
    """A table that is never cut: where its columns do not fit, each row becomes a few lines.

    Columns of text may wrap before that happens, columns of figures never do.
    """

    def add_row(self, *cells: RenderableType | None, **settings: object) -> None:
        """A row, in characters that standard output can hold, so that columns stay aligned."""
        super().add_row(*map(_text, cells), **settings)  # type: ignore[arg-type]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The table, or its rows one below the other."""
        if self._fit(options.max_width):
            yield from super().__rich_console__(console, options)
            return
        if self.title:
            yield Text.from_markup(str(self.title), style="bold")
        for cells in zip(*(column.cells for column in self.columns), strict=True):
            lines = Table.grid(padding=(0, 2, 0, 0))
            lines.add_column(no_wrap=True)
            lines.add_column(overflow="fold")
            for column, cell in zip(self.columns, cells, strict=True):
                lines.add_row(Text("  ") + _text(column.header), cell)
            yield Text()
            yield lines
        yield Text()

    def _fit(self, width: int) -> bool:
        """Give columns of text as much room as there is; whether that is enough."""
        needs = [_need(column) for column in self.columns]
        widths = [least for least, _ in needs]
        room = width - sum(widths) - 3 * len(widths)  # a space on both sides, and a border
        while room > 0:
            wishes = [most - now for now, (_, most) in zip(widths, needs, strict=True)]
            if max(wishes, default=0) <= 0:
                break
            widths[wishes.index(max(wishes))] += 1
            room -= 1
        for column, size in zip(self.columns, widths, strict=True):
            column.width = size
        return room >= 0


def table(title: str, columns: Sequence[str], left: int = 1) -> FittingTable:
    """An empty table; the first `left` columns are text, the others numbers.

    A single column of text holds names, which are not broken; several may wrap.
    """
    empty = FittingTable(
        title=_plain(title), title_justify="left", title_style="bold", box=box.SIMPLE_HEAD
    )
    for index, column in enumerate(columns):
        is_number = index >= left
        empty.add_column(
            _plain(column),
            justify="right" if is_number else "left",
            no_wrap=is_number or left == 1,
        )
    return empty


def rate(value: float, low: float, high: float) -> str:
    """An error rate with its interval."""
    return escape(f"{value:.3g} [{low:.2g}, {high:.2g}]")


def _need(column: Column) -> tuple[int, int]:
    """The least and the most characters that a column can use."""
    texts = [_text(column.header), *map(_text, column.cells)]
    most = max(text.cell_len for text in texts)
    if column.no_wrap:
        return most, most
    words = [Text(word).cell_len for text in texts for word in text.plain.split()]
    return min(most, max(NARROWEST, *words)), most


def _text(cell: object) -> Text:
    if isinstance(cell, Text):
        return Text(_plain(cell.plain))
    return Text.from_markup(_plain(str(cell)))


def _plain(text: str) -> str:
    return plain(text, sys.stdout.encoding or "utf-8")
