"""Leases of a worker's trials, waiting for other workers, and what an interrupt leaves behind."""

import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from goodarm.gating.loop import Ended, Loop
from goodarm.gating.pace import Pace
from goodarm.gating.question import Call, OnError
from goodarm.gating.workers import OneByOne, Threads
from goodarm.outcomes.contract import Reading
from goodarm.study import Bernoulli, StorageError, Study
from goodarm.study.log.events import read_event
from goodarm.study.log.ledger import Ledger
from goodarm.study.storage import Store
from goodarm.study.working import desk as desks
from goodarm.study.working.desk import LEASE, Heartbeat, StudyDesk


class Times:
    """The server's clock, and the worker's own."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=self.now)


@pytest.fixture
def times(monkeypatch: pytest.MonkeyPatch) -> Times:
    times = Times()
    monkeypatch.setattr(desks, "monotonic", lambda: times.now)
    return times


@pytest.fixture
def store(tmp_path: Path, times: Times) -> Iterator[Store]:
    opened = Store(tmp_path / "s.db", clock=times)
    yield opened
    opened.close()


@pytest.fixture
def study(store: Store) -> Study:
    return Study.create("s", ["A", "B"], 0.5, Bernoulli(), storage=store, seed=1, budget=4)


@pytest.fixture
def desk(store: Store, study: Study) -> StudyDesk:
    return StudyDesk(Ledger.find(store, "s"), "worker")


def ended(*calls: Call) -> list[Ended]:
    return [Ended(call, Reading(1.0)) for call in calls]


def test_a_lease_is_renewed_for_twice_as_long_while_a_trial_is_made(
    study: Study, desk: StudyDesk, times: Times
) -> None:
    (call,) = desk.exchange((), 1).calls
    for renewals in range(6):
        now, lease = times.now, LEASE * 2**renewals
        assert study.trial(1).expires_at == (times() + timedelta(seconds=lease)).isoformat(
            timespec="microseconds"
        ).replace("+00:00", "Z")
        times.now = now + 0.4 * lease
        desk.beat()  # not yet
        assert sum(event.kind == "renewed" for event in study.events()) == renewals
        times.now = now + 0.6 * lease
        desk.beat()
        study.ask(arm="B", key=f"{renewals // 4}")  # whoever asks lets overdue trials expire
    desk.exchange(ended(call), 0)
    times.now += 1e6
    desk.beat()
    assert (study.trial(1).status, study.pending[0].expires_at) == ("told", None)
    assert study.verify().ok


def test_trials_of_a_killed_worker_expire_and_others_are_asked_for(
    store: Store, study: Study, desk: StudyDesk, times: Times
) -> None:
    desk.exchange((), 4)
    other = StudyDesk(Ledger.find(store, "s"), "other")
    assert not other.exchange((), 2).calls
    assert other.pause()  # they may soon be told, or expire
    times.now = LEASE + 1.0
    calls = other.exchange((), 2).calls
    assert [call.trial for call in calls] == [5, 6]
    assert {study.trial(number).status for number in range(1, 5)} == {"expired"}
    other.exchange(ended(*calls), 0)
    desk.exchange(ended(Call("A", 1, 0)), 0)  # it was not dead: late, but it counts
    assert study.trial(1).status == "told"
    assert study.verify().ok


def test_nobody_waits_for_trials_that_may_take_long(desk: StudyDesk, study: Study) -> None:
    study.ask(4, lease=3600)
    assert not desk.exchange((), 1).calls
    assert not desk.finished
    assert not desk.pause()


def test_the_end_of_a_study_is_noticed(desk: StudyDesk, study: Study) -> None:
    (call,) = desk.exchange((), 1).calls
    study.stop("tea")
    assert not desk.exchange(ended(call), 1).calls
    assert desk.finished
    assert study.trial(1).status == "told"


def test_an_outcome_that_someone_else_has_told_is_not_told_again(
    desk: StudyDesk, study: Study
) -> None:
    one, two = desk.exchange((), 2).calls
    study.tell(1, 0)
    given = desk.exchange(ended(one, two), 2)
    ((call, error),) = given.refused
    assert (call, list(given.calls)) == (one, [])
    assert "trial 1 has the outcome 0, not 1" in str(error)
    desk.drop([call], error)
    assert [study.trial(number).value for number in (1, 2)] == [0.0, 1.0]


def test_a_thread_renews_leases_while_this_one_is_busy(
    desk: StudyDesk, study: Study, times: Times, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desks, "BEAT", 0.01)
    desk.exchange((), 1)
    times.now = LEASE
    with Heartbeat(desk):
        while not any(event.kind == "renewed" for event in study.events()):
            time.sleep(0.001)
    assert study.trial(1).status == "open"


class Interrupted:
    """Three trials that run until they are let go or told to end, and a loop to be interrupted."""

    def __init__(self, desk: StudyDesk) -> None:
        self.let_go, self.told_to_end = threading.Event(), threading.Event()
        self.begun = threading.Semaphore(0)
        self.loop = Loop(desk, Threads(self.play, 3, self.told_to_end.set), OnError())

    def play(self, call: Call) -> bool:
        self.begun.release()
        while not self.let_go.wait(0.01):
            if self.told_to_end.is_set():
                raise RuntimeError("ended")
        return True

    def run(self, then: Callable[[], object]) -> None:
        """Play until all run and are interrupted, and then do that."""

        def meanwhile() -> None:
            for _ in range(3):
                assert self.begun.acquire(timeout=60)
            self.loop.interrupt()
            while not self.loop.winds_up:
                time.sleep(0.001)
            then()

        other = threading.Thread(target=meanwhile)
        other.start()
        with pytest.raises(KeyboardInterrupt):
            self.loop.play()
        other.join()


def test_an_interrupt_lets_trials_end_and_keeps_them(desk: StudyDesk, study: Study) -> None:
    play = Interrupted(desk)
    play.run(play.let_go.set)
    assert play.loop.let_end == [1, 2, 3]
    assert [trial.status for trial in study.trials] == ["told"] * 3


def test_a_second_interrupt_cancels_them(desk: StudyDesk, study: Study) -> None:
    play = Interrupted(desk)
    play.run(play.loop.interrupt)
    assert desk.interrupted == [1, 2, 3]
    assert {trial.reason for trial in study.trials} == {"interrupted while it ran"}
    assert StudyDesk(Ledger.find(desk._ledger.store, "s"), None).exchange((), 9).calls[3].trial == 7


def test_outcomes_that_the_database_does_not_take_are_not_forgotten(
    desk: StudyDesk, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit, works = Ledger.commit, [True, False, False, False]

    def fail(*given: object) -> object:
        if works and not works.pop(0):
            raise StorageError("the disk is full")
        return commit(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(Ledger, "commit", fail)
    loop = Loop(desk, OneByOne(lambda call: True), OnError())
    with pytest.raises(StorageError, match="full"):
        loop.play()
    assert [(one.call.trial, one.told.value) for one in loop.untold] == [(1, 1.0)]
    study.tell(1, 1)  # by hand
    assert study.verify().ok


@pytest.mark.parametrize("trial", [0.05, 0.08, 0.2])
@pytest.mark.parametrize("many", [1, 8])
def test_trials_are_asked_for_ahead_only_if_they_are_short(many: int, trial: float) -> None:
    pace, never = Pace(many), Pace(0)
    assert not pace.ahead  # nothing is known yet
    for _ in range(20):
        pace.note(0.005, trial)
        never.note(0.005, trial)
    assert pace.ahead == {0.05: {1: 2, 8: 4}, 0.08: {1: 2, 8: 4}, 0.2: {1: 0, 8: 0}}[trial][many]
    assert pace.patience == trial
    assert not pace.may_wait(many)
    assert pace.may_wait(many + pace.ahead) == (trial < 0.1)
    assert (never.ahead, never.may_wait(9)) == (0, False)


def test_all_trials_that_gave_no_outcome_are_remembered(desk: StudyDesk, study: Study) -> None:
    calls = list(desk.exchange([], 3).calls)
    desk.drop(calls[:1], ValueError("no plate"))
    desk.drop(calls[1:], ValueError("no water"))
    assert desk.without == [1, 2, 3]
    assert [trial.status for trial in study.trials] == ["cancelled"] * 3
    assert study.trial(3).reason == "the objective raised ValueError"
    assert read_event(study.events()[-1].text).by == "worker"


def test_whoever_hears_of_outcomes_has_them_before_the_next_trial(store: Store) -> None:
    ledger = Ledger.find(store, Study.create("t", ["A"], 0.5, Bernoulli(), storage=store).name)
    assert StudyDesk(ledger, "worker").looks_ahead
    assert not StudyDesk(ledger, "worker", told=lambda trial: None).looks_ahead
