"""The statistics of a run, the table of what changes in it, and the max-tree over the evidence."""

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from goodarm.outcomes import Gaussian
from goodarm.outcomes.record import make_record
from goodarm.run import (
    ACTIVE,
    CONTINUE,
    FIELDS,
    LEADER,
    NO_ARM,
    NONE,
    REACHED,
    UNDEFINED,
    Run,
    Sizes,
    copy_run,
    copy_state,
    evidence,
    largest_evidence,
    leader,
    make_copier,
    new_run,
    reset,
)
from goodarm.simulation.loops.compiler import COMPILE_OPTIONS, register

record = make_record(Gaussian.functions)

HISTORIES = st.integers(1, 9).flatmap(
    lambda K: st.tuples(
        st.just(K),
        st.lists(
            st.tuples(st.integers(0, K - 1), st.sampled_from([0.0, 1.0, 0.5, -2.25, 3.1])),
            min_size=1,
            max_size=60,
        ),
    )
)


@given(HISTORIES)
def test_statistics_and_leader_match_brute_force(history: tuple) -> None:
    K, outcomes = history
    run = new_run(0.3, [0.5 + 0.25 * a for a in range(K)], seed=5)
    seen: list[list[float]] = [[] for _ in range(K)]
    for t, (arm, value) in enumerate(outcomes, 1):
        record(run, arm, value)
        seen[arm].append(value)
        known = {}
        for a in range(K):
            assert run.counts[a] == len(seen[a])
            if seen[a]:
                gap = (sum(seen[a]) / len(seen[a]) - 0.3) / (0.5 + 0.25 * a)
                known[a] = math.sqrt(len(seen[a])) * gap
                assert math.isclose(run.gaps[a], gap, rel_tol=1e-12, abs_tol=1e-12)
                assert math.isclose(evidence(run, a), known[a], rel_tol=1e-12, abs_tol=1e-12)
            else:
                assert evidence(run, a) == -math.inf
        most = max(evidence(run, a) for a in range(K))
        assert largest_evidence(run) == most
        assert evidence(run, leader(run, t)) == most
        cached = run.clock[LEADER]
        if cached >= 0:  # a cached leader leads alone
            assert sum(evidence(run, a) == most for a in range(K)) == 1
            assert evidence(run, cached) == most


def test_ties_are_broken_uniformly_and_reproducibly() -> None:
    K = 5
    counts = [0] * K
    for number in range(4000):
        run = new_run(0.5, [0.5] * K, seed=3, run=number)
        for a in range(K):
            record(run, a, 1.0 if a != 2 else 0.0)
        first = leader(run, K)
        assert first == leader(run, K)
        counts[first] += 1
    assert counts[2] == 0
    expected = 4000 / 4
    chi2 = sum((c - expected) ** 2 / expected for a, c in enumerate(counts) if a != 2)
    assert chi2 < 16.3  # the 99.9 % point with three degrees of freedom


def test_tie_breaks_change_from_step_to_step() -> None:
    run = new_run(0.5, [0.5] * 4, seed=3)
    for a in range(4):
        record(run, a, 1.0)
    assert len({leader(run, t) for t in range(4, 60)}) == 4


def test_what_is_no_arm_has_a_value_of_its_own() -> None:
    values = {NONE, CONTINUE, UNDEFINED, NO_ARM}
    assert len(values) == 4
    assert max(values) < 0  # so that loops can tell them from arms


SIZES = Sizes(3, kept=2, floats=4, ints=1)
FIXED = ("scales", "model", "constants")


def filled(seed: int, sizes: Sizes = SIZES) -> Run:
    """A run in which every number is another one."""
    run, chance = new_run(0.3, [0.5] * sizes.arms, seed=1, sizes=sizes), random.Random(seed)
    for field in FIELDS:
        part = getattr(run, field.name)
        part[:] = [chance.randrange(10**6) if field.whole else chance.random() for _ in part]
    return run


def as_arrays(run: Run) -> Run:
    return Run(*(np.array(part) for part in run))


def as_lists(run: Run) -> Run:
    return Run(*(part.tolist() for part in run))


def test_the_table_names_all_that_changes_in_the_order_of_a_run() -> None:
    assert [field.name for field in FIELDS] == [f for f in Run._fields if f not in FIXED]
    assert Run._fields[len(FIELDS) :] == FIXED
    run = new_run(0.3, [0.5] * 3, seed=1, sizes=SIZES, boundary=(1.0, 2.0, 3.0))
    for field in FIELDS:
        part = getattr(run, field.name)
        assert len(part) == field.size(SIZES)
        assert all(isinstance(x, int if field.whole else float) for x in part)
    assert [field.size(SIZES) for field in FIELDS if field.name in ("kept", "tree")] == [6, 6]


def test_a_state_is_copied_whole() -> None:
    source, target = filled(1), filled(2)
    assert all(getattr(source, f.name) != getattr(target, f.name) for f in FIELDS)
    copy_state(target, source)
    assert target == source
    assert all(getattr(source, f.name) is not getattr(target, f.name) for f in FIELDS)


@pytest.mark.parametrize("skip", [("key",), ("counts",), ("ints", "levels"), ("tree", "key")])
def test_a_copier_leaves_out_what_it_is_told_to(skip: tuple[str, ...]) -> None:
    source, target, before = filled(1), filled(2), filled(2)
    make_copier(skip)(target, source)
    for field in FIELDS:
        kept = before if field.name in skip else source
        assert getattr(target, field.name) == getattr(kept, field.name)


def test_compiled_code_copies_alike() -> None:
    register((copy_state,))

    @njit(**COMPILE_OPTIONS)
    def copy(target: Run, source: Run) -> None:
        copy_state(target, source)

    source, target = as_arrays(filled(1)), as_arrays(filled(2))
    copy(target, source)
    assert as_lists(target) == as_lists(source) == filled(1)


def test_reset_forgets_what_was_observed_and_nothing_else() -> None:
    run = new_run(0.2, [1.0, 2.0, 3.0], seed=7, run=5, boundary=(1.0, 2.0, 3.0), sizes=SIZES)
    fresh, noise = copy_run(run), filled(3)
    for field in FIELDS:
        if field.start is not None or field.name == "clock":
            getattr(run, field.name)[:] = getattr(noise, field.name)
    run.levels[REACHED] = 9.0
    reset(run)
    assert run == fresh
    assert run.active == [1, 1, 1]
    assert run.clock[ACTIVE] == 3
    assert set(run.tree) == {-math.inf}


def test_a_copy_is_independent() -> None:
    run = new_run(0.0, [1.0], seed=1)
    other = copy_run(run)
    record(other, 0, 1.0)
    assert run.counts == [0]
