import concurrent.futures
import json
import math

import numpy as np
import pytest
from scipy import stats

from goodarm import InputError, Instance, compare, instances, merge, simulate
from goodarm.simulation.chunk import play_chunk
from goodarm.simulation.job import make_job
from goodarm.simulation.results import from_chunk

MODES = [{"delta": 0.1, "cap": 3000}, {"budget": 60}, {"horizon": 60}]


def summary(result) -> dict:
    shown = result.to_dict()
    del shown["pulls_per_second"]
    return shown


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ["Thr2", "RealL"])
def test_nothing_depends_on_threads_or_chunks(mode: dict, name: str) -> None:
    wanted = None
    for threads, chunk in ((1, None), (2, None), (2, 7), (1, 1), (3, 50)):
        results = simulate(
            name, ["APGAI", "Unif"], **mode, runs=50, seed=9, threads=threads, chunk=chunk
        )
        shown = json.dumps([summary(result) for result in results.values()])
        wanted = wanted or shown
        assert shown == wanted


@pytest.mark.parametrize("mode", MODES)
def test_a_process_pool_gives_the_same(mode: dict) -> None:
    with concurrent.futures.ProcessPoolExecutor(1) as pool:
        there = simulate("NoA2", "APGAI", **mode, runs=20, executor=pool)["APGAI"]
    here = simulate("NoA2", "APGAI", **mode, runs=20)["APGAI"]
    assert summary(there) == summary(here)


def test_the_seed_changes_everything_and_runs_do_not_depend_on_their_number() -> None:
    a = simulate("Thr1", "APGAI", delta=0.1, runs=30, seed=1)["APGAI"]
    b = simulate("Thr1", "APGAI", delta=0.1, runs=60, seed=1)["APGAI"]
    c = simulate("Thr1", "APGAI", delta=0.1, runs=30, seed=2)["APGAI"]
    assert b.stopping_times[:30].tolist() == a.stopping_times.tolist()
    assert (a.stopping_times != c.stopping_times).any()


def test_algorithms_share_their_rewards() -> None:
    """Common random numbers: with one arm, every algorithm sees one and the same run."""
    alone = Instance(0.0, [0.4])
    results = simulate(alone, ["APGAI", "Unif", "APGAI-FE"], delta=0.05, runs=50)
    times = [result.stopping_times.tolist() for result in results.values()]
    assert times[0] == times[1] == times[2]


def test_order_and_names_of_the_mapping() -> None:
    assert list(simulate("NoA1", ["unif", "APGAI"], budget=20, runs=2)) == ["Unif", "APGAI"]


def test_rewards_have_the_right_distribution() -> None:
    instance = Instance(0.0, [1.5, 0.3], kind=["gaussian", "bernoulli"], sigma=[2.0, 0.5])
    from goodarm.simulation.loops.replay import trace

    steps = list(trace(make_job("Unif", instance, "anytime", 4000, seed=4), 0))
    gaussian = [step.value for step in steps if step.arm == 0]
    coin = [step.value for step in steps if step.arm == 1]
    assert stats.kstest(gaussian, stats.norm(1.5, 2.0).cdf).pvalue > 1e-3
    assert set(coin) == {0.0, 1.0}
    assert stats.binomtest(int(sum(coin)), len(coin), 0.3).pvalue > 1e-3


def test_unif_error_against_exact_probability() -> None:
    """One arm, fixed budget: the error is Φ(−√T·gap) for a good arm, by hand."""
    instance = Instance(0.0, [0.2])
    result = simulate(instance, "Unif", budget=25, runs=40_000, seed=3)["Unif"]
    exact = stats.norm.cdf(-5 * 0.2)
    assert abs(result.error_rate - exact) < 4 * math.sqrt(exact * (1 - exact) / 40_000)


def test_anytime_agrees_with_budgets() -> None:
    """The error count at t is that of a budget t, run for run."""
    anytime = simulate("RealL", "APGAI", horizon=90, runs=300, seed=8)["APGAI"]
    assert anytime.times.tolist() == list(range(1, 91))
    for budget in (18, 40, 90):
        fixed = simulate("RealL", "APGAI", budget=budget, runs=300, seed=8)["APGAI"]
        assert anytime.error_counts[budget - 1] == fixed.errors.sum()


def test_chosen_and_long_times() -> None:
    some = simulate("NoA2", "Unif", horizon=500, times=[400, 5, 5], runs=50)["Unif"]
    every = simulate("NoA2", "Unif", horizon=500, runs=50)["Unif"]
    assert some.times.tolist() == [5, 400]
    assert some.error_counts.tolist() == every.error_counts[[4, 399]].tolist()
    grid = simulate("NoA2", "Unif", horizon=150_000, runs=1)["Unif"]
    assert grid.times[0] == 1
    assert grid.times[-1] == 150_000
    assert 500 < len(grid.times) <= 2000


def test_a_capped_run_is_told_apart() -> None:
    at_threshold = Instance(0.0, [0.0])
    result = simulate(at_threshold, "APGAI", delta=0.01, cap=50, runs=200)["APGAI"]
    capped = ~result.stopped
    assert capped.any()
    assert (result.stopping_times[capped] == 50).all()
    assert not result.errors[capped].any()
    assert result.to_dict()["stopped"] == pytest.approx(1 - capped.mean())


