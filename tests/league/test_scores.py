"""Ratios to the best rule, against a plain reckoning, and what noise does to them."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goodarm import InputError, Instance
from goodarm.league import scores
from goodarm.league.results import UNDEFINED, League, Row, load_league
from goodarm.league.scores import RESOLVED, standings, worst_by_column
from goodarm.league.suite import HELD_OUT, PAPER, Entry

INSTANCE = Instance(0.0, [0.5, -0.5], name="pair")
RULES = ("a", "b", "c", "d", "e")


def row(errors, runs=100_000, group=PAPER, name="pair") -> Row:
    counts = np.array(errors, dtype=np.int64)
    times = tuple(range(10, 10 + counts.shape[1]))
    number = np.broadcast_to(np.array(runs, dtype=np.int64), len(counts))
    return Row(Entry(group, INSTANCE.altered(name=name), times), number, counts)


def ratios(made: Row):
    return scores.ratios(made, RULES[: len(made.errors)])


def sure_ratios(made: Row):
    return scores.sure_ratios(made, RULES[: len(made.errors)])


def league(*rows: Row, rules=("a", "b", "c")) -> League:
    return League(tuple(rules), rows, 0, 1, 1.0)


def test_ratios_to_the_best_of_each_time() -> None:
    found = ratios(row([[400, 5000], [200, 9000], [800, 4500]]))
    assert found.tolist() == [[2.0, 5000 / 4500], [1.0, 2.0], [4.0, 1.0]]


def test_an_unresolved_best_counts_as_the_least_that_is_resolved() -> None:
    found = ratios(row([[3], [50], [1000]]))[:, 0]
    assert np.isnan(found[:2]).all()  # which of the two is better is not known
    assert found[2] == 1000 / RESOLVED


def test_a_rule_that_errs_often_may_have_fewer_runs() -> None:
    found = ratios(row([[400], [200], [1000]], runs=[100_000, 100_000, 1_000]))
    assert found[:, 0].tolist() == [2.0, 1.0, 500.0]


def test_medians_are_over_places_whose_best_is_resolved_and_the_worst_is_over_all() -> None:
    made = row([[150, 400, 900], [60, 100, 300]])
    assert ratios(made)[0] == pytest.approx([1.5, 4.0, 3.0])  # the first at the least
    assert math.isnan(ratios(made)[1, 0])
    known = scores.resolved_ratios(made, RULES[:2])
    assert np.isnan(known[:, 0]).all()
    found = {s.rule: s for s in standings(league(made, rules=("a", "b")))}
    assert found["a"].places == 2
    assert found["a"].median == pytest.approx(3.5)
    worse = row([[900], [60]])
    assert standings(league(made, worse, rules=("a", "b")))[1].worst == 9.0


def test_no_yardstick_no_ratio() -> None:
    made = row([[300], [UNDEFINED]])
    assert np.isnan(scores.ratios(made, ["S-TaS", "DSR-G"])).all()
    assert standings(league(made, rules=("S-TaS", "DSR-G"))) == []


def test_how_deep_an_instance_is_known() -> None:
    assert scores.unresolved_below(row([[400, 200], [500, 150]]), RULES[:2]) == 0.0
    found = scores.unresolved_below(row([[400, 90], [500, 20]]), RULES[:2])
    assert found == RESOLVED / 100_000
    assert scores.unresolved_below(row([[400, 90]] * 2, runs=10**9), RULES[:2]) == 0.0


def test_errors_too_small_to_matter_are_not_compared() -> None:
    found = ratios(row([[150, 3000], [300, 3000]], runs=10**9))
    assert np.isnan(found[:, 0]).all()
    assert found[:, 1].tolist() == [1.0, 1.0]


def test_a_rule_that_depends_on_the_arms_order_is_scored_but_no_yardstick() -> None:
    found = scores.ratios(row([[400], [200], [900]]), ["a", "S-TaS[order=desc]", "c"])
    assert found[:, 0].tolist() == [1.0, 1.0, 2.25]


def test_a_rule_without_an_answer_is_not_compared() -> None:
    found = ratios(row([[UNDEFINED, 400], [200, 200], [300, 300]]))
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
    assert (known == (resolved | (errors >= RESOLVED))).all()
    assert (found[:, resolved].min(axis=0) == 1.0).all()


@pytest.mark.parametrize("rules", [2, 15])
def test_a_sure_ratio_is_hardly_ever_above_the_truth(rules: int) -> None:
    """Of rules that are equally good, one is the best by chance: the more, the further."""
    chance = np.random.default_rng(5)
    runs, error, times = 20_000, 0.02, 2_000
    made = row(chance.binomial(runs, error, (rules, times)), runs)
    names = [str(number) for number in range(rules)]
    beyond = (scores.sure_ratios(made, names)[1] > 1.0).mean()
    assert 0.001 < beyond < 0.04
    assert (scores.ratios(made, names)[1] > 1.1).mean() > 0.05


def test_standings_by_brute_force() -> None:
    first = row([[400, 5000], [200, 9000], [800, 4500]])
    second = row([[UNDEFINED], [1000], [300]], name="other")
    found = {s.rule: s for s in standings(league(first, second))}
    assert found["a"].worst == 2.0
    assert found["a"].where.time == 10
    assert found["b"].worst == 1000 / 300
    assert found["b"].where.instance == "other"
    assert found["c"].median == 1.0
    assert found["b"].mean == pytest.approx((1.0 * 2.0 * 10 / 3) ** (1 / 3))
    assert found["c"].within_2 == pytest.approx(2 / 3)
    assert [s.rule for s in standings(league(first, second))] == ["a", "b", "c"]


def test_a_rule_that_never_has_an_answer_has_no_standing() -> None:
    found = standings(league(row([[UNDEFINED], [1000], [300]])))
    assert [s.rule for s in found] == ["c", "b"]


def test_the_heat_maps_columns_take_a_family_together() -> None:
    rows = [
        row([[200], [100]], group=HELD_OUT, name="ladder 1"),
        row([[200], [900]], group=HELD_OUT, name="ladder 2"),
        row([[100], [500]], name="Thr1"),
    ]
    columns, worst = worst_by_column(league(*rows, rules=("a", "b")))
    assert columns == ["ladder", "Thr1"]
    assert worst.tolist() == [[2.0, 1.0], [4.5, 5.0]]


def test_a_saved_league_comes_back(tmp_path: Path) -> None:
    kept = league(row([[400], [UNDEFINED], [3]]), row([[1], [2], [3]], group=HELD_OUT, name="x 1"))
    kept.save(tmp_path / "league.json")
    found = load_league(tmp_path / "league.json")
    assert found.rules == kept.rules
    assert found.to_dict() == kept.to_dict()
    assert (found.rows[0].errors == kept.rows[0].errors).all()
    assert [r.entry.group for r in found.only([HELD_OUT]).rows] == [HELD_OUT]
    assert not (tmp_path / "league.json.part").exists()


@pytest.mark.parametrize(
    "text", ["", "[]", '{"rules": []}', "no json", '{"rules": ["a"], "instances": []}']
)
def test_a_file_that_is_no_league(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(InputError, match="holds no league"):
        load_league(path)
