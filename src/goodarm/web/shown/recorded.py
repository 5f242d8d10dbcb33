"""Recorded outcomes, for pictures and files: those of an option, or the latest of all."""

import csv
import io
from collections.abc import Iterator
from typing import NamedTuple

from goodarm.study import Study
from goodarm.study.log.columns import harmless
from goodarm.study.log.events import Event, read_event
from goodarm.study.log.kinds import Retracted, Told

AT_ONCE = 2_000  # events
MOST_LOOKED_AT = 40_000  # of the latest, for a picture
MOST_DRAWN = 1_000
COLUMNS = ("trial", "option", "value", "size", "told_at", "note", "by")


class LatestOutcomes(NamedTuple):
    """Outcomes that stand, the latest first, and whether earlier ones were left out."""

    events: list[Event]
    is_cut: bool


def latest(
    study: Study, arm: str | None = None, most: int = MOST_DRAWN, measure: str | None = None
) -> LatestOutcomes:
    """The latest outcomes that stand: of one option, or of all; of one measurement, or of each."""
    found: list[Event] = []
    taken_back: set[int] = set()
    last = study.seq
    stop = max(0, last - MOST_LOOKED_AT)
    while last > stop and len(found) < most:
        after = max(stop, last - AT_ONCE)
        for stored in reversed(study.events(after, last - after)):
            event = read_event(stored.text)
            if event.kind == Retracted.name:
                taken_back.add(event.body["told"])
            elif event.kind == Told.name and event.seq not in taken_back:
                of_it = measure in (None, event.body.get("measure"))
                found += [event] if of_it and arm in (None, event.body["arm"]) else []
        last = after
    return LatestOutcomes(found[:most], last > 0 or len(found) > most)


def lines(study: Study, arm: str) -> Iterator[str]:
    """The outcomes of an option that stand, as CSV, oldest first."""
    taken_back = {event.body["told"] for event in _all(study) if event.kind == Retracted.name}
    several = bool(study.settings.criteria)
    yield _line((*COLUMNS, "measurement") if several else COLUMNS)
    for event in _all(study):
        body = event.body
        if event.kind == Told.name and body["arm"] == arm and event.seq not in taken_back:
            size, note = body.get("size", 1.0), body.get("note") or ""
            cells = (body["trial"], arm, body["value"], size, event.at, note, event.by or "")
            yield _line((*cells, body["measure"]) if several else cells)


def _all(study: Study) -> Iterator[Event]:
    after, last = 0, study.seq
    while after < last:
        some = study.events(after, min(AT_ONCE, last - after))
        if not some:
            return
        after = some[-1].seq
        yield from (read_event(stored.text) for stored in some)


def _line(cells: tuple[object, ...]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text).writerow([harmless(cell) for cell in cells])
    return text.getvalue()
