"""The league by splitting: what is played, how rounds are pooled, and how it ends."""

import time
from dataclasses import replace

import numpy as np
import pytest

from goodarm import InputError, Instance, find_algorithm
from goodarm.league import play_league
from goodarm.league.errors import rare as module
from goodarm.league.errors.rare import ISLANDS_PER_ROUND, estimate_rare_errors
from goodarm.league.errors.results import NO_ANSWER
from goodarm.league.errors.scores import NOISE, unresolved
from goodarm.league.errors.suites import PAPER, LeagueEntry
from goodarm.simulation.loops.kernel import CANCEL
from goodarm.simulation.splitting import rare_errors

ENTRIES = [
    LeagueEntry(PAPER, Instance(0.0, [-0.6, -0.8], name="none good"), (4, 16, 32, 48)),
    LeagueEntry(PAPER, Instance(0.0, [0.8, -0.3], name="one good"), (4, 12, 24, 36)),
]
ALGORITHMS = ["Unif", "DSR-G", "Scout"]  # the second errs so often that counts are enough
SEED, ISLAND = 3, 256


@pytest.fixture(scope="module")
def counted():
    return play_league(ENTRIES, ALGORITHMS, effort=400_000, seed=SEED)


@pytest.fixture(scope="module")
def once(counted):
    return estimate_rare_errors(counted, island=ISLAND, threads=2)


def open_places(league) -> int:
    return int(sum(unresolved(row, league.algorithms).sum() for row in league.rows))


def found_again(row, algorithm: int, seed: int):
    return rare_errors(
        row.entry.instance,
        ALGORITHMS[algorithm],
        row.entry.times,
        islands=ISLANDS_PER_ROUND,
        island=ISLAND,
        seed=seed,
    )


def same_rare(first, second) -> bool:
    return all(
        np.array_equal(getattr(a.rare, name), getattr(b.rare, name))
        for a, b in zip(first.rows, second.rows, strict=True)
        for name in ("islands", "rates", "standard_errors")
    )


def test_only_algorithms_that_are_not_resolved_are_played(counted, once) -> None:
    for before, after in zip(counted.rows, once.rows, strict=True):
        waiting = unresolved(before, ALGORITHMS)
        assert waiting.any(axis=1).tolist() == [True, False, True]
        for algorithm, places in enumerate(waiting):
            last = np.flatnonzero(places)[-1] + 1 if places.any() else 0
            played = [ISLANDS_PER_ROUND] * last + [0] * (4 - last)
            assert after.rare.islands[algorithm].tolist() == played
        assert (after.errors == before.errors).all()
        assert (after.runs == before.runs).all()


def test_what_is_found_is_what_splitting_finds(once) -> None:
    for row in once.rows:
        for algorithm in (0, 2):
            found = found_again(row, algorithm, SEED + 1)
            assert row.rare.rates[algorithm] == pytest.approx(found.error_rates, rel=1e-12)
            assert row.rare.standard_errors[algorithm] == pytest.approx(
                found.standard_errors, rel=1e-12
            )


def test_an_algorithm_is_played_up_to_the_last_time_that_is_not_resolved(counted) -> None:
    row = counted.rows[0]
    errors = row.errors.copy()
    errors[:, 3] = 500  # nothing is open there
    league = replace(counted, rows=(replace(row, errors=errors),))
    islands = estimate_rare_errors(league, island=ISLAND).rows[0].rare.islands
    assert islands[0].tolist() == [ISLANDS_PER_ROUND, ISLANDS_PER_ROUND, ISLANDS_PER_ROUND, 0]


