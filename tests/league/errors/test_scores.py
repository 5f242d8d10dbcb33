"""Ratios to the best algorithm, against a plain reckoning, and what noise does to them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goodarm import Instance
from goodarm.league.errors import scores
from goodarm.league.errors.results import (
    NO_ANSWER,
    League,
    LeagueRow,
    PooledRareErrors,
    no_rare_errors,
)
from goodarm.league.errors.scores import RESOLVED, SMALLEST_ERROR, standings, worst_by_column
from goodarm.league.errors.suites import HELD_OUT, PAPER, LeagueEntry
from goodarm.simulation.splitting import RareErrors

INSTANCE = Instance(0.0, [0.5, -0.5], name="pair")
ALGORITHMS = ("a", "b", "c", "d", "e")


def row(errors, runs=100_000, group=PAPER, name="pair", rare=None) -> LeagueRow:
    counts = np.array(errors, dtype=np.int64)
    times = tuple(range(10, 10 + counts.shape[1]))
    number = np.broadcast_to(np.array(runs, dtype=np.int64), len(counts))
    return LeagueRow(LeagueEntry(group, INSTANCE.altered(name=name), times), number, counts, rare)


def rare(rates, noise) -> PooledRareErrors:
    """Found by splitting, with these relative standard errors."""
    rates = np.array(rates, dtype=float)
    return PooledRareErrors(np.where(rates > 0.0, 16, 0), rates, rates * np.array(noise))


def ratios(made: LeagueRow):
    return scores.ratios(made, ALGORITHMS[: len(made.errors)])


def sure_ratios(made: LeagueRow):
    return scores.sure_ratios(made, ALGORITHMS[: len(made.errors)])


def league(*rows: LeagueRow, algorithms=("a", "b", "c")) -> League:
    return League(tuple(algorithms), rows, 0, 1, 1.0)


def test_ratios_to_the_best_of_each_time() -> None:
    found = ratios(row([[400, 5000], [200, 9000], [800, 4500]]))
    assert found.tolist() == [[2.0, 5000 / 4500], [1.0, 2.0], [4.0, 1.0]]


def test_an_unresolved_best_counts_as_the_least_that_is_resolved() -> None:
    found = ratios(row([[3], [50], [1000]]))[:, 0]
    assert np.isnan(found[:2]).all()  # which of the two is better is not known
    assert found[2] == 1000 / RESOLVED


def test_an_algorithm_that_errs_often_may_have_fewer_runs() -> None:
    found = ratios(row([[400], [200], [1000]], runs=[100_000, 100_000, 1_000]))
    assert found[:, 0].tolist() == [2.0, 1.0, 500.0]


def test_medians_are_over_places_whose_best_is_resolved_and_the_worst_is_over_all() -> None:
    made = row([[150, 400, 900], [60, 100, 300]])
    assert ratios(made)[0] == pytest.approx([1.5, 4.0, 3.0])  # the first at the least
    assert math.isnan(ratios(made)[1, 0])
    known = scores.resolved_ratios(made, ALGORITHMS[:2])
    assert np.isnan(known[:, 0]).all()
    found = {s.algorithm: s for s in standings(league(made, algorithms=("a", "b")))}
    assert found["a"].spots == 2
    assert found["a"].median == pytest.approx(3.5)
    worse = row([[900], [60]])
    assert standings(league(made, worse, algorithms=("a", "b")))[1].worst == 9.0


def test_no_yardstick_no_ratio() -> None:
    made = row([[300], [NO_ANSWER]])
    assert np.isnan(scores.ratios(made, ["S-TaS", "DSR-G"])).all()
    assert standings(league(made, algorithms=("S-TaS", "DSR-G"))) == []


def test_how_deep_an_instance_is_known() -> None:
    assert scores.unresolved_below(row([[400, 200], [500, 150]]), ALGORITHMS[:2]) == 0.0
    found = scores.unresolved_below(row([[400, 90], [500, 20]]), ALGORITHMS[:2])
    assert found == RESOLVED / 100_000
    assert scores.unresolved_below(row([[400, 90]] * 2, runs=10**9), ALGORITHMS[:2]) == 0.0


def test_errors_too_small_to_matter_are_not_compared() -> None:
    found = ratios(row([[150, 3000], [300, 3000]], runs=10**9))
    assert np.isnan(found[:, 0]).all()
    assert found[:, 1].tolist() == [1.0, 1.0]


def test_an_algorithm_that_depends_on_the_arms_order_is_scored_but_no_yardstick() -> None:
    found = scores.ratios(row([[400], [200], [900]]), ["a", "S-TaS[order=desc]", "c"])
    assert found[:, 0].tolist() == [1.0, 1.0, 2.25]


def test_an_algorithm_without_an_answer_is_not_compared() -> None:
    found = ratios(row([[NO_ANSWER, 400], [200, 200], [300, 300]]))
    assert math.isnan(found[0, 0])
    assert found[0, 1] == 2.0
    assert found[2, 0] == 1.5


counts = st.lists(
    st.lists(st.integers(0, 300), min_size=3, max_size=3), min_size=2, max_size=5
).map(np.array)


@given(counts)
def test_a_ratio_is_at_least_one_and_the_sure_one_no_larger(errors) -> None:
    found, sure = ratios(row(errors)), sure_ratios(row(errors))
    known = ~np.isnan(found)
    assert (found[known] >= 1.0).all()
    assert (sure[known] <= found[known]).all()
    assert (sure[known] >= 1.0).all()
    best = errors.min(axis=0) if len(errors) else errors
    resolved = (best >= RESOLVED) | (errors == RESOLVED).any(axis=0)  # or as if
    assert (known == (errors >= RESOLVED)).all()
    assert (np.nanmin(found[:, resolved], axis=0) == 1.0).all()


@pytest.mark.parametrize("algorithms", [2, 15])
def test_a_sure_ratio_is_hardly_ever_above_the_truth(algorithms: int) -> None:
    """Of algorithms that are equally good, one is the best by chance: the more, the further."""
    chance = np.random.default_rng(5)
    runs, error, times = 20_000, 0.02, 2_000
    made = row(chance.binomial(runs, error, (algorithms, times)), runs)
    names = [str(number) for number in range(algorithms)]
    beyond = (scores.sure_ratios(made, names)[1] > 1.0).mean()
    assert 0.001 < beyond < 0.04
    assert (scores.ratios(made, names)[1] > 1.1).mean() > 0.05


def test_standings_by_brute_force() -> None:
    first = row([[400, 5000], [200, 9000], [800, 4500]])
    second = row([[NO_ANSWER], [1000], [300]], name="other")
    found = {s.algorithm: s for s in standings(league(first, second))}
    assert found["a"].worst == 2.0
    assert found["a"].where.time == 10
    assert found["b"].worst == 1000 / 300
    assert found["b"].where.instance == "other"
    assert found["c"].median == 1.0
    assert found["b"].mean == pytest.approx((1.0 * 2.0 * 10 / 3) ** (1 / 3))
    assert found["c"].within_2 == pytest.approx(2 / 3)
    assert [s.algorithm for s in standings(league(first, second))] == ["a", "b", "c"]


def test_an_algorithm_that_never_has_an_answer_has_no_standing() -> None:
    found = standings(league(row([[NO_ANSWER], [1000], [300]])))
    assert [s.algorithm for s in found] == ["c", "b"]


def test_the_heat_maps_columns_take_a_family_together() -> None:
    rows = [
        row([[200], [100]], group=HELD_OUT, name="ladder 1"),
        row([[200], [900]], group=HELD_OUT, name="ladder 2"),
        row([[100], [500]], name="Thr1"),
    ]
    columns, worst = worst_by_column(league(*rows, algorithms=("a", "b")))
    assert columns == ["ladder", "Thr1"]
    assert worst.tolist() == [[2.0, 1.0], [4.5, 5.0]]


def test_errors_that_splitting_resolves_are_compared() -> None:
    made = row([[3], [0], [1000]], rare=rare([[4e-5], [2e-5], [0.0]], [[0.08], [0.1], [0.0]]))
    assert ratios(made)[:, 0] == pytest.approx([2.0, 1.0, 500.0])
    best, noise = scores.yardstick(made, ALGORITHMS[:3])
    assert best == pytest.approx([2e-5])
    assert noise == pytest.approx([0.1])
    assert not scores.unresolved(made, ALGORITHMS[:3]).any()
    assert scores.unresolved_below(made, ALGORITHMS[:3]) == 0.0
    assert (sure_ratios(made) >= 1.0).all()
    assert 1.0 < sure_ratios(made)[2, 0] < 500.0


def test_a_rough_error_counts_as_that_and_twice_its_noise() -> None:
    """If that is less than what could have been counted, and half of it is no noise."""
    found = rare([[2e-5, 2e-5, 2e-3]], [[0.3, 0.6, 0.3]])
    made = row([[3, 3, 3]], rare=found)
    best, noise = scores.yardstick(made, ["a"])
    counted = RESOLVED / 100_000
    assert best == pytest.approx([2e-5 * 1.6, counted, counted])
    assert noise == pytest.approx([0.3, 1 / math.sqrt(3), 0.3])
    assert scores.unresolved(made, ["a"]).all()
    assert np.isnan(scores.ratios(made, ["a"])).all()
    assert scores.unresolved_below(made, ["a"]) == pytest.approx(counted)
    two = row([[3], [500]], rare=rare([[2e-5], [0.0]], [[0.3], [0.0]]))
    assert ratios(two)[1, 0] == pytest.approx(0.005 / (2e-5 * 1.6))  # at the least
    assert math.isnan(ratios(two)[0, 0])
    assert np.isnan(scores.resolved_ratios(two, ALGORITHMS[:2])).all()


def test_what_splitting_found_before_there_is_an_answer_stays_out() -> None:
    found = rare([[1e-5], [0.0]], [[0.05], [0.0]])
    made = row([[NO_ANSWER], [400]], rare=found)
    best, _ = scores.yardstick(made, ALGORITHMS[:2])
    assert best.tolist() == [0.004]
    assert math.isnan(ratios(made)[0, 0])
    assert ratios(made)[1, 0] == 1.0
    assert not scores.unresolved(made, ALGORITHMS[:2]).any()


def test_an_algorithm_that_depends_on_the_arms_order_is_resolved_but_no_yardstick() -> None:
    found = rare([[1e-5], [4e-5], [0.0]], [[0.05], [0.05], [0.0]])
    made = row([[0], [0], [900]], rare=found)
    names = ["S-TaS", "b", "c"]
    assert scores.yardstick(made, names)[0] == pytest.approx([4e-5])
    assert scores.ratios(made, names)[:, 0] == pytest.approx([1.0, 1.0, 225.0])


def test_what_is_below_the_smallest_need_not_be_resolved() -> None:
    depths = [[0.5 * SMALLEST_ERROR, 2.0 * SMALLEST_ERROR], [0.0, 0.0]]
    made = row([[0, 0], [0, 0]], rare=rare(depths, [[0.05, 0.05], [0.0, 0.0]]))
    assert scores.unresolved(made, ALGORITHMS[:2]).tolist() == [[False, False], [False, True]]
    assert np.isnan(ratios(made)[:, 0]).all()
    assert ratios(made)[0, 1] == 1.0


def test_an_algorithm_that_hardly_errs_any_more_is_not_unknown_later() -> None:
    """Splitting ends below 1e-8; what comes later is no larger, and the best there."""
    found = no_rare_errors((2, 3))
    ended = RareErrors((10, 11, 12), np.array([[1e-5, 5e-9, np.nan], [1.1e-5, 5e-9, np.nan]]), 1)
    made = row([[0, 0, 0], [900, 500, 200]], runs=1_000_000, rare=found.pooled(0, ended))
    best, _ = scores.yardstick(made, ALGORITHMS[:2])
    assert best[0] == pytest.approx(1.05e-5)
    assert (best[1:] < SMALLEST_ERROR).all()
    assert not scores.unresolved(made, ALGORITHMS[:2]).any()
    known = ratios(made)
    assert known[1, 0] == pytest.approx(9e-4 / 1.05e-5)
    assert np.isnan(known[:, 1:]).all()


def test_an_algorithm_that_is_roughly_known_to_be_worse_has_a_ratio_at_the_least() -> None:
    """Twice its noise less; but it is not one of the places where the ratio is known."""
    made = row([[0], [0], [0]], rare=rare([[1e-5], [1e-3], [1.2e-5]], [[0.05], [0.2], [0.2]]))
    found = ratios(made)[:, 0]
    assert found[0] == 1.0
    assert found[1] == pytest.approx(60.0)
    assert math.isnan(found[2])  # it may as well be better
    assert np.isnan(scores.resolved_ratios(made, ALGORITHMS[:3])[1:, 0]).all()
    assert sure_ratios(made)[1, 0] < found[1]
