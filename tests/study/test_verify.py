"""The audit finds whatever was done to the database behind the study's back."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from goodarm.study import Bernoulli, Gaussian, StorageError, Study
from goodarm.study.log.checkpoint import with_digest
from goodarm.study.log.events import canonical, digest
from goodarm.study.log.export import read_exported
from goodarm.study.log.verify import Audit, verify_file
from goodarm.study.report.status import report

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.json"))


@pytest.fixture
def tampered(tmp_path: Path) -> Callable[[Callable[[sqlite3.Connection], object]], Study]:
    """A study of 41 events whose file someone has got at."""
    path = tmp_path / "s.db"
    study = Study.create("s", ["A", "B", "C"], 0.5, Bernoulli(), storage=path, seed=3)
    for number in range(20):
        study.tell(study.ask(), number % 2)
    assert study.verify().ok
    study._ledger.store.close()

    def tamper(attack: Callable[[sqlite3.Connection], object]) -> Study:
        with sqlite3.connect(path) as connection:
            for name in [
                row[0]
                for row in connection.execute("SELECT name FROM sqlite_master WHERE type='trigger'")
            ]:
                connection.execute(f"DROP TRIGGER {name}")
            attack(connection)
        connection.close()
        return Study.load("s", path)

    return tamper


def text_at(connection: sqlite3.Connection, seq: int) -> str:
    query = "SELECT text FROM goodarm_events WHERE seq = ?"
    return str(connection.execute(query, (seq,)).fetchone()[0])


def put(connection: sqlite3.Connection, seq: int, text: str, rehash: bool = False) -> None:
    connection.execute("UPDATE goodarm_events SET text = ? WHERE seq = ?", (text, seq))
    if rehash:
        update = "UPDATE goodarm_events SET hash = ? WHERE seq = ?"
        connection.execute(update, (digest(text), seq))


def swap(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE goodarm_events SET seq = 1000 WHERE seq = 11")
    connection.execute("UPDATE goodarm_events SET seq = 11 WHERE seq = 13")
    connection.execute("UPDATE goodarm_events SET seq = 13 WHERE seq = 1000")


def insert(connection: sqlite3.Connection) -> None:
    for seq in range(41, 10, -1):
        connection.execute("UPDATE goodarm_events SET seq = ? WHERE seq = ?", (seq + 1, seq))
    connection.execute(
        "INSERT INTO goodarm_events SELECT study_id, 11, kind, trial, 'new', text, hash "
        "FROM goodarm_events WHERE seq = 9"
    )


ATTACKS: dict[str, tuple[Callable[[sqlite3.Connection], object], int]] = {
    "a value": (lambda c: put(c, 11, text_at(c, 11).replace('"value":0.0', '"value":1.0')), 11),
    "an arm": (lambda c: put(c, 10, text_at(c, 10).replace('"arm":"', '"arm":"C')), 10),
    "a value and its hash": (
        lambda c: put(c, 11, text_at(c, 11).replace('"value":0.0', '"value":1.0'), True),
        12,
    ),
    "the spelling": (lambda c: put(c, 11, text_at(c, 11).replace(",", ", "), True), 11),
    "a hash": (
        lambda c: c.execute("UPDATE goodarm_events SET hash = hash || 'x' WHERE seq = 11"),
        11,
    ),
    "a column": (lambda c: c.execute("UPDATE goodarm_events SET trial = 1 WHERE seq = 11"), 11),
    "a kind": (lambda c: c.execute("UPDATE goodarm_events SET kind='asked' WHERE seq = 11"), 11),
    "one event less": (lambda c: c.execute("DELETE FROM goodarm_events WHERE seq = 11"), 11),
    "the first event less": (lambda c: c.execute("DELETE FROM goodarm_events WHERE seq = 1"), 1),
    "another order": (swap, 11),
    "one event more": (insert, 11),
    "not an event": (lambda c: put(c, 11, "[1]", True), 11),
    "not ASCII": (lambda c: put(c, 11, "é"), 11),
    "a seed": (
        lambda c: put(c, 1, text_at(c, 1).replace('"seed":3', '"seed":4'), True),
        2,
    ),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_an_altered_log_is_found(
    name: str, tampered: Callable[[Callable[[sqlite3.Connection], object]], Study]
) -> None:
    attack, seq = ATTACKS[name]
    found = tampered(attack).verify()
    assert not found.ok
    assert found.problems[0].seq == seq


def rechain(connection: sqlite3.Connection, change: Callable[[dict], None], seq: int) -> None:
    """What a forger does who knows about the chain: everything after is made to fit."""
    previous = text_at(connection, seq - 1)
    rows = connection.execute("SELECT seq FROM goodarm_events WHERE seq >= ? ORDER BY seq", (seq,))
    for (number,) in rows.fetchall():
        event = json.loads(text_at(connection, number))
        event["previous"] = digest(previous)
        if number == seq:
            change(event)
        previous = canonical(event)
        put(connection, number, previous, True)


def test_a_forged_suggestion_does_not_follow_from_the_seed(
    tampered: Callable[[Callable[[sqlite3.Connection], object]], Study],
) -> None:
    def change(event: dict) -> None:
        arm = event["body"]["arm"]
        event["body"]["arm"] = "B" if arm == "A" else "A"

    study = tampered(lambda c: rechain(c, change, 20))
    found = study.verify()
    assert found.problems[0].seq in (20, 21)
    assert any("the rule suggests" in p.text or "another arm" in p.text for p in found.problems)


def test_a_forged_value_shows_in_the_head_alone(
    tampered: Callable[[Callable[[sqlite3.Connection], object]], Study], tmp_path: Path
) -> None:
    noted = Study.load("s", tmp_path / "s.db").head

    def change(event: dict) -> None:
        event["body"]["value"] = 1.0 - event["body"]["value"]

    study = tampered(lambda c: rechain(c, change, 41))
    assert any("no event has the hash" in p.text for p in study.verify(head=noted).problems)


def test_a_tail_that_was_cut_off_shows_against_the_head_noted(
    tampered: Callable[[Callable[[sqlite3.Connection], object]], Study], tmp_path: Path
) -> None:
    noted = Study.load("s", tmp_path / "s.db").head

    def cut(connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM goodarm_events WHERE seq > 31")
        connection.execute("DELETE FROM goodarm_summaries")
        connection.execute("DELETE FROM goodarm_checkpoints")

    study = tampered(cut)
    assert study.verify().ok
    found = study.verify(head=noted)
    assert "cut off" in found.problems[0].text
    assert study.verify(head=study.head).ok


@pytest.mark.parametrize("table", ["goodarm_checkpoints", "goodarm_summaries"])
def test_a_false_checkpoint_or_summary_is_found(tmp_path: Path, table: str) -> None:
    path = tmp_path / "s.db"
    study = Study.create("s", ["A", "B"], 0.0, Gaussian(1), storage=path, seed=3)
    for number in range(130):
        study.tell(study.ask(), number % 7 - 3.0)
    assert study.verify().ok
    column, change = (
        ("text", "replace(text, '\"next_trial\":', '\"next_trial\":9')")
        if table == "goodarm_checkpoints"
        else ("told", "told + 1")
    )
    with sqlite3.connect(path) as connection:
        done = connection.execute(f"UPDATE {table} SET {column} = {change}")
        assert done.rowcount == 1
    connection.close()
    assert "does not follow from the log" in study.verify().problems[0].text


def test_a_summary_from_before_is_found(tmp_path: Path) -> None:
    """Lists would show what was true then."""
    path = tmp_path / "s.db"
    study = Study.create("s", ["A", "B"], 0.5, Bernoulli(), storage=path, seed=3)
    study.tell("A", 1)
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE before AS SELECT * FROM goodarm_summaries")
        study.tell("A", 0)
        connection.execute("REPLACE INTO goodarm_summaries SELECT * FROM before")
    connection.close()
    (problem,) = study.verify().problems
    assert (problem.seq, problem.text) == (2, "the summary in the database lacks the later events")


@pytest.mark.parametrize(("by", "ok"), [(1e-13, True), (1e-6, False)])
def test_a_checkpoint_may_be_rounded_by_another_machine(
    tmp_path: Path, by: float, ok: bool
) -> None:
    path = tmp_path / "s.db"
    study = Study.create("s", ["A", "B"], 0.5, "bounded:0:1", storage=path, seed=3)
    for number in range(130):
        study.tell(study.ask(), number % 7 / 7.0)
    with sqlite3.connect(path) as connection:
        ((text,),) = connection.execute("SELECT text FROM goodarm_checkpoints").fetchall()
        data = json.loads(text)
        del data["digest"]
        data["evidence"]["experiment"]["kept"][3] += by
        there = with_digest(data)
        connection.execute("UPDATE goodarm_checkpoints SET text = ?", (there,))
    connection.close()
    assert study.verify().ok is ok


def test_nothing_is_built_on_an_altered_log(
    tampered: Callable[[Callable[[sqlite3.Connection], object]], Study],
) -> None:
    study = tampered(ATTACKS["a value"][0])
    with pytest.raises(StorageError, match="was altered at event 11"):
        study.ask()
    with pytest.raises(StorageError, match="was altered at event 11"):
        study.status()


def test_the_golden_logs_are_there() -> None:
    assert len(GOLDEN) >= 18


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_logs_of_earlier_versions_stay_verifiable(path: Path) -> None:
    """If this fails, a rule chooses differently: keep its old functions in `PAST`."""
    found = verify_file(path)
    assert found.problems == ()
    assert found.skipped is None
    assert found.suggestions > 30
    assert found.head == json.loads(path.read_text())["head"]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_logs_of_earlier_versions_mean_what_they_meant(path: Path) -> None:
    """Answer, confidence and limits follow the rule that the study was created with."""
    then = json.loads(path.read_text())["status"]
    audit = Audit(read_exported(path))
    audit.run({}, None)
    assert audit.fold is not None
    now = json.loads(json.dumps(report(audit.fold, then["updated_at"]).to_dict()))
    named = then.get("stopping_rule") or then.get("rule", "glr")  # as it was called then
    assert now["stopping_rule"] == named
    for field in ("answer", "delta", "decided", "decision", "next_arm", "trials", "pending"):
        assert now[field] == then[field]
    for field in ("confidence", "boundary"):
        assert now[field] == pytest.approx(then[field], abs=1e-12)
    for arm, before in zip(now["arms"], then["arms"], strict=True):
        for field in ("count", "pending", "mean", "W", "low", "high", "share"):
            assert arm[field] == pytest.approx(before[field], abs=1e-12)


def test_an_exported_log_can_be_verified_without_its_database(tmp_path: Path) -> None:
    study = Study.create("s", ["A", "B"], 0.5, Bernoulli(), storage=tmp_path / "s.db")
    study.tell(study.ask(), 1)
    path = study.export(tmp_path / "s.json")
    assert verify_file(path).head == study.head
    path.write_text(path.read_text().replace('\\"value\\":1.0', '\\"value\\":0.0'))
    assert verify_file(path).problems[0].seq == 3
