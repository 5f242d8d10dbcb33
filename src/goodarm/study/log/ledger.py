"""One study in its database: kept up to date, and written to by one writer at a time."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from threading import RLock
from typing import Any, TypeVar
from uuid import uuid4

from goodarm.errors import InputError
from goodarm.study.errors import StorageError
from goodarm.study.log.checkpoint import is_due, read_checkpoint, write_checkpoint
from goodarm.study.log.events import GENESIS, Event, Stored, digest, read_event
from goodarm.study.log.fold import Fold, Outcomes
from goodarm.study.log.kinds import MOVING_OUTCOMES, Created, ToldOutcome, standing_outcomes
from goodarm.study.storage import Store, StudyRow, Transaction

T = TypeVar("T")
ADVICE = "run `goodarm study verify`, and compare with a backup"


class Writing:
    """A write in progress: the present state, and the events that are to be added to the log."""

    def __init__(self, fold: Fold, transaction: Transaction, row: StudyRow, by: str | None) -> None:
        self.fold = fold
        self.now = transaction.now()
        self.added: list[tuple[Event, Stored]] = []
        self._transaction = transaction
        self._row = row
        self._by = by
        self._next_trial = fold.next_trial

    def new_trial(self) -> int:
        """A number for a trial that is about to be added."""
        self._next_trial += 1
        return self._next_trial - 1

    def add(self, kind: str, body: dict[str, Any], key: str | None = None) -> Event:
        """Add an event; entries that are None are left out."""
        last = self.added[-1] if self.added else None
        event = Event(
            study=self._row.uuid,
            seq=(last[0].seq if last else self.fold.seq) + 1,
            kind=kind,
            at=self.now,
            by=self._by,
            key=key,
            previous=last[1].hash if last else self.fold.head,
            body={name: value for name, value in body.items() if value is not None},
        )
        self.added.append((event, event.stored()))
        return event

    def end_batch(self) -> None:
        """The last event added is the last of those that count at one moment."""
        if self.added and self.added[-1][0].body.get("more"):
            event = self.added[-1][0]
            body = {name: value for name, value in event.body.items() if name != "more"}
            last = replace(event, body=body)
            self.added[-1] = (last, last.stored())

    def under_key(self, key: str) -> Event | None:
        """The event that an earlier request with that key has left."""
        stored = self._transaction.by_key(self._row.id, key)
        return None if stored is None else read_event(stored.text)

    def under_keys(self, keys: list[str]) -> dict[str, Event]:
        """The events that earlier requests with these keys have left."""
        events = self._transaction.by_keys(self._row.id, keys)
        return {key: read_event(stored.text) for key, stored in events.items()}

    def under_prefix(self, prefix: str) -> dict[str, Event]:
        """The events whose keys begin like this."""
        events = self._transaction.by_prefix(self._row.id, prefix)
        return {key: read_event(stored.text) for key, stored in events.items()}

    def of_trial(self, number: int) -> list[Event]:
        """Everything that happened to a trial."""
        return [read_event(s.text) for s in self._transaction.of_trial(self._row.id, number)]


class Ledger:
    """A study's log and its fold, which any number of threads and processes may write to."""

    def __init__(self, store: Store, row: StudyRow) -> None:
        self.store = store
        self.row = row
        self._lock = RLock()
        self._fold: Fold | None = None

    @classmethod
    def find(cls, store: Store, name: str) -> "Ledger":
        """The ledger of the study of that name."""
        row = store.read(lambda transaction: transaction.find(name))
        if row is None:
            raise InputError(f"there is no study {name!r} in {store}")
        return cls(store, row)

    def look(self, at: Callable[[Fold], T]) -> T:
        """Look at the state of the study as the database has it now."""
        with self._lock:
            return at(self.store.read(self._up_to_date))

    def read(self, work: Callable[[Transaction], T]) -> T:
        """Read from the database without the state."""
        return self.store.read(work)

    def commit(self, work: Callable[[Writing], T], by: str | None = None) -> T:
        """Let the work add events; they are durable, or not there at all, when this returns."""

        def once(transaction: Transaction) -> tuple[Fold, T]:
            transaction.lock(self.row.id)
            fold = self._up_to_date(transaction)
            writing = Writing(fold, transaction, self.row, by)
            result = work(writing)
            if writing.added:
                self._fold = None  # until the commit, the fold is ahead of the log
                self._keep(transaction, fold, writing.added)
            return fold, result

        with self._lock:
            self._fold, result = self.store.write(once)
            return result

    def _keep(
        self, transaction: Transaction, fold: Fold, added: list[tuple[Event, Stored]]
    ) -> None:
        since, anew = fold.seq, False
        transaction.append(self.row.id, [stored for _, stored in added])
        for event, stored in added:
            anew |= fold.apply(event, stored.hash, self._outcomes(transaction))
        transaction.put_summary(self.row.id, summary_of(fold))
        if anew or is_due(fold, since):
            text = write_checkpoint(fold)
            transaction.put_checkpoint(self.row.id, fold.seq, fold.head, text)

    def _up_to_date(self, transaction: Transaction) -> Fold:
        fold = self._fold or self._load(transaction)
        self._fold = None  # should this fail halfway, the next one starts over
        for stored in transaction.log(self.row.id, fold.seq):
            event = self._checked(stored, fold.seq + 1, fold.head)
            fold.apply(event, stored.hash, self._outcomes(transaction))
        self._fold = fold
        return fold

    def _load(self, transaction: Transaction) -> Fold:
        first = transaction.at(self.row.id, 1)
        if first is None:
            raise StorageError(f"the log of {self.row.name!r} has no beginning; {ADVICE}")
        created = self._checked(first, 1, GENESIS)
        saved = transaction.checkpoint(self.row.id)
        if saved is not None:
            seq, head, text = saved
            event = transaction.at(self.row.id, seq)
            if event is not None and event.hash == head:
                fold = read_checkpoint(text, created, first.hash)
                if fold is not None and (fold.seq, fold.head) == (seq, head):
                    return fold
        return Fold(created, first.hash)

    def _checked(self, stored: Stored, seq: int, previous: str) -> Event:
        """The event, if it is the one that follows; a log is not folded over a break."""
        if stored.seq == seq and digest(stored.text) == stored.hash:
            with suppress(ValueError):
                event = read_event(stored.text)
                if event.previous == previous and event.study == self.row.uuid:
                    return event
        raise StorageError(f"the log of {self.row.name!r} was altered at event {seq}; {ADVICE}")

    def _outcomes(self, transaction: Transaction) -> Outcomes:
        def until(seq: int) -> Iterable[ToldOutcome]:
            events = transaction.of_kinds(self.row.id, MOVING_OUTCOMES, seq)
            return standing_outcomes(read_event(stored.text) for stored in events)

        return until


