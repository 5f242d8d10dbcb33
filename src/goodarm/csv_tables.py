"""Tables in CSV, read in one way everywhere: every line is looked at, and every fault is named.

The first line is a header; columns may come in any order and case. Nothing is guessed: a line with
more or fewer cells than the header is a fault, and so is ``0,5``, which is two cells to a program.
"""

import csv
import io
from collections.abc import Sequence
from typing import NamedTuple

from goodarm.errors import InputError
from goodarm.inputs import read_number


class Line(NamedTuple):
    """One line of a table: its number in the file, and its cells by column."""

    number: int
    cells: dict[str, str]


class Fault(NamedTuple):
    """What is wrong with one line."""

    line: int
    message: str


def read_table(
    text: str, name: str, required: Sequence[str], optional: Sequence[str] = ()
) -> tuple[list[Line], list[Fault]]:
    """The lines below the header, and those that are amiss.

    A table without the required columns, or without lines, is an InputError that begins with its
    name.
    """
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), skipinitialspace=True)
    lines: list[Line] = []
    faults: list[Fault] = []
    header: list[str] = []
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            if not header:
                header = _header(name, cells, required, optional)
            elif len(cells) == len(header):
                named = dict(zip(header, cells, strict=True))
                lines.append(Line(reader.line_num, named))
            else:
                faults.append(Fault(reader.line_num, _wrong_width(len(cells), len(header))))
    except csv.Error as error:
        raise InputError(f"{name}: line {reader.line_num}: {error}") from None
    if not header:
        _header(name, [], required, optional)
    if not lines and not faults:
        raise InputError(f"{name}: there are no lines below the header")
    return lines, faults


def read_all(
    text: str, name: str, required: Sequence[str], optional: Sequence[str] = ()
) -> list[Line]:
    """The lines of a table without faults; the first fault is an InputError."""
    lines, faults = read_table(text, name, required, optional)
    if faults:
        raise InputError(f"{name}: line {faults[0].line}: {faults[0].message}")
    return lines


def recorded_outcomes(text: str, name: str) -> dict[str, list[float]]:
    """The outcomes of each arm, in the order in which the arms first appear."""
    outcomes: dict[str, list[float]] = {}
    for number, cells in read_all(text, name, ("arm", "value"), ("at", "note")):
        if not cells["arm"]:
            raise InputError(f"{name}: line {number}: the arm is missing")
        value = read_number(f"{name}: line {number}: value", cells["value"])
        outcomes.setdefault(cells["arm"], []).append(value)
    return outcomes


def _header(
    name: str, cells: Sequence[str], required: Sequence[str], optional: Sequence[str]
) -> list[str]:
    header = [cell.lower() for cell in cells]
    known = (*required, *optional)
    if not set(required) <= set(header) or set(header) - set(known) or _repeats(header):
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
    return f"it has {cells} cells, the header has {wanted}{hint}"
