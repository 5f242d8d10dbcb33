"""Tables as polars frames and as Parquet files, for those who have the extra goodarm[lab].

Tables may have a million rows: those of a Parquet file are never all in memory.
"""

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars

BLOCK = 10_000  # rows that are turned into columns at once
PART = 50_000  # rows in a part of a Parquet file
PIECE = 2**20  # bytes

Columns = Sequence[tuple[str, type]]
"""The name of each column, and whether it holds int, float or str; a cell may be None."""
Rows = Iterable[Sequence[Any]]


def frame_of(columns: Columns, rows: Rows) -> "polars.DataFrame":
    """All rows as one frame."""
    import polars

    parts = list(_frames(columns, rows, BLOCK))
    return polars.concat(parts) if parts else _frame(columns, [])


def parquet_of(columns: Columns, rows: Rows) -> Iterator[bytes]:
    """The bytes of a Parquet file: parts, each in a file of its own, made one."""
    import polars

    with tempfile.TemporaryDirectory() as folder:
        parts = []
        for number, frame in enumerate(_frames(columns, rows, PART)):
            parts.append(Path(folder, f"{number}.parquet"))
            frame.write_parquet(parts[-1])
        whole = parts[0]
        if len(parts) > 1:
            whole = Path(folder, "whole.parquet")
            polars.scan_parquet(parts).sink_parquet(whole)
        with whole.open("rb") as file:
            while piece := file.read(PIECE):
                yield piece


def _frames(columns: Columns, rows: Rows, most: int) -> Iterator["polars.DataFrame"]:
    """Frames of so many rows at most."""
    left = iter(rows)
    while some := list(islice(left, most)):
        yield _frame(columns, some)


def _frame(columns: Columns, rows: Sequence[Sequence[Any]]) -> "polars.DataFrame":
    import polars

    types = {int: polars.Int64, float: polars.Float64, str: polars.String}
    series = [
        polars.Series(name, [row[position] for row in rows], types[kind])
        for position, (name, kind) in enumerate(columns)
    ]
    return polars.DataFrame(series)
