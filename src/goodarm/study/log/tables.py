"""Tables of outcomes in CSV: of trials or arms, with values or with what the model calls them.

A table has a column `trial` or `arm` (or both, which must then agree), and `value` or the two
columns of the outcome model, such as `successes` and `trials`; it may have `at` and `note`. It is
kept in arrays: a million lines take little room.
"""

from array import array
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TextIO

from goodarm import csv_tables, files
from goodarm.errors import InputError
from goodarm.inputs import LONGEST_NOTE, moment, read_number, text
from goodarm.outcomes import Outcome
from goodarm.outcomes.contract import Reading
from goodarm.study.log.importing import Numbered
from goodarm.study.rows import Row
from goodarm.study.trials import LARGEST_TRIAL

TRIAL, ARM, VALUE, AT, NOTE = "trial", "arm", "value", "at", "note"
ReadCells = Callable[[list[str]], Reading]


class ToldTable(NamedTuple):
    """What became of the lines of a table that was told."""

    added: int
    already: int  # lines that had been told before
    unasked: int  # lines that name no trial


class OutcomeTable(Numbered):
    """The lines of a table of outcomes."""

    word = "line"

    def __init__(self, content: str, name: str, outcome: Outcome) -> None:
        header, rows = csv_tables.read_rows(content, name, _checking(name, outcome))
        self._numbers, self._trials = array("q"), array("q")  # 0: by arm
        self._arms: list[str | None] = []
        self._values, self._sizes = array("d"), array("d")
        self._remarks: dict[int, tuple[str | None, str | None]] = {}
        at = {column: position for position, column in enumerate(header)}
        read = _reading(at, outcome)
        names: dict[str, str] = {}  # one text for every arm, not one for every line
        remarked = [at[column] for column in (AT, NOTE) if column in at]
        for number, cells in rows:
            try:
                trial, arm = _of(cells, at)
                told = read(cells)
                if remarked and any(cells[position] for position in remarked):
                    self._remarks[len(self._numbers)] = _remarks(cells, at)
            except InputError as error:
                raise InputError(f"line {number}: {error}") from None
            self._numbers.append(number)
            self._trials.append(trial)
            self._arms.append(None if arm is None else names.setdefault(arm, arm))
            self._values.append(told.value)
            self._sizes.append(told.size)

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[Row]:
        nothing = (None, None)
        for position, arm in enumerate(self._arms):
            size = self._sizes[position]
            yield Row(
                self._trials[position] or None,
                arm,
                self._values[position],
                None if size == 1.0 else size,
                *self._remarks.get(position, nothing),
            )

    @property
    def unasked(self) -> int:
        """How many lines name no trial."""
        return self._trials.count(0)


def read_outcomes(table: str | Path | TextIO, outcome: Outcome) -> OutcomeTable:
    """Read a CSV table of outcomes of this kind: a file, or an open one."""
    if isinstance(table, str | Path):
        return OutcomeTable(files.read_text(table), repr(str(table)), outcome)
    return OutcomeTable(table.read(), "the table", outcome)


def line_reader(header: list[str], name: str, outcome: Outcome) -> Callable[[list[str]], Row]:
    """What reads a line below this header; for those who want to know what is wrong with each."""
    _checking(name, outcome)(header)
    at = {column: position for position, column in enumerate(header)}
    read = _reading(at, outcome)

    def line(cells: list[str]) -> Row:
        trial, arm = _of(cells, at)
        return Row(trial or None, arm, *read(cells), *_remarks(cells, at))

    return line


def _checking(name: str, outcome: Outcome) -> Callable[[list[str]], None]:
    first, second = outcome.columns
    columns = {TRIAL, ARM, VALUE, first, second, AT, NOTE}

    def check(header: list[str]) -> None:
        given = set(header)
        of_something = TRIAL in given or ARM in given
        # A value, or both columns of the model; value and size may be both at once.
        valued = {first, second} <= given or (
            VALUE in given and not given & {first, second} - {VALUE}
        )
        doubled = VALUE in given and first != VALUE and first in given
        if (
            of_something
            and valued
            and not doubled
            and given <= columns
            and len(given) == len(header)
        ):
            return
        instead = "" if first == VALUE else f", {first} and {second} for value"
        size = f", {second}" if first == VALUE else ""
        separated = "; separate cells with commas" if any(";" in cell for cell in header) else ""
        raise InputError(
            f"{name}: the first line must be a header with arm and value (trial may stand for arm"
            f"{instead}), and may have at{size} and note; it has "
            f"{', '.join(header)[:80] or 'nothing'}{separated}"
        )

    return check


def _reading(at: dict[str, int], outcome: Outcome) -> ReadCells:
    """What reads the outcome of a line."""
    first, second = outcome.columns
    if first not in at or second not in at:
        read, column = lru_cache(maxsize=1024)(outcome.read), at[VALUE]
        return lambda cells: read(cells[column])
    value, size = at[first], at[second]
    return lambda cells: Reading(read_number(first, cells[value]), read_number(second, cells[size]))


def _of(cells: list[str], at: dict[str, int]) -> tuple[int, str | None]:
    """The trial, 0 if none is named, and the arm."""
    trial = cells[at[TRIAL]] if TRIAL in at else ""
    arm = cells[at[ARM]] if ARM in at else ""
    if not trial and not arm:
        raise InputError(f"the {ARM if ARM in at else TRIAL} is missing")
    if not trial:
        return 0, arm
    if not (trial.isascii() and trial.isdigit()) or not 1 <= int(trial) <= LARGEST_TRIAL:
        raise InputError(f"trial: {trial[:40]!r} is not the number of a trial; write one such as 7")
    return int(trial), arm or None


def _remarks(cells: list[str], at: dict[str, int]) -> tuple[str | None, str | None]:
    """When it was observed, and a note."""
    when = cells[at[AT]] if AT in at else ""
    note = cells[at[NOTE]] if NOTE in at else ""
    return moment(AT, when) if when else None, text(NOTE, note, LONGEST_NOTE) if note else None
