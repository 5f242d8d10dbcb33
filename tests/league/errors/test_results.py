"""What a league keeps: files that come back as they were, and rare errors pooled over rounds."""

import errno
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goodarm import InputError, Instance
from goodarm.league.errors.results import (
    NO_ANSWER,
    League,
    LeagueRow,
    PooledRareErrors,
    load_league,
    no_rare_errors,
)
from goodarm.league.errors.scores import NOISE
from goodarm.league.errors.suites import HELD_OUT, PAPER, LeagueEntry
from goodarm.simulation.splitting import RareErrors

INSTANCE = Instance(0.0, [0.5, -0.5], name="pair")


def row(errors, runs=100_000, group=PAPER, name="pair", rare=None) -> LeagueRow:
    counts = np.array(errors, dtype=np.int64)
    times = tuple(range(10, 10 + counts.shape[1]))
    number = np.broadcast_to(np.array(runs, dtype=np.int64), len(counts))
    return LeagueRow(LeagueEntry(group, INSTANCE.altered(name=name), times), number, counts, rare)


def rare(rates, noise) -> PooledRareErrors:
    """Found by splitting, with these relative standard errors."""
    rates = np.array(rates, dtype=float)
    return PooledRareErrors(np.where(rates > 0.0, 16, 0), rates, rates * np.array(noise))


def league(*rows: LeagueRow, algorithms=("a", "b", "c")) -> League:
    return League(tuple(algorithms), rows, 0, 1, 1.0)


def test_a_saved_league_comes_back(tmp_path: Path) -> None:
    kept = league(row([[400], [NO_ANSWER], [3]]), row([[1], [2], [3]], group=HELD_OUT, name="x 1"))
    kept.save(tmp_path / "league.json")
    found = load_league(tmp_path / "league.json")
    assert found.algorithms == kept.algorithms
    assert found.to_dict() == kept.to_dict()
    assert (found.rows[0].errors == kept.rows[0].errors).all()
    assert [r.entry.group for r in found.only([HELD_OUT]).rows] == [HELD_OUT]
    assert not (tmp_path / "league.json.part").exists()


def test_a_saved_league_keeps_what_splitting_found(tmp_path: Path) -> None:
    found = PooledRareErrors(
        np.array([[16, 32, 0], [0, 0, 0]]),
        np.array([[0.123456789, 1.23456789e-7, 0.0], [0.0] * 3]),
        np.array([[0.0123456789, 4.56789e-9, 0.0], [0.0] * 3]),
    )
    kept = league(row([[4, 1, 0], [9, 9, 9]], rare=found), row([[1], [2]]), algorithms=("a", "b"))
    kept.save(tmp_path / "league.json")
    first, second = load_league(tmp_path / "league.json").rows
    assert second.rare is None
    assert first.rare.islands.tolist() == found.islands.tolist()
    assert first.rare.islands.dtype == np.int64
    assert first.rare.rates.tolist() == [[0.12346, 1.2346e-7, 0.0], [0.0] * 3]
    assert first.rare.standard_errors.tolist() == [[0.0123, 4.57e-9, 0.0], [0.0] * 3]
    (tmp_path / "again").mkdir()
    load_league(tmp_path / "league.json").save(tmp_path / "again" / "league.json")
    saved = [(tmp_path / folder / "league.json").read_text() for folder in ("", "again")]
    assert saved[0] == saved[1]


@pytest.mark.parametrize(
    "change",
    [
        {"islands": [[16, 16]]},
        {"rare_rates": [[1e-3], [1e-3]]},
        {"rare_errors": [[1e-3, 1e-3]] * 3},
        {"rare_rates": [[1e-3, 1e-3], [1e-3]]},
        {"rare_errors": None},
        {"runs": [5]},
    ],
)
def test_what_splitting_found_must_fit_the_counts(tmp_path: Path, change) -> None:
    path = tmp_path / "league.json"
    league(row([[4, 1], [9, 9]], rare=rare([[1e-3] * 2] * 2, 0.1)), algorithms=("a", "b")).save(
        path
    )
    data = json.loads(path.read_text())
    load_league(path)
    data["instances"][0].update(change)
    path.write_text(json.dumps(data))
    with pytest.raises(InputError, match="holds no league"):
        load_league(path)
    for name in change:
        del data["instances"][0][name]
    path.write_text(json.dumps(data))
    if change.keys() != {"islands"}:
        with pytest.raises(InputError, match="holds no league"):
            load_league(path)
    else:
        assert load_league(path).rows[0].rare is None


@st.composite
def rounds_of_islands(draw):
    """The estimates of several rounds, of fewer and fewer times, some of which end early."""
    chance = np.random.default_rng(draw(st.integers(0, 10**6)))
    made = []
    for _ in range(draw(st.integers(1, 4))):
        islands = draw(st.integers(2, 20))
        times = draw(st.integers(1, 4))
        estimates = 10.0 ** -chance.uniform(1.0, 6.0, (islands, times))
        estimates[:, draw(st.integers(1, 4)) :] = np.nan
        made.append(estimates)
    return made


