"""A client against a real server: the same answers, the same refusals, nothing lost or doubled."""

import http.client
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")

from goodarm import (
    Bernoulli,
    Client,
    ConflictError,
    InputError,
    StorageError,
    Study,
    StudyClosedError,
    UnlikelyOutcomeError,
)
from goodarm.client import connection

TOKEN = "a-token-for-the-tests-0123456789"
START = "import typer; from goodarm.cli.serve import serve; typer.run(serve)"


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("client") / "studies.db"


@pytest.fixture(scope="module")
def url(database: Path) -> Iterator[str]:
    """A server below a path, as behind a proxy."""
    options = ["--port", "0", "--storage", str(database), "--root-path", "/lab"]
    settings = {"GOODARM_TOKEN": TOKEN, "GOODARM_TOKENS": str(database.with_name("t.json"))}
    process = subprocess.Popen(
        [sys.executable, "-c", START, *options],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **settings},
    )
    assert process.stdout is not None
    found = re.search(r"(http://[^/]+/lab)/", process.stdout.readline())
    assert found
    yield found[1]
    process.kill()
    process.wait()
    process.stdout.close()


@pytest.fixture
def client(url: str) -> Iterator[Client]:
    with Client(url, TOKEN) as made:
        yield made


def test_a_study_from_its_creation_to_the_answer(client, database) -> None:
    study = client.create("whole life", ["a", "ü/b"], 0.5, Bernoulli(), delta=0.1, seed=1)
    while not study.finished:
        for trial in study.ask(4):
            study.tell(trial, trial.arm == "ü/b")
    status = client.study("whole life").status()
    here = Study.load("whole life", database)
    assert (status["decision"], status["head"]) == ("ü/b", here.head)
    assert study.verify()["ok"]
    assert "whole life" in [each["name"] for each in client.studies("WHOLE")]
    assert study.forecast()["median"] == 0
    assert [event["seq"] for event in study.events(1, 2)] == [2, 3]


def test_changes_are_those_of_a_study_here(client, database, tmp_path) -> None:
    study = client.create("changes", ["a", "b"], 0.5, "bernoulli")
    first, second, third = study.ask(3, lease=600)
    assert study.tell(first, 1, note="early").note == "early"
    assert study.correct(first, 0, "slip").value == 0.0
    assert study.retract(first, "spilt").status == "retracted"
    assert study.renew(second, 6000).expires_at > second.expires_at
    assert study.cancel(second).status == "cancelled"
    assert [trial.number for trial in study.cancel_all()] == [third.number]
    assert study.pending == ()
    assert study.tell_many([(third, 1), ("a", 37, 1000)]) == 2
    assert study.trial(4).size == 1000.0
    study.add_arm("c", "a new idea", cost=2.5, label="The third")
    study.retire_arm("b", "sold out")
    arms = study.status()["arms"]
    assert [(one["standing"], one["cost"]) for one in arms[1:]] == [
        ("retired", None),
        ("undecided", 2.5),
    ]
    study.stop("enough")
    study.extend(trials=5)
    study.rename("other changes")
    assert study.tag(["Old", "spring"]) == ("old", "spring")
    assert study.tag(remove=["old"]) == ("spring",)
    study.archive("done")
    assert "other changes" not in [each["name"] for each in client.studies()]
    (found,) = client.studies(tag="spring", archived=True)
    assert (found["name"], found["tags"]) == ("other changes", ["spring"])
    study.unarchive()
    assert "other changes" in [each["name"] for each in client.studies(tag="spring")]
    assert json.loads(study.export(tmp_path / "log.json").read_text())["status"]
    assert Study.load("other changes", database).head == study.status()["head"]
    with pytest.raises(InputError, match="there already"):
        study.export(tmp_path / "log.json")


