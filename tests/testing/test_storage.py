"""The kit for storages: ours pass, broken ones are found, and what is there stays as it was."""

import subprocess
import sys
from pathlib import Path

import pytest

from goodarm.errors import InputError
from goodarm.study import Bernoulli, Studies, Study
from goodarm.study.storage import Store, Transaction
from goodarm.testing import ContractError, check_storage


def names(url: str) -> list[str]:
    return list(Studies(url).names())


def change(url: str, statement: str) -> None:
    store = Store(url)
    store.attempt(lambda c: c.exec_driver_sql(statement), writes=True)
    store.close()


def test_our_databases_pass_again_and_again(url: str) -> None:
    check_storage(url)
    check_storage(url)
    found = names(url)
    assert len(set(found)) == 2
    for name in found:
        assert Study.load(name, url).verify().ok
    assert [row.state for row in Studies(url).list()] == ["stopped", "stopped"]


def test_a_path_will_do(tmp_path: Path) -> None:
    check_storage(tmp_path / "studies.db")
    assert (tmp_path / "studies.db").is_file()


def test_a_missing_guard_is_found_and_nothing_is_lost(url: str) -> None:
    study = Study.create("ours", ["A", "B"], 0.5, Bernoulli(), storage=url, seed=1)
    study.tell("A", 1)
    log = study.events()
    if url.startswith("sqlite"):
        change(url, "DROP TRIGGER goodarm_events_no_delete")
    else:
        change(url, "DROP TRIGGER goodarm_events_no_change ON goodarm_events")
    with pytest.raises(ContractError, match=r"refused, but (UPDATE|DELETE) was carried out"):
        check_storage(url)
    assert study.events() == log
    assert all(Study.load(name, url).verify().ok for name in names(url))


def test_a_storage_that_forgets_keys_is_found(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Without its key a repeated outcome of an arm looks like a new one.
    append = Transaction.append
    monkeypatch.setattr(
        Transaction,
        "append",
        lambda self, study, added: append(self, study, [e._replace(key=None) for e in added]),
    )
    with pytest.raises(ContractError, match=r"counts once and .*, but an outcome of an arm"):
        check_storage(sqlite)


def test_a_storage_that_loses_the_order_is_found(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = Transaction.log

    def backwards(self: Transaction, study: int, seq: int = 0) -> object:
        return reversed(list(log(self, study, seq)))

    monkeypatch.setattr(Transaction, "log", backwards)
    with pytest.raises(ContractError, match="events are kept in order"):
        check_storage(sqlite)


def test_a_storage_that_rounds_is_found(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    of_trials = Transaction.of_trials

    def rounded(self: Transaction, study: int, trials: list[int]) -> object:
        return [
            e._replace(text=e.text.replace("0.30000000000000004", "0.3"))
            for e in of_trials(self, study, trials)
        ]

    monkeypatch.setattr(Transaction, "of_trials", rounded)
    with pytest.raises(ContractError, match=r"survive reopening, but 0\.30000000000000004 with"):
        check_storage(sqlite)


def test_one_trial_for_two_threads_is_found(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Requests that share one key get one trial: so would those of a storage without locks.
    ask = Study.ask
    monkeypatch.setattr(Study, "ask", lambda self, key="shared": ask(self, key=key))
    with pytest.raises(
        ContractError, match="never get one trial, but more than one request was given"
    ):
        check_storage(sqlite)


def test_a_study_that_an_audit_rejects_is_found(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A summary that does not fit the log is what only an audit looks at.
    summary = Transaction.put_summary
    monkeypatch.setattr(
        Transaction,
        "put_summary",
        lambda self, study, values: summary(self, study, values | {"told": 99}),
    )
    with pytest.raises(ContractError, match="an audit finds the study sound, but it found"):
        check_storage(sqlite)


def test_a_place_that_is_none_is_a_wrong_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        check_storage(tmp_path / "nowhere" / "studies.db")


def test_testing_algorithms_needs_no_database() -> None:
    code = "import sys, goodarm.testing; print('sqlalchemy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
