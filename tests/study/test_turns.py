"""What several threads write at once is committed together, and each gets its own answer."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import event

from goodarm.errors import InputError
from goodarm.study import Bernoulli, StorageError, Study
from goodarm.study.log.writing import Writing
from goodarm.study.storage import Store
from goodarm.study.storage.turns import Turn, Turns, grant_apart

WAITING = 6


class Crowd:
    """Works on ledgers, all of which have come in while the first was being done."""

    def __init__(self) -> None:
        self.pool = ThreadPoolExecutor(WAITING + 1)
        self.begun, self.go_on = threading.Event(), threading.Event()

    def hold(self, ledger: Any) -> Future[Any]:
        def wait(writing: Writing) -> None:
            self.begun.set()
            assert self.go_on.wait(30.0)

        held = self.pool.submit(ledger.commit, wait)
        assert self.begun.wait(30.0)
        return held

    def join(self, waiting: Turns[Any], works: Sequence[Callable[[], Any]]) -> list[Future[Any]]:
        """Begin the works, and let the first end once all of them wait."""
        futures = [self.pool.submit(work) for work in works]
        while len(waiting._waiting) < len(works):
            threading.Event().wait(0.005)
        self.go_on.set()
        return futures


@pytest.fixture
def commits(store: Store, study: Study) -> list[int]:
    """Grows by one with every commit that has written something."""
    seen: list[int] = []
    assert store._engine is not None

    @event.listens_for(store._engine, "commit")
    def count(connection: Any) -> None:
        if connection.get_execution_options().get("writes"):
            seen.append(1)

    return seen


def test_requests_for_one_study_share_a_commit(study: Study, commits: list[int]) -> None:
    crowd = Crowd()
    held = crowd.hold(study._ledger)
    told = crowd.join(
        study._ledger._turns,
        [lambda n=n: study.tell("low", n % 2, key=f"k{n}") for n in range(WAITING)],
    )
    held.result()
    assert sorted(future.result().number for future in told) == list(range(1, WAITING + 1))
    assert len(commits) == 2
    assert study.status().trials == WAITING
    assert study.verify().ok


def test_a_request_that_fails_fails_alone(study: Study) -> None:
    crowd, other = crowd_of(study), Study.load("doses", study._ledger.store)

    def halfway(writing: Writing) -> None:
        writing.add("told", {"trial": writing.new_trial(), "arm": "low", "value": 1})
        raise InputError("changed my mind")

    def broken(writing: Writing) -> None:
        raise ZeroDivisionError

    works: list[Callable[[], Any]] = [
        lambda: study.tell("low", 1),
        lambda: study.tell("nothing", 1),
        lambda: study._ledger.commit(halfway),
        lambda: study._ledger.commit(broken),
        lambda: study.tell("mid", 0),
    ]
    first, unknown, changed, wrong, last = crowd.join(study._ledger._turns, works)
    assert {first.result().arm, last.result().arm} == {"low", "mid"}
    for future, error in ((unknown, "unknown arm"), (changed, "changed my mind")):
        with pytest.raises(InputError, match=error):
            future.result()
    with pytest.raises(ZeroDivisionError):
        wrong.result()
    assert other.status().trials == 2
    assert other.verify().ok


def crowd_of(study: Study) -> Crowd:
    crowd = Crowd()
    crowd.hold(study._ledger)
    return crowd


def test_studies_of_one_file_share_a_commit(sqlite: str) -> None:
    store = Store(sqlite)
    several = [
        Study.create(f"s{n}", ["a", "b"], 0.5, Bernoulli(), storage=store) for n in range(WAITING)
    ]
    crowd, seen = crowd_of(several[0]), []
    assert store._engine is not None
    event.listen(store._engine, "commit", lambda connection: seen.append(1))
    works = [lambda study=study: study.tell("a", 1) for study in several[1:]]
    assert [future.result().number for future in crowd.join(store._turns, works)] == [1] * 5
    writes = len(seen)
    assert writes == 2
    assert all(study.verify().ok for study in several)


def test_the_same_request_twice_at_once_counts_once(study: Study) -> None:
    crowd = crowd_of(study)
    works = [lambda: study.tell("low", 1, key="one") for _ in range(3)]
    works += [lambda: study.tell("low", 0, key="one")]
    *same, other = crowd.join(study._ledger._turns, works)
    answers = [future.exception() or future.result() for future in (*same, other)]
    # Whichever of the two values came first, the other one is refused.
    assert study.status().trials == 1
    assert sum(isinstance(answer, InputError) for answer in answers) in (1, 3)
    assert study.verify().ok


def test_a_database_that_cannot_be_used_is_tried_once_for_all() -> None:
    tried: list[int] = []

    def grant(turns: Sequence[Turn[int]]) -> list[Any]:
        tried.append(len(turns))
        raise StorageError("gone")

    turns = [Turn(number) for number in range(3)]
    grant_apart(turns, grant)
    assert tried == [3]
    assert all(isinstance(turn.error, StorageError) for turn in turns)


def test_whoever_is_interrupted_leaves_the_others_their_turn() -> None:
    turns: Turns[str] = Turns()
    seen: list[list[str]] = []

    def grant(some: Sequence[Turn[str]]) -> None:
        seen.append([turn.wish for turn in some])
        if len(seen) == 1:
            raise KeyboardInterrupt
        for turn in some:
            turn.end(turn.wish.upper())

    turns._waiting.append(Turn("left"))
    with pytest.raises(KeyboardInterrupt):
        turns.take("interrupted", grant)
    assert turns.take("next", grant) == "NEXT"
    assert seen == [["left", "interrupted"], ["left", "next"]]