def summary_of(fold: Fold) -> dict[str, Any]:
    """What a list of studies shows of one."""
    return {
        "seq": fold.seq,
        "hash": fold.head,
        "state": fold.state,
        "arms": len(fold.settings.arms),
        "told": fold.told,
        "open": len(fold.open),
        "answer": fold.answer(),
        "confidence": fold.counted.confidence,
        "created_at": fold.created_at,
        "updated_at": fold.last_at,
    }


def begin(
    store: Store, name: str, settings: dict[str, Any], by: str | None
) -> tuple[StudyRow, bool]:
    """Create a study; with its row comes whether it is new."""
    uuid = uuid4().hex

    def once(transaction: Transaction) -> tuple[StudyRow, bool]:
        present = transaction.find(name)
        if present is not None:
            # Our own, if the confirmation of an earlier attempt was lost.
            return present, present.uuid == uuid
        row = StudyRow(transaction.add_study(uuid, name), uuid, name)
        event = Event(
            study=uuid,
            seq=1,
            kind=Created.name,
            at=transaction.now(),
            by=by,
            key=None,
            previous=GENESIS,
            body={"name": name, "format": 1, **settings},
        )
        stored = event.stored()
        transaction.append(row.id, [stored])
        transaction.put_summary(row.id, summary_of(Fold(event, stored.hash)))
        return row, True

    return store.write(once)
