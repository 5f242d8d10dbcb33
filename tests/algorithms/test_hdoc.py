"""HDoC, and the scans that it shares with other rules, against the definitions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import lambertw
from scipy.stats import binomtest

from goodarm import InputError, Instance, find_algorithm, instances, simulate
from goodarm.algorithms.scanning import (
    LOOK_FLOATS,
    LOOK_INTS,
    level_above,
    level_below,
    look_at_boundary,
    lowest_in_play,
)
from goodarm.outcomes import Gaussian
from goodarm.outcomes.record import make_record
from goodarm.run import Sizes, new_run
from goodarm.simulation import trace
from goodarm.simulation.job import make_job
from goodarm.stopping import parse_boundary
from goodarm.stopping.families.glr import level

record = make_record(Gaussian.functions)

UNEQUAL = Instance(0.2, [0.4, 0.3, 0.1, -0.5], sigma=[1.0, 2.0, 0.5, 1.0], name="unequal")
BERNOULLI = Instance(0.5, [0.6, 0.6, 0.4, 0.2], kind="bernoulli", name="coins")
CASES = [instances["NoA2"], instances["Thr1"], instances["RealL"], UNEQUAL, BERNOULLI]


def wbar(x: float) -> float:
    return float(-lambertw(-math.exp(-x), -1).real)


def statistics(instance, steps):
    """Counts and standardised gaps from the whole history."""
    arms = np.array([s.arm for s in steps])
    values = np.array([s.value for s in steps])
    counts = np.array([(arms == a).sum() for a in range(instance.K)])
    means = np.array([values[arms == a].mean() for a in range(instance.K)])
    return counts, (means - instance.threshold) / instance.sigmas


@pytest.mark.parametrize("instance", CASES, ids=lambda i: i.name)
def test_pulls_the_active_arm_of_largest_index(instance) -> None:
    K, delta = instance.K, 0.1
    job = make_job("HDoC", instance, "fixed-confidence", 900, 3, delta, "glr")
    steps = list(trace(job, 1))
    assert [s.arm for s in steps[:K]] == list(range(K))
    for t in range(K, len(steps)):
        counts, gaps = statistics(instance, steps[:t])
        b = math.sqrt(wbar(2 * math.log(K / delta) + 4 * math.log(4 + math.log(t)) + 0.5))
        active = gaps + b / np.sqrt(counts) >= 0
        index = np.where(active, gaps + np.sqrt(2 * math.log(t) / counts), -np.inf)
        assert index[steps[t].arm] >= index.max() - 1e-9


def test_a_bad_arm_leaves_and_comes_back() -> None:
    """No good arm: arms are ruled out at b(t), and some come back into play as b(t) grows."""
    instance = Instance(0.0, [-0.15, -0.5, -0.5, -0.5])
    job = make_job("HDoC", instance, "fixed-confidence", 20_000, 3, 0.1, "glr")
    skipped = returned = 0
    for number in range(30):
        counts = np.zeros(4)
        sums = np.zeros(4)
        out = np.zeros(4, dtype=bool)
        for t, step in enumerate(trace(job, number)):
            if t >= 4:
                now_out = sums / np.sqrt(counts) < -job.boundary.level(t)
                returned += bool((out & ~now_out).any())
                out = now_out
                ucb = sums / counts + np.sqrt(2 * math.log(t) / counts)
                skipped += out[ucb.argmax()]
                assert step.arm == np.where(out, -np.inf, ucb).argmax()
            counts[step.arm] += 1
            sums[step.arm] += step.value
        assert step.final
        assert step.answer == -1
    assert skipped > 50
    assert returned >= 1


def test_without_delta_it_is_ucb() -> None:
    job = make_job("HDoC", instances["Thr2"], "anytime", 500, seed=5)
    steps = list(trace(job, 2))
    for t in range(6, 500):
        counts, gaps = statistics(instances["Thr2"], steps[:t])
        assert steps[t].arm == (gaps + np.sqrt(2 * math.log(t) / counts)).argmax()


@given(
    st.integers(1, 10**6),
    st.integers(0, 10**6),
    st.floats(1e-9, 0.9),
    st.integers(1, 1000),
    st.sampled_from(["glr", "glr-tables", "glr[s=1.1]", "glr[s=7]"]),
)
def test_the_bracket_holds_the_boundary(t, ahead, delta, K, name) -> None:
    boundary = parse_boundary(name, K, delta)
    sizes = Sizes(1, floats=LOOK_FLOATS, ints=LOOK_INTS)
    run = new_run(0.0, [1.0], 0, boundary=boundary.numbers, sizes=sizes)
    look_at_boundary(run, t, 0, 0.0)
    for later in {t, t + 1, t + ahead // 2, t + ahead}:
        exact = level(run, later)
        assert level_below(run, later) <= exact <= level_above(run, later)
    if t > 10:  # and it is narrow until the next look
        soon = t + t // 8
        assert level_above(run, soon) - level_below(run, soon) < 0.02


@given(
    st.lists(st.floats(-8, 8), min_size=1, max_size=6),
    st.integers(1, 2000),
    st.integers(0, 300),
)
def test_in_play_is_the_definition(values, t, ahead) -> None:
    """Whatever the last look was, exactly the arms with W ≥ −b(t) are in play."""
    K = len(values)
    boundary = parse_boundary("glr", K, 0.1)
    sizes = Sizes(K, floats=LOOK_FLOATS, ints=LOOK_INTS)
    run = new_run(0.0, [1.0] * K, 0, boundary=boundary.numbers, sizes=sizes)
    look_at_boundary(run, t, 0, 0.0)
    b = boundary.level(t + ahead)
    # Half of the arms sit within a hair of the boundary.
    placed = [v if i % 2 else -b * (1 + v * 1e-4) for i, v in enumerate(values)]
    for a, w in enumerate(placed):
        record(run, a, w)
    floor = lowest_in_play(run, t + ahead)
    expected = [w >= -b for w in placed]
    assert [w >= floor for w in placed] == (expected if any(expected) else [True] * K)


def test_ties_are_broken_uniformly() -> None:
    """Four identical coins, one pull each: the arms that gave 1 are chosen equally often."""
    coins = Instance(0.5, [0.999999] * 4, kind="bernoulli")
    chosen = [0] * 4
    for number in range(800):
        job = make_job("HDoC", coins, "anytime", 5, seed=8)
        chosen[list(trace(job, number))[4].arm] += 1
    assert all(binomtest(n, 800, 0.25).pvalue > 1e-3 for n in chosen)


@pytest.mark.parametrize("spec", ["HDoC", "HDoC[boundary=kano]"])
@pytest.mark.parametrize("instance", [UNEQUAL, BERNOULLI], ids=lambda i: i.name)
def test_compiled_equals_plain(spec, instance) -> None:
    result = simulate(instance, spec, delta=0.1, cap=1500, runs=6, seed=4)[spec]
    for number in range(6):
        steps = list(trace(make_job(spec, instance, "fixed-confidence", 1500, 4, 0.1), number))
        assert len(steps) == result.stopping_times[number]
        assert steps[-1].answer == result.answers[number]


@pytest.mark.parametrize("means", [[0.8], [-0.8], [0.8, -0.8]])
def test_one_and_two_arms(means) -> None:
    result = simulate(
        Instance(0.0, means), ["HDoC", "LUCB-G", "APT-G", "MS", "TaS"], delta=0.05, runs=50
    )
    for name, each in result.items():
        assert each.stopped.all(), name
        assert each.error_rate <= 0.1, name


def test_the_boundary_option() -> None:
    assert find_algorithm("hdoc[boundary=KANO]").label == "HDoC[boundary=kano]"
    with pytest.raises(InputError, match="unknown boundary 'kanon': did you mean 'kano'"):
        find_algorithm("HDoC[boundary=kanon]")
