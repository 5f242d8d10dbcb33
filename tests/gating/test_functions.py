"""goodarm.gate: right answers, few calls, whatever kind of function it is."""

import asyncio
import statistics
import sys
import threading
import time
from functools import partial
from random import Random

import numpy as np
import pytest

import goodarm
from goodarm import InputError, gate
from goodarm.experiment import Experiment
from goodarm.gating.playing import RunningGate
from goodarm.gating.question import Call, GateQuestion
from goodarm.gating.workers import OneByOne


def coin(rate: float, seed: int):
    chance = Random(seed)
    return lambda: chance.random() < rate


@pytest.mark.parametrize(
    ("rate", "most", "passes"), [(0.98, 43, True), (0.95, 82, True), (0.60, 26, False)]
)
def test_one_arm_takes_few_calls(rate: float, most: float, passes: bool) -> None:
    """The means over 2,000 gates are those of bench/gate.py; these are of 60, so with some room."""
    results = [gate(coin(rate, seed), 0.85) for seed in range(60)]
    assert statistics.fmean(result.trials for result in results) <= most
    assert sum(result.passed == passes for result in results) >= 57


def test_just_below_the_bar_few_gates_pass() -> None:
    results = [gate(coin(0.845, seed), 0.85, budget=400) for seed in range(60)]
    assert sum(map(bool, results)) <= 6  # of 60 with a chance of at most 0.05: more in 3 of 100
    assert any(result.verdict == "undecided" for result in results)
    assert all(result.trials <= 400 for result in results)


def test_it_is_the_experiment_that_decides() -> None:
    """The same outcomes, told to an experiment by hand, end it after the same trial."""
    for seed in range(5):
        result = gate(coin(0.9, seed), 0.8, budget=None)
        experiment, flip = Experiment(["a"], 0.8, outcome="bernoulli", delta=0.05), coin(0.9, seed)
        while not experiment.finished:
            experiment.tell(0, float(flip()))
        assert (result.trials, result.confidence) == (experiment.t, experiment.confidence)
        assert result.arms[0].mean == experiment.mean(0)


@pytest.mark.parametrize("n_jobs", [1, 4])
def test_the_good_arm_is_named(n_jobs: int) -> None:
    chance = Random(3)
    rates = {"a": 0.3, "b": 0.95, "c": 0.4}
    result = gate(lambda arm: chance.random() < rates[arm], 0.7, arms=list(rates), n_jobs=n_jobs)
    assert (result.arm, result.verdict, result.exit_code) == ("b", "clears", 0)
    assert sum(arm.count for arm in result.arms) == result.trials
    assert result.arms[1].low >= 0.7
    assert 0 <= result.unused < 2 * n_jobs


def test_no_arm_clears_the_bar() -> None:
    result = gate(lambda arm: False, 0.5, arms=["a", "b"])
    assert (result.arm, result.verdict, result.exit_code, bool(result)) == (None, "none", 1, False)
    assert all(arm.high < 0.5 for arm in result.arms)


def test_coroutines_run_at_once_and_the_rest_is_cancelled() -> None:
    running, most, cancelled = 0, 0, []

    async def objective() -> bool:
        nonlocal running, most
        running += 1
        most = max(most, running)
        try:
            await asyncio.sleep(0.001)
        except asyncio.CancelledError:
            cancelled.append(True)
            raise
        finally:
            running -= 1
        return True

    result = gate(objective, 0.7, n_jobs=5)
    assert (result.passed, most, running) == (True, 5, 0)
    assert len(cancelled) <= result.unused
    assert gate(partial(objective), 0.7).passed

    async def inside() -> bool:  # as in a notebook, whose thread has a loop already
        return gate(objective, 0.7, n_jobs=2).passed

    assert asyncio.run(inside())


def test_slow_failures_do_not_help() -> None:
    """One half fails, and takes its time: counted as they end, successes would come first."""
    lock, made = threading.Lock(), []

    def objective() -> bool:
        with lock:
            made.append(True)
            is_good = len(made) % 2 == 0
        if not is_good:
            time.sleep(0.02)
        return is_good

    result = gate(objective, 0.7, n_jobs=16, budget=64)
    assert not result.passed
    assert result.arms[0].mean <= 0.6


