"""Tables in CSV, read in one way everywhere: every line is looked at, and every fault is named.

The first line is a header; columns may come in any order and case. Nothing is guessed: a line with
more or fewer cells than the header is a fault, and so is ``0,5``, which is two cells to a program.
"""

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from goodarm.errors import InputError
from goodarm.inputs import read_number
from goodarm.wording import counted


class Line(NamedTuple):
    """One line of a table: its number in the file, and its cells by column."""

    number: int
    cells: dict[str, str]


class Fault(NamedTuple):
    """What is wrong with one line."""

    line: int
    message: str


def read_table(
    text: str,
    name: str,
    required: Sequence[str],
    optional: Sequence[str] = (),
    other_columns: bool = False,
) -> tuple[list[Line], list[Fault]]:
    """The lines below the header, and those that are amiss.

    A table without the required columns, or without lines, is an InputError that begins with its
    name. So is one with columns that are not expected, unless `other_columns` lets them pass.
    """
    lines: list[Line] = []
    faults: list[Fault] = []
    header: list[str] = []
    for number, cells in _rows(text, name):
        if not header:
            header = _header(name, cells, required, optional, other_columns)
        elif len(cells) == len(header):
            lines.append(Line(number, dict(zip(header, cells, strict=True))))
        else:
            faults.append(Fault(number, _wrong_width(len(cells), len(header))))
    if not header:
        _header(name, [], required, optional, other_columns)
    if not lines and not faults:
        raise InputError(f"{name}: there are no lines below the header")
    return lines, faults


def read_all(
    text: str,
    name: str,
    required: Sequence[str],
    optional: Sequence[str] = (),
    other_columns: bool = False,
) -> list[Line]:
    """The lines of a table without faults; the first fault is an InputError."""
    lines, faults = read_table(text, name, required, optional, other_columns)
    if faults:
        raise InputError(f"{name}: line {faults[0].line}: {faults[0].message}")
    return lines


def read_header(text: str, name: str) -> list[str]:
    """The first line that is not empty, in lower case."""
    _, cells = next(_rows(text, name), (0, []))
    return [cell.lower() for cell in cells]


def read_rows(
    text: str, name: str, check_header: Callable[[list[str]], None]
) -> tuple[list[str], Iterator[tuple[int, list[str]]]]:
    """The header in lower case, and the lines below it one by one: each its number and its cells.

    For tables of a million lines, which should not be held at once. `check_header` may refuse the
    header; the first fault is an InputError.
    """
    rows = _rows(text, name)
    _, cells = next(rows, (0, []))
    header = [cell.lower() for cell in cells]
    check_header(header)

    def below() -> Iterator[tuple[int, list[str]]]:
        number = 0
        for number, cells in rows:
            if len(cells) != len(header):
                wrong = _wrong_width(len(cells), len(header))
                raise InputError(f"{name}: line {number}: {wrong}")
            yield number, cells
        if not number:
            raise InputError(f"{name}: there are no lines below the header")

    return header, below()


def recorded_outcomes(text: str, name: str) -> dict[str, list[float]]:
    """The outcomes of each arm, in the order in which the arms first appear.

    Columns other than arm and value are not looked at.
    """
    outcomes: dict[str, list[float]] = {}
    for number, cells in read_all(text, name, ("arm", "value"), other_columns=True):
        if not cells["arm"]:
            raise InputError(f"{name}: line {number}: the arm is missing")
        value = read_number(f"{name}: line {number}: value", cells["value"])
        outcomes.setdefault(cells["arm"], []).append(value)
    return outcomes


def read_values(text: str, name: str) -> list[tuple[int, float]]:
    """Numbers with their lines: of the only column, or of the one that is called value."""
    cells = read_cells(text, name)
    return [(line, read_number(f"{name}: line {line}", cell)) for line, cell in cells]


def read_cells(text: str, name: str) -> list[tuple[int, str]]:
    """What `read_values` reads, as it is typed: an outcome may have a size (37/1000).

    A single column needs no header.
    """
    values: list[tuple[int, str]] = []
    column, width = 0, 0
    for number, cells in _rows(text, name):
        where = f"{name}: line {number}"
        if not width:
            width = len(cells)
            column, is_header = _column_of_values(cells, where)
            if is_header:
                continue
        if len(cells) != width:
            raise InputError(f"{where}: {_wrong_width(len(cells), width)}")
        values.append((number, cells[column]))
    if not values:
        raise InputError(f"{name}: there are no outcomes in it; give numbers, one per line")
    return values


def _rows(text: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """The lines that are not empty, each with its number and its cells."""
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), skipinitialspace=True)
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells):
                yield reader.line_num, cells
    except csv.Error as error:
        raise InputError(f"{name}: line {reader.line_num}: {error}") from None


def _column_of_values(cells: list[str], where: str) -> tuple[int, bool]:
    """Which column the values are in, and whether this first line is a header."""
    names = [cell.lower() for cell in cells]
    if names.count("value") == 1:
        return names.index("value"), True
    if len(cells) > 1:
        raise InputError(f"{where}: of several columns one must be called value")
    return 0, cells[0][0].isalpha() and names[0] not in ("nan", "inf", "infinity")


def _header(
    name: str,
    cells: Sequence[str],
    required: Sequence[str],
    optional: Sequence[str],
    other_columns: bool,
) -> list[str]:
    header = [cell.lower() for cell in cells]
    missing = not set(required) <= set(header)
    unexpected = set(header) - {*required, *optional} and not other_columns
    if missing or unexpected or _repeats(header):
        more = f", and may have {' and '.join(optional)}" if optional else ""
        separated = "; separate cells with commas" if any(";" in cell for cell in cells) else ""
        raise InputError(
            f"{name}: the first line must be a header with {' and '.join(required)}{more}; "
            f"it has {', '.join(header)[:80] or 'nothing'}{separated}"
        )
    return header


def _repeats(header: Sequence[str]) -> bool:
    return len(set(header)) < len(header)


def _wrong_width(cells: int, wanted: int) -> str:
    hint = "; write 0.5 with a point" if cells > wanted else ""
    return f"it has {counted(cells, 'cell')}, the first line has {wanted}{hint}"
