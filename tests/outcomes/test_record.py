"""Entering outcomes: counts, sums, evidence, the first untried arm; the same from the totals."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goodarm.outcomes import Bernoulli, Bounded, Gaussian, Outcome
from goodarm.outcomes.contract import Levels
from goodarm.outcomes.record import make_record, refresh
from goodarm.run import LEADER, PULLED, UNTRIED, Run, Sizes, evidence, leader, new_run

MODELS = [Bernoulli(), Bounded(-1, 1), Gaussian(0.4)]
HISTORIES = st.integers(1, 7).flatmap(
    lambda K: st.tuples(
        st.just(K),
        st.lists(st.tuples(st.integers(0, K - 1), st.sampled_from([0.0, 1.0])), min_size=1),
    )
)


def new(model: Outcome, K: int) -> Run:
    numbers = model.numbers(0.3, 1.0, Levels())
    return new_run(0.3, model.scales(K), 0, sizes=Sizes(K, model.memory), model=numbers)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
@given(history=HISTORIES)
def test_the_clock_under_any_order_of_arms(model: Outcome, history: tuple) -> None:
    K, outcomes = history
    run, record = new(model, K), make_record(model.functions)
    seen: set[int] = set()
    for arm, value in outcomes:
        record(run, arm, value)
        seen.add(arm)
        assert run.clock[PULLED] == len(seen)
        assert run.clock[UNTRIED] == min(set(range(K)) - seen, default=K)
    for arm in range(K):
        told = [value for a, value in outcomes if a == arm]
        assert run.counts[arm] == len(told)
        assert run.sums[arm] == sum(told)
        if told:
            assert evidence(run, arm) == math.sqrt(len(told)) * run.gaps[arm]
            assert np.sign(run.gaps[arm]) == np.sign(np.mean(told) - 0.3)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
@given(history=HISTORIES)
def test_refresh_finds_everything_from_counts_and_sums(model: Outcome, history: tuple) -> None:
    K, outcomes = history
    run, record = new(model, K), make_record(model.functions)
    for arm, value in outcomes:
        record(run, arm, value)
    other = new(model, K)
    other.counts[:], other.sums[:], other.kept[:] = run.counts, run.sums, run.kept
    refresh(model.functions, other)
    run.clock[LEADER] = other.clock[LEADER] = -1  # known sooner or later
    assert other == run


def test_an_arm_may_be_refreshed_to_less_evidence() -> None:
    """A correction takes outcomes away: nothing of the old evidence may stay in the tree."""
    model = Bernoulli()
    run, record = new(model, 3), make_record(model.functions)
    for arm, value in ((0, 1.0), (0, 1.0), (1, 0.0), (2, 1.0)):
        record(run, arm, value)
    run.counts[:], run.sums[:] = [2, 1, 0], [0.0, 1.0, 0.0]
    refresh(model.functions, run)
    assert run.tree[1] == evidence(run, 1) > evidence(run, 0)
    assert evidence(run, 2) == -math.inf
    assert (run.clock[PULLED], run.clock[UNTRIED]) == (2, 2)
    assert leader(run, 3) == 1
