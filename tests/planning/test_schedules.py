"""Batches, days and delays are played out, and compared run by run with one at a time."""

from dataclasses import replace

import numpy as np
import pytest

from goodarm import Instance, defaults, simulate
from goodarm.planning import Estimate, Plan, SchedulePlan, plan, schedules
from goodarm.simulation.job import make_job
from goodarm.simulation.loops.delayed import Schedule, play_delayed

BASE = {"means": [0.3, 0.4, 0.8], "threshold": 0.5, "outcome": "bernoulli", "delta": 0.05}
INSTANCE = Instance(0.5, BASE["means"], kind="bernoulli")


@pytest.fixture(scope="module")
def made() -> Plan:
    return plan(**BASE, batch=10, per_day=7, delay=2, runs=3000)


def test_both_ways_are_played(made: Plan) -> None:
    for a in made.algorithms:
        assert [(w.unit, w.size, w.delay) for w in a.schedules] == [
            ("batches", 10, 0),
            ("days", 7, 2),
        ]
        for way in a.schedules:
            assert way.runs == 3000
            assert way.error_rate.value <= 0.05
            # Where no run reaches the limit, every batch and every day is full.
            assert way.trials.value == pytest.approx(way.size * way.units.value)
            assert way.extra.value == pytest.approx(way.trials.value - a.trials.mean.value)
            assert way.extra.low < way.extra.value < way.extra.high
            assert way.median <= way.q90


def test_each_run_is_compared_with_itself(made: Plan) -> None:
    """So the extra trials are known better than from runs that have nothing in common."""

    def width(estimate: Estimate) -> float:
        return estimate.high - estimate.low

    for a in made.algorithms:
        for way in a.schedules:
            unpaired = np.hypot(width(way.trials), width(a.trials.mean))
            assert width(way.extra) < 0.9 * unpaired


def test_a_larger_independent_simulation_agrees(made: Plan) -> None:
    for a in made.algorithms:
        job = make_job(a.algorithm, INSTANCE, "fixed-confidence", 100_000, 4711, 0.05)
        alone = simulate(INSTANCE, a.algorithm, delta=0.05, runs=30_000, seed=4711)[a.algorithm]
        for way in a.schedules:
            chunk, units = play_delayed(job, Schedule(way.size, way.delay), 0, 30_000)
            pairs = (
                (way.trials, chunk.stopping_times),
                (way.units, units),
                (way.extra, chunk.stopping_times - alone.stopping_times),
            )
            for estimate, values in pairs:
                # Four standard errors, of the plan and of the large simulation together.
                half = 4 / 1.96 * (estimate.high - estimate.low) / 2 * np.sqrt(1.1)
                assert abs(estimate.value - values.mean()) < half


@pytest.mark.parametrize("algorithm", [defaults.ALGORITHM, "APGAI-FE", "TaS", "APGAI"])
def test_a_batch_of_one_is_one_at_a_time(algorithm: str) -> None:
    found = plan(**BASE, batch=1, runs=500, algorithms=[algorithm]).algorithms[0]
    only = found.schedules[0]
    assert only.trials == only.units == found.trials.mean
    assert (only.extra.low, only.extra.value, only.extra.high) == (0.0, 0.0, 0.0)
    assert only.median == found.trials.quantiles["0.5"]
    assert only.error_rate == found.error_rate


def test_long_runs_are_played_again_on_the_first_sets_of_means_only(monkeypatch) -> None:
    least = replace(schedules.PER_SCHEDULE, pulls=1)
    monkeypatch.setattr(schedules, "PER_SCHEDULE", least)
    found = plan(
        unknown=3, threshold=0.5, outcome="gaussian:1", delta=0.1, batch=1, algorithms=["APGAI-FE"]
    ).algorithms[0]
    only = found.schedules[0]
    assert only.runs == least.fewest < found.runs
    assert (only.extra.low, only.extra.value, only.extra.high) == (0.0, 0.0, 0.0)


def test_a_longer_delay_takes_longer() -> None:
    def ways(delay: int) -> SchedulePlan:
        return (
            plan(**BASE, batch=5, delay=delay, runs=400, algorithms=["TaS"])
            .algorithms[0]
            .schedules[0]
        )

    found = [ways(delay) for delay in (0, 2, 8)]
    assert [way.delay for way in found] == [0, 2, 8], "without days it is counted in batches"
    trials = [way.trials.value for way in found]
    assert trials == sorted(trials)
    assert found[2].units.low > 8


def test_the_last_outcomes_of_a_budget_are_waited_for() -> None:
    found = plan(
        [0.3, 0.8],
        threshold=0.5,
        outcome="bernoulli",
        budget=40,
        runs=300,
        per_day=15,
        delay=4,
        algorithms=["APGAI-FE"],
    )
    only = found.algorithms[0].schedules[0]
    assert only.trials.value == 40
    assert only.units.value == 3 + 4


def test_sets_of_means_and_many_runs_by_themselves() -> None:
    found = plan(
        unknown=3, threshold=0.5, outcome="gaussian:1", delta=0.1, batch=20, algorithms=["APGAI-FE"]
    )
    only = found.algorithms[0]
    assert 50 <= only.schedules[0].runs <= only.runs
    assert only.schedules[0].error_rate.high <= 0.1


def test_the_protocol_says_what_was_played(made: Plan) -> None:
    text = made.protocol
    assert "In batches of 10, with outcomes known when the batch ends, it takes" in text
    assert "At 7 trials a day, with outcomes known 2 days later, it takes" in text
    assert "as goodarm's studies do" in text
    alone = plan(**BASE, runs=100, algorithms=["APGAI"])
    assert "each outcome is known before the next trial" in alone.protocol
    assert "batch" not in alone.protocol


def test_fewer_trials_are_said_to_be_fewer() -> None:
    """APGAI locks on to an arm just above the bar; a first batch of both makes that rarer."""
    found = plan(
        [0.02, 0.5],
        threshold=0.0,
        outcome="gaussian:1",
        delta=0.05,
        budget=5000,
        batch=10,
        runs=1000,
        algorithms=["APGAI"],
    )
    assert found.algorithms[0].schedules[0].extra.high < 0.0
    assert "fewer than one at a time" in found.protocol
