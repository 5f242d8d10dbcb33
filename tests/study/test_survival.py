"""Killed processes, a full disk, a server restarted in the middle, many writers at once."""

import os
import random
import resource
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from goodarm.study import Bernoulli, Gaussian, StorageError, Study
from goodarm.study.log.events import read_event

KILLS = 25


def work_until_killed(url: str, say: Callable[[str], None]) -> None:
    study = Study.load("s", url)
    while True:
        trial = study.ask()
        say(f"asked {trial.number} {trial.arm}")
        value = random.random()
        study.tell(trial, value)
        say(f"told {trial.number} {value!r}")


def check_acknowledged(study: Study, lines: list[str]) -> None:
    """Everything that a writer heard "ok" for is there, once, and nothing else is wrong."""
    trials = {trial.number: trial for trial in study.trials}
    told = [line.split() for line in lines if line.startswith("told")]
    assert len({number for _, number, _ in told}) == len(told)
    for _, number, value in told:
        assert trials[int(number)].status == "told"
        assert trials[int(number)].value == float(value)
    for line in lines:
        if line.startswith("asked"):
            assert trials[int(line.split()[1])].arm == line.split()[2]
    assert not [line for line in lines if line.startswith("error")]


def test_writers_killed_at_random_moments_lose_nothing(url: str, fork: Any) -> None:
    study = Study.create("s", ["A", "B", "C"], 0.5, Gaussian(1), storage=url, seed=1)
    chance = random.Random(1)
    acknowledged: list[str] = []
    for number in range(KILLS):
        child = fork(lambda say: work_until_killed(url, say))
        # Some may be killed while they still load the study, the others at work.
        acknowledged += child.kill_after(chance.uniform(0.01, 0.08), at_work=number % 5 > 0)
        study.tell("A", 0.5)  # no lock was left behind
    told = sum(line.startswith("told") for line in acknowledged)
    check_acknowledged(study, acknowledged)
    assert told > KILLS / 2
    # A kill can leave one commit that its writer never heard of, and no more.
    assert told + KILLS <= study.status().trials <= told + 2 * KILLS
    assert study.verify().ok


def test_a_request_whose_confirmation_was_lost_counts_once(url: str, fork: Any) -> None:
    study = Study.create("s", ["A"], 0.5, Gaussian(1), storage=url, seed=1)

    def tell_and_die(say: Callable[[str], None]) -> None:
        mine = Study.load("s", url)
        mine.tell("A", 0.25, key="reading 1")
        mine.tell(mine.ask(key="next"), 0.75)
        os.kill(os.getpid(), 9)

    fork(tell_and_die).lines()
    study.tell("A", 0.25, key="reading 1")
    study.tell(study.ask(key="next"), 0.75)
    assert [trial.value for trial in study.trials] == [0.25, 0.75]


def test_every_request_survives_a_commit_that_seems_to_fail(
    sqlite: str, lose_every_other_confirmation: Callable[[], list[int]], tmp_path: Path
) -> None:
    """The commit is there, its confirmation is not: the request is repeated and finds itself."""
    seen = lose_every_other_confirmation()
    outcomes = tmp_path / "past.csv"
    outcomes.write_text("arm,value\nA,1\nB,0\n")
    study = Study.create("s", ["A", "B"], 0.5, Bernoulli(), storage=sqlite, seed=1)
    trials = study.ask(3)
    study.tell("B", 1)
    study.tell(trials[0], 1)
    study.cancel(trials[1])
    study.retract(trials[0], "wrong")
    study.correct(trials[0], 0, "right")
    study.amend(0.4, "changed")
    study.stop("tea")
    study.extend()
    study.import_csv(outcomes)
    kinds = [read_event(stored.text).kind for stored in study.events()]
    assert kinds == [
        "created",
        "asked",
        "asked",
        "asked",
        "told",
        "told",
        "cancelled",
        "retracted",
        "told",
        "amended",
        "stopped",
        "extended",
        "told",
        "told",
    ]
    assert len(seen) > 20
    assert study.verify().ok


