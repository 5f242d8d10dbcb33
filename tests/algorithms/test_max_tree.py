"""The max-tree in an algorithm's memory, against a plain search."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from goodarm.algorithms.max_tree import largest_leaf, leaf, set_leaf, tree_memory
from goodarm.run import Sizes, new_run

numbers = st.one_of(st.integers(-2, 2).map(float), st.floats(-1e9, 1e9))


@st.composite
def histories(draw: st.DrawFn) -> tuple[int, list[tuple[int, float]]]:
    """How many arms there are, and which of them gets which number, again and again."""
    K = draw(st.integers(1, 9))
    change = st.tuples(st.integers(0, K - 1), numbers)
    return K, draw(st.lists(change, min_size=1, max_size=30))


@settings(max_examples=60)
@given(histories())
def test_the_largest_number_is_found_and_every_tied_one_in_its_turn(history) -> None:
    K, changes = history
    run = new_run(0.0, [1.0] * K, seed=5, sizes=Sizes(K, floats=tree_memory(K)))
    values = np.zeros(K)
    for t, (arm, value) in enumerate(changes):
        set_leaf(run, arm, value)
        values[arm] = value
        assert values[largest_leaf(run, t)] == values.max()
    assert [leaf(run, a) for a in range(K)] == values.tolist()
    tied = set(np.flatnonzero(values == values.max()))
    found = {largest_leaf(run, t) for t in range(250 if len(tied) > 1 else 1)}
    assert found == tied


def test_tied_arms_of_a_full_tree_are_equally_likely() -> None:
    K, draws = 8, 4_000
    run = new_run(0.0, [1.0] * K, seed=1, sizes=Sizes(K, floats=tree_memory(K)))
    found = np.bincount([largest_leaf(run, t) for t in range(draws)], minlength=K)
    scatter = np.sqrt(draws / K * (1.0 - 1.0 / K))
    assert np.abs(found - draws / K).max() < 4.0 * scatter
