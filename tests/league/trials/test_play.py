"""The league of trials plays what the simulator plays, until it is precise; its command works."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from goodarm import InputError, Instance, simulate
from goodarm.cli.app import app
from goodarm.league.trials import play
from goodarm.league.trials.play import PRECISION, play_trials
from goodarm.league.trials.suites import TrialsEntry, cap_of
from goodarm.simulation.store import ChunkStore

ENTRIES = [
    TrialsEntry("paper", "one good", Instance(0.0, [0.9, -0.8, -0.9], name="one good")),
    TrialsEntry("paper", "at the bar", Instance(0.0, [0.0, 0.7, 0.0], name="at the bar")),
]
ALGORITHMS = ["APGAI", "Unif"]
SEED = 3


@pytest.fixture(autouse=True)
def small(monkeypatch) -> None:
    monkeypatch.setattr(play, "PILOT", {"cpu": 50})
    monkeypatch.setattr(play, "FEWEST_RUNS", 200)


@pytest.fixture
def league(small):
    return play_trials(ENTRIES, ALGORITHMS, [0.1], effort=200_000, seed=SEED)


def test_the_numbers_are_the_simulators(league) -> None:
    assert league.algorithms == ("APGAI", "Unif")
    for cell in league.cells:
        for name, summary in zip(
            ["Oracle", *ALGORITHMS], [cell.oracle, *cell.algorithms], strict=True
        ):
            result = simulate(
                cell.entry.instance, name, delta=0.1, cap=cell.cap, runs=summary.runs, seed=SEED
            )[name]
            assert summary.mean == pytest.approx(result.mean)
            assert summary.se == pytest.approx(result.se)
            for q, value in ((0.5, summary.median), (0.95, summary.q95), (0.999, summary.q999)):
                assert value == pytest.approx(result.quantile(q))
            assert summary.capped == (~result.stopped).sum()
            assert summary.wrong == result.errors.sum()


def test_it_is_played_until_precise_or_the_effort_is_spent(league) -> None:
    for cell in league.cells:
        for summary in (cell.oracle, *cell.algorithms):
            spent = summary.runs * summary.mean
            assert summary.noise <= PRECISION or spent > 0.85 * 200_000
            assert summary.runs >= 200 or spent > 0.85 * 200_000
    easy, hard = league.cells
    assert easy.algorithms[1].noise <= PRECISION  # Unif, where one arm is clearly good
    assert hard.algorithms[0].capped > 0  # APGAI locks on to an arm at the bar
    assert hard.cap == cap_of(ENTRIES[1].instance, 0.1)


def test_stages_are_heard_of_and_kept(tmp_path: Path) -> None:
    totals, heard, stages = [], [], []

    def report(total: int):
        totals.append(total)
        heard.append([])
        return lambda runs, pulls: heard[-1].append(runs)

    store = ChunkStore(tmp_path)
    settings = {"effort": 50_000, "seed": SEED, "threads": 1}
    league = play_trials(
        ENTRIES[:1], ALGORITHMS, [0.1], **settings, store=store, report=report,
        after_stage=stages.append,
    )  # fmt: skip
    assert len(stages) == len(totals) > 1
    assert [runs[-1] for runs in heard] == totals
    assert totals[0] == 3 * 50
    assert stages[-1].cells == league.cells
    again = play_trials(ENTRIES[:1], ALGORITHMS, [0.1], **settings, store=store)
    assert again.cells == league.cells
    assert store.loaded == sum(totals)


@pytest.mark.parametrize(
    ("algorithms", "message"),
    [
        (["APGAI", "DSR-G"], "DSR-G does not stop by itself"),
        (["APGAI"], "at least two"),
        (["APGAI", "Oracle"], "knows the means"),
    ],
)
def test_algorithms_that_cannot_play(algorithms, message) -> None:
    with pytest.raises(InputError, match=message):
        play_trials(ENTRIES, algorithms)


def test_the_command_plays_keeps_and_loads(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("GOODARM_CACHE", str(tmp_path / "cache"))
    out = tmp_path / "league"
    words = ["league", "--trials", "--quick", "--group", "sizes", "--effort", "1000"]
    words += ["-a", "APGAI", "-a", "Unif", "--delta", "0.2", "--out", str(out)]
    done = CliRunner().invoke(app, [*words, "--json"])
    assert done.exit_code == 0, done.output
    table = json.loads(done.stdout)
    assert {s["algorithm"] for s in table} == {"APGAI", "Unif"}
    assert [s["cells"] for s in table] == [3, 3]
    assert {p.name for p in out.iterdir()} == {"trials.json", "trials_heat_map.png"}
    load = ["league", "--trials", "--load", str(out / "trials.json"), "--out", str(out)]
    again = json.loads(CliRunner().invoke(app, [*load, "--json"]).stdout)
    numbers = [[s["over_best_worst"], s["over_oracle_median"], s["tail"]] for s in table]
    found = [[s["over_best_worst"], s["over_oracle_median"], s["tail"]] for s in again]
    assert np.array(found) == pytest.approx(np.array(numbers), rel=1e-4)
    shown = CliRunner().invoke(app, load).stdout
    assert "over oracle" in shown
    assert "Picture and numbers" in shown


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--deep", "1", "--trials"], "deep: 1 rounds are of the league of errors"),
        (["--delta", "0.1"], "delta: only with --trials"),
        (["--group", "paper"], "group: only with --trials"),
        (["--trials", "--group", "nothing"], "unknown group 'nothing'"),
        (["--trials", "--delta", "2", "-a", "APGAI", "-a", "Unif"], "delta"),
        (["--trials", "--load", "nothing.json"], "holds no league of trials"),
        (["--load", "a.json", "--load", "b.json"], "load: 2 files"),
    ],
)
def test_wrong_words(words, message, tmp_path) -> None:
    done = CliRunner().invoke(app, ["league", "--out", str(tmp_path), *words])
    assert done.exit_code != 0
    assert message in str(done.exception)