def test_several_measurements(client) -> None:
    criteria = ["works:bernoulli>=0.3", "harms:bernoulli<=0.2"]
    study = client.create("several", ["a", "b"], criteria=criteria, question="all", control=None)
    trial = study.ask()
    assert study.tell(trial, {"works": True}).status == "open"
    assert study.tell(trial, {"harms": 37}, size={"harms": 1000}).sizes == {"harms": 1000.0}
    assert study.tell_many([("b", {"works": 0, "harms": 1})]) == 1
    assert study.correct(trial, {"works": 0}, "slip").values == {"works": 0.0, "harms": 37.0}
    plain = client.create("bars", ["a", "b"], [0.4, 0.6], "bernoulli")
    assert [arm["bar"] for arm in plain.status()["arms"]] == [0.4, 0.6]


def test_refusals_are_the_exceptions_of_a_study_here(client, url) -> None:
    study = client.create("refusals", ["a"], 0.5, "gaussian:0.1", budget=2)
    with pytest.raises(ConflictError):
        client.create("refusals", ["b"], 0.5, "gaussian:0.1")
    with pytest.raises(UnlikelyOutcomeError, match=r"sure=True"):
        study.tell("a", 99)
    assert study.tell("a", 99, sure=True).value == 99
    with pytest.raises(InputError, match="unknown arm"):
        study.tell("c", 1)
    with pytest.raises(StudyClosedError):
        study.ask(2)
    with pytest.raises(InputError, match="no study"):
        client.study("none")
    with pytest.raises(InputError, match="link"):
        Client(url, "wrong" * 6).studies()
    for bad in ("", "ftp://x", "127.0.0.1:8765"):
        with pytest.raises(InputError, match="url"):
            Client(bad, TOKEN)


def test_what_was_lost_on_the_way_is_sent_again_and_counts_once(client, monkeypatch) -> None:
    study = client.create("lost", ["a", "b"], 0.5, "bernoulli")
    once, lost = connection.Connection._once, []

    def forgetful(self, address, sent, headers):
        reply = once(self, address, sent, headers)
        if len(lost) % 2 == 0:
            lost.append(address)
            raise http.client.RemoteDisconnected("the answer was lost")
        lost.append(address)
        return reply

    monkeypatch.setattr(connection.Connection, "_once", forgetful)
    monkeypatch.setattr(connection, "FIRST_PAUSE", 0.001)
    trial = study.ask()
    study.tell("a", 1)
    study.tell_many([("a", 1), ("b", 0)])
    study.correct(2, 0, "slip")
    study.cancel_all()
    status = study.status()
    assert lost
    assert (status["trials"], status["pending"]) == (3, [])
    assert study.trial(trial.number).status == "cancelled"


def test_a_server_that_is_not_there(monkeypatch) -> None:
    monkeypatch.setattr(connection, "PATIENCE_WITH_SERVER", 0.0)
    with pytest.raises(StorageError, match="cannot be reached"):
        Client("http://127.0.0.1:9", TOKEN).studies()


def test_a_status_that_has_not_changed_is_not_sent_again(client, monkeypatch) -> None:
    study = client.create("tagged", ["a"], 0.5, "bernoulli")
    first = study.status()
    replies = []
    call = connection.Connection.call
    monkeypatch.setattr(
        connection.Connection, "call", lambda *a, **k: replies.append(call(*a, **k)) or replies[-1]
    )
    assert study.status() == first
    assert study.status(simultaneous=True)["simultaneous"] is True
    study.tell("a", 1)
    assert study.status()["trials"] == 1
    assert [reply.status for reply in replies] == [304, 200, 200, 200]


def test_following_the_log(client, database) -> None:
    study = client.create("followed", ["a"], 0.5, "bernoulli")
    heard, two = [], threading.Event()

    def follow() -> None:
        for event in study.follow():
            heard.append(event["kind"])
            two.set()
            if len(heard) == 2:
                return

    follower = threading.Thread(target=follow)
    follower.start()
    assert two.wait(30.0)
    Study.load("followed", database).tell("a", 1)  # by another process than the server's
    follower.join(30.0)
    assert heard == ["created", "told"]
