"""The league plays what the simulator plays, and its command works."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from goodarm import InputError, Instance, simulate
from goodarm.cli.app import app
from goodarm.instance import instances
from goodarm.league import load_league, play_league
from goodarm.league.errors.pictures import heat_map, profile
from goodarm.league.errors.play import FEWEST_RUNS_EACH, runs_of
from goodarm.league.errors.results import NO_ANSWER
from goodarm.league.errors.scores import RESOLVED, SMALLEST_ERROR, yardstick
from goodarm.league.errors.suites import PAPER, entry

ENTRIES = [entry(PAPER, instances["Med2"]), entry(PAPER, instances["NoA1"])]
COINS = entry("coins", Instance(0.3, [0.1, 0.4, 0.2], kind="bernoulli", name="three coins"))
ALGORITHMS = ["APGAI", "DSR-G", "Unif"]


@pytest.fixture(scope="module")
def small():
    return play_league([*ENTRIES, COINS], ALGORITHMS, effort=400_000, seed=3)


def test_the_counts_are_the_simulators(small) -> None:
    """With sub-Gaussian outcomes, also for coins."""
    for row in small.rows:
        for place, algorithm in enumerate(ALGORITHMS):
            result = simulate(
                row.entry.instance,
                algorithm,
                horizon=row.entry.times[-1],
                times=row.entry.times,
                runs=int(row.runs[place]),
                seed=3,
                outcome="sub-gaussian",
            )[algorithm]
            expected = np.where(result.defined, result.error_counts, NO_ANSWER)
            assert (row.errors[place] == expected).all()
    assert (small.rows[0].errors[1] == NO_ANSWER).any()  # it has no answer at first


def test_effort_sets_the_runs_of_algorithms_that_err_seldom(small) -> None:
    for row in small.rows:
        most = runs_of(row.entry, 400_000)
        assert FEWEST_RUNS_EACH <= row.runs.min() <= row.runs.max() == most
    many = entry(PAPER, instances["TwoG(100, 5)"])
    assert runs_of(many, 1e9) == int(1e9 / (many.times[-1] * 100 / 8))


def test_an_algorithm_is_played_until_it_is_known() -> None:
    """Fewer runs only where every error that matters has been seen often enough."""
    some = [*ENTRIES, entry(PAPER, instances["Thr1"])]
    league = play_league(some, ["APGAI", "Unif", "APT-G"], effort=4_000_000)
    for row in league.rows:
        best, _ = yardstick(row, league.algorithms)
        for runs, errors in zip(row.runs, row.errors, strict=True):
            assert runs == row.runs.max() or (errors[best > SMALLEST_ERROR] >= RESOLVED).all()
    assert any(row.runs.min() < row.runs.max() for row in league.rows)


def test_progress_only_ever_grows_and_ends_at_the_total() -> None:
    heard: list[tuple[int, int]] = []
    totals: list[int] = []
    stages: list[int] = []

    def report(total: int):
        totals.append(total)
        return lambda runs, pulls: heard.append((runs, pulls))

    league = play_league(
        ENTRIES,
        ["APGAI", "Unif"],
        effort=400_000,
        report=report,
        after_stage=lambda league: stages.append(league.pulls),
    )
    assert heard == sorted(heard)
    assert heard[-1] == (totals[0], league.pulls)
    assert stages == sorted(stages)
    assert stages[-1] == league.pulls


def test_pictures_are_drawn(small) -> None:
    labels = [text.get_text() for text in heat_map(small).axes[0].get_xticklabels()]
    assert labels == ["Med2", "NoA1", "three coins"]
    lines = {line.get_label(): line for line in profile(small).axes[0].get_lines()}
    assert {"APGAI", "Unif"} <= set(lines)
    shares = lines["Unif"].get_ydata()
    assert (np.diff(shares) <= 0.0).all()
    assert shares[-1] == 0.0


@pytest.mark.parametrize(
    ("algorithms", "message"),
    [
        (["APGAI", "LUCB-G"], "LUCB-G needs a budget or a confidence level"),
        (["APGAI"], "at least two"),
        (["APGAI", "apgai"], "at least two different"),
        (["S-TaS", "S-TaS[order=desc]"], "depend on the order of the arms"),
    ],
)
def test_algorithms_that_cannot_play(algorithms, message) -> None:
    with pytest.raises(InputError, match=message):
        play_league(ENTRIES, algorithms)


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
    assert [s["algorithm"] for s in table] == ["APGAI", "Unif"]
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
        (["--deep", "-1"], "deep: -1 is outside"),
        (["--threads", "0"], "threads: 0 is outside"),
        (["--load", "nothing.json"], "holds no league"),
        (["-a", "APGAY", "-a", "Unif"], "did you mean 'APGAI'"),
        (["--device", "gpu"], "device"),
    ],
)
def test_wrong_words(words, message, tmp_path) -> None:
    done = CliRunner().invoke(app, ["league", "--out", str(tmp_path), *words])
    assert done.exit_code != 0
    assert message in str(done.exception)


def test_an_algorithm_from_a_file_plays_and_goes_deeper(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("GOODARM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("goodarm.league.errors.rare.ISLAND", 256)
    mine = tmp_path / "mine.py"
    mine.write_text(
        "from goodarm.algorithms.contract import Algorithm\n"
        "def choose(run, t):\n"
        "    return t % len(run.counts)\n"
        "RULE = Algorithm(name='Turns', summary='.', reference='.', guarantee='.', choose=choose)\n"
    )
    out = tmp_path / "league"
    some = [entry(PAPER, instances["IsA2"])]
    monkeypatch.setattr(sys.modules["goodarm.league.errors.suites"], "suite", lambda quick: some)
    words = ["league", "--effort", "100000", "-a", "APGAI", "-a", f"{mine}:RULE", "--out", str(out)]
    done = CliRunner().invoke(app, [*words, "--deep", "1", "--json"])
    assert done.exit_code == 0, done.output
    assert {s["algorithm"] for s in json.loads(done.stdout)} == {"APGAI", "Turns"}
    (row,) = load_league(out / "league.json").rows
    assert row.rare is not None
    assert (row.rare.islands[0] > 0).any()
    lost = CliRunner().invoke(
        app, ["league", "--load", str(out / "league.json"), "--out", str(out), "--deep", "1"]
    )
    assert "unknown algorithm 'Turns'" in str(lost.exception)
