"""What the algorithms' errors are compared on, and when."""

import numpy as np

from goodarm.league.errors.suites import (
    HELD_OUT,
    MOST_TIME,
    PAPER,
    TRAINING,
    entry,
    horizon,
    random_entries,
    suite,
)
from goodarm.league.families import RANDOM_FAMILIES


def test_the_suite_is_large_and_holds_no_training_instance() -> None:
    entries = suite()
    assert sum(e.group == HELD_OUT for e in entries) >= 200
    assert not any(e.group == TRAINING for e in entries)
    assert len({e.instance.name for e in entries}) == len(entries)
    training = {e.family for e in random_entries(True, 1)}
    assert training.isdisjoint(e.family for e in entries)
    assert {e.instance.name for e in entries if e.group == PAPER} >= {"Thr1", "NoA2", "RealL"}


def test_times_grow_geometrically_from_one_pull_of_each_arm_to_the_horizon() -> None:
    for e in suite():
        times = np.array(e.times)
        assert times[0] == max(e.instance.K, 4)
        assert times[-1] == max(horizon(e.instance), times[0] + 1) <= MOST_TIME
        assert (np.diff(times) > 0).all()
        if len(times) > 10 and times[0] > 50:  # where rounding does not matter
            steps = times[1:] / times[:-1]
            assert steps.max() < 1.03 * steps.min()


def test_the_horizon_of_a_harder_instance_is_longer() -> None:
    by_name = {family.name: family for family in RANDOM_FAMILIES}
    first = by_name["none-equal"].instance(4)
    closer = first.altered(means=0.5 * first.means)
    assert entry(PAPER, closer).times[-1] >= entry(PAPER, first).times[-1]
    assert horizon(first) <= horizon(closer)
