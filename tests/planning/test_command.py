"""goodarm plan: tables for people, JSON for programs, nothing else on standard output."""

import json

import pytest
import typer
from typer.testing import CliRunner

from goodarm.cli.plan import plan
from goodarm.errors import InputError

app = typer.Typer()
app.command()(plan)
QUESTION = "--means 0.3,0.2..0.4,0.8 --threshold 0.5 --outcome bernoulli --studies 200"
ASKED = QUESTION.split()


def run(*arguments: str) -> str:
    done = CliRunner().invoke(app, [*ASKED, *arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_tables() -> None:
    text = run("--delta", "0.05", "--batch", "10", "--per-day", "5", "--delay", "2")
    for said in ("Trials until sure", "APGAI-FE", "TaS", "option 3", "For your"):
        assert said in text
    assert "In batches of 10, outcomes known when the batch ends" in text
    assert "At 5 trials a day, outcomes known 2 days later" in text


def test_a_budget_shows_no_stopping_times() -> None:
    text = run("--budget", "50", "-a", "APGAI")
    assert "Trials until sure" not in text
    assert "carries no guarantee" in " ".join(text.split())


def test_an_algorithm_without_a_guess_at_every_time() -> None:
    assert "LUCB-G" in run("--delta", "0.1", "-a", "LUCB-G", "--budget", "2000")


def test_json() -> None:
    shown = json.loads(run("--delta", "0.1", "--json", "--arm", "a", "--arm", "b", "--arm", "c"))
    assert [o["name"] for o in shown["options"]] == ["a", "b", "c"]
    assert shown["options"][1]["high"] == 0.4


def test_wrong_input() -> None:
    with pytest.raises(InputError, match="delta"):
        run()