@given(rounds_of_islands(), st.integers(0, 1))
def test_pooled_islands_are_as_if_they_had_been_one_round(made, algorithm) -> None:
    found = no_rare_errors((2, 4))
    for estimates in made:
        before = found
        found = found.pooled(
            algorithm, RareErrors((1, 2, 3, 4)[: estimates.shape[1]], estimates, 0)
        )
        assert found is not before
    for time in range(4):
        there = [e[:, time] for e in made if e.shape[1] > time and not np.isnan(e[0, time])]
        islands = np.concatenate([[], *there])
        assert found.islands[algorithm, time] == islands.size
        if islands.size:
            noise = islands.std(ddof=1) / math.sqrt(islands.size)
            assert found.rates[algorithm, time] == pytest.approx(islands.mean(), rel=1e-9)
            assert found.standard_errors[algorithm, time] == pytest.approx(noise, rel=1e-6)
        else:
            assert found.rates[algorithm, time] == found.standard_errors[algorithm, time] == 0.0
    assert not found.islands[1 - algorithm].any()
    assert not found.rates[1 - algorithm].any()


def test_pooling_leaves_what_was_there_alone() -> None:
    before = rare([[0.1, 0.2]], 0.1)
    before.pooled(0, RareErrors((1, 2), np.array([[0.3, 0.4], [0.5, 0.6]]), 0))
    assert before.rates.tolist() == [[0.1, 0.2]]
    assert before.islands.tolist() == [[16, 16]]


def test_the_more_precise_of_two_estimates_is_taken() -> None:
    found = rare([[0.02, 3e-6, 0.0, 0.05, 2e-5]], [[0.2, 0.05, 0.0, 0.04, 0.9]])
    rates, noise = row([[2500, 0, 0, NO_ANSWER, 25]], rare=found).estimates()
    assert rates[0, [0, 1, 2, 4]].tolist() == [0.025, 3e-6, 0.0, 25 / 100_000]
    assert noise[0, [0, 1, 2, 4]] == pytest.approx([1 / 50, 0.05, 1.0, 0.2])
    assert np.isnan([rates[0, 3], noise[0, 3]]).all()  # splitting knows nothing of that


def test_counts_alone_are_as_before() -> None:
    errors = [[400, NO_ANSWER], [0, 100]]
    for found in (None, no_rare_errors((2, 2))):
        rates, noise = row(errors, rare=found).estimates()
        assert rates[0, 0] == 0.004
        assert np.isnan(rates[0, 1])
        assert rates[1].tolist() == [0.0, 0.001]
        assert noise[:, 0].tolist() == [0.05, 1.0]
        assert noise[1, 1] == NOISE


def test_a_league_is_joined_by_the_algorithms_that_it_has_not() -> None:
    mine = league(row([[400, 30], [500, 60]]), row([[1], [2]]), algorithms=("a", "b"))
    found = rare([[1e-3, 0.0], [2e-5, 3e-6]], 0.1)
    other = league(
        row([[9, 9], [70, 7]], runs=[5, 7], rare=found), row([[8], [3]]), algorithms=("b", "c")
    )
    both = mine.joined_by(other)
    assert both.algorithms == ("a", "b", "c")
    assert (both.pulls, both.seconds) == (2, 2.0)
    first, second = both.rows
    assert first.errors.tolist() == [[400, 30], [500, 60], [70, 7]]
    assert first.runs.tolist() == [100_000, 100_000, 7]
    assert first.rare.rates.tolist() == [[0.0, 0.0], [0.0, 0.0], [2e-5, 3e-6]]
    assert first.rare.islands.tolist() == [[0, 0], [0, 0], [16, 16]]
    assert second.errors.tolist() == [[1], [2], [3]]
    assert second.rare is None
    assert mine.algorithms == ("a", "b")  # as it was


@pytest.mark.parametrize("there", [row([[1], [2]], name="other"), row([[1, 1], [2, 2]])])
def test_leagues_of_other_instances_or_times_are_not_joined(there) -> None:
    with pytest.raises(InputError, match="play the same suite"):
        league(row([[1]]), algorithms="a").joined_by(league(there, algorithms=("b", "c")))


@pytest.mark.parametrize(
    "text", ["", "[]", '{"rules": []}', "no json", '{"rules": ["a"], "instances": []}']
)
def test_a_file_that_is_no_league(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(InputError, match="holds no league"):
        load_league(path)


def test_counts_must_fit_the_algorithms_and_times(tmp_path: Path) -> None:
    data = league(row([[400, 300], [200, 500]]), algorithms=("a", "b")).to_dict()
    for change in ({"rules": ["a", "b", "c"]}, {"rules": ["a"]}):
        (tmp_path / "odd.json").write_text(json.dumps({**data, **change}), encoding="utf-8")
        with pytest.raises(InputError, match="do not fit the algorithms"):
            load_league(tmp_path / "odd.json")
    data["instances"][0]["times"] = [10, 11, 12]
    (tmp_path / "odd.json").write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(InputError, match="do not fit the algorithms"):
        load_league(tmp_path / "odd.json")


def test_a_league_that_cannot_be_written_leaves_the_earlier_one(tmp_path, monkeypatch) -> None:
    made = league(row([[400, 300], [200, 500]]), algorithms=("a", "b"))
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"cannot write .*choose another file or folder"):
        made.save(tmp_path / "file" / "league.json")
    made.save(tmp_path / "league.json")
    before = (tmp_path / "league.json").read_bytes()

    def full(*words):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("goodarm.files.os.replace", full)
    with pytest.raises(InputError, match="No space left on device"):
        league(row([[1], [2]]), algorithms=("a", "b")).save(tmp_path / "league.json")
    assert (tmp_path / "league.json").read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {"file", "league.json"}