def test_merging_parts_is_exact() -> None:
    for mode, limit in (("fixed-confidence", 3000), ("anytime", 40)):
        delta = 0.1 if mode == "fixed-confidence" else None
        job = make_job("APGAI", instances["Thr1"], mode, limit, delta=delta)
        parts = [from_chunk(job, play_chunk(job, a, b)) for a, b in ((0, 5), (5, 6), (6, 20))]
        whole = from_chunk(job, play_chunk(job, 0, 20))
        merged = merge([parts[2], parts[0], parts[1]])
        assert summary(merged) == summary(whole)
        with pytest.raises(InputError, match="overlap or are missing"):
            merge([parts[0], parts[2]])
        other = make_job("Unif", instances["Thr1"], mode, limit, delta=delta)
        with pytest.raises(InputError, match="same settings"):
            merge([parts[0], from_chunk(other, play_chunk(other, 5, 6))])


def test_paired_comparison() -> None:
    results = simulate("Thr1", ["APGAI", "APGAI-FE"], delta=0.05, runs=400, seed=6)
    plain, forced = results["APGAI"], results["APGAI-FE"]
    difference = compare(plain, forced)
    gaps = plain.stopping_times - forced.stopping_times
    assert difference.difference == pytest.approx(gaps.mean())
    assert difference.se == pytest.approx(gaps.std(ddof=1) / 20)
    assert difference.low < difference.difference < difference.high
    errors = simulate("NoA2", ["APGAI", "Unif"], budget=100, runs=2000)
    paired = compare(errors["Unif"], errors["APGAI"])
    independent = math.hypot(
        *(math.sqrt(r.error_rate * (1 - r.error_rate) / r.runs) for r in errors.values())
    )
    assert paired.low > 0.0  # uniform sampling errs more where no arm is good
    assert paired.se < independent


def test_a_comparison_needs_pairs() -> None:
    a = simulate("Thr1", "APGAI", budget=20, runs=20, seed=1)["APGAI"]
    b = simulate("Thr1", "Unif", budget=20, runs=20, seed=2)["Unif"]
    with pytest.raises(InputError, match="same instance, mode, seed and runs"):
        compare(a, b)
    c = simulate("Thr1", "Unif", horizon=20, runs=20, seed=2)["Unif"]
    with pytest.raises(InputError, match="every run"):
        compare(a, c)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "exactly one of"),
        ({"delta": 0.1, "budget": 10}, "exactly one of"),
        ({"delta": 0.0}, "strictly between"),
        ({"delta": 1.0}, "strictly between"),
        ({"delta": math.nan}, "strictly between"),
        ({"budget": 3}, "at least 5"),
        ({"budget": 0}, "outside 1"),
        ({"budget": 10.5}, "whole number"),
        ({"budget": True}, "whole number"),
        ({"horizon": 2**32}, "outside 1"),
        ({"delta": 0.1, "cap": 2}, "at least 5"),
        ({"budget": 10, "cap": 20}, "cap"),
        ({"budget": 10, "boundary": "glr"}, "boundary"),
        ({"delta": 0.1, "boundary": "glrr"}, "did you mean 'glr'"),
        ({"budget": 10, "runs": 0}, "runs"),
        ({"budget": 10, "seed": -1}, "seed"),
        ({"budget": 10, "seed": 2**64}, "seed"),
        ({"budget": 10, "threads": 0}, "threads"),
        ({"budget": 10, "chunk": 0}, "chunk"),
        ({"horizon": 10, "times": []}, "times"),
        ({"horizon": 10, "times": [11]}, "times"),
    ],
)
def test_wrong_inputs(arguments: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        simulate("NoA1", "APGAI", **arguments)


def test_wrong_algorithms() -> None:
    with pytest.raises(InputError, match="empty"):
        simulate("NoA1", [], budget=10)
    with pytest.raises(InputError, match="named twice"):
        simulate("NoA1", ["APGAI", "apgai"], budget=10)


def test_large_seeds_and_run_numbers() -> None:
    job = make_job("APGAI", instances["NoA1"], "fixed-budget", 10, seed=2**64 - 1)
    far = play_chunk(job, 2**40, 2**40 + 3)
    assert far.pulls.sum() == 30


def test_a_larger_first_chunk_of_memory_does_not_grow_with_runs() -> None:
    result = simulate("NoA1", "Unif", horizon=30, runs=200_000)["Unif"]
    assert result.error_counts.nbytes == 240
    assert result.pulls.sum() == 200_000 * 30


def test_exports(tmp_path) -> None:
    result = simulate("NoA1", "APGAI", delta=0.1, runs=20)["APGAI"]
    frame = result.to_polars()
    assert frame["stopping_time"].to_list() == result.stopping_times.tolist()
    assert result.to_pandas()["answer"].tolist() == result.answers.tolist()
    result.to_parquet(tmp_path / "runs.parquet")
    import polars

    assert polars.read_parquet(tmp_path / "runs.parquet").equals(frame)
    text = result.to_json(tmp_path / "runs.json")
    assert json.loads((tmp_path / "runs.json").read_text()) == json.loads(text)
    anytime = simulate("NoA1", "APGAI", horizon=20, runs=20)["APGAI"]
    assert anytime.to_polars()["errors"].to_list() == anytime.error_counts.tolist()


def test_pulls_per_arm_add_up() -> None:
    result = simulate("Thr1", "Unif", budget=100, runs=7)["Unif"]
    assert result.pulls_per_arm.tolist() == [10.0] * 10
    assert np.isclose(sum(result.to_dict()["pulls_per_arm"].values()), 100)
