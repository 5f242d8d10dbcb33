"""Outcomes as they are handed in together: row by row, each of a trial or of an arm."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from goodarm.errors import InputError
from goodarm.study.settings import Settings
from goodarm.study.telling import check_told, own_size
from goodarm.study.trials import Trial, trial_number

GivenOutcome = tuple[Trial | int | str, float] | tuple[Trial | int | str, float, float | None]
"""A trial (itself or its number) or an arm's name, the value, and the size if it has one."""


class Row(NamedTuple):
    """An outcome as it is handed in: of a trial, or of an arm, or of both if they agree."""

    trial: int | None
    arm: str | None
    value: object
    size: object = None
    observed_at: str | None = None
    note: str | None = None
    measure: str | None = None  # of several; given row by row, each with a mapping as its value


NO_REMARKS = (None, None)  # of a row: when it was observed, and a note


class Rows(Protocol):
    """Outcomes that can be gone through several times, and what a message calls one of them."""

    @property
    def word(self) -> str:
        """A line, say."""
        ...

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Row]: ...

    def number(self, position: int) -> int:
        """The number that the outcome at a position has for its user."""
        ...


class GivenOutcomes:
    """Outcomes from a program: (trial or arm, value), or (trial or arm, value, size)."""

    word = "outcome"

    def __init__(self, items: Iterable[Sequence[Any]]) -> None:
        if not isinstance(items, Iterable):
            raise InputError(
                f"outcomes: {items!r:.60} is not a list of outcomes; give (trial or arm, value) "
                "for each"
            )
        self._items: Sequence[Any] = items if isinstance(items, list | tuple) else list(items)

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Row]:
        for item in self._items:
            if not isinstance(item, tuple | list) or len(item) not in (2, 3):
                raise InputError(
                    f"{item!r} is not an outcome; give a trial or arm, its value, and its size if "
                    "it has one"
                )
            what, *outcome = item
            if isinstance(what, str):
                yield Row(None, what, *outcome)
            else:
                yield Row(trial_number(what), None, *outcome)

    def number(self, position: int) -> int:
        """They are counted from 1."""
        return position + 1


class SplitRows:
    """Rows of several measurements each, as a row for every measurement."""

    def __init__(self, rows: Rows, settings: Settings) -> None:
        self._rows, self._settings = rows, settings
        self.word = rows.word
        self._of = array("q")  # the position of the row that it is of
        self._measures = array("b")
        for position, row in enumerate(rows):
            try:
                given = check_told(settings, row.value, row.size)
            except InputError as error:
                where = f"{rows.word} {rows.number(position)}"
                raise type(error)(f"{where}: {error}; nothing was recorded") from None
            self._of.extend([position] * len(given))
            self._measures.extend(told.measure for told in given)

    def __len__(self) -> int:
        return len(self._of)

    def __iter__(self) -> Iterator[Row]:
        for row in self._rows:
            for told in check_told(self._settings, row.value, row.size):
                value, size = told.reading
                yield row._replace(value=value, size=own_size(size), measure=told.name)

    def number(self, position: int) -> int:
        """That of its row."""
        return self._rows.number(self._of[position])

    def position(self, row: int, measure: int) -> int | None:
        """Where a measurement of a row is, if the row has it."""
        first, end = bisect_left(self._of, row), bisect_right(self._of, row)
        return next((at for at in range(first, end) if self._measures[at] == measure), None)

    def row(self, position: int) -> int:
        """Which of the rows it is of, counted from 0."""
        return self._of[position]

    def is_of_same_row(self, position: int) -> bool:
        """Whether it belongs to the same row as the one before."""
        return position > 0 and self._of[position] == self._of[position - 1]
