"""The database: pragmas, guarded log, versions, upgrades, backups, files that are not there."""

import shutil
import sqlite3
from pathlib import Path

import pytest
import sqlalchemy as sa

from goodarm.errors import InputError
from goodarm.study import Bernoulli, StorageError, Studies, Study
from goodarm.study.storage import Store
from goodarm.study.storage.backup import back_up, check_up, upgrade
from goodarm.study.storage.dialects import dialects
from goodarm.study.storage.dialects import sqlite as sqlite_dialect
from goodarm.study.storage.schema import NEWEST, VERSION_TABLE, VERSIONS, migrate, version
from goodarm.study.storage.tables import metadata


def make(url: str | Store, name: str = "s") -> Study:
    return Study.create(name, ["A", "B"], 0.5, Bernoulli(), storage=url, seed=1)


def test_every_connection_has_its_pragmas(sqlite: str) -> None:
    store = Store(sqlite)
    make(store)

    def read(connection: sa.Connection) -> list[object]:
        return [connection.exec_driver_sql(f"PRAGMA {p}").scalar() for p in sqlite_dialect.PRAGMAS]

    for _ in range(2):
        assert store.attempt(read) == ["wal", 2, 1, sqlite_dialect.BUSY_MS]
        store.close()


def test_a_pragma_that_does_not_hold_is_an_error(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sqlite_dialect.PRAGMAS, "journal_mode", "telepathy")
    with pytest.raises(StorageError, match="journal_mode"):
        make(sqlite)


@pytest.mark.parametrize(
    "attack",
    [
        "UPDATE goodarm_events SET text = 'x'",
        "DELETE FROM goodarm_events",
        "UPDATE goodarm_studies SET name = 'x'",
        "UPDATE goodarm_studies SET uuid = 'x', name = 'x', id = 7",
        "DELETE FROM goodarm_studies",
        "INSERT INTO goodarm_events SELECT study_id, seq + 7, kind, trial, 'k', text, hash "
        "FROM goodarm_events WHERE seq = 1",
    ],
)
def test_the_log_cannot_be_changed(store: Store, attack: str) -> None:
    study = make(store)
    study.tell("A", 1)
    refusal = (
        "has the name that its log says"
        if "UPDATE goodarm_studies" in attack
        else "only ever added"
    )
    with pytest.raises(StorageError, match=refusal):
        store.attempt(lambda c: c.exec_driver_sql(attack), writes=True)
    assert study.verify().ok
    assert check_up(store) == []


def test_not_even_by_replacing_rows_or_the_whole_table(store: Store) -> None:
    make(store)
    attack = (
        "INSERT OR REPLACE INTO goodarm_events SELECT study_id, seq, 'x', trial, key, text, hash "
        "FROM goodarm_events"
        if store.path
        else "TRUNCATE goodarm_events CASCADE"
    )
    with pytest.raises(StorageError, match="only ever added"):
        store.attempt(lambda c: c.exec_driver_sql(attack), writes=True)


def test_a_missing_trigger_is_found(sqlite: str) -> None:
    store = Store(sqlite)
    make(store)
    store.attempt(lambda c: c.exec_driver_sql("DROP TRIGGER goodarm_events_no_update"), writes=True)
    assert ["goodarm_events_no_update" in problem for problem in check_up(store)] == [True]


def test_the_migrations_make_the_tables_that_the_code_uses(store: Store) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.runtime.migration import MigrationContext

    store.prepare(create=True)

    def differences(connection: sa.Connection) -> list[object]:
        options = {"version_table": VERSION_TABLE, "include_object": _ours}
        return list(
            compare_metadata(MigrationContext.configure(connection, opts=options), metadata)
        )

    assert store.attempt(differences) == []


def _ours(thing: object, name: str, *rest: object) -> bool:
    return name != VERSION_TABLE


def test_a_newer_database_is_refused(store: Store) -> None:
    make(store)
    store.attempt(
        lambda c: c.exec_driver_sql(f"UPDATE {VERSION_TABLE} SET version_num = '9999'"),
        writes=True,
    )
    again = Store(store.url.render_as_string(hide_password=False))
    for action in (
        lambda: Study.load("s", again),
        lambda: make(again, "t"),
        lambda: upgrade(again, "unused.db"),
    ):
        with pytest.raises(StorageError, match="9999, made by a newer goodarm"):
            action()


def test_an_older_database_is_upgraded_on_request_after_a_backup(
    store: Store, tmp_path: Path
) -> None:
    study = make(store)
    for value in (1, 0, 1):
        study.tell(study.ask(), value)
    head = study.head
    _back_to_the_first_version(store)
    old = Store(store.url.render_as_string(hide_password=False))
    with pytest.raises(StorageError, match="run `goodarm db upgrade`"):
        Study.load("s", old)
    target = tmp_path / "before.db"
    made = upgrade(old, target)
    assert made is not None
    assert (made.version, made.studies, made.events) == ("0001", 1, 7)
    assert upgrade(old, tmp_path / "unused.db") is None
    assert Study.load("s", old).verify().head == head
    assert [row.told for row in Studies(old).list()] == [3]
    with pytest.raises(StorageError, match="0001"):
        Study.load("s", target)
    assert Store(target).attempt(version) == "0001"


def _back_to_the_first_version(store: Store) -> None:
    def downgrade(connection: sa.Connection) -> None:
        connection.exec_driver_sql("DROP TABLE goodarm_checkpoints")
        connection.exec_driver_sql("DROP TABLE goodarm_summaries")
        connection.exec_driver_sql(f"UPDATE {VERSION_TABLE} SET version_num = '0001'")

    store.attempt(downgrade, writes=True)


