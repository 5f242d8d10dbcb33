"""Past outcomes from a CSV file. The guarantee holds for any sampling, so they count in full.

Every line has a key made of its source and its number, so a line counts once, however often its
file is imported, and a file that has grown adds what is new. A file's source is its name with a
mark of its folder: files of one name in two folders are two sources.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TextIO

from goodarm import csv_tables, files
from goodarm.errors import InputError
from goodarm.inputs import LONGEST_NAME, LONGEST_NOTE, label, moment, read_number, text
from goodarm.study.actions import OutcomeEntry, check_likely, check_outcome, enter, says
from goodarm.study.errors import ConflictError
from goodarm.study.log.events import Event
from goodarm.study.log.ledger import Writing

REQUIRED, OPTIONAL = ("arm", "value"), ("at", "note")
MARK = 8  # hexadecimal digits for a folder


class OutcomeLine(NamedTuple):
    """One line of the file: its number, and what it says."""

    number: int
    arm: str
    value: float
    entry: OutcomeEntry


class Imported(NamedTuple):
    """What an import did."""

    added: int
    already: int  # lines of the same source that an earlier import had entered


@dataclass(frozen=True)
class Source:
    """Where outcomes come from: what a user calls it, or a file's name with its folder's mark."""

    name: str
    file: str | None = None  # the file's name alone, if nobody has named the source


def source_of(path: str | Path | TextIO, name: object) -> Source:
    """The source of that name, or the file's own."""
    if name is not None or not isinstance(path, str | Path):
        return Source(check_source(name))
    file = Path(path).resolve()
    mark = hashlib.sha256(str(file.parent).encode("utf-8", "surrogateescape")).hexdigest()[:MARK]
    short = file.name[: LONGEST_NAME - MARK - 1]
    return Source(check_source(f"{short}@{mark}"), check_source(short))


def check_source(value: object) -> str:
    """A name for where outcomes come from; imports of one source do not count a line twice."""
    return label("source", value)


def read_outcomes(table: str | Path | TextIO) -> list[OutcomeLine]:
    """Read CSV, a file or an open one, with the columns arm, value and, where wanted, at, note."""
    if isinstance(table, str | Path):
        name, content = repr(str(table)), files.read_text(table)
    else:
        name, content = "the table", table.read()
    return [_line(line) for line in csv_tables.read_all(content, name, REQUIRED, OPTIONAL)]


def enter_lines(
    writing: Writing, lines: list[OutcomeLine], source: Source, sure: bool = False
) -> Imported:
    """Enter every line that this source has not been entered from before, or none at all.

    They count at one moment, at their end: a file may be sorted by value.
    """
    name = source.name if source.file is None else _recognised(writing, lines, source)
    keys = {line.number: f"import/{name}/{line.number}" for line in lines}
    earlier = writing.under_keys(list(keys.values()))
    for line in lines:
        try:
            told = check_outcome(writing.fold, line.entry)
            event = earlier.get(keys[line.number])
            if event is None:
                check_likely(writing.fold, line.arm, told, sure)
                enter(writing, line.arm, line.entry, told, keys[line.number])
            elif not says(event, line.arm, told):
                raise ConflictError(
                    f"was imported before as {event.body['arm']!r} {event.body['value']:g}; "
                    "correct that trial, or give these outcomes another source"
                )
        except InputError as error:
            raise type(error)(f"line {line.number}: {error}; nothing was imported") from None
    writing.end_batch()
    return Imported(added=len(writing.added), already=len(lines) - len(writing.added))


def _recognised(writing: Writing, lines: list[OutcomeLine], source: Source) -> str:
    """The name under which a file is entered: its own, unless an earlier import knew no folders.

    The same lines in a file of the same name elsewhere may be the same outcomes, moved or copied,
    or others that look alike: that is for a person to say.
    """
    assert source.file is not None
    earlier = _imports(writing, source.file)
    if source.name in earlier:
        return source.name
    by_number = {line.number: line for line in lines}
    alike = [
        name
        for name, events in earlier.items()
        if (common := events.keys() & by_number.keys())
        and all(_agrees(writing, by_number[number], events[number]) for number in common)
    ]
    if source.file in alike:
        return source.file
    if alike:
        raise ConflictError(
            f"source: the same lines were imported before from a file {source.file!r} in another "
            f"folder; if these are the same outcomes, give source={alike[0]!r} (--source), if they "
            "are others, a source of your own; nothing was imported"
        )
    return source.name


def _imports(writing: Writing, file: str) -> dict[str, dict[int, Event]]:
    """What was imported from files of that name: by source, then by line."""
    imports: dict[str, dict[int, Event]] = {}
    for key, event in writing.under_prefix(f"import/{file}").items():
        name, _, number = key.removeprefix("import/").rpartition("/")
        if number.isdigit() and (name == file or name.startswith(f"{file}@")):
            imports.setdefault(name, {})[int(number)] = event
    return imports


def _agrees(writing: Writing, line: OutcomeLine, event: Event) -> bool:
    return says(event, line.arm, check_outcome(writing.fold, line.entry))


def _line(line: csv_tables.Line) -> OutcomeLine:
    cells = line.cells
    try:
        value = read_number("value", cells["value"])
        entry = OutcomeEntry(
            value=value,
            observed_at=moment("at", cells["at"]) if cells.get("at") else None,
            note=text("note", cells["note"], LONGEST_NOTE) if cells.get("note") else None,
            imported=True,
            more=True,
        )
    except InputError as error:
        raise InputError(f"line {line.number}: {error}") from None
    return OutcomeLine(line.number, cells["arm"], value, entry)
