"""The league plays what the simulator plays, and its command works."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from goodarm import InputError, simulate
from goodarm.cli.app import app
from goodarm.instance import instances
from goodarm.league import play_league
from goodarm.league.pictures import heat_map, profile
from goodarm.league.play import FEWEST_RUNS, runs_of
from goodarm.league.results import UNDEFINED
from goodarm.league.suite import PAPER, entry

ENTRIES = [entry(PAPER, instances["Med2"]), entry(PAPER, instances["NoA1"])]
RULES = ["APGAI", "DSR-G", "Unif"]


@pytest.fixture(scope="module")
def small():
    return play_league(ENTRIES, RULES, effort=400_000, seed=3)


def test_the_counts_are_the_simulators(small) -> None:
    for row in small.rows:
        results = simulate(
            row.entry.instance, RULES, horizon=row.entry.times[-1], times=row.entry.times,
            runs=row.runs, seed=3,
        )  # fmt: skip
        for place, rule in enumerate(RULES):
            expected = np.where(
                results[rule].defined, results[rule].error_counts, UNDEFINED
            )  # fmt: skip
            assert (row.errors[place] == expected).all()
    assert (small.rows[0].errors[1] == UNDEFINED).any()  # a doubling rule has no answer at first


def test_effort_sets_the_runs(small) -> None:
    for row in small.rows:
        assert row.runs == runs_of(row.entry, 400_000) >= FEWEST_RUNS
    many = entry(PAPER, instances["TwoG(100, 5)"])
    assert runs_of(many, 1e9) == int(1e9 / (many.times[-1] * 100 / 8))


def test_pictures_are_drawn(small) -> None:
    labels = [text.get_text() for text in heat_map(small).axes[0].get_xticklabels()]
    assert labels == ["Med2", "NoA1"]
    lines = {line.get_label(): line for line in profile(small).axes[0].get_lines()}
    assert set(RULES) <= set(lines)
    shares = lines["Unif"].get_ydata()
    assert (np.diff(shares) <= 0.0).all()
    assert shares[-1] == 0.0


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (["APGAI", "LUCB-G"], "LUCB-G needs a budget or a confidence level"),
        (["APGAI"], "at least two"),
        (["APGAI", "apgai"], "at least two different"),
        (["S-TaS", "S-TaS[order=desc]"], "depend on the order of the arms"),
    ],
)
def test_rules_that_cannot_play(rules, message) -> None:
    with pytest.raises(InputError, match=message):
        play_league(ENTRIES, rules)


def test_the_command_plays_keeps_and_loads(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("GOODARM_CACHE", str(tmp_path / "cache"))
    out = tmp_path / "league"
    words = [
        "league",
        "--quick",
        "--effort",
        "1000",
        "-a",
        "APGAI",
        "-a",
        "Unif",
        "--out",
        str(out),
    ]
    done = CliRunner().invoke(app, [*words, "--json"])
    assert done.exit_code == 0, done.output
    table = json.loads(done.stdout)
    assert [s["rule"] for s in table] == ["APGAI", "Unif"]
    assert {p.name for p in out.iterdir()} == {"league.json", "heat_map.png", "profile.png"}
    again = CliRunner().invoke(
        app, ["league", "--load", str(out / "league.json"), "--out", str(out), "--json"]
    )
    assert json.loads(again.stdout) == table
    shown = CliRunner().invoke(app, words)
    assert "worst ratio" in shown.stdout
    assert "Pictures and counts" in shown.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--effort", "5"], "effort: 5 is outside"),
        (["--load", "nothing.json"], "holds no league"),
        (["-a", "APGAY", "-a", "Unif"], "did you mean 'APGAI'"),
        (["--device", "gpu"], "device"),
    ],
)
def test_wrong_words(words, message, tmp_path) -> None:
    done = CliRunner().invoke(app, ["league", "--out", str(tmp_path), *words])
    assert done.exit_code != 0
    assert message in str(done.exception)
