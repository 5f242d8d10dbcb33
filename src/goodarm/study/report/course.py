"""How a study went on: when its trials were begun, and what was changed or taken back.

A log may have a million events. When trials were begun is seen from a few hundred of them, spread
evenly over it; changes are found by their kinds, and the first of them stand for many.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import NamedTuple

from goodarm.inquiry import Criterion
from goodarm.outcomes import Outcome
from goodarm.outcomes.contract import Reading
from goodarm.showing.markup import Html, bdi
from goodarm.showing.tables import Heading, page_table
from goodarm.study.log.events import Event, Stored, read_event
from goodarm.study.log.kinds import CHANGES, ArmAdded, ArmRetired, Retracted, Told, kind_of
from goodarm.study.storage import Transaction
from goodarm.study.telling import ToldMeasure
from goodarm.study.trials import Trial
from goodarm.wording import MINUS, NOTHING, to_the_minute

MOST_LOOKS = 400  # at events, for the times of trials
MOST_CHANGES = 100


class Begun(NamedTuple):
    """At that time so many trials had been begun."""

    at: datetime
    trials: int


@dataclass(frozen=True)
class Change:
    """Something that was changed after the study's creation, or an outcome that was taken back."""

    seq: int
    at: str
    what: str
    details: str
    reason: str
    by: str | None


@dataclass(frozen=True)
class Course:
    """How a study went on; where there are more changes than these, `more` says so."""

    begun: tuple[Begun, ...]
    changes: tuple[Change, ...]
    more: bool


def course(
    transaction: Transaction, study: int, until: int, criteria: Sequence[Criterion]
) -> Course:
    """What the log says of it, up to one event."""
    found = list(islice(transaction.of_kinds(study, CHANGES, until), MOST_CHANGES + 1))
    events = [read_event(stored.text) for stored in found[:MOST_CHANGES]]
    values = _values(transaction, study, events, until)
    return Course(
        begun=tuple(_begun(transaction, study, until)),
        changes=tuple(_change(event, values, criteria) for event in events),
        more=len(found) > MOST_CHANGES,
    )


def told_text(outcome: Outcome, value: float | None, size: float | None) -> str:
    """An outcome exactly as it was recorded, with its size if it has one."""
    if value is None:
        return NOTHING
    text = outcome.write(Reading(value, 1.0 if size is None else size))
    return text.replace("-", MINUS, 1) if text.startswith("-") else text


def event_text(criteria: Sequence[Criterion], event: Event) -> str:
    """The outcome that an event tells, with the name of its measurement where there are several."""
    measure = event.body.get("measure")
    criterion = next((one for one in criteria if one.name == measure), criteria[0])
    text = told_text(criterion.outcome, event.body["value"], event.body.get("size"))
    return text if measure is None else f"{measure} {text}"


def trial_text(criteria: Sequence[Criterion], trial: Trial) -> str:
    """The outcome of a trial, as far as it is known."""
    if not trial.values:
        return told_text(criteria[0].outcome, trial.value, trial.size)
    told = ((n, one.name, trial.told_of(one.name)) for n, one in enumerate(criteria))
    known = [ToldMeasure(n, name, reading) for n, name, reading in told if reading is not None]
    return reading_texts(criteria, known)


def reading_texts(criteria: Sequence[Criterion], told: Sequence[ToldMeasure]) -> str:
    """What was told, each measurement with its name where there are several."""
    said = [(one.name, told_text(criteria[one.measure].outcome, *one.reading)) for one in told]
    return ", ".join(text if name is None else f"{name} {text}" for name, text in said)


def _begun(transaction: Transaction, study: int, until: int) -> Iterator[Begun]:
    """Points of the number of trials over time; trials have numbers in the order of beginning."""
    trials = 0
    for stored in _looks(transaction, study, until):
        event = read_event(stored.text)
        trials = max(trials, event.trial or 0)
        yield Begun(datetime.fromisoformat(event.at), trials)


def _looks(transaction: Transaction, study: int, until: int) -> Iterator[Stored]:
    if until <= MOST_LOOKS:
        yield from islice(transaction.log(study), until)
        return
    for look in range(MOST_LOOKS):
        stored = transaction.at(study, 1 + look * (until - 1) // (MOST_LOOKS - 1))
        if stored is not None:
            yield stored


def _values(
    transaction: Transaction, study: int, events: list[Event], until: int
) -> dict[int, list[Event]]:
    """The outcomes that were told of every trial of which one was taken back."""
    trials = {e.trial for e in events if e.kind == Retracted.name and e.trial is not None}
    told: dict[int, list[Event]] = {}
    for stored in transaction.of_trials(study, sorted(trials)):
        if stored.kind == Told.name and stored.seq <= until:
            event = read_event(stored.text)
            told.setdefault(event.body["trial"], []).append(event)
    return told


def _change(event: Event, told: dict[int, list[Event]], criteria: Sequence[Criterion]) -> Change:
    kind, details = kind_of(event), kind_of(event).details(event.body)
    title = kind.title
    if event.kind in (ArmAdded.name, ArmRetired.name):
        details = ", ".join(part for part in (event.body["arm"], details) if part)
    if event.kind == Retracted.name:
        trial, gone = event.body["trial"], event.body["told"]
        wrong = next((e for e in told.get(trial, ()) if e.seq == gone), None)
        right = next((e for e in told.get(trial, ()) if e.body.get("corrects") == gone), None)
        details = f"trial {trial}"
        if wrong is not None:
            details += f" ({wrong.body['arm']}): {event_text(criteria, wrong)}"
        if right is not None:
            title, details = "corrected", f"{details}, now {event_text(criteria, right)}"
    reason = event.body.get("reason") or ""
    return Change(event.seq, event.at, title, details, reason, event.by)


def changes_table(changes: Iterable[Change], caption: str) -> Html:
    """Changes as a table of a page."""
    columns = (
        Heading("No.", right=True),
        Heading("When (UTC)", look="when"),
        Heading("What"),
        Heading("Details", look="free"),
        Heading("Reason", look="free"),
        Heading("By"),
    )
    rows = [
        [
            f"{change.seq:,}",
            to_the_minute(change.at),
            change.what,
            bdi(change.details),
            bdi(change.reason),
            bdi(change.by) if change.by else "",
        ]
        for change in changes
    ]
    return page_table(columns, rows, caption, "log")
