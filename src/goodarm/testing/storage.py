"""A conformance kit: does a database keep what the documentation promises of a study's log?"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import NamedTuple
from uuid import uuid4

import sqlalchemy as sa

from goodarm.study import ConflictError, Gaussian, StorageError, Study
from goodarm.study.log.events import GENESIS, Stored, read_event
from goodarm.study.log.kinds import Asked, Created, Told
from goodarm.study.storage import Store
from goodarm.study.storage.tables import events, studies
from goodarm.testing.contract import ContractError

EXACT = 0.1 + 0.2  # a number that any rounding on the way to the database would change
AWKWARD_NOTE = "Größe ≥ ½ 'µm'; 漢字"
REQUESTS = 12  # of each of the two threads


class Desk(NamedTuple):
    """One study through two sets of connections, as two programs would hold it."""

    study: Study
    other: Study
    store: Store


def check_storage(url: str | Path) -> None:
    """Raise ContractError unless the database keeps what is promised of a study's log.

    Events are kept in order and survive reopening; a repeated tell changes nothing, and another
    value is a conflict that changes nothing either; two threads that ask at once never get one
    trial; UPDATE and DELETE on events are refused; an audit finds the study sound. A database
    that cannot be opened at all is a StorageError or an InputError, as it is for any study.

    The study that is created for this has a name of its own and is left there, stopped: nothing
    in a log can be deleted. Other studies are not touched, whatever the database allows.
    """
    name = f"storage check {uuid4().hex}"
    first, second = Store(url), Store(url)
    try:
        study = Study.create(name, ["A", "B", "C"], 0.5, Gaussian(1.0), storage=first, seed=1)
        desk = Desk(study, Study.load(name, second), first)
        for promise, check in STORAGE_PROMISES.items():
            _demand(desk, promise, check)
    finally:
        first.close()
        second.close()


def _demand(desk: Desk, promise: str, check: Callable[[Desk], None]) -> None:
    try:
        check(desk)
    except ContractError as error:
        raise ContractError(f"{desk.store}: {promise}, but {error}") from None
    except StorageError as error:
        raise ContractError(f"{desk.store}: {promise}, but it was not possible: {error}") from error


def _check_order(desk: Desk) -> None:
    study = desk.study
    suggestion = study.ask()
    study.tell(suggestion, EXACT, note=AWKWARD_NOTE)
    study.tell("B", -EXACT)
    before = study.events()
    _check_chain(before)
    if [event.kind for event in before] != [Created.name, Asked.name, Told.name, Told.name]:
        raise ContractError(f"the log has {', '.join(event.kind for event in before)}")
    desk.store.close()  # what is read now comes from new connections
    reopened = Study.load(study.name, desk.store)
    for where, log in (("reopening", reopened.events()), ("another program", desk.other.events())):
        if log != before:
            raise ContractError(f"{where} shows another log than was written")
    trial = reopened.trial(suggestion.number)
    if (trial.value, trial.note) != (EXACT, AWKWARD_NOTE):
        raise ContractError(f"{EXACT!r} with the note {AWKWARD_NOTE!r} came back as {trial}")


def _check_chain(log: list[Stored]) -> None:
    previous = GENESIS
    for number, stored in enumerate(log, start=1):
        if stored.seq != number:
            raise ContractError(f"event {number} has the number {stored.seq}")
        if read_event(stored.text).previous != previous:
            raise ContractError(f"event {number} does not follow the one before it")
        previous = stored.hash


def _check_repeats(desk: Desk) -> None:
    asked = desk.study.ask(key="ask")
    tells: tuple[tuple[str, Callable[[Study, float], int]], ...] = (
        ("an arm", lambda study, value: study.tell("C", value, key="arm").number),
        ("a trial", lambda study, value: study.tell(asked, value, key="trial").number),
        ("a trial without a key", lambda study, value: study.tell(asked.number, value).number),
    )
    for what, tell in tells:
        number = tell(desk.study, EXACT)
        before = desk.study.events()
        for study in (desk.study, desk.other):
            if tell(study, EXACT) != number:
                raise ContractError(f"an outcome of {what} told again became another trial")
            _check_unchanged(desk, before, f"an outcome of {what} told again")
            try:
                tell(study, 2 * EXACT)
            except ConflictError:
                _check_unchanged(desk, before, f"a conflict about {what}")
            else:
                raise ContractError(f"another value for {what} was accepted")
    if desk.other.ask(key="ask").number != asked.number:
        raise ContractError("a request to ask, repeated with its key, gave another trial")


def _check_unchanged(desk: Desk, before: list[Stored], what: str) -> None:
    if desk.study.events() != before:
        raise ContractError(f"{what} changed the log")


def _check_threads(desk: Desk) -> None:
    together = Barrier(2)

    def ask(study: Study) -> list[int]:
        together.wait()
        return [study.ask().number for _ in range(REQUESTS)]

    with ThreadPoolExecutor(2) as pool:
        futures = [pool.submit(ask, study) for study in (desk.study, desk.other)]
    numbers = [number for future in futures for number in future.result()]
    twice = sorted({number for number in numbers if numbers.count(number) > 1})
    if twice:
        raise ContractError(f"more than one request was given the trials {twice}")
    lost = set(numbers) - {trial.number for trial in desk.study.pending}
    if lost:
        raise ContractError(f"the trials {sorted(lost)} were given away and are not in the log")
    _check_chain(desk.study.events())


def _check_refusals(desk: Desk) -> None:
    own = sa.select(studies.c.id).where(studies.c.name == desk.study.name)
    ours = events.c.study_id == own.scalar_subquery()
    before = desk.study.events()
    for what, attack in (
        ("UPDATE", events.update().where(ours).values(kind=Told.name)),
        ("DELETE", events.delete().where(ours)),
    ):
        _attack(desk.store, what, attack)
        _check_unchanged(desk, before, f"a refused {what}")


def _attack(store: Store, what: str, attack: sa.Executable) -> None:
    def work(connection: sa.Connection) -> None:
        connection.execute(attack)
        # Raised within the transaction, so that what should have been refused is rolled back.
        raise ContractError(f"{what} was carried out (and has been rolled back)")

    try:
        store.attempt(work, writes=True)
    except StorageError:
        return


def _check_audit(desk: Desk) -> None:
    desk.study.stop("the storage has been checked")
    audit = desk.other.verify(head=desk.study.head)
    if not audit.ok:
        problem = audit.problems[0]
        raise ContractError(f"it found {len(audit.problems)}: event {problem.seq}: {problem.text}")


STORAGE_PROMISES: dict[str, Callable[[Desk], None]] = {
    "events are kept in order and survive reopening": _check_order,
    "an outcome counts once and another value is a conflict": _check_repeats,
    "two threads that ask at once never get one trial": _check_threads,
    "UPDATE and DELETE on events are refused": _check_refusals,
    "an audit finds the study sound": _check_audit,
}
