"""Where a study is found: archived, brought back, tagged; the log has who did it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from goodarm.cli.study import study as commands
from goodarm.errors import InputError
from goodarm.study import Bernoulli, Studies, Study
from goodarm.study.log.events import read_event
from goodarm.study.log.verify import Audit, verify_file
from goodarm.study.storage import Store
from goodarm.study.storage.backup import upgrade
from goodarm.study.tags import MOST_TAGS


def make(storage: str | Path | Store, name: str = "s") -> Study:
    return Study.create(name, ["A", "B"], 0.5, Bernoulli(), storage=storage, seed=1, by="ann")


def test_an_archived_study_is_left_out_of_lists_and_goes_on(store: Store, tmp_path: Path) -> None:
    study, other = make(store), make(store, "t")
    for _ in range(2):
        study.archive("last year's")
    studies = Studies(store)
    names = lambda **kind: {row.name for row in studies.list(**kind)}  # noqa: E731
    assert (names(), names(archived=True), names(archived=None)) == ({"t"}, {"s"}, {"s", "t"})
    assert (studies.count(), studies.count(archived=True), studies.count(archived=None)) == (
        1,
        1,
        2,
    )
    event = read_event(study.events()[-1].text)
    assert (event.kind, event.by, event.body) == ("archived", "ann", {"reason": "last year's"})
    assert study.status().archived
    assert study.tell(study.ask(), 1).value == 1, "nothing else changes"
    fresh = Study.load("s", Store(store.url.render_as_string(hide_password=False)))
    assert fresh.archived
    assert study.verify().ok
    for _ in range(2):
        fresh.unarchive()
    assert (study.archived, names()) == (False, {"s", "t"})
    assert [stored.kind for stored in study.events()][-1] == "unarchived"
    assert fresh.verify().ok
    path = study.export(tmp_path / "s.json")
    assert json.loads(path.read_text("utf-8"))["status"]["archived"] is False
    assert verify_file(path).ok
    assert not other.archived


def test_tags_find_studies(store: Store) -> None:
    study, other = make(store), make(store, "t")
    assert study.tag(["Spring", "lab 3", "spring"]) == ("lab 3", "spring")
    assert other.tag(["Größe", "spring_", "100%"]) == ("100%", "größe", "spring_")
    studies = Studies(store)
    for tag, found in (
        ("SPRING", "s"),
        ("lab 3", "s"),
        ("lab", ""),
        ("GRÖSSE".replace("SS", "ß"), "t"),
        ("100%", "t"),
        ("100_", ""),
        ("sprin_", ""),
    ):
        assert "".join(row.name for row in studies.list(tag=tag)) == found, tag
        assert studies.count(tag=tag) == len(found)
    assert studies.tags() == {"100%": 1, "größe": 1, "lab 3": 1, "spring": 1, "spring_": 1}
    study.tag(remove=["lab 3", "never there"], add=["spring_"])
    before = study.seq
    assert study.tag(["spring"]) == ("spring", "spring_")
    assert study.seq == before, "no change, no event"
    assert {row.tags for row in studies.list(tag="spring")} == {("spring", "spring_")}
    assert studies.tags()["spring_"] == 2
    other.archive()
    assert studies.tags() == {"spring": 1, "spring_": 1}
    fresh = Study.load("s", Store(store.url.render_as_string(hide_password=False)))
    assert fresh.status().tags == ("spring", "spring_")
    assert all(one.verify().ok for one in (study, other))


@pytest.mark.parametrize("tags", ["spring", [""], ["a,b"], ["x" * 51], [3], 7, ["a\nb"], [" a"]])
def test_tags_that_cannot_be_are_refused(sqlite: str, tags: Any) -> None:
    study = make(sqlite)
    with pytest.raises(InputError, match="tags: "):
        study.tag(tags)
    assert study.seq == 1


def test_a_study_has_some_tags_and_not_hundreds(sqlite: str) -> None:
    study = make(sqlite)
    study.tag([f"t{i}" for i in range(MOST_TAGS)])
    with pytest.raises(InputError, match=f"at most {MOST_TAGS}, so remove some"):
        study.tag(["more"])
    assert "more" in study.tag(["more"], ["t0"])


def test_a_request_to_file_counts_once(
    sqlite: str, lose_every_other_confirmation: Callable[[], list[int]]
) -> None:
    study = make(sqlite)
    lose_every_other_confirmation()
    study.tag(["a"], key="first")
    study.tag(["b"], ["a"])
    study.tag(["a"], key="first")
    study.archive(key="second")
    study.unarchive()
    study.archive(key="second")
    assert (study.tags, study.archived) == (("b",), False)
    assert [stored.kind for stored in study.events(1)] == ["tagged"] * 2 + [
        "archived",
        "unarchived",
    ]
    assert study.verify().ok


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("unarchived", {}),
        ("tagged", {"tags": ""}),
        ("tagged", {"tags": "b, a"}),
        ("tagged", {"tags": "Plate"}),
        ("tagged", {"tags": "a, a"}),
        ("tagged", {"tags": ["a"]}),
        ("tagged", {}),
    ],
)
def test_an_audit_refuses_what_the_study_would_not_have_done(
    sqlite: str, kind: str, body: dict[str, Any]
) -> None:
    study = make(sqlite)
    (first,) = study.events()
    second = read_event(first.text)._replace(seq=2, previous=first.hash)
    for event, wrong in (
        (second._replace(kind=kind, body=body), True),
        (second._replace(kind="tagged", body={"tags": "a, b"}), False),
    ):
        audit = Audit([first, event.stored()]).run({}, None)
        assert bool(audit.problems) == wrong


def test_a_checkpoint_keeps_how_a_study_is_filed(sqlite: str) -> None:
    study = make(sqlite)
    study.tag(["kept"])
    study.archive()
    study.tell_many([("A", 1), ("B", 0)] * 150)
    store = Store(sqlite)
    saved = store.read(lambda transaction: transaction.checkpoint(study._ledger.row.id))
    assert saved is not None
    fresh = Study.load("s", store)
    assert (fresh.archived, fresh.tags) == (True, ("kept",))
    forged = saved[2].replace('"archived":true', '"archived":false')
    assert forged != saved[2]
    store.write(lambda t: t.put_checkpoint(study._ledger.row.id, saved[0], saved[1], forged))
    assert not study.verify().ok


def test_an_older_database_can_file_once_it_is_upgraded(store: Store, tmp_path: Path) -> None:
    study = make(store)

    def as_it_was(connection: sa.Connection) -> None:
        for column in ("archived", "tags"):
            connection.exec_driver_sql(f"ALTER TABLE goodarm_summaries DROP COLUMN {column}")
        connection.exec_driver_sql("UPDATE goodarm_schema SET version_num = '0003'")

    store.attempt(as_it_was, writes=True)
    old = Store(store.url.render_as_string(hide_password=False))
    assert upgrade(old, tmp_path / "before.db") is not None
    assert [(row.archived, row.tags) for row in Studies(old).list()] == [(False, ())]
    assert Study.load("s", old).tag(["new"]) == study.tags == ("new",)
    assert study.verify().ok


def test_the_commands_file(sqlite: str) -> None:
    make(sqlite)

    def call(*words: str) -> str:
        done = CliRunner().invoke(commands, [*words, "--storage", sqlite])
        assert done.exit_code == 0, done.output
        return done.stdout

    assert call("tag", "s", "Spring", "lab").startswith("tags: lab, spring\nhead ")
    assert call("tag", "s", "--remove", "lab").startswith("tags: spring\n")
    assert call("tag", "s").startswith("tags: spring\n")
    assert [row["tags"] for row in json.loads(call("list", "--json"))] == [["spring"]]
    assert "spring" in call("list", "--tag", "spring")
    assert json.loads(call("list", "--json", "--tag", "lab")) == []
    assert call("archive", "s", "--reason", "done").startswith("archived 's'\n")
    assert json.loads(call("list", "--json")) == []
    assert [row["name"] for row in json.loads(call("list", "--archived", "--json"))] == ["s"]
    assert call("archive", "s", "--undo").startswith("'s' is back in the lists\n")
    assert json.loads(call("archive", "s", "--json"))["archived"] is True


def test_a_log_in_which_a_study_is_archived_twice_is_not_sound(sqlite: str) -> None:
    study = make(sqlite)
    study.archive()
    events = study.events()
    again = read_event(events[1].text)._replace(seq=3, key=None, previous=events[1].hash)
    (problem,) = Audit([*events, again.stored()]).run({}, None).problems
    assert "archived already" in problem.text
