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

UNKNOWN_WIDTH = 120  # where there is no terminal and nobody says how wide the output is
NARROWEST = 14  # characters that text needs to be read easily
GAP = 2  # spaces between columns that are not ruled


def console() -> Console:
    """Standard output; wide enough for a table where it is no terminal."""
    out = Console(highlight=False)
    if out.is_terminal or "COLUMNS" in os.environ:
        return out
    return Console(highlight=False, width=UNKNOWN_WIDTH)


class FittingTable(Table):
    """A table that is never cut: where its columns do not fit, each row becomes a few lines.

    Columns of text may wrap before that happens, columns of figures never do.
    """

    def add_row(self, *cells: RenderableType | None, **settings: object) -> None:
        """A row, in characters that standard output can hold, so that columns stay aligned."""
        super().add_row(*map(_text, cells), **settings)  # type: ignore[arg-type]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The table, or its rows as columns, or its rows one below the other."""
        if self._fit(options.max_width):
            yield from super().__rich_console__(console, options)
            return
        if self.title:
            yield Text.from_markup(str(self.title), style="bold")
        heads = [Text("  ") + _text(column.header) for column in self.columns]
        rows = list(zip(*(map(_text, column.cells) for column in self.columns), strict=True))
        widths = [max(cell.cell_len for cell in cells) for cells in (heads, *rows)]
        if sum(widths) + GAP * len(rows) <= options.max_width:
            blocks = [list(zip(*rows, strict=True))]  # one, with a column for each row
        else:
            blocks = [[(cell,) for cell in cells] for cells in rows]
        for block in blocks:
            yield Text()
            yield _block(heads, block)
        yield Text()

    def _fit(self, width: int) -> bool:
        """Give columns of text as much room as there is; whether that is enough."""
        needs = [_need(column) for column in self.columns]
        widths = [least for least, _ in needs]
        room = width - sum(widths) - 3 * len(widths) - 1  # spaces on both sides, and borders
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
            Text(_text(column).plain, no_wrap=False),  # a heading may wrap where cells may not
            justify="right" if is_number else "left",
            no_wrap=is_number or left == 1,
        )
    return empty


def rate(value: float, low: float, high: float) -> str:
    """An error rate with its interval."""
    return escape(f"{value:.3g} [{low:.2g}, {high:.2g}]")


def _block(heads: Sequence[Text], lines: Sequence[Sequence[Text]]) -> Table:
    """Lines that begin with a heading; several cells in a line are aligned to the right."""
    block = Table.grid(padding=(0, GAP, 0, 0))
    block.add_column(no_wrap=True)
    is_single = len(lines[0]) == 1
    for _ in lines[0]:
        block.add_column(justify="left" if is_single else "right", overflow="fold")
    for head, cells in zip(heads, lines, strict=True):
        block.add_row(head, *cells)
    return block


def _need(column: Column) -> tuple[int, int]:
    """The least and the most characters that a column can use; only figures cannot be wrapped."""
    head, cells = _text(column.header), [_text(cell) for cell in column.cells]
    most = max(text.cell_len for text in (head, *cells))
    least = _longest_word(head)
    if column.no_wrap:
        return max([least, *(cell.cell_len for cell in cells)]), most
    return min(most, max([NARROWEST, least, *map(_longest_word, cells)])), most


def _longest_word(text: Text) -> int:
    return max((Text(word).cell_len for word in text.plain.split()), default=0)


def _text(cell: object) -> Text:
    if isinstance(cell, Text):
        return Text(_plain(cell.plain))
    return Text.from_markup(_plain(str(cell)))


def _plain(text: str) -> str:
    return plain(text, sys.stdout.encoding or "utf-8")
