"""The command line: what is printed, where, with which exit code."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from goodarm.cli.db import db
from goodarm.cli.study import study
from goodarm.errors import InputError
from goodarm.outcomes import outcomes
from goodarm.study import Study

app = typer.Typer()
app.add_typer(study, name="study")
app.add_typer(db, name="db")


class Result:
    def __init__(self, arguments: tuple[object, ...], typed: str | None = None) -> None:
        done = CliRunner().invoke(app, [str(argument) for argument in arguments], input=typed)
        self.out, self.err, self.code = done.stdout, done.stderr, done.exit_code
        if isinstance(done.exception, InputError):  # as goodarm.cli.main does
            self.err, self.code = f"error: {done.exception}", 2
        elif done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception

    @property
    def data(self) -> Any:
        assert self.code in (0, 1), self.err
        return json.loads(self.out)


Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GOODARM_BY", "ann")
    return lambda *arguments, typed=None: Result(arguments, typed)


@pytest.fixture
def made(run: Run) -> Run:
    options = ["--threshold", "0.5", "--outcome", "bounded:-1:1", "--delta", "0.05", "--seed", "1"]
    assert run("study", "create", "s", "--arm", "A", "--arm", "B", *options).code == 0
    return run


def test_a_life_from_creation_to_the_answer(made: Run) -> None:
    asked = made("study", "ask", "s", "-n", "2")
    assert asked.out == "1\tA\n2\tB\n"
    assert asked.err.startswith("head ")
    assert "trial 1 (A) = -0.5: told" in made("study", "tell", "s", "1", "-0.5").out
    made("study", "tell", "s", "2", "0.9", "--note", "fine", "--at", "2026-01-01T00:00:00Z")
    told = made("study", "tell", "s", "--arm", "A", "-0.25", "--json").data
    assert (told["trial"]["number"], told["trial"]["value"]) == (3, -0.25)
    assert told["trial"]["by"] == "ann"
    picture = made("study", "status", "s").out
    assert "looking for a mean above 0.5" in picture
    assert "next        " in picture
    assert told["head"] in picture
    while (asked := made("study", "ask", "s", "--json")).code == 0:
        trial = asked.data["trials"][0]
        value = {"A": "-0.5", "B": "1"}[trial["arm"]]
        made("study", "tell", "s", trial["number"], value)
    assert (asked.code, asked.out) == (3, "")
    assert "nothing to try: the study has its answer: 'B' is good" in asked.err
    status = made("study", "status", "s", "--json").data
    assert (status["decision"], status["state"]) == ("B", "decided")
    assert made("study", "extend", "s", "--trials", "3").code == 0
    assert made("study", "stop", "s", "--reason", "enough").code == 0
    rows = made("study", "list", "--json").data
    assert [(row["name"], row["state"]) for row in rows] == [("s", "stopped")]
    assert "stopped" in made("study", "list").out


def test_second_thoughts(made: Run) -> None:
    made("study", "ask", "s", "-n", "3")
    made("study", "tell", "s", "1", "1")
    assert made("study", "tell", "s", "1", "0").code == 2
    assert "corrected" not in made("study", "status", "s").out
    made("study", "correct", "s", "1", "-0.5", "--reason", "typing")
    assert "(B): cancelled" in made("study", "cancel", "s", "2").out
    made("study", "amend", "s", "-0.2", "--reason", "protocol 2")
    assert "retracted" in made("study", "retract", "s", "1", "--reason", "wrong arm").out
    assert "The threshold was changed from 0.5 to -0.2" in made("study", "status", "s").out
    assert made("study", "verify", "s").code == 0


def test_the_stopping_rule_is_recorded_shown_and_changed(made: Run) -> None:
    settings = ["--threshold", "0.5", "--outcome", "bernoulli", "--arm", "A", "--arm", "B"]
    rules = ["--boundary", "glr", "--decide", "as-told"]
    other = made("study", "create", "old", *settings, *rules, "--json").data["settings"]
    assert (other["boundary"], other["decide"]) == ("glr", "as-told")
    status = made("study", "status", "s", "--json").data
    assert (status["stopping_rule"], status["decide"]) == ("mixture", "as-asked")
    assert (
        "stops by    certificates of the outcome model (mixture)"
        in made("study", "status", "s").out
    )
    made("study", "tell", "s", "--arm", "A", "1")
    changed = made("study", "amend", "s", "--boundary", "glr", "--reason", "as in the paper")
    assert "'s' has the threshold 0.5 and stops by glr" in changed.out
    shown = made("study", "status", "s").out
    assert "stops by    the paper's boundary (glr)" in shown
    assert "The stopping rule was changed from mixture to glr" in shown
    assert (
        made("study", "amend", "s", "--threshold", "-0.5", "--reason", "r", "--json").data[
            "threshold"
        ]
        == -0.5
    )
    assert made("study", "verify", "s").code == 0


def test_limits_that_hold_together_are_wider(made: Run) -> None:
    made("study", "tell", "s", "--arm", "A", *["1", "0.5", "-0.25"] * 10)
    own = made("study", "status", "s", "--json").data
    together = made("study", "status", "s", "--simultaneous", "--json").data
    assert (own["simultaneous"], together["simultaneous"]) == (False, True)
    assert together["arms"][0]["low"] <= own["arms"][0]["low"]
    assert together["arms"][0]["high"] > own["arms"][0]["high"]
    assert "all limits hold together at 95 %" in made("study", "status", "s", "--simultaneous").out


def test_several_outcomes_count_at_one_moment(made: Run, tmp_path: Path) -> None:
    made("study", "ask", "s", "-n", "3")
    said = made("study", "tell", "s", "1", "-0.5", "3", "1").out
    assert "trial 1 (A) = -0.5: told\ntrial 3 (A) = 1: told\nhead " in said
    assert made("study", "tell", "s", "2", "0.9", "9", "0.5").code == 2, "all or none"
    assert made("study", "status", "s", "--json").data["trials"] == 2
    told = made("study", "tell", "s", "2", "0.9", "1", "-0.5", "--json").data["trials"]
    assert [trial["number"] for trial in told] == [2, 1]
    options = ["--threshold", "0.5", "--outcome", "bernoulli", "--delta", "0.05"]
    made("study", "create", "sorted", "--arm", "A", *options)
    made("study", "tell", "sorted", "--arm", "A", *["1"] * 42, *["0"] * 58)
    status = made("study", "status", "sorted", "--json").data
    assert (status["trials"], status["decided"]) == (100, False)


@pytest.fixture
def measured(run: Run) -> Run:
    options = ["--threshold", "0", "--outcome", "gaussian:1,2", "--seed", "1"]
    assert run("study", "create", "g", "--arm", "A", "--arm", "B", *options).code == 0
    run("study", "ask", "g", "-n", "2")
    return run


@pytest.mark.parametrize(
    "arguments",
    [
        ["tell", "g", "1", "54"],
        ["tell", "g", "2", "1", "1", "54"],
        ["tell", "g", "--arm", "A", "54"],
        ["import", "g", "odd.csv"],
    ],
)
def test_an_unlikely_outcome_is_refused_unless_one_is_sure(
    measured: Run, tmp_path: Path, arguments: list[str]
) -> None:
    (tmp_path / "odd.csv").write_text("arm,value\nB,1\nA,54\n")
    refused = measured("study", *arguments)
    assert (refused.code, refused.out) == (2, "")
    assert "54 is 54 standard deviations (1) from the threshold" in refused.err
    assert "--sure" in refused.err
    assert measured("study", "status", "g", "--json").data["trials"] == 0
    assert measured("study", *arguments, "--sure").code == 0
    assert measured("study", "status", "g", "--json").data["arms"][0]["mean"] == 54.0


def test_a_correction_is_looked_at_twice_as_well(measured: Run) -> None:
    measured("study", "tell", "g", "1", "1")
    wrong = ["correct", "g", "1", "54", "--reason", "slip"]
    assert measured("study", *wrong).code == 2
    assert measured("study", *wrong, "--sure").code == 0


def test_at_a_terminal_a_person_is_asked(measured: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goodarm.cli.study.session.at_terminal", lambda: True)
    asked = measured("study", "tell", "g", "1", "54", typed="n\n")
    assert asked.code == 2
    assert "declared outcome. Record it? [y/N]" in asked.err
    assert "nothing was recorded" in asked.err
    assert measured("study", "status", "g", "--json").data["trials"] == 0
    yes = measured("study", "tell", "g", "1", "54", typed="y\n")
    assert "trial 1 (A) = 54: told" in yes.out


def test_a_forecast(made: Run) -> None:
    assert "more trials until 95 % confidence" in made("study", "forecast", "s").out
    assert made("study", "forecast", "s", "--runs", "5", "--json").data["runs"] == 5


def test_export_import_verify(made: Run, tmp_path: Path) -> None:
    (tmp_path / "past.csv").write_text("arm,value\nA,0.5\nB,-1\n")
    assert "2 outcomes added, 0 were there" in made("study", "import", "s", "past.csv").out
    assert made("study", "import", "s", "past.csv", "--json").data["already"] == 2
    head = made("study", "export", "s", "log.json", "--json").data["head"]
    assert made("study", "verify", "log.json", "--json").data["head"] == head
    assert made("study", "verify", "s", "--head", head).code == 0
    wrong = made("study", "verify", "s", "--head", "0" * 64)
    assert (wrong.code, "no event has the hash" in wrong.out) == (1, True)
    assert made("study", "verify", "s", "--head", "xyz").code == 2
    assert made("study", "export", "s", "log.json").code == 2


def test_the_database_is_looked_after(made: Run, tmp_path: Path) -> None:
    assert made("db", "check").out.endswith("all is well\n")
    assert made("db", "backup", "copy.db", "--json").data["events"] == 1
    assert made("study", "ask", "s", "--storage", "copy.db").code == 0
    assert made("db", "upgrade").out == "the database is up to date\n"
    assert made("db", "backup", "copy.db").code == 2
    with sqlite3.connect(tmp_path / "studies.db") as connection:
        connection.execute("DROP TRIGGER goodarm_events_no_update")
        connection.execute("UPDATE goodarm_events SET text = replace(text, 'A', 'C')")
    connection.close()
    found = made("db", "check", "--json")
    assert found.code == 1
    assert len(found.data["database"]) == 1
    assert found.data["studies"][0]["problems"][0]["seq"] == 1
    ruined = made("study", "status", "s")
    assert (ruined.code, "was altered at event 1" in ruined.err) == (1, True)


def test_an_old_database_is_upgraded(made: Run, tmp_path: Path) -> None:
    made("study", "ask", "s")
    with sqlite3.connect(tmp_path / "studies.db") as connection:
        connection.execute("DROP TABLE goodarm_summaries")
        connection.execute("DROP TABLE goodarm_checkpoints")
        connection.execute("UPDATE goodarm_schema SET version_num = '0001'")
    connection.close()
    old = made("study", "status", "s")
    assert (old.code, "goodarm db upgrade" in old.err) == (1, True)
    assert "upgraded from version 0001; the backup is" in made("db", "upgrade").out
    assert len(list(tmp_path.glob("studies-backup-*.db"))) == 1
    assert made("study", "status", "s").code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tell", "s"], "give a trial and its value"),
        (["tell", "s", "1"], "give a trial and its value"),
        (["tell", "s", "1", "1", "2"], "give a trial and its value"),
        (["tell", "s", "--arm", "A"], "give a trial and its value"),
        (["tell", "s", "1", "1", "2", "1", "--note", "x"], "go with one outcome"),
        (["amend", "s", "--reason", "x"], "give a threshold or a boundary"),
        (["amend", "s", "1", "--threshold", "1", "--reason", "x"], "given twice"),
        (["amend", "s", "--boundary", "kano", "--reason", "x"], "a live study stops by"),
        (
            [
                "create",
                "t",
                "--arm",
                "A",
                "--threshold",
                "0",
                "--outcome",
                "gaussian:1",
                "--decide",
                "late",
            ],
            "unknown decide 'late'",
        ),
        (
            ["create", "t", "--arm", "A", "--threshold", "0", "--outcome", "gaussian:1,2,3"],
            "3 values, but the number of arms is 1",
        ),
        (["tell", "s", "A", "1"], "for an arm write --arm 'A' VALUE"),
        (["tell", "s", "1", "nan"], "not a number"),
        (["tell", "s", "9", "0.5"], "there is no trial 9"),
        (["tell", "s", "--arm", "C", "0.5"], "unknown arm 'C'"),
        (["ask", "s", "--lease", "soon"], "lease: 'soon' is not a time"),
        (["ask", "other"], "there is no study 'other'"),
        (["ask", "s", "--storage", "none.db"], "there is no database at"),
        (["create", "s", "--threshold", "0.5", "--outcome", "bernoulli"], "the list is empty"),
        (["create", "t", "--arm", "A", "--threshold", "2", "--outcome", "bernoulli"], "threshold"),
        (["create", "s", "--arm", "A", "--threshold", "0", "--outcome", "gaussian:1"], "already"),
    ],
)
def test_mistakes_are_one_line_and_exit_code_two(
    made: Run, arguments: list[str], message: str
) -> None:
    result = made("study", *arguments)
    assert (result.code, result.out) == (2, "")
    assert message in result.err


def test_arms_from_a_file_and_a_lease(run: Run, tmp_path: Path) -> None:
    (tmp_path / "arms.txt").write_text("one\n\ntwo\n")
    options = ["--threshold", "3", "--outcome", "gaussian:2", "--lease", "2h", "--goal", "below"]
    made = run("study", "create", "s", "--arms-from", "arms.txt", *options, "--json").data
    assert made["settings"]["arms"] == ["one", "two"]
    assert made["settings"]["lease"] == 7200.0
    asked = run("study", "ask", "s", "--lease", "15m", "--json").data["trials"][0]
    assert asked["expires_at"] > asked["asked_at"]
    assert Study.load("s", tmp_path / "studies.db").settings.goal == "below"


def test_names_cannot_act_on_the_terminal(run: Run) -> None:
    options = ["--threshold", "0.5", "--outcome", "bernoulli"]
    run("study", "create", "a[red]b", "--arm", "[bold]x", "--arm", "y\u200d", *options)
    assert "a[red]b" in run("study", "list").out
    assert "y\\u200d" in run("study", "ask", "a[red]b", "-n", "2").out


def test_the_help_lists_every_outcome_model(run: Run) -> None:
    said = " ".join(run("study", "create", "--help").out.replace("│", " ").split())
    for model in outcomes.values():
        assert model.form() in said


@pytest.mark.parametrize(
    "module", ["goodarm", "goodarm.cli.study", "goodarm.cli.db", "goodarm.cli.app"]
)
def test_nothing_heavy_is_imported_before_it_is_needed(module: str) -> None:
    code = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"sqlalchemy", "alembic", "numpy", "polars"} & set(done.stdout.split())


def test_a_bar_for_each_arm_is_typed_in_their_order(run: Run) -> None:
    """The last of several bars would otherwise be taken for all arms, without a word."""
    settings = ["--outcome", "bernoulli", "--arm", "A", "--arm", "B"]
    bars = ["--threshold", "0.3", "--threshold", "0.4"]
    assert run("study", "create", "s", *settings, *bars).code == 0
    arms = run("study", "status", "s", "--json").data["arms"]
    assert [arm["bar"] for arm in arms] == [0.3, 0.4]
    refused = run("study", "create", "t", *settings, *bars, "--threshold", "0.5")
    assert "threshold: 3 values, but the number of arms is 2" in refused.err


def test_the_table_says_who_is_the_control_and_who_is_gone(run: Run) -> None:
    settings = ["--outcome", "bernoulli", "--control", "A", "--margin", "0.1"]
    run("study", "create", "s", "--arm", "A", "--arm", "B", "--arm", "C", *settings)
    run("study", "arm", "retire", "s", "C", "--reason", "dear")
    rows = [line.split() for line in run("study", "status", "s").out.splitlines()]
    assert ["A", "(control)"] in [row[:2] for row in rows]
    assert ["C", "(retired)"] in [row[:2] for row in rows]