def test_rounds_are_pooled_and_resolve_more(counted, once) -> None:
    heard = []
    league = estimate_rare_errors(counted, 3, island=ISLAND, threads=2, keep=heard.append)
    assert len(heard) == 3
    assert same_rare(heard[0], once)
    assert heard[-1].rows == league.rows
    again = estimate_rare_errors(once, 2, island=ISLAND, threads=1)  # a later call goes on
    assert same_rare(again, league)
    numbers = [open_places(each) for each in (counted, heard[0], heard[1], league)]
    assert numbers == sorted(numbers, reverse=True)
    assert numbers[-1] < numbers[0]
    row = heard[1].rows[0]
    both = [found_again(row, 2, SEED + 1 + before).estimates for before in (0, ISLANDS_PER_ROUND)]
    assert (both[0] != both[1]).all()
    islands = np.concatenate(both)
    assert (row.rare.islands[2] == 2 * ISLANDS_PER_ROUND).all()
    assert row.rare.rates[2] == pytest.approx(islands.mean(axis=0), rel=1e-9)
    noise = islands.std(axis=0, ddof=1) / np.sqrt(2 * ISLANDS_PER_ROUND)
    assert row.rare.standard_errors[2] == pytest.approx(noise, rel=1e-9)


def test_progress_and_pulls(counted) -> None:
    totals, heard = [], []

    def report(total: int):
        totals.append(total)
        heard.append([])
        return lambda done, pulls: heard[-1].append((done, pulls))

    after = []
    league = estimate_rare_errors(
        counted, 2, island=ISLAND, threads=2, report=report, keep=after.append
    )
    assert totals[0] == 4
    for total, steps in zip(totals, heard, strict=True):
        assert [done for done, _ in steps] == list(range(1, total + 1))
        assert steps == sorted(steps)
    size = ISLANDS_PER_ROUND * ISLAND
    assert heard[0][-1][1] == 2 * size * (36 + 48) == after[0].pulls - counted.pulls
    assert heard[1][-1][1] == league.pulls - after[0].pulls
    assert league.seconds > counted.seconds


def test_what_is_known_is_kept_now_and_then(counted, once, monkeypatch) -> None:
    monkeypatch.setattr(module, "KEEP_EVERY", 0.0)
    kept = []
    estimate_rare_errors(counted, island=ISLAND, threads=2, keep=kept.append)
    assert len(kept) == 4 + 1  # after every algorithm, and after the round
    played = [
        sum(
            0 if row.rare is None else int((row.rare.islands > 0).any(axis=1).sum()) for row in rows
        )
        for rows in (league.rows for league in kept)
    ]
    assert played == [1, 2, 3, 4, 4]
    assert [league.pulls for league in kept] == sorted(league.pulls for league in kept)
    assert same_rare(kept[-1], once)


def test_an_algorithm_that_is_not_registered_must_be_given(counted, once) -> None:
    mine = replace(find_algorithm("Scout"), name="Mine")
    league = replace(counted, algorithms=("Unif", "DSR-G", "Mine"))
    with pytest.raises(InputError, match="Mine"):
        estimate_rare_errors(league, island=ISLAND)
    assert same_rare(
        estimate_rare_errors(league, algorithms=[mine], island=ISLAND, threads=2), once
    )


def test_only_those_that_are_named_are_looked_at(counted, once) -> None:
    found = estimate_rare_errors(counted, only=["Scout"], island=ISLAND, threads=2)
    for row, all_of_them in zip(found.rows, once.rows, strict=True):
        assert not row.rare.islands[:2].any()
        assert row.rare.islands[2].any()
        assert row.rare.rates[2].tolist() == all_of_them.rare.rates[2].tolist()


def test_it_is_over_when_everything_is_resolved(counted) -> None:
    rows = tuple(replace(row, errors=np.maximum(row.errors, 100)) for row in counted.rows)
    totals, after = [], []

    def report(total: int):
        totals.append(total)
        return lambda done, pulls: totals.append(-1)

    league = estimate_rare_errors(
        replace(counted, rows=rows), 5, island=ISLAND, report=report, keep=after.append
    )
    assert totals == [0]
    assert len(after) == 1
    assert league.rows == rows
    assert league.pulls == counted.pulls