def test_migrating_step_by_step_is_migrating_at_once(store: Store) -> None:
    store.check_file(create=True)
    for step in VERSIONS:
        store.attempt(lambda c, to=step: migrate(c, to), writes=True)
    assert store.attempt(version) == NEWEST
    assert make(store).verify().ok


def test_a_backup_is_a_database_and_moves_between_kinds(
    store: Store, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    study = make(store)
    for _ in range(30):
        study.tell(study.ask(), 1)
    target = tmp_path / "copy.db"
    made = back_up(store, target)
    assert (made.studies, made.events) == (1, 61)
    copy = Study.load("s", target)
    assert (copy.head, copy.verify().ok) == (study.head, True)
    copy.tell(copy.ask(), 0)
    with pytest.raises(InputError, match="exists already"):
        back_up(store, target)
    server = request.getfixturevalue("postgresql")
    there = server.new_database()
    back_up(Store(target), there)
    moved = Study.load("s", there)
    assert moved.head == copy.head
    moved.tell(moved.ask(), 0)
    assert moved.verify().ok
    make(there, "another")
    with pytest.raises(InputError, match="holds studies already"):
        back_up(store, there)


def test_a_study_that_is_not_there_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no database at"):
        Study.load("s", tmp_path / "none.db")
    with pytest.raises(InputError, match="does not exist"):
        make(str(tmp_path / "no" / "folder.db"))
    with pytest.raises(InputError, match="is not a file"):
        make(str(tmp_path))
    assert list(tmp_path.iterdir()) == []
    make(str(tmp_path / "some.db"))
    with pytest.raises(InputError, match="there is no study 'x'"):
        Study.load("x", tmp_path / "some.db")


@pytest.mark.parametrize(
    ("storage", "message"),
    [
        ("sqlite://", "in memory"),
        ("sqlite:///:memory:", "in memory"),
        ("file::memory:?cache=shared", "in memory"),
        (":memory:", "in memory is gone with the process; give a file"),
        ("mysql://host/db", "is not sqlite or postgresql"),
        ("://", "not a URL"),
        ("", "neither a URL nor a path"),
        (3, "neither a URL nor a path"),
    ],
)
def test_storage_that_cannot_be(
    storage: object, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=message):
        Study.load("s", storage)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=message):
        make(storage)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_is_not_there_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goodarm.study.storage.store.PATIENCE_AT_FIRST", 0.0)
    with pytest.raises(StorageError, match="cannot be reached") as caught:
        Study.load("s", "postgresql://user:secret@127.0.0.1:1/db")
    assert "secret" not in str(caught.value)


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    other = tmp_path / "notes.db"
    other.write_text("this is not a database at all, only text\n" * 100)
    with pytest.raises(StorageError, match="not a SQLite database"):
        Study.load("s", other)
    foreign = tmp_path / "other.db"
    sqlite3.connect(foreign).execute("CREATE TABLE t (a)").connection.close()
    with pytest.raises(StorageError, match="holds no studies yet"):
        Study.load("s", foreign)
    assert make(str(foreign)).name == "s"


def test_a_file_that_is_moved_away_is_noticed(sqlite: str, tmp_path: Path) -> None:
    study = make(sqlite)
    study.tell("A", 1)
    shutil.move(tmp_path / "studies.db", tmp_path / "moved.db")
    for _ in range(2):
        with pytest.raises(StorageError, match="removed or replaced"):
            study.tell("A", 1)
    assert not (tmp_path / "studies.db").exists()
    assert make(sqlite, "another").status().trials == 0
    with pytest.raises(StorageError, match="altered"):
        study.tell("A", 1)
    assert make(sqlite).status().trials == 0


def test_making_a_database_waits_for_another_who_makes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite does not wait of its own accord when a new file's kind of journal is changed."""
    monkeypatch.setattr("goodarm.study.storage.store.PATIENCE_AT_FIRST", 0.0)
    path = tmp_path / "s.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE t (a)")
    other.execute("BEGIN IMMEDIATE")
    waited: list[float] = []

    def let_go(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == 3:
            other.close()

    monkeypatch.setattr(sqlite_dialect.time, "sleep", let_go)
    assert make(str(path)).name == "s"
    assert len(waited) == 3


def test_a_file_that_comes_while_one_looks_for_it_is_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Path] = []
    stat = Path.stat

    def comes_after_the_first_look(path: Path, **options: bool) -> object:
        try:
            return stat(path, **options)
        finally:
            if path.name == "s.db" and not seen:
                seen.append(path)
                path.touch()

    monkeypatch.setattr(Path, "stat", comes_after_the_first_look)
    assert make(str(tmp_path / "s.db")).name == "s"
    assert len(seen) == 1


def test_a_relative_path_stays_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    study = make("here.db")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    study._ledger.store.close()
    study.tell("A", 1)
    assert Study.load("s", tmp_path / "here.db").status().trials == 1


def test_every_database_says_what_it_must_of_itself() -> None:
    assert list(dialects()) == ["postgresql", "sqlite"]
    for name, dialect in dialects().items():
        assert dialect.name == name
        assert dialect.example.startswith(f"{dialect.driver}://")
        assert {trigger.split("_")[0] for trigger in dialect.guards} == {"goodarm"}
        assert dialect.trouble(ValueError("not the database's")) is None


@pytest.mark.parametrize(("state", "said"), [("25006", "can only be read"), ("53100", "disk is")])
def test_what_will_not_pass_is_said_at_once(state: str, said: str) -> None:
    psycopg = pytest.importorskip("psycopg")
    trouble = dialects()["postgresql"].trouble(psycopg.errors.lookup(state)("no"))
    assert trouble is not None
    assert not trouble.passing
    assert said in trouble.text
    assert "nothing was recorded" in trouble.text
