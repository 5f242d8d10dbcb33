"""goodarm plan: tables for people, JSON for programs, nothing else on standard output."""

import json
import re
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from goodarm.cli.plan import plan
from goodarm.errors import InputError
from goodarm.planning import question

app = typer.Typer()
app.command()(plan)
QUESTION = "--means 0.3,0.2..0.4,0.8 --threshold 0.5 --outcome bernoulli --runs 200"
ASKED = QUESTION.split()


def run(*arguments: str) -> str:
    done = CliRunner().invoke(app, [*ASKED, *arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_tables() -> None:
    text = run("--delta", "0.05", "--batch", "10", "--per-day", "5", "--delay", "2")
    for said in ("Trials until sure", "APGAI-FE", "Scout", "arm 3", "For your"):
        assert said in text
    assert "In batches of 10, outcomes known when the batch ends" in text
    assert "At 5 trials a day, outcomes known 2 days later" in text


def test_advice_comes_with_the_command_that_follows_it() -> None:
    text = " ".join(run("--delta", "0.05", "-a", "Unif", "-a", "APGAI-FE").split())
    assert "fewer trials than Unif here" in text
    assert "create the study with --algorithm APGAI-FE." in text


def test_a_budget_shows_no_stopping_times() -> None:
    text = run("--budget", "50", "-a", "APGAI")
    assert "Trials until sure" not in text
    assert "carries no guarantee" in " ".join(text.split())


def test_an_algorithm_without_a_guess_at_every_time() -> None:
    assert "LUCB-G" in run("--delta", "0.1", "-a", "LUCB-G", "--budget", "2000")


def test_json() -> None:
    shown = json.loads(run("--delta", "0.1", "--json", "--arm", "a", "--arm", "b", "--arm", "c"))
    assert [o["name"] for o in shown["arms"]] == ["a", "b", "c"]
    assert shown["arms"][1]["high"] == 0.4


@pytest.mark.parametrize("width", [60, 80, 120])
def test_tables_fit_the_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    text = run("--delta", "0.05", "--batch", "10", "--per-day", "5", "--delay", "2")
    assert "…" not in text
    assert max(len(line) for line in text.splitlines()) <= width
    for name in ("over one at a time [95 %]", "unfinished", "none is good", "wrong [95 %]"):
        assert all(word in text for word in name.split())


def test_a_plan_that_does_not_finish(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit of the simulation is no mean and no quantile."""
    monkeypatch.setattr(question, "LIMIT", 2000)
    hard = "--means 0.5,0.5 --threshold 0.5 --outcome bernoulli --delta 0.05 -a APGAI --runs 50"
    text = CliRunner().invoke(app, hard.split(), catch_exceptions=False).stdout
    row = next(line for line in text.splitlines() if line.strip().startswith("APGAI"))
    assert re.match(r" *APGAI +> [\d,]+ +> 2,000 +> 2,000 +9\d\.0 % +50", row)
    assert "[2,000, 2,000]" not in text
    assert "2,000 [" not in text


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["arm,value", "a,0,5", "b,1"], "line 2: it has 3 cells"),
        (["arm,value", 'a,"0,5"', "b,1"], "write 0.5 with a point"),
        (["name,value", "a,0"], "header"),
    ],
)
def test_recorded_outcomes_that_cannot_be_read(lines: list[str], said: str, tmp_path) -> None:
    """A comma for a point must not be read as 0."""
    with pytest.raises(InputError, match=said):
        plan_data(tmp_path, lines)


def test_headers_may_be_capitalised(tmp_path) -> None:
    made = plan_data(tmp_path, ["Arm,Value", "old,0", "old,1", "new,1", "new,1"])
    assert [arm["name"] for arm in made["arms"]] == ["old", "new"]


def plan_data(folder: Path, lines: list[str]) -> dict:
    path = folder / "past.csv"
    path.write_text("\n".join(lines))
    options = f"--data {path} --threshold 0.5 --outcome bounded:0:1 --budget 20 -a APGAI --runs 50"
    done = CliRunner().invoke(app, [*options.split(), "--json"], catch_exceptions=False)
    assert done.exit_code == 0
    return json.loads(done.stdout)


def test_wrong_input() -> None:
    with pytest.raises(InputError, match="delta"):
        run()
