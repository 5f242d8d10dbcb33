"""A study's name follows from its log; the table of studies is an index that may be wrong."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from goodarm.cli.study import study as commands
from goodarm.errors import InputError
from goodarm.study import Bernoulli, ConflictError, StorageError, Studies, Study
from goodarm.study.log.events import GENESIS, read_event
from goodarm.study.log.verify import Audit
from goodarm.study.storage import Store
from goodarm.study.storage.backup import check_up, upgrade
from goodarm.study.storage.schema import version


def make(storage: str | Path | Store, name: str, value: float = 1) -> Study:
    study = Study.create(name, ["A", "B"], 0.5, Bernoulli(), storage=storage, seed=1)
    study.tell("A", value)
    return study


def attack(path: Path, *statements: str) -> None:
    """Change the database as one who cares for no trigger."""
    with sqlite3.connect(path) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in names.fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            assert connection.execute(statement).rowcount == 1
    connection.close()


def test_a_renamed_study_is_the_same_study(store: Store) -> None:
    study, other = make(store, "s"), make(store, "t")
    elsewhere = Study.load("s", Store(store.url.render_as_string(hide_password=False)))
    study.rename("Größe '½' 😀", "clearer")
    assert (study.name, study.status().name) == ("Größe '½' 😀",) * 2
    event = read_event(study.events()[-1].text)
    assert (event.kind, event.body) == ("renamed", {"name": study.name, "reason": "clearer"})
    assert "renamed" in study.report_text()
    elsewhere.tell("A", 0)  # whoever had it open goes on
    assert elsewhere.name == elsewhere.status().name == study.name
    with pytest.raises(InputError, match="there is no study 's'"):
        Study.load("s", store)
    with pytest.raises(ConflictError, match="there is a study 't' already"):
        study.rename("t")
    other.rename("s")
    other.rename("s")
    assert other.seq == 3
    for name in ("s", study.name):
        again = Study.load(name, store)
        assert again.status().name == name
        assert again.verify().ok
    assert {row.name: row.told for row in Studies(store).list()} == {study.name: 2, "s": 1}
    assert check_up(store) == []


@pytest.mark.parametrize("name", ["", " x", "x\n", "\u202e", 3])
def test_a_name_that_cannot_be_is_refused(sqlite: str, name: Any) -> None:
    study = make(sqlite, "s")
    with pytest.raises(InputError, match="name: "):
        study.rename(name)
    assert study.seq == 2


def test_a_request_to_rename_counts_once(
    sqlite: str, lose_every_other_confirmation: Callable[[], list[int]]
) -> None:
    study = make(sqlite, "s")
    lose_every_other_confirmation()
    study.rename("t", key="first")
    study.rename("u")
    study.rename("t", key="first")
    assert study.name == "u"
    assert [stored.kind for stored in study.events(2)] == ["renamed"] * 2
    assert study.verify().ok


def test_studies_that_are_open_go_by_their_names_of_today(sqlite: str) -> None:
    make(sqlite, "s")
    make(sqlite, "t", 0)
    studies = Studies(sqlite)
    assert [studies.open(name).evidence[0].mean for name in "st"] == [1, 0]
    for old, new in (("s", "between"), ("t", "s"), ("between", "t")):
        Study.load(old, Store(sqlite)).rename(new)
    assert [studies.open(name).evidence[0].mean for name in "st"] == [0, 1]


SWAP = (
    "UPDATE goodarm_studies SET name = 'between' WHERE name = 's'",
    "UPDATE goodarm_studies SET name = 's' WHERE name = 't'",
    "UPDATE goodarm_studies SET name = 't' WHERE name = 'between'",
)


def test_swapped_names_are_found_and_show_nobody_elses_evidence(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    make(path, "s")
    make(path, "t", 0).rename("u")
    Study.load("u", path).rename("t")
    attack(path, *SWAP)
    for name, log_name, seq in (("s", "t", 4), ("t", "s", 1)):
        study = Study.load(name, Store(path))
        for look in (Study.status, Study.ask, Study.pending.fget):
            with pytest.raises(StorageError, match=f"calls '{name}' is '{log_name}' in its own"):
                look(study)  # type: ignore[misc, operator]
        (problem,) = study.verify().problems
        assert problem.seq == seq
        assert f"names the study {log_name!r}, the database {name!r}" in problem.text
    assert {(row.name, row.state, row.told) for row in Studies(path).list()} == {
        ("s", "misnamed", 0),
        ("t", "misnamed", 0),
    }
    attack(path, *SWAP)
    assert Study.load("s", Store(path)).verify().ok
    assert {row.told for row in Studies(path).list()} == {1}


def test_a_name_changed_under_an_open_study_is_found(tmp_path: Path) -> None:
    study = make(tmp_path / "s.db", "s")
    attack(tmp_path / "s.db", "UPDATE goodarm_studies SET name = 'x'")
    assert "names the study 's', the database 'x'" in study.verify().problems[0].text


def test_a_log_whose_events_are_all_gone_is_not_sound(tmp_path: Path) -> None:
    study = make(tmp_path / "s.db", "s")
    attack(
        tmp_path / "s.db",
        "DELETE FROM goodarm_events WHERE seq = 1",
        "DELETE FROM goodarm_events WHERE seq = 2",
    )
    assert [problem.text for problem in study.verify().problems][-1] == "the log is empty"


def test_a_log_that_does_not_say_its_name_goes_on(tmp_path: Path) -> None:
    """No goodarm has written one; what it cannot show is said."""
    study = make(tmp_path / "s.db", "s")
    nameless = read_event(study.events()[0].text)
    del nameless.body["name"]
    assert nameless.previous == GENESIS
    first = nameless.stored()
    told = read_event(study.events()[1].text)._replace(previous=first.hash).stored()
    attack(
        tmp_path / "s.db",
        "DELETE FROM goodarm_summaries",
        *(
            f"UPDATE goodarm_events SET text = '{stored.text}', hash = '{stored.hash}' "
            f"WHERE seq = {stored.seq}"
            for stored in (first, told)
        ),
    )
    again = Study.load("s", Store(tmp_path / "s.db"))
    assert again.status().name == "s"
    again.tell(again.ask(), 1)
    audit = again.verify()
    assert audit.ok
    assert audit.study == ""
    again.rename("t")
    assert Study.load("t", tmp_path / "s.db").verify().study == "t"


def test_an_audit_refuses_a_name_that_the_study_would_have_refused(sqlite: str) -> None:
    study = make(sqlite, "s")
    log = study.events()
    for name, why in (("s", "had that name already"), (" t", "begins or ends")):
        last = log[-1]
        body = {"name": name}
        event = read_event(last.text)._replace(
            seq=3, kind="renamed", key=None, previous=last.hash, body=body
        )
        (problem,) = Audit([*log, event.stored()]).run({}, None).problems
        assert why in problem.text


def test_an_older_database_can_rename_once_it_is_upgraded(store: Store, tmp_path: Path) -> None:
    study = make(store, "s")

    def as_it_was(connection: sa.Connection) -> None:
        store.dialect.drop_guards(connection)
        for name, statement in store.dialect.guards.items():
            if name.startswith("goodarm_studies"):
                connection.exec_driver_sql(
                    statement.replace("only_renamed", "no_update") if store.path else statement
                )
        for column in ("name", "archived", "tags"):
            connection.exec_driver_sql(f"ALTER TABLE goodarm_summaries DROP COLUMN {column}")
        connection.exec_driver_sql("UPDATE goodarm_schema SET version_num = '0002'")

    store.attempt(as_it_was, writes=True)
    old = Store(store.url.render_as_string(hide_password=False))
    assert upgrade(old, tmp_path / "before.db") is not None
    assert Store(tmp_path / "before.db").attempt(version) == "0002"
    assert check_up(old) == []
    assert [row.state for row in Studies(old).list()] == ["open"]
    Study.load("s", old).rename("t")
    assert Study.load("t", old).verify().head == study.head


def test_the_command_renames(sqlite: str) -> None:
    study = make(sqlite, "s")
    done = CliRunner().invoke(commands, ["rename", "s", "t", "--reason", "x", "--storage", sqlite])
    assert done.stdout == f"renamed 's' to 't'\nhead {study.head}\n"
    done = CliRunner().invoke(commands, ["status", "t", "--json", "--storage", sqlite])
    assert json.loads(done.stdout)["name"] == "t"
