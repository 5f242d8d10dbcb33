"""Many outcomes from the shell: tables, counts, allocations, everything that is pending."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import rich.console
from typer.testing import CliRunner

from goodarm.cli.study import study as commands
from goodarm.errors import InputError
from goodarm.study import Study


class Result:
    def __init__(self, words: tuple[object, ...], typed: str | None = None) -> None:
        done = CliRunner().invoke(commands, [str(word) for word in words], input=typed)
        self.out, self.err, self.code = done.stdout, done.stderr, done.exit_code
        if isinstance(done.exception, InputError):  # as goodarm.cli.main does
            self.err, self.code = f"error: {done.exception}", 2
        elif done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception

    @property
    def data(self) -> Any:
        assert self.code == 0, self.err
        return json.loads(self.out)


Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    options = ["--threshold", "0.5", "--outcome", "bernoulli", "--seed", "1"]
    Result(("create", "s", "--arm", "red", "--arm", "blue", *options))
    return lambda *words, typed=None: Result(words, typed)


def test_counts_are_typed_as_people_write_them(run: Run) -> None:
    assert "(red) = 37/1000: told" in run("tell", "s", "--arm", "red", "37/1000").out
    run("ask", "s", "-n", "3")
    assert "trial 2 (blue) = 5/8: told" in run("tell", "s", "2", "5/8").out
    assert "= 5/9: told" in run("tell", "s", "3", "5", "--size", "9").out
    assert "= 2/3: told" in run("tell", "s", "4", "2", "--size", "3").out
    told = run("tell", "s", "--arm", "blue", "1", "0", "3/4", "--json").data["trials"]
    assert [(trial["value"], trial["size"]) for trial in told] == [(1, None), (0, None), (3, 4)]
    assert "= 5/10: told" in run("correct", "s", "3", "5/10", "--reason", "typing").out
    right = run("correct", "s", "3", "4", "--size", "10", "--reason", "again", "--json").data
    assert (right["trial"]["value"], right["trial"]["size"]) == (4, 10)
    for words, message in (
        (("--arm", "red", "37/1000", "--size", "9"), "size: '37/1000' has one already"),
        (("--arm", "red", "1", "0", "--size", "9"), "go with one outcome"),
        (("--arm", "red", "37/x"), "size: 'x' is not a number"),
        (("2",), "or --csv FILE"),
        (("--csv", "t.csv", "1", "0"), "give no outcomes besides"),
    ):
        refused = run("tell", "s", *words)
        assert (refused.code, message in refused.err) == (2, True), refused.err
    assert run("status", "s", "--json").data["trials"] == 1000 + 8 + 10 + 3 + 6


def test_a_table_is_told_and_told_again(run: Run) -> None:
    Path("t.csv").write_text("arm,successes,trials\nred,37,1000\nblue,412,1000\n")
    done = run("tell", "s", "--csv", "t.csv")
    assert done.out.startswith("2 outcomes added, 0 were there already\nhead ")
    assert "2 lines named no trial: told again, they would count again" in done.err
    data = run("tell", "s", "--csv", "t.csv", "--key", "monday", "--json").data
    assert (data["added"], data["already"], data["unasked"]) == (2, 0, 2)
    again = run("tell", "s", "--csv", "t.csv", "--key", "monday")
    assert again.out.startswith("0 outcomes added, 2 were there already")
    assert again.err == ""
    run("ask", "s", "-n", "2")
    for added in (2, 0):
        done = run("tell", "s", "--csv", "-", "--json", typed="trial,value\n5,1\n6,0\n")
        assert (done.data["added"], done.data["unasked"]) == (added, 0)
    assert run("status", "s", "--json").data["trials"] == 4002
    wrong = run("tell", "s", "--csv", "-", typed="trial,value\n5,1\n6,1\n")
    assert wrong.code == 2
    assert "line 3: trial 6 has the outcome 0, not 1" in wrong.err
    assert "nothing was recorded" in wrong.err
    assert run("verify", "s").code == 0


def test_an_allocation_instead_of_a_thousand_lines(run: Run) -> None:
    Result(("tell", "s", "--arm", "red", "8/20"))
    asked = run("ask", "s", "-n", "1000", "--summary")
    lines = dict(line.split("\t") for line in asked.out.splitlines())
    counts = dict.fromkeys(("red", "blue"), 0)
    for trial in Study.load("s").pending:
        counts[trial.arm] += 1
    assert {arm: int(many) for arm, many in lines.items()} == counts
    assert "trials 2 to 1001" in asked.err
    data = run("ask", "s", "-n", "10", "--summary", "--json").data
    assert sum(row["trials"] for row in data["allocation"]) == 10
    assert (data["first_trial"], data["last_trial"]) == (1002, 1011)


def test_everything_that_is_pending_is_cancelled(run: Run) -> None:
    run("ask", "s", "-n", "5")
    run("tell", "s", "3", "1")
    assert run("cancel", "s").code == 2
    assert "but not both" in run("cancel", "s", "1", "--all-pending").err
    data = run("cancel", "s", "--all-pending", "--reason", "told as counts", "--json").data
    assert [trial["number"] for trial in data["trials"]] == [1, 2, 4, 5]
    assert {trial["reason"] for trial in data["trials"]} == {"told as counts"}
    assert run("cancel", "s", "--all-pending").out.startswith("0 trials cancelled")
    assert run("status", "s", "--json").data["pending"] == 0
    assert run("verify", "s").code == 0


def test_an_import_takes_sizes_and_trials(run: Run) -> None:
    run("ask", "s", "-n", "1")
    Path("t.csv").write_text("trial,arm,value\n1,,1\n,blue,3/7\n")
    assert run("import", "s", "t.csv").out.startswith("2 outcomes added, 0 were there already")
    assert run("import", "s", "t.csv").out.startswith("0 outcomes added, 2 were there already")
    assert run("status", "s", "--json").data["trials"] == 8


def test_a_bar_shows_progress_at_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("t.csv").write_text("arm,value\n" + "red,1\n" * 40)
    assert "40" not in run("tell", "s", "--csv", "t.csv").err.replace("40 lines", "")
    monkeypatch.setattr(rich.console.Console, "is_terminal", True)
    done = run("tell", "s", "--csv", "t.csv")
    assert "40/40" in done.err
    assert "40/40" not in done.out


def test_an_exposure_is_for_counts_of_events_only(run) -> None:
    done = run("tell", "s", "--arm", "A", "3", "--exposure", "10")
    assert done.code == 2
    assert "exposure: bernoulli outcomes have none" in done.err
