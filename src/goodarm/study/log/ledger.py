"""One study in its database: kept up to date, and written to by one writer at a time."""

import logging
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from functools import partial
from threading import RLock
from typing import Any, NamedTuple, TypeVar
from uuid import uuid4

from goodarm.errors import InputError
from goodarm.study.errors import StorageError
from goodarm.study.log.checkpoint import is_due, read_checkpoint, write_checkpoint
from goodarm.study.log.events import (
    GENESIS,
    LOG_FORMAT,
    Event,
    Stored,
    canonical,
    digest,
    read_event,
)
from goodarm.study.log.fold import Fold
from goodarm.study.log.kinds import Created
from goodarm.study.log.writing import Writing, outcomes_until
from goodarm.study.storage import Store, StudyRow, Transaction
from goodarm.study.storage.turns import Turn, Turns, grant_apart
from goodarm.study.tags import write_tags

T = TypeVar("T")
PAGE = 2_000  # events read at once
MUCH = 2  # events
MOST_NOTES = 4
NO_NAME = ""  # of a log that does not say
ADVICE = "run `goodarm study verify`, and compare with a backup"
logger = logging.getLogger(__name__)


class Wish(NamedTuple):
    """What someone wants to add to a log."""

    work: Callable[[Writing], Any]
    by: str | None


class Refused(NamedTuple):
    """A request that was wrong, and has added nothing."""

    error: InputError


class Ledger:
    """A study's log and its fold, which any number of threads and processes may write to."""

    def __init__(self, store: Store, row: StudyRow) -> None:
        self.store = store
        self.row = row
        self._lock = RLock()
        self._turns: Turns[Wish] = Turns()
        self._fold: Fold | None = None
        self._notes: OrderedDict[Hashable, Any] = OrderedDict()
        self._crowded = False  # whether others have written much since we last looked
        self._lacks_checkpoint = False  # that could be used

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

    def noted(self, what: Hashable, make: Callable[[], T]) -> T:
        """What was made of the same before; `what` has the head, so that it stays the same.

        Called by those who look.
        """
        if what not in self._notes:
            self._notes[what] = make()
            if len(self._notes) > MOST_NOTES:
                self._notes.popitem(last=False)
        noted: T = self._notes[what]
        return noted

    def read(self, work: Callable[[Transaction], T]) -> T:
        """Read from the database without the state."""
        return self.store.read(work)

    def commit(self, work: Callable[[Writing], T], by: str | None = None) -> T:
        """Let the work add events; they are durable, or not there at all, when this returns.

        What several threads want at the same time is committed together. The work may be done
        several times, each time from the start, and in the thread of another.
        """
        result: T = self._turns.take(Wish(work, by), self._grant)
        return result

    def _grant(self, turns: Sequence[Turn[Wish]]) -> None:
        with self._lock:
            if self._crowded:
                self.store.read(self._up_to_date)  # so that others wait less for us
            grant_apart(turns, self._write)
        for turn in turns:  # refused by a check, and nothing was added for it
            if isinstance(turn.result, Refused):
                turn.end(error=turn.result.error)

    def _write(self, turns: Sequence[Turn[Wish]]) -> list[Any]:
        fold, results = self.store.write(lambda transaction: self._enter(transaction, turns))
        self._fold = fold
        self.store.committed(self.row.id, fold.seq)
        return results

    def _enter(
        self, transaction: Transaction, turns: Sequence[Turn[Wish]]
    ) -> tuple[Fold, list[Any]]:
        """Add the events of several requests, one after another."""
        transaction.lock(self.row.id)
        fold = self._up_to_date(transaction)
        since, anew, now = fold.seq, False, transaction.now()
        results = []
        writings: list[Writing] = []
        try:
            for turn in turns:
                turn.tries += 1
                is_first = turn.tries == 1
                writing = Writing(fold, transaction, self.row, turn.wish.by, now, is_first)
                writings.append(writing)
                results.append(_done(turn.wish.work, writing))
                anew |= writing.anew
                if fold.name not in (NO_NAME, self.row.name):
                    transaction.rename(self.row.id, fold.name)
                    self.row = self.row._replace(name=fold.name)
        finally:
            if any(writing.added for writing in writings):
                self._fold = None  # until the commit it is ahead of the log, or broken off halfway
        if fold.seq == since:
            return fold, results
        transaction.put_summary(self.row.id, summary_of(fold))
        if anew or self._lacks_checkpoint or is_due(fold, since):
            text = write_checkpoint(fold)
            transaction.put_checkpoint(self.row.id, fold.seq, fold.head, text)
            self._lacks_checkpoint = False
        return fold, results

    def _up_to_date(self, transaction: Transaction) -> Fold:
        fold = self._fold or self._load(transaction)
        self._fold = None  # should this fail halfway, the next one starts over
        outcomes = partial(outcomes_until, transaction, self.row.id)
        page = transaction.page(self.row.id, fold.seq, PAGE)
        self._crowded = len(page) > MUCH
        if len(page) == PAGE:  # far behind; the one who has added so much has left a checkpoint
            saved = self._load(transaction)
            if saved.seq > fold.seq:
                fold, page = saved, transaction.page(self.row.id, saved.seq, PAGE)
        while page:
            for stored in page:
                event = self._checked(stored, fold.seq + 1, fold.head)
                fold.apply(event, stored.hash, outcomes)
            page = transaction.page(self.row.id, fold.seq, PAGE) if len(page) == PAGE else []
        self._check_name(transaction, fold)
        self._fold = fold
        return fold

    def _check_name(self, transaction: Transaction, fold: Fold) -> None:
        """Whether this is the study that was asked for: the table of studies is but an index."""
        if fold.name in (NO_NAME, self.row.name):
            return
        self.row = transaction.study(self.row.id)  # it may have been renamed since it was found
        if fold.name != self.row.name:
            raise StorageError(
                f"the study that the database calls {self.row.name!r} is {fold.name!r} in its own "
                f"log: someone has changed the table of studies; {ADVICE}"
            )

    def _load(self, transaction: Transaction) -> Fold:
        first = transaction.at(self.row.id, 1)
        if first is None:
            raise StorageError(f"the log of {self.row.name!r} has no beginning; {ADVICE}")
        created = self._checked(first, 1, GENESIS)
        saved = transaction.checkpoint(self.row.id)
        if saved is None:
            return Fold(created, first.hash)
        fold = None
        try:
            seq, head, text = saved
            event = transaction.at(self.row.id, seq)
            if event is None or event.hash != head:
                raise ValueError("it does not lie on the log's chain of hashes")
            fold = read_checkpoint(text, created, first.hash)
            if fold is not None and (fold.seq, fold.head) != (seq, head):
                raise ValueError("it is of another moment than it says")
        except ValueError as error:
            logger.warning(
                "the checkpoint of the study %r was altered and is thrown away: %s; everything is "
                "derived from the log anew. Run `goodarm study verify`",
                self.row.name,
                error,
            )
            fold = None
        self._lacks_checkpoint = fold is None
        return fold or Fold(created, first.hash)

    def _checked(self, stored: Stored, seq: int, previous: str) -> Event:
        """The event, if it is the one that follows; a log is not folded over a break."""
        if stored.seq == seq and digest(stored.text) == stored.hash:
            with suppress(ValueError):
                event = read_event(stored.text)
                if event.previous == previous and event.study == self.row.uuid:
                    return event
        raise StorageError(f"the log of {self.row.name!r} was altered at event {seq}; {ADVICE}")


