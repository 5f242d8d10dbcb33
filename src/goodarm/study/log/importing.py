"""Past outcomes from a CSV file. The guarantee holds for any sampling, so they count in full."""

import csv
import io
from pathlib import Path
from typing import NamedTuple, TextIO

from goodarm.errors import InputError
from goodarm.inputs import LONGEST_NOTE, label, moment, text
from goodarm.study.actions import Entry, check_likely, enter
from goodarm.study.errors import ConflictError
from goodarm.study.log.ledger import Writing

COLUMNS = ("arm", "value", "at", "note")


class Line(NamedTuple):
    """One line of the file: where it stands, and what it says."""

    number: int
    arm: str
    entry: Entry


class Imported(NamedTuple):
    """What an import did."""

    added: int
    already: int  # lines of the same source that an earlier import had entered


def read_outcomes(table: str | Path | TextIO) -> list[Line]:
    """Read CSV, a file or an open one, with the columns arm, value and, where wanted, at, note."""
    if isinstance(table, str | Path):
        name = repr(str(table))
        try:
            content = Path(table).read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            raise InputError(f"cannot read {name}: {reason}") from None
    else:
        name, content = "the table", table.read()
    reader = csv.DictReader(io.StringIO(content, newline=""), skipinitialspace=True)
    columns = [(column or "").strip().lower() for column in reader.fieldnames or []]
    reader.fieldnames = columns
    unknown = [column for column in columns if column not in COLUMNS]
    if not {"arm", "value"} <= set(columns) or unknown or len(set(columns)) < len(columns):
        raise InputError(
            f"{name}: the header must have arm and value, and may have at and note; "
            f"it has {', '.join(columns) or 'nothing'}"
        )
    lines = []
    try:
        for row in reader:
            lines.append(_line(row, reader.line_num))
    except csv.Error as error:
        raise InputError(f"{name}: {error}") from None
    if not lines:
        raise InputError(f"{name} has no outcomes")
    return lines


def enter_lines(writing: Writing, lines: list[Line], source: str, sure: bool = False) -> Imported:
    """Enter every line that this source has not been entered from before, or none at all.

    They count at one moment, at their end: a file may be sorted by value.
    """
    outcome, threshold = writing.fold.settings.outcome, writing.fold.settings.threshold
    keys = {line.number: f"import/{source}/{line.number}" for line in lines}
    earlier = writing.under_keys(list(keys.values()))
    for line in lines:
        try:
            value = outcome.check(line.entry.value, threshold)
            event = earlier.get(keys[line.number])
            if event is None:
                check_likely(writing.fold, line.arm, value, sure)
                enter(writing, line.arm, line.entry, value, keys[line.number])
            elif (event.body["arm"], event.body["value"]) != (line.arm, value):
                raise ConflictError(
                    f"was imported before as {event.body['arm']!r} {event.body['value']:g}; "
                    "correct that trial, or give these outcomes another source"
                )
        except InputError as error:
            raise type(error)(f"line {line.number}: {error}; nothing was imported") from None
    writing.end_batch()
    return Imported(added=len(writing.added), already=len(lines) - len(writing.added))


def check_source(value: object) -> str:
    """A name for where outcomes come from; imports of one source do not count a line twice."""
    return label("source", value)


def _line(row: dict[str, str | None], number: int) -> Line:
    if None in row or None in row.values():
        raise InputError(f"line {number}: as many cells as the header has are needed")
    cells = {name: (cell or "").strip() for name, cell in row.items()}
    try:
        value = float(cells["value"])
    except ValueError:
        raise InputError(f"line {number}: value {cells['value']!r} is not a number") from None
    try:
        entry = Entry(
            value=value,
            observed_at=moment("at", cells["at"]) if cells.get("at") else None,
            note=text("note", cells["note"], LONGEST_NOTE) if cells.get("note") else None,
            imported=True,
            more=True,
        )
    except InputError as error:
        raise InputError(f"line {number}: {error}") from None
    return Line(number, cells["arm"], entry)
