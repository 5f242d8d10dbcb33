"""What a league of trials keeps and what is made of it, on leagues made up by hand."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from goodarm import InputError, Instance
from goodarm.league.trials import scores, tables
from goodarm.league.trials.pictures import trials_heat_map
from goodarm.league.trials.records import RECORDS
from goodarm.league.trials.results import (
    StoppingSummary,
    TrialsCell,
    TrialsLeague,
    join_trials,
    load_trials,
    summary_of,
)
from goodarm.league.trials.scores import CellName, trials_standings
from goodarm.league.trials.suites import TrialsEntry, published_entries

NAMES = ("a", "b", "c")


def summary(mean: float, noise=0.01, tail=3.0, capped=0) -> StoppingSummary:
    """Of 1,000 runs, with a median of half the mean."""
    median = 0.5 * mean
    return StoppingSummary(1000, mean, noise * mean, median, 2 * median, tail * median, capped, 0)


def cell(*algorithms, name="Thr1", group="paper", family=None, delta=0.05) -> TrialsCell:
    """An instance of ten arms, on which the oracle needs 91 pulls."""
    entry = TrialsEntry(group, family or name, Instance(0.5, [0.65] * 10, name=name))
    return TrialsCell(entry, delta, 9999, summary(91.0), algorithms)


def league(*cells, algorithms=NAMES, seed=0) -> TrialsLeague:
    return TrialsLeague(tuple(algorithms[: len(cells[0].algorithms)]), tuple(cells), seed, 1, 1.0)


def test_a_summary_by_hand() -> None:
    found = summary_of(np.array([10, 20, 30, 100], dtype=np.int32), 1, 2)
    assert found == StoppingSummary(
        4, 40.0, pytest.approx(math.sqrt((900 + 400 + 100 + 3600) / 12)), 25.0,
        pytest.approx(89.5), pytest.approx(99.79), 1, 2,
    )  # fmt: skip
    assert found.unfinished == 0.25
    assert found.tail == pytest.approx(99.79 / 25.0)


def test_ratios_to_oracle_and_best() -> None:
    made = cell(summary(150.0), summary(200.0), summary(120.0, capped=2))
    assert made.yardstick == 100.0
    assert scores.oracle_ratios(made).tolist() == [1.5, 2.0, 1.2]
    assert scores.best_of(made, NAMES) == 0  # the third may never be done
    assert scores.over_best(made, NAMES).tolist() == pytest.approx([1.0, 4 / 3, 1.0])
    nobody = cell(summary(150.0, capped=2), summary(120.0, capped=9))
    assert scores.best_of(nobody, NAMES[:2]) == 1
    nearly = cell(summary(150.0), summary(120.0, capped=1))
    assert scores.best_of(nearly, NAMES[:2]) == 1  # one run in a thousand may be given up
    assert scores.best_of(cell(summary(90.0), summary(99.0)), ("S-TaS[order=desc]", "b")) == 1


def test_a_sure_ratio_allows_for_chance() -> None:
    made = cell(summary(100.0, 0.02), summary(104.0, 0.02), summary(150.0, 0.02))
    found = scores.surely_over_best(made, NAMES)
    assert found[:2].tolist() == [1.0, 1.0]
    width = 2.2414  # the normal quantile of 1 − 0.025/2, for two rivals
    assert found[2] == pytest.approx(1.5 * math.exp(-width * 0.02 * math.sqrt(2.0)), rel=1e-4)


def test_a_sure_ratio_is_hardly_ever_above_the_truth() -> None:
    """Of algorithms that are equally good, one is the best by chance."""
    chance = np.random.default_rng(5)
    drawn = 100.0 * (1.0 + 0.02 * chance.normal(size=(1_000, 9)))
    names = tuple("abcdefghi")
    sure = [
        scores.surely_over_best(cell(*(summary(mean, 0.02) for mean in means)), names)[0]
        for means in drawn
    ]
    assert 0.0 <= np.mean(np.array(sure) > 1.0) < 0.03
    assert (drawn[:, 0] / drawn.min(axis=1) > 1.03).mean() > 0.3


def test_standings_by_hand() -> None:
    made = league(
        cell(summary(150.0), summary(300.0)),
        cell(summary(112.0), summary(100.0, tail=20.0), name="Thr2", delta=0.1),
        cell(summary(105.0, 0.03), summary(100.0, capped=3), name="Thr3"),
    )
    first, second = trials_standings(made)
    assert (first.algorithm, second.algorithm) == ("a", "b")
    assert first.over_best_worst == pytest.approx(1.12)
    assert first.over_best_where == CellName("Thr2", 0.1)
    assert first.over_best_where.text() == "Thr2, δ = 0.1"
    assert first.over_oracle_worst == 1.5
    assert first.over_oracle_median == pytest.approx(1.12)
    assert (first.close, first.perhaps_close, first.tolerable) == (pytest.approx(2 / 3), 1.0, 1.0)
    assert second.over_best_worst == 2.0
    assert second.tail == 20.0
    assert second.tail_where.instance == "Thr2"
    assert (first.unfinished, second.unfinished) == (0, 1)
    assert scores.imprecise_cells(made, 0.02) == 1


def test_a_family_is_one_column() -> None:
    made = league(
        cell(summary(200.0), summary(100.0), name="haze 0", family="haze"),
        cell(summary(100.0), summary(300.0), name="haze 4", family="haze"),
        cell(summary(100.0), summary(100.0)),
    )
    families, worst = scores.worst_by_family(made)
    assert families == ["haze", "Thr1"]
    assert worst.tolist() == [[2.0, 1.0], [3.0, 1.0]]
    drawn = trials_heat_map(made).axes[0]
    assert [text.get_text() for text in drawn.get_yticklabels()] == ["a", "b"]


def test_a_file_comes_back_as_it_was(tmp_path: Path) -> None:
    made = league(
        cell(summary(150.0), summary(300.0, capped=2)),
        cell(summary(200.0), summary(100.0), delta=0.1),
        cell(summary(200.0), summary(100.0), name="judged", group="judging"),
    )
    path = tmp_path / "trials.json"
    made.save(path)
    assert load_trials(path) == made
    assert len(json.loads(path.read_text())["instances"]) == 2
    assert [c.entry.instance.name for c in made.only(["judging"]).cells] == ["judged"]
    assert [c.delta for c in made.only(deltas=[0.1]).cells] == [0.1]


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"instances": [], "algorithms": []}'])
def test_a_file_that_holds_no_league(text: str, tmp_path: Path) -> None:
    path = tmp_path / "trials.json"
    path.write_text(text)
    with pytest.raises(InputError, match="holds no league of trials"):
        load_trials(path)


def test_leagues_played_apart_are_joined() -> None:
    first = league(cell(summary(150.0), summary(300.0)))
    other = league(cell(summary(140.0), summary(310.0), name="Thr2"))
    newer = league(
        cell(summary(200.0), summary(90.0)),
        cell(summary(210.0), summary(95.0), name="Thr2"),
        algorithms=("b", "c"),
    )
    joined = join_trials([first, other, newer])
    assert joined.algorithms == NAMES
    assert [c.means.tolist() for c in joined.cells] == [[150.0, 200.0, 90.0], [140.0, 210.0, 95.0]]
    assert joined.pulls == 3
    partly = join_trials([first, other, league(*newer.cells[:1], algorithms=("b", "c"))])
    assert partly.algorithms == ("a", "b")  # c did not play on Thr2
    with pytest.raises(InputError, match="played in two ways"):
        join_trials([first, league(replace(first.cells[0], cap=5))])
    with pytest.raises(InputError, match="played in two ways"):
        join_trials([first, league(*first.cells, seed=1)])


def test_tables() -> None:
    made = league(
        cell(summary(150.0), summary(300.0, capped=2)),
        cell(summary(1200.0), summary(1000.0), name="haze 0", family="haze", group="judging"),
    )
    assert tables.losses_table(made, "a").splitlines()[2:] == [
        "| haze 0 | 0.05 | judging | 10 | b | 1.20 (1.17) |"
    ]
    assert tables.oracle_table(made).splitlines()[2] == "| Thr1 | 0.05 | 100 | 1.50 | ≥ 3.00 |"
    assert tables.family_table(made, "haze", ["b"]).splitlines()[2:] == [
        "| haze 0 | 0.05 | b | 1,000 ± 10.0 | 500 | 1,000 | 1,500 | 0.0 % |"
    ]
    assert tables.oracle_standings_table(made.only(["judging"], [0.05], True)).splitlines()[2:] == [
        "| b | 10.0 | 10.0 | 10.0 | haze 0, δ = 0.05 |",
        "| a | 12.0 | 12.0 | 12.0 | haze 0, δ = 0.05 |",
    ]
    assert made.only(some_good=False).cells == ()
    standings = tables.standings_table(made).splitlines()
    assert standings[2].startswith("| a | 1.20 (1.17) | haze 0, δ = 0.05 | 50.0 % (50.0 %) |")
    assert "| ≥ 2.00 (" in standings[3]


def test_every_published_instance_has_a_record() -> None:
    entries = published_entries()
    assert {(entry.family, entry.instance.K) for entry in entries} == set(RECORDS)
    first = TrialsCell(entries[0], 0.001, 99, summary(9.0), (summary(1000.0), summary(6298.0)))
    row = tables.records_table(league(first), ["a", "b"]).splitlines()[2]
    assert row == (
        "| Unique_Qualified | 10 | 3,149 ± 102 | TaS | 1,000 ± 10.0 | 0.32 | 6,298 ± 63.0 | 2.00 |"
    )
    assert all(name in tables.families_table() for name in ("haze", "AllWorse", "cliff"))
