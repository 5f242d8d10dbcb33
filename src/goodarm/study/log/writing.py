"""A write in progress: the state of the study, and events that are added to its log.

Each event changes the state at once, so what follows sees it; the database gets them in blocks, so
a million are never held. Nothing is kept unless the whole request ends well.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from goodarm.study.log.events import Event, Stored, read_event
from goodarm.study.log.fold import Fold
from goodarm.study.log.kinds import MOVING_OUTCOMES, all_trials, standing_outcomes
from goodarm.study.log.standing import ToldOutcome
from goodarm.study.storage import StudyRow, Transaction
from goodarm.study.trials import Trial

OWN_KEY = "auto/"  # how keys begin that no other request has
BLOCK = 200  # events that are handed to the database together


class Writing:
    """The present state of a study, and what a request adds to it."""

    def __init__(
        self,
        fold: Fold,
        transaction: Transaction,
        row: StudyRow,
        by: str | None,
        now: str,
        is_first: bool,
    ) -> None:
        self.fold = fold
        self.now = now
        self.added = 0
        self.anew = False  # whether outcomes had to be gone through anew
        self._transaction = transaction
        self._row = row
        self._by = by
        self._is_first = is_first  # attempt at this request
        self._next_trial = fold.next_trial
        self._block: list[Stored] = []
        self._last: Event | None = None  # told with others: maybe the last of them

    def new_trial(self) -> int:
        """A number for a trial that is about to be added."""
        self._next_trial += 1
        return self._next_trial - 1

    def add(self, kind: str, body: dict[str, Any], key: str | None = None) -> Event:
        """Add an event; entries that are None are left out."""
        self._enter_last()
        event = Event(
            study=self._row.uuid,
            seq=self.fold.seq + 1,
            kind=kind,
            at=self.now,
            by=self._by,
            key=key,
            previous=self.fold.head,
            body=body if None not in body.values() else _given(body),
        )
        self.added += 1
        if "more" in event.body:
            self._last = event
        else:
            self._enter(event)
        return event

    def end_batch(self) -> None:
        """The last event added is the last of those that count at one moment."""
        if self._last is not None:
            body = {name: value for name, value in self._last.body.items() if name != "more"}
            self._last = self._last._replace(body=body)
            self._enter_last()

    def finish(self) -> None:
        """Hand the rest to the database."""
        self._enter_last()
        self._flush()

    def under_key(self, key: str) -> Event | None:
        """The event that an earlier request with that key has left."""
        if self._is_first and key.startswith(OWN_KEY):
            return None
        stored = self._transaction.by_key(self._row.id, key)
        return None if stored is None else read_event(stored.text)

    def under_keys(self, keys: Sequence[str]) -> dict[str, Event]:
        """The events that earlier requests with these keys have left."""
        events = self._transaction.by_keys(self._row.id, keys)
        return {key: read_event(stored.text) for key, stored in events.items()}

    def under_prefix(self, prefix: str) -> Iterable[Event]:
        """The events whose keys begin like this, oldest first."""
        return (read_event(s.text) for s in self._transaction.by_prefix(self._row.id, prefix))

    def is_taken(self, name: str) -> bool:
        """Whether there is a study of that name."""
        return self._transaction.find(name) is not None

    def of_trial(self, number: int) -> list[Event]:
        """Everything that happened to a trial."""
        return [read_event(s.text) for s in self._transaction.of_trials(self._row.id, [number])]

    def trials(self, numbers: Sequence[int]) -> dict[int, Trial]:
        """Some trials and what became of them before this request."""
        stored = self._transaction.of_trials(self._row.id, numbers)
        return {trial.number: trial for trial in all_trials(read_event(s.text) for s in stored)}

    def _enter_last(self) -> None:
        if self._last is not None:
            last, self._last = self._last, None
            self._enter(last)

    def _enter(self, event: Event) -> None:
        stored = event.stored()
        self._block.append(stored)
        self.anew |= self.fold.apply(event, stored.hash, self._outcomes)
        if len(self._block) >= BLOCK:
            self._flush()

    def _flush(self) -> None:
        if self._block:
            self._transaction.append(self._row.id, self._block)
            self._block = []

    def _outcomes(self, seq: int) -> Iterable[ToldOutcome]:
        self._flush()
        return outcomes_until(self._transaction, self._row.id, seq)


def _given(body: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in body.items() if value is not None}


def outcomes_until(transaction: Transaction, study: int, seq: int) -> Iterable[ToldOutcome]:
    """The outcomes that stand after an event."""
    events = transaction.of_kinds(study, MOVING_OUTCOMES, seq)
    return standing_outcomes(read_event(stored.text) for stored in events)
