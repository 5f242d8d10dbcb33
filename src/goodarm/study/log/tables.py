"""Tables of outcomes in CSV: of trials or arms, with values or with what the model calls them.

A table has a column `trial` or `arm` (or both, which must then agree), and `value` or the two
columns of the outcome model, such as `successes` and `trials`; it may have `at` and `note`. Where a
trial has several measurements it has a column for each, by name, in place of `value`; cells may be
empty. It is kept in arrays: a million lines take little room.
"""

from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from goodarm import csv_tables, files
from goodarm.errors import InputError
from goodarm.inputs import LONGEST_NOTE, moment, read_number, text
from goodarm.outcomes.contract import Reading
from goodarm.study.log.importing import Numbered
from goodarm.study.rows import Row
from goodarm.study.settings import Settings
from goodarm.study.trials import LARGEST_TRIAL

TRIAL, ARM, VALUE, AT, NOTE = "trial", "arm", "value", "at", "note"
COLUMNS = (TRIAL, ARM, AT, NOTE)  # besides the outcomes
ReadCells = Callable[[list[str]], Any]


class ToldTable(NamedTuple):
    """What became of the lines of a table that was told."""

    added: int
    already: int  # lines that had been told before
    unasked: int  # lines that name no trial


class OutcomeTable(Numbered):
    """The lines of a table of outcomes."""

    word = "line"

    def __init__(self, content: str, name: str, settings: Settings) -> None:
        header, rows = csv_tables.read_rows(content, name, _checking(name, settings))
        self._numbers, self._trials = array("q"), array("q")  # 0: by arm
        self._arms: list[str | None] = []
        self._values, self._sizes = array("d"), array("d")
        self._remarks: dict[int, tuple[str | None, str | None]] = {}
        at = {column: position for position, column in enumerate(header)}
        read = _reading(at, settings)
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
            self._keep(told)

    def _keep(self, told: Any) -> None:
        self._values.append(told.value)
        self._sizes.append(told.size)

    def _told(self, position: int) -> tuple[object, object]:
        size = self._sizes[position]
        return self._values[position], None if size == 1.0 else size

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[Row]:
        nothing: tuple[str | None, str | None] = (None, None)
        for position, arm in enumerate(self._arms):
            at, note = self._remarks.get(position, nothing)
            value, size = self._told(position)
            yield Row(self._trials[position] or None, arm, value, size, at, note)

    @property
    def unasked(self) -> int:
        """How many lines name no trial."""
        return self._trials.count(0)


class MeasuredTable(OutcomeTable):
    """The same where a trial has several measurements."""

    def __init__(self, content: str, name: str, settings: Settings) -> None:
        self._measured: list[tuple[dict[str, float], dict[str, float]]] = []
        super().__init__(content, name, settings)

    def _keep(self, told: Any) -> None:
        self._measured.append(told)

    def _told(self, position: int) -> tuple[object, object]:
        values, sizes = self._measured[position]
        return values, sizes or None


def read_outcomes(table: str | Path | TextIO, settings: Settings) -> OutcomeTable:
    """Read a CSV table of a study's outcomes: a file, or an open one."""
    kind = MeasuredTable if settings.criteria else OutcomeTable
    if isinstance(table, str | Path):
        return kind(files.read_text(table), repr(str(table)), settings)
    return kind(table.read(), "the table", settings)


def line_reader(header: list[str], name: str, settings: Settings) -> Callable[[list[str]], Row]:
    """What reads a line below this header; for those who want to know what is wrong with each."""
    _checking(name, settings)(header)
    at = {column: position for position, column in enumerate(header)}
    read = _reading(at, settings)

    def line(cells: list[str]) -> Row:
        trial, arm = _of(cells, at)
        value, size = read(cells)
        return Row(trial or None, arm, value, size, *_remarks(cells, at))

    return line


def _checking(name: str, settings: Settings) -> Callable[[list[str]], None]:
    if settings.criteria:
        return _checking_measured(name, [one.name for one in settings.criteria])
    first, second = settings.outcome.columns
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


def _checking_measured(name: str, names: Sequence[str]) -> Callable[[list[str]], None]:
    def check(header: list[str]) -> None:
        given = set(header)
        is_known = given <= {*COLUMNS, *names} and len(given) == len(header)
        if is_known and given & {TRIAL, ARM} and given & set(names):
            return
        raise InputError(
            f"{name}: the first line must be a header with arm or trial, and a column for each "
            f"measurement, {', '.join(names)}; it may have at and note; it has "
            f"{', '.join(header)[:80] or 'nothing'}"
        )

    return check


def _reading(at: dict[str, int], settings: Settings) -> ReadCells:
    """What reads the outcome of a line."""
    outcome = settings.outcome
    if settings.criteria:
        columns = [
            (one.name, one.outcome.read, at[one.name])
            for one in settings.criteria
            if one.name in at
        ]
        return lambda cells: _measured(cells, columns)
    first, second = outcome.columns
    if first not in at or second not in at:
        read, column = lru_cache(maxsize=1024)(outcome.read), at[VALUE]
        return lambda cells: read(cells[column])
    value, size = at[first], at[second]
    return lambda cells: Reading(read_number(first, cells[value]), read_number(second, cells[size]))


def _measured(
    cells: list[str], columns: Sequence[tuple[str, Callable[[str], Reading], int]]
) -> tuple[dict[str, float], dict[str, float]]:
    """Values and sizes by measurement; an empty cell is one that is not known yet."""
    values: dict[str, float] = {}
    sizes: dict[str, float] = {}
    for name, read, position in columns:
        if not cells[position]:
            continue
        try:
            values[name], size = read(cells[position])
        except InputError as error:
            raise InputError(f"{name}: {str(error).removeprefix('value: ')}") from None
        if size != 1.0:
            sizes[name] = size
    return values, sizes


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
