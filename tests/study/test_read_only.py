"""A database that may not be written can be looked at, and says plainly that it cannot be more."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from goodarm.study import Bernoulli, StorageError, Studies, Study
from goodarm.study.storage import Store
from goodarm.study.storage.backup import check_up

NOBODY = 65534
FILE, FOLDER, BOTH = (0o444, 0o777), (0o666, 0o555), (0o444, 0o555)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that every user of this machine may enter."""
    made = Path(tempfile.mkdtemp(prefix="goodarm"))
    made.chmod(0o755)
    yield made
    made.chmod(0o755)
    shutil.rmtree(made)


def protect(folder: Path, modes: tuple[int, int]) -> None:
    for file in folder.iterdir():
        file.chmod(modes[0])
    folder.chmod(modes[1])


def unprivileged() -> None:
    """Root may write everywhere: become somebody who may not."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


def make(folder: Path, name: str = "s") -> Study:
    study = Study.create(name, ["A", "B"], 0.5, Bernoulli(), 0.05, storage=folder / "s.db", seed=1)
    for value in (1, 0, 1):
        study.tell(study.ask(), value)
    return study


def look(folder: Path, head: str, say: Callable[[str], None]) -> None:
    """Everything that only reads, then something that does not."""
    unprivileged()
    study = Study.load("s", folder / "s.db")
    assert study.head == head
    assert study.status().trials == 3
    assert len(study.trials) == 3
    assert study.verify(head=head).ok
    assert all(study.export_bytes(kind) for kind in ("csv", "json"))
    assert [row.name for row in Studies(folder / "s.db").list()] == ["s"]
    assert check_up(Store(folder / "s.db")) == []
    for write in (lambda: study.ask(), lambda: make(folder, "t"), lambda: study.stop("x")):
        with pytest.raises(StorageError, match=r"can only be read, .*nothing was recorded"):
            write()
    say("all is well")


@pytest.mark.parametrize("modes", [FILE, FOLDER, BOTH], ids=["file", "folder", "both"])
def test_a_write_protected_database_can_be_read(
    folder: Path, fork: Any, modes: tuple[int, int]
) -> None:
    study = make(folder)
    head = study.head
    study._ledger.store.close()
    protect(folder, modes)
    assert fork(lambda say: look(folder, head, say)).lines() == ["all is well"]


def leave_entries_beside(folder: Path, fork: Any) -> str:
    """Die in the middle of work: the latest entries are not in the database file yet."""
    head = make(folder).head

    def die(say: Callable[[str], None]) -> None:
        mine = Study.load("s", folder / "s.db")
        mine.tell("A", 1)
        say(mine.head)
        os._exit(0)

    Store(folder / "s.db").close()
    (after,) = fork(die).lines()
    assert after != head
    return str(after)


def test_entries_that_are_not_in_the_file_yet_are_read_too(folder: Path, fork: Any) -> None:
    head = leave_entries_beside(folder, fork)
    assert (folder / "s.db-wal").stat().st_size > 0
    protect(folder, BOTH)

    def read(say: Callable[[str], None]) -> None:
        unprivileged()
        say(Study.load("s", folder / "s.db").head)

    assert fork(read).lines() == [head]


def test_entries_that_cannot_be_read_are_not_passed_over(folder: Path, fork: Any) -> None:
    leave_entries_beside(folder, fork)
    (folder / "s.db-shm").unlink()
    protect(folder, BOTH)

    def read(say: Callable[[str], None]) -> None:
        unprivileged()
        try:
            Study.load("s", folder / "s.db")
        except StorageError as error:
            say(str(error))

    (said,) = fork(read).lines()
    assert "latest entries are still in 's.db-wal'" in said
    assert "copy both files" in said


def test_a_database_of_another_journal_mode_can_be_read(folder: Path, fork: Any) -> None:
    study = make(folder)
    head = study.head
    study._ledger.store.close()
    connection = sqlite3.connect(folder / "s.db")
    connection.execute("PRAGMA journal_mode = delete")
    connection.close()
    protect(folder, BOTH)
    assert fork(lambda say: look(folder, head, say)).lines() == ["all is well"]


def test_a_folder_in_which_nothing_can_be_created(folder: Path, fork: Any) -> None:
    make(folder)
    folder.chmod(0o555)

    def create(say: Callable[[str], None]) -> None:
        unprivileged()
        try:
            Study.create("t", ["A"], 0.5, Bernoulli(), storage=folder / "new.db")
        except StorageError as error:
            say(str(error))

    (said,) = fork(create).lines()
    assert "is its folder write-protected?" in said