def test_a_full_disk_is_an_error_and_nothing_acknowledged_is_lost(
    tmp_path: Path, fork: Any
) -> None:
    path = tmp_path / "s.db"
    study = Study.create("s", ["A", "B"], 0.5, Gaussian(1), storage=path, seed=1)
    study._ledger.store.close()

    def fill(say: Callable[[str], None]) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
        mine = Study.load("s", path)
        try:
            for _ in range(2_000):
                trial = mine.ask()
                value = random.random()
                mine.tell(trial, value, note="x" * 2_000)
                say(f"told {trial.number} {value!r}")
        except StorageError as error:
            say(f"full: {error}")
            say(f"readable: {mine.status().trials}")

    lines = fork(fill).lines()
    assert lines[-2].startswith("full:"), lines[-2:]
    assert "repeat it" in lines[-2] or "nothing was recorded" in lines[-2]
    assert lines[-1].startswith("readable:")
    check_acknowledged(study, lines)
    study.tell(study.ask(), 1.0)
    assert study.verify().ok


def test_postgresql_restarted_in_the_middle(postgresql: Any, fork: Any) -> None:
    url = postgresql.new_database()
    study = Study.create("s", ["A", "B"], 0.5, Gaussian(1), storage=url, seed=1)

    def work(say: Callable[[str], None]) -> None:
        mine = Study.load("s", url)
        for _ in range(60):
            trial = mine.ask()
            value = random.random()
            mine.tell(trial, value)
            say(f"told {trial.number} {value!r}")
            time.sleep(0.01)

    children = [fork(work) for _ in range(3)]
    for how in ("fast", "immediate"):
        time.sleep(0.3)
        postgresql.stop(how)
        postgresql.start()
    lines = [line for child in children for line in child.lines()]
    assert sum(line.startswith("told") for line in lines) == 180
    check_acknowledged(study, lines)
    assert study.status().trials == 180
    assert study.verify().ok


@pytest.mark.parametrize(("kind", "writers", "each"), [("sqlite", 4, 40), ("postgresql", 16, 15)])
def test_many_writers_lose_nothing_and_double_nothing(
    request: pytest.FixtureRequest, fork: Any, kind: str, writers: int, each: int
) -> None:
    fixture = request.getfixturevalue(kind)
    url = fixture if kind == "sqlite" else fixture.new_database()
    study = Study.create("s", ["A", "B", "C"], 0.5, Bernoulli(), storage=url, seed=1)

    def work(say: Callable[[str], None]) -> None:
        mine = Study.load("s", url)
        for number in range(each):
            trial = mine.ask()
            say(f"asked {trial.number} {trial.arm}")
            mine.tell(trial, float(number % 2))
            mine.tell(trial, float(number % 2))
            say(f"told {trial.number} {number % 2}")

    lines = [line for child in [fork(work) for _ in range(writers)] for line in child.lines()]
    check_acknowledged(study, lines)
    asked = [line.split()[1] for line in lines if line.startswith("asked")]
    assert len(asked) == len(set(asked)) == writers * each
    assert study.status().trials == writers * each
    assert study.status().events == 1 + 2 * writers * each
    assert study.verify().ok


def test_threads_share_a_study(study: Study) -> None:
    def work() -> None:
        for _ in range(10):
            study.tell(study.ask(), 1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert study.status().trials == 40
    assert study.verify().ok


def test_studies_created_at_once_under_one_name_are_one_study(url: str, fork: Any) -> None:
    def work(say: Callable[[str], None]) -> None:
        mine = Study.create("s", ["A", "B"], 0.5, Bernoulli(), storage=url, load_if_exists=True)
        mine.tell("A", 1)
        say(mine.events(0, 1)[0].hash)

    lines = [line for child in [fork(work) for _ in range(6)] for line in child.lines()]
    assert len(lines) == 6
    assert len(set(lines)) == 1
    assert Study.load("s", url).status().trials == 6


def test_the_order_is_the_logs_and_not_the_clocks(study: Study, clock: Any) -> None:
    """The server's clock is moved about, the client's own times are kept apart."""
    chance = random.Random(2)
    for number in range(20):
        clock.move(hours=chance.uniform(-100, 50))
        study.tell(study.ask(lease=3600), number % 2, at=f"2031-01-{1 + number % 9:02}T00:00:00Z")
    history = study.history
    assert history["seq"].to_list() == list(range(1, 42))
    assert history["at"].to_list() != sorted(history["at"])
    told = history.filter(history["kind"] == "told")
    assert told["trial"].to_list() == list(range(1, 21))
    assert told["observed_at"][0] == "2031-01-01T00:00:00.000000Z"
    assert all(time < "2027" for time in told["at"])
    assert study.verify().ok
    assert Study.load("doses", study._ledger.store).status() == study.status()