@pytest.mark.parametrize("yes", [True, 1, 1.0, np.True_, np.int64(1), (3, 3)])
def test_what_counts_as_yes(yes: object) -> None:
    assert gate(lambda: yes, 0.8).passed


def test_numbers_with_an_outcome_model() -> None:
    chance = Random(5)
    result = gate(lambda: chance.gauss(1.0, 0.5), 0.7, outcome="gaussian:0.5")
    assert (result.passed, result.outcome) == (True, "gaussian:0.5")
    assert result.arms[0].high is not None
    slow = gate(lambda: chance.uniform(0.1, 0.3), 0.5, outcome="bounded:0:1", goal="below")
    assert slow.passed
    assert slow.arms[0].high <= 0.5
    with pytest.raises(InputError, match="True is not a number"):
        gate(lambda: True, 0.7, outcome="gaussian:0.5")


def test_an_exception_is_passed_on_unless_someone_says_what_it_counts_as() -> None:
    calls = []

    def objective() -> bool:
        calls.append(1)
        if len(calls) == 3:
            raise ZeroDivisionError("once")
        return True

    with pytest.raises(ZeroDivisionError) as caught:
        gate(objective, 0.5)
    assert caught.value.__notes__[0].startswith("trial 3 gave no outcome; on_error='fail'")
    calls.clear()
    retried = gate(objective, 0.5, on_error="retry:1")
    assert (retried.retried, retried.arms[0].mean) == (1, 1.0)
    calls.clear()
    failed = gate(objective, 0.5, on_error="fail")
    assert (failed.failed, failed.passed) == (1, True)
    assert failed.arms[0].mean == 1.0 - 1.0 / failed.trials
    with pytest.raises(InputError, match="neither 0 nor 1"):
        gate(lambda: 0.5, 0.5)


def test_an_error_after_the_answer_changes_nothing() -> None:
    """Eight trials end together; three successes suffice, and the eighth has failed."""

    def play(call: Call) -> bool:
        return call.trial != 8 or 1 / 0

    workers = OneByOne(play)
    workers.many = 8
    result = RunningGate(GateQuestion(("a",), 0.1)).play(workers)
    assert (result.passed, result.trials, result.unused, result.error) == (True, 3, 5, None)


def test_a_trial_is_made_again_only_so_often() -> None:
    calls = []

    def objective() -> bool:
        calls.append(1)
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        gate(objective, 0.5, on_error="retry:2")
    assert len(calls) == 3


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"bar": 1.2}, "bar: 1.2 is not between 0 and 1"),
        ({"delta": 0.0}, "delta"),
        ({"budget": 0}, "budget"),
        ({"n_jobs": 0}, "n_jobs"),
        ({"arms": "ab"}, "arms: 'ab' is not a list of names"),
        ({"arms": ["a", "b"]}, "fn: it cannot be called with an arm"),
        ({"fn": lambda arm: True}, "name the arms"),
        ({"fn": 3}, "fn: 3 is no function"),
        ({"on_error": "ignore"}, "on_error: 'ignore' is none of"),
        ({"on_error": "fail", "outcome": "gaussian:1"}, "gaussian outcomes have none"),
        ({"outcome": "nonsense"}, "outcome"),
    ],
)
def test_what_is_wrong_is_said_before_any_call(change: dict, said: str) -> None:
    calls = []
    with pytest.raises(InputError, match=said):
        gate(**{"fn": lambda: calls.append(1), "bar": 0.5, **change})
    assert not calls


def test_the_result_can_be_read() -> None:
    result = gate(coin(1.0, 0), 0.85)
    assert "clears the bar: its mean is at least 0.85 (confidence 95" in repr(result)
    assert f"{result.trials} trials of at most 1,000." in repr(result)
    undecided = gate(coin(0.5, 0), 0.5, budget=3)
    assert (undecided.exit_code, undecided.trials) == (3, 3)
    assert "Undecided, the budget is used up" in repr(undecided)
    assert undecided.to_dict()["arms"][0]["count"] == 3
    assert goodarm.gate is gate


def test_a_second_attempt_begins_afresh() -> None:
    """An error that is still being dealt with would be shown as the context of the next one."""
    handled = []

    def fails() -> bool:
        handled.append(sys.exc_info()[0])
        raise OSError("down")

    with pytest.raises(OSError, match="down"):
        gate(fails, 0.5, on_error="retry:2")
    assert handled == [None] * 3
