"""The statistics of a run and the max-tree that keeps the leading arm."""

import math

from hypothesis import given
from hypothesis import strategies as st

from goodarm.run import (
    LEADER,
    copy_run,
    evidence,
    largest_evidence,
    leader,
    new_run,
    record,
    reset,
)

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


def test_reset_forgets_everything() -> None:
    run = new_run(0.0, [1.0, 1.0], seed=1, floats=2, ints=1)
    fresh = copy_run(run)
    record(run, 0, 4.0)
    run.floats[1], run.ints[0] = 3.0, 9
    reset(run)
    assert run == fresh


def test_a_copy_is_independent() -> None:
    run = new_run(0.0, [1.0], seed=1)
    other = copy_run(run)
    record(other, 0, 1.0)
    assert run.counts == [0]
