"""The columns of the log as a table: history, exports and the audit go by this list.

A column is declared here and described in docs/studies.md, and nowhere else.
"""

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from goodarm.extras import LAB, need
from goodarm.frames import frame_of, parquet_of
from goodarm.study.log.events import Event, Stored, read_event

if TYPE_CHECKING:
    import polars

EVENT, BODY, STORED = "event", "body", "stored"  # where a column comes from
BLOCK = 10_000  # events that are turned into rows at once
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


@dataclass(frozen=True)
class Column:
    """One column: its name, its type, where it comes from, what it means."""

    name: str
    type: type
    origin: str
    meaning: str

    def value(self, event: Event, stored: Stored) -> Any:
        """What an event has in this column; None for nothing."""
        if self.origin == BODY:
            return event.body.get(self.name)
        return getattr(event if self.origin == EVENT else stored, self.name)

    def check(self, value: object) -> None:
        """Raise a ValueError if a body has something of another type here."""
        wanted = (int, float) if self.type is float else self.type
        if value is not None and (isinstance(value, bool) or not isinstance(value, wanted)):
            raise ValueError(f"{self.name} is {value!r}, which is no {self.type.__name__}")


COLUMNS = (
    Column("seq", int, EVENT, "the event's number: 1, 2, 3, …"),
    Column("kind", str, EVENT, "what happened"),
    Column("trial", int, BODY, "the number of the trial that it is about"),
    Column("arm", str, BODY, "the option that was tried"),
    Column("measure", str, BODY, "which of several measurements the value is"),
    Column("value", float, BODY, "the outcome"),
    Column("size", float, BODY, "what the outcome is out of: trials, exposure; 1 if empty"),
    Column("at", str, EVENT, "when, by the server's clock, in UTC"),
    Column("observed_at", str, BODY, "when the outcome was observed, by the client's clock"),
    Column("by", str, EVENT, "who did it"),
    Column("note", str, BODY, "a remark"),
    Column("reason", str, BODY, "why"),
    Column("threshold", float, BODY, "the bar from here on"),
    Column("boundary", str, BODY, "the stopping rule from here on"),
    Column("delta", float, BODY, "δ from here on"),
    Column("name", str, BODY, "the study's name from here on"),
    Column("tags", str, BODY, "the study's tags from here on, with commas between them"),
    Column("label", str, BODY, "a longer name of an option that was added"),
    Column("cost", float, BODY, "what a trial of it costs"),
    Column("trials", int, BODY, "how many more trials are allowed"),
    Column("expires_at", str, BODY, "when the suggestion's lease ends"),
    Column("key", str, EVENT, "the request's key, which makes a repetition harmless"),
    Column("hash", str, STORED, "the event's hash, which fixes it and everything before it"),
)
FRAME_COLUMNS = tuple((column.name, column.type) for column in COLUMNS)


_OF_BODIES = {column.name: column for column in COLUMNS if column.origin == BODY}


def log_rows(events: Iterable[Stored]) -> Iterator[list[Any]]:
    """One row per event; the hash of the last row fixes them all."""
    for stored in events:
        event = read_event(stored.text)
        yield [column.value(event, stored) for column in COLUMNS]


def log_frame(events: Iterable[Stored]) -> "polars.DataFrame":
    """The log as a frame, oldest event first."""
    need(LAB, "history")
    return frame_of(FRAME_COLUMNS, log_rows(events))


def log_parquet(events: Iterable[Stored]) -> Iterator[bytes]:
    """The log as pieces of a Parquet file."""
    return parquet_of(FRAME_COLUMNS, log_rows(events))


def log_csv(events: Iterable[Stored]) -> Iterator[str]:
    """The log as pieces of CSV in which no text is taken for a formula by a spreadsheet."""
    rows = log_rows(events)
    some = [[column.name for column in COLUMNS]]
    while some:
        out = io.StringIO(newline="")
        csv.writer(out).writerows(some)
        yield out.getvalue()
        some = [[harmless(cell) for cell in row] for row in islice(rows, BLOCK)]


def check_columns(event: Event) -> None:
    """Raise a ValueError if an event has something that its column cannot hold."""
    for name, value in event.body.items():
        if name in _OF_BODIES:
            _OF_BODIES[name].check(value)


def harmless(cell: Any) -> Any:
    """The cell so that no spreadsheet takes it for a formula."""
    if isinstance(cell, str) and cell.startswith(FORMULA_STARTS):
        return "'" + cell
    return cell
