"""goodarm simulate, its oracle, and goodarm list outcomes: what outcomes are taken for."""

import json

import pytest
from typer.testing import CliRunner

from goodarm.cli.app import app
from goodarm.errors import InputError
from goodarm.outcomes import outcomes


def run(*words: str) -> str:
    done = CliRunner().invoke(app, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return " ".join(done.stdout.split())


def test_tables_say_what_was_assumed() -> None:
    asked = ("simulate", "RealL", "-a", "APGAI", "--delta", "0.1", "--runs", "5")
    assert "δ = 0.1 (mixture), cap 1,000,000, bernoulli outcomes" in run(*asked)
    assert "δ = 0.1 (glr[s=1.5]), cap 1,000,000, gaussian outcomes" in run(
        *asked, "--boundary", "glr[s=1.5]"
    )
    assert "(mixture), cap 1,000,000, gaussian outcomes" in run(*asked, "--outcome", "gaussian:0.5")


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ([], "bernoulli"),
        (["--outcome", "sub-gaussian"], "gaussian:0.5"),
        (["--outcome", "bounded:0:2"], "bounded:0:2"),
    ],
)
def test_json_has_the_outcome(given: list[str], found: str) -> None:
    asked = ("simulate", "RealL", "-a", "Unif", "--budget", "20", "--runs", "2", "--json", *given)
    shown = json.loads(run(*asked))
    assert shown["results"][0]["settings"]["outcome"] == found


def test_a_trace_shows_what_is_needed() -> None:
    asked = ("simulate", "NoA1", "-a", "APGAI", "--delta", "0.2", "--trace", "1")
    certified = run(*asked)
    assert "boundary mixture, outcome gaussian:1" in certified
    assert "mean W at least answer" in certified
    assert "(final)" in certified
    assert "mean W boundary answer" in run(*asked, "--boundary", "glr")


def test_an_outcome_that_does_not_fit() -> None:
    with pytest.raises(InputError, match="threshold"):
        run("simulate", "Thr1", "--budget", "20", "--outcome", "bounded:1:2")


def test_the_oracle_is_a_row_and_a_column() -> None:
    asked = ("simulate", "Thr1", "-a", "APGAI", "--delta", "0.1", "--runs", "40", "--oracle")
    apgai, oracle = json.loads(run(*asked, "--json"))["results"]
    assert (apgai["algorithm"], oracle["algorithm"]) == ("APGAI", "Oracle")
    means = [one["stopping_time"]["mean"] for one in (apgai, oracle)]
    over = apgai["over_oracle"]
    assert over["ratio"] == pytest.approx(means[0] / (means[1] + 9))
    assert oracle["over_oracle"] is None
    text = run(*asked, "-a", "oracle")
    assert text.count("Oracle") == 1
    assert "over oracle + K − 1" in text
    assert f"{over['ratio']:.3g} ± {over['se']:.2g}" in text
    assert "over oracle" not in run(*asked[:-1])


def test_without_a_risk_there_is_no_oracle() -> None:
    with pytest.raises(InputError, match="give --delta, or leave --oracle out"):
        run("simulate", "Thr1", "--budget", "20", "--oracle")


def test_the_list_of_outcome_models() -> None:
    rows = json.loads(run("list", "outcomes", "--json"))
    assert [row["name"] for row in rows] == list(outcomes)
    text = run("list", "outcomes")
    for row in rows:
        assert row["form"] in text
        names = row["form"].replace("[", "").replace("]", "").lower().split(":")[1:]
        assert set(row["parameters"]) == set(names)
        assert all(row["parameters"].values())


def test_the_help_names_every_model() -> None:
    said = run("simulate", "--help")
    assert "mixture (default)" in said
    assert "sub-gaussian" in said
    for model in outcomes.values():
        assert model.form() in said