def test_without_patience_nothing_is_played_and_all_is_kept(once) -> None:
    totals, after = [], []

    def report(total: int):
        totals.append(total)
        return lambda done, pulls: totals.append(-1)

    league = estimate_rare_errors(
        once, 3, island=ISLAND, patience=0.0, report=report, keep=after.append
    )
    assert league.rows == once.rows
    assert league.pulls == once.pulls
    assert len(totals) == len(after) == 1
    assert totals[0] > 0


def test_an_answer_that_does_not_exist_yet_stays_undefined(counted) -> None:
    row = counted.rows[0]
    errors = row.errors.copy()
    errors[2, 0] = NO_ANSWER
    league = estimate_rare_errors(
        replace(counted, rows=(replace(row, errors=errors),)), island=ISLAND
    )
    rates, noise = league.rows[0].estimates()
    assert np.isnan(rates[2, 0])
    assert np.isnan(noise[2, 0])
    assert (noise[2, 1:] < 5.0 * NOISE).all()


def test_ctrl_c_ends_what_is_under_way(counted, monkeypatch) -> None:
    """A population that has begun is told to give up; one that has not never begins."""
    told, real = [], module.split_runs

    def slow(job, islands, island, population, control):
        told.append(None)
        mine = len(told) - 1
        end = time.monotonic() + 20.0
        while mine > 0 and not control[CANCEL] and time.monotonic() < end:
            time.sleep(0.01)
        told[mine] = bool(control[CANCEL])
        return real(job, islands, island, population, control)

    def report(total: int):
        def listener(done: int, pulls: int) -> None:
            raise KeyboardInterrupt

        return listener

    after = []
    monkeypatch.setattr(module, "split_runs", slow)
    with pytest.raises(KeyboardInterrupt):
        estimate_rare_errors(counted, 2, island=ISLAND, threads=2, report=report, keep=after.append)
    assert told[0] is False
    assert 2 <= len(told) <= 3  # of four
    assert all(told[1:])
    assert after == []


def test_an_error_in_a_population_is_not_swallowed(counted, monkeypatch) -> None:
    def broken(*words):
        raise ZeroDivisionError

    monkeypatch.setattr(module, "split_runs", broken)
    with pytest.raises(ZeroDivisionError):
        estimate_rare_errors(counted, island=ISLAND, threads=2)


def test_an_unknown_device(counted) -> None:
    with pytest.raises(InputError, match="device"):
        estimate_rare_errors(counted, device="gpu")


def test_many_arms_have_smaller_islands(counted, monkeypatch) -> None:
    sizes = []

    def note(job, islands, island, population, control):
        sizes.append((job.instance.K, islands, island))
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "split_runs", note)
    monkeypatch.setattr(module, "make_population", lambda *words: None)
    for K in (60, 61):
        entry = LeagueEntry(PAPER, Instance(0.0, [0.5] + [-0.5] * (K - 1)), ENTRIES[0].times)
        row = replace(counted.rows[0], entry=entry)
        with pytest.raises(KeyboardInterrupt):
            estimate_rare_errors(replace(counted, rows=(row,)), threads=1)
    assert set(sizes) == {(60, 16, 8192), (61, 16, 4096)}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"island": 5}, "island: 5 is outside"),
        ({"rounds": -1}, "rounds: -1 is outside"),
        ({"algorithms": ["LUCB-G"]}, "LUCB-G not in this league"),
    ],
)
def test_wrong_words(counted, words, message) -> None:
    with pytest.raises(InputError, match=message):
        estimate_rare_errors(counted, **words)


def test_a_doubling_algorithm_is_counted_only(counted) -> None:
    """Its answer comes from a past phase: how close its present evidence is says nothing."""
    entry = counted.rows[0].entry
    league = play_league([entry], ["Unif", "DSR-G"], effort=20_000)
    assert unresolved(league.rows[0], league.algorithms)[1].any()
    (row,) = estimate_rare_errors(league, island=256).rows
    assert row.rare is not None
    assert row.rare.islands[0].any()
    assert not row.rare.islands[1].any()