def _done(work: Callable[[Writing], Any], writing: Writing) -> Any:
    """What the work returns; a request that adds nothing must not undo those before it."""
    try:
        result = work(writing)
    except InputError as error:
        if writing.added:
            raise
        return Refused(error)
    writing.finish()
    return result


def summary_of(fold: Fold) -> dict[str, Any]:
    """What a list of studies shows of one."""
    return {
        "seq": fold.seq,
        "hash": fold.head,
        "name": fold.name or None,
        "state": fold.state,
        "arms": len(fold.settings.arms),
        "told": fold.told,
        "open": len(fold.open),
        "answer": fold.answer(),
        "confidence": fold.evidence.confidence,
        "created_at": fold.created_at,
        "updated_at": fold.last_at,
        "archived": fold.archived,
        "tags": write_tags(fold.tags),
    }


def identity(name: str, key: str) -> str:
    """The identifier of a study that a request with this key creates, whenever it comes."""
    return digest(canonical([name, key]))[:32]


def begin(
    store: Store, name: str, settings: dict[str, Any], by: str | None, key: str | None = None
) -> tuple[StudyRow, bool]:
    """Create a study; with its row comes whether it is new."""
    uuid = uuid4().hex if key is None else identity(name, key)

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
            body={"name": name, "format": LOG_FORMAT, **settings},
        )
        stored = event.stored()
        transaction.append(row.id, [stored])
        transaction.put_summary(row.id, summary_of(Fold(event, stored.hash)))
        return row, True

    return store.write(once)
