import pytest

from goodarm.errors import InputError
from goodarm.instance import Instance, instances
from goodarm.theory import ERROR_THEOREMS, SimulatedError, compare_bounds, dominance, ranking


def test_order_by_bounds():
    rows = ranking(instances["NoA2"])
    constants = [row.constant for row in rows]
    assert constants == sorted(constants)
    assert {row.algorithm for row in rows} == set(ERROR_THEOREMS)
    places = {row.algorithm: row.rank_by_bound for row in rows}
    assert places["PKGAI"] == places["PKGAI(Unif)"]  # the same constant without good arms
    assert min(places.values()) == 1
    assert all(row.rank_by_simulation is None for row in rows)


def test_simulated_places_respect_the_intervals():
    simulated = {
        "APGAI": SimulatedError(0.005, 0.003, 0.008),
        "PKGAI": SimulatedError(0.006, 0.004, 0.009),  # cannot be told from APGAI
        "Unif": SimulatedError(0.09, 0.08, 0.1),
    }
    rows = {row.algorithm: row for row in ranking(instances["NoA2"], simulated)}
    assert rows["APGAI"].rank_by_simulation == rows["PKGAI"].rank_by_simulation == 1
    assert rows["Unif"].rank_by_simulation == 3
    assert rows["SR-G"].rank_by_simulation is None
    # Side by side: by its bound Unif should win, in simulation APGAI does.
    assert rows["Unif"].rank_by_bound < rows["APGAI"].rank_by_bound
    assert rows["APGAI"].to_dict()["simulated"] == {"rate": 0.005, "low": 0.003, "high": 0.008}


def test_algorithms_without_a_bound_come_last():
    rows = ranking(Instance(0.0, [0.5]))
    assert [row.rank_by_bound is None for row in rows][-3:] == [True] * 3
    assert "K = 1" in rows[-1].reason


def test_the_papers_words():
    # Table "summary_anytimeGAI", last column, published bounds, instances with good arms.
    some = [instances[n] for n in instances if instances[n].good.any()]
    some += [instances["TwoG:100:30"], instances["LinG:100:5"]]
    # Good arms of one gap, bad ones far below: there APGAI's 4 H1 is the smallest.
    some.append(Instance(0.0, [0.1, 0.1, -5.0, -5.0, -5.0, -5.0]))
    # One good arm far above, the others just below the threshold: there DSR-G is better.
    some.append(Instance(0.0, [10.0, -0.01, -0.01, -0.01]))
    assert dominance(some, "PKGAI", reading="published") == "dominates"
    for algorithm in ("Unif", "DSR-G", "DSH-G"):
        assert dominance(some, algorithm, reading="published") == "is Pareto equivalent to"
    # Corrected, PKGAI's constant is the same as APGAI's when an arm is good.
    assert dominance(some, "PKGAI") == "equals"
    assert dominance([instances["NoA1"], instances["NoA2"]], "PKGAI") == "dominates"
    assert dominance([instances["NoA1"]], "APGAI", "PKGAI") == "is dominated by"


def test_pkgai_unif_is_not_dominant_as_published():
    # K Δ̂^−2 < H1 is needed: here K/(0.2)² = 150 > 2·H1.
    instance = Instance(0.0, [0.1, -0.1, -9.0, -9.0, -9.0, -9.0])
    assert compare_bounds(instance, "PKGAI(Unif)", "PKGAI", "published") == "dominates"
    far = Instance(0.0, [0.1, *[-5.0] * 200, -0.1])
    assert compare_bounds(far, "PKGAI(Unif)", "PKGAI", "published") == "is dominated by"


def test_what_cannot_be_compared():
    assert compare_bounds(Instance(0.0, [0.5]), "SH-G") == "cannot be compared with"
    assert dominance([], "Unif") == "cannot be compared with"
    with pytest.raises(InputError, match="algorithm"):
        compare_bounds(instances["NoA1"], "HDoC")
