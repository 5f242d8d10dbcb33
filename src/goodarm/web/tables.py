"""Outcomes in CSV, pasted or uploaded: every line is looked at, and every fault is named."""

import csv
import io
from collections.abc import Sequence
from typing import NamedTuple

from goodarm.errors import InputError
from goodarm.inputs import read_number

MOST_BYTES = 512 * 1024  # well below what a form may hold: a preview sends them once more


class Row(NamedTuple):
    """One line of a table: where it stands, and its cells by column."""

    line: int
    cells: dict[str, str]


class Fault(NamedTuple):
    """What is wrong with one line."""

    line: int
    message: str


def read_text(text: str, file: bytes) -> str:
    """What was pasted or uploaded, but not both; without empty lines around it."""
    if text.strip() and file:
        raise InputError("data: paste the lines or choose a file, not both")
    try:
        found = file.decode("utf-8-sig") if file else text
    except UnicodeDecodeError:
        raise InputError("data: the file is not text in UTF-8; export it anew as CSV") from None
    # Browsers send pasted lines with \r\n, programs with \n: the same lines are the same text.
    return found.replace("\r\n", "\n").strip()


def read_rows(text: str, optional: Sequence[str] = ()) -> tuple[list[Row], list[Fault]]:
    """The lines below a header with arm, value and maybe other columns; and those that are amiss.

    A header without the two columns leaves nothing to look at: that is an InputError.
    """
    _check_size(text)
    reader = csv.reader(io.StringIO(text, newline=""), skipinitialspace=True)
    rows: list[Row] = []
    faults: list[Fault] = []
    try:
        header = [cell.strip().lower() for cell in next(reader, [])]
        _check_header(header, optional)
        for cells in reader:
            if not cells:
                continue
            if len(cells) != len(header):
                message = f"it has {len(cells)} cells, the header has {len(header)}"
                faults.append(Fault(reader.line_num, message))
                continue
            named = dict(zip(header, (cell.strip() for cell in cells), strict=True))
            rows.append(Row(reader.line_num, named))
    except csv.Error as error:
        raise InputError(f"data: line {reader.line_num}: {error}") from None
    if not rows and not faults:
        raise InputError("data: there is no line below the header; write one an outcome")
    return rows, faults


def recorded_outcomes(text: str) -> dict[str, list[float]]:
    """The outcomes of each arm, for a plan; the first fault is an InputError."""
    rows, faults = read_rows(text)
    if faults:
        raise InputError(f"data: line {faults[0].line}: {faults[0].message}")
    found: dict[str, list[float]] = {}
    for row in rows:
        if not row.cells["arm"]:
            raise InputError(f"data: line {row.line}: the arm is missing")
        value = read_number(f"data: line {row.line}: value", row.cells["value"])
        found.setdefault(row.cells["arm"], []).append(value)
    return found


def _check_size(text: str) -> None:
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise InputError("data: it has characters that are no text; export it anew") from None
    if size > MOST_BYTES:
        raise InputError(f"data: {size:,} bytes; at most {MOST_BYTES:,} are taken at once")


def _check_header(header: Sequence[str], optional: Sequence[str]) -> None:
    unknown = [column for column in header if column not in ("arm", "value", *optional)]
    if not {"arm", "value"} <= set(header) or unknown or len(set(header)) < len(header):
        more = f", and may have {' and '.join(optional)}" if optional else ""
        raise InputError(
            f"data: the first line must be a header with arm and value{more}; "
            f"it has {', '.join(header)[:80] or 'nothing'}"
        )
