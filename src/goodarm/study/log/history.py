"""The log and the trials as tables."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from goodarm.study.log.events import Event, Stored, read_event
from goodarm.study.trials import Trial, next_status

if TYPE_CHECKING:
    import polars

COLUMNS = (
    "seq", "kind", "trial", "arm", "value", "at", "observed_at", "by", "note", "reason",
    "threshold", "boundary", "delta", "trials", "expires_at", "key", "hash",
)  # fmt: skip
_FROM_BODY = (
    "trial", "arm", "value", "observed_at", "note", "reason", "threshold", "boundary",
    "delta", "trials", "expires_at",
)  # fmt: skip


def log_rows(events: Iterable[Stored]) -> list[dict[str, Any]]:
    """One row an event; the hash of the last row fixes them all."""
    rows = []
    for stored in events:
        event = read_event(stored.text)
        row = {name: event.body.get(name) for name in _FROM_BODY}
        row |= {"seq": event.seq, "kind": event.kind, "at": event.at, "by": event.by}
        row |= {"key": event.key, "hash": stored.hash}
        rows.append({name: row[name] for name in COLUMNS})
    return rows


def log_frame(events: Iterable[Stored]) -> "polars.DataFrame":
    """The log as a frame, oldest event first."""
    import polars

    whole, real = ("seq", "trial", "trials"), ("value", "threshold", "delta")
    types: dict[str, Any] = {
        name: polars.Int64 if name in whole else polars.Float64 if name in real else polars.String
        for name in COLUMNS
    }
    return polars.DataFrame(log_rows(events), schema=types, orient="row")


def all_trials(events: Iterable[Event]) -> list[Trial]:
    """Every trial and what became of it, in the order of their numbers."""
    found: dict[int, Trial] = {}
    for event in events:
        if event.trial is not None:
            found[event.trial] = next_status(found.get(event.trial), event)
    return [found[number] for number in sorted(found)]
