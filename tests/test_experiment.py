"""Ask and tell: fed with a simulated run's rewards, it makes the simulated run's choices."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goodarm import Experiment, InputError, Instance, instances, simulate
from goodarm.algorithms import algorithms
from goodarm.outcomes.contract import Reading
from goodarm.simulation import trace
from goodarm.simulation.job import make_job

OPTIONS = {"two thresholds": "[theta_low=-1.5]"}


def live(name: str) -> bool:
    return "true means" not in algorithms[name].needs


def replayed(spec: str, instance: Instance, mode: str, limit: int, seed: int, run: int) -> None:
    delta = 0.1 if mode == "fixed-confidence" else None
    job = make_job(spec, instance, mode, limit, seed=seed, delta=delta)
    experiment = Experiment(
        instance.names,
        instance.threshold,
        algorithm=spec,
        seed=seed,
        run=run,
        delta=delta,
        outcome=job.outcome,
        budget=limit if mode == "fixed-budget" else None,
    )
    steps = list(trace(job, run))
    for step in steps:
        assert not experiment.finished
        assert experiment.ask() == step.arm
        experiment.tell(step.arm, step.value)
        if not step.final:
            wanted = step.answer if step.answer >= 0 else None
            assert experiment.recommendation == wanted
    if delta is not None and len(steps) < limit:
        assert experiment.finished
        assert experiment.conclusion == (steps[-1].answer if steps[-1].answer >= 0 else None)


@pytest.mark.parametrize("name", [name for name in algorithms if live(name)])
@settings(max_examples=6)
@given(data=st.data())
def test_live_equals_simulated(name: str, data: st.DataObject) -> None:
    algorithm = algorithms[name]
    K = data.draw(st.integers(1, 6))
    kind = data.draw(st.sampled_from(["gaussian", "bernoulli"]))
    means = data.draw(st.lists(st.sampled_from([0.1, 0.4, 0.5, 0.9]), min_size=K, max_size=K))
    instance = Instance(0.5, means, kind=kind)
    mode = data.draw(st.sampled_from(algorithm.settings))
    limit = max(80, algorithm.smallest_budget(K)) if mode == "fixed-budget" else 80
    spec = name + "".join(text for need, text in OPTIONS.items() if need in algorithm.needs)
    replayed(spec, instance, mode, limit, data.draw(st.integers(0, 2**63)), 3)


def test_the_compiled_run_is_the_same_too() -> None:
    """The replay that the property test leans on is the compiled run, choice for choice."""
    instance = instances["RealL"]
    result = simulate(instance, "APGAI", delta=0.1, runs=3, seed=21)["APGAI"]
    for run in range(3):
        experiment = Experiment(
            18, 0.5, outcome="bernoulli", algorithm="APGAI", seed=21, run=run, delta=0.1
        )
        job = make_job("APGAI", instance, "fixed-confidence", 10**6, seed=21, delta=0.1)
        for step in trace(job, run):
            assert experiment.ask() == step.arm
            experiment.tell(step.arm, step.value)
        assert experiment.t == result.stopping_times[run]
        assert experiment.conclusion == result.answers[run]


def test_pending_suggestions_spread_out() -> None:
    experiment = Experiment(4, 0.5, 0.5, "APGAI", seed=1)
    assert [experiment.ask() for _ in range(4)] == [0, 1, 2, 3]
    for arm in range(4):
        experiment.tell(arm, 0.0)
    # All arms look alike and bad: APGAI pulls the least negative evidence, so it goes round.
    batch = [experiment.ask() for _ in range(8)]
    assert sorted(batch) == [0, 0, 1, 1, 2, 2, 3, 3]
    assert experiment.pending == tuple(batch)


def test_outcomes_out_of_order_and_without_asking() -> None:
    experiment = Experiment(["a", "b", "c"], 0.0, algorithm="APGAI")
    for _ in range(3):
        experiment.ask()
    experiment.tell("c", 1.0)
    experiment.tell("b", -1.0)
    assert experiment.pending == (0,)
    experiment.tell("b", -2.0)
    assert experiment.ask() == 2  # a is under way, c leads
    experiment.tell(0, -3.0)
    assert experiment.evidence[1].count == 2
    assert experiment.evidence[1].mean == -1.5
    assert experiment.recommendation == 2
    experiment.cancel("c")
    assert experiment.pending == ()
    with pytest.raises(InputError, match="no outstanding suggestion"):
        experiment.cancel("c")


def test_asking_changes_nothing_but_the_pending_list() -> None:
    experiment = Experiment(3, 0.0, algorithm="APGAI-FE")
    for arm, value in ((0, 0.3), (1, -0.2), (2, 0.1)):
        experiment.tell(arm, value)
    before = experiment.evidence
    for _ in range(20):
        experiment.ask()
    assert experiment.evidence == before


def test_confidence_and_stopping_agree() -> None:
    experiment = Experiment(2, 0.0, algorithm="APGAI")
    assert experiment.confidence == 0.0
    assert experiment.recommendation is None
    for _ in range(12):
        experiment.tell(0, 1.5)
        experiment.tell(1, -1.0)
    sure = 1.0 - experiment.confidence
    assert experiment.can_stop(sure * 1.01)
    assert not experiment.can_stop(sure * 0.99)
    assert experiment.recommendation == 0


def test_confidence_that_none_is_good() -> None:
    experiment = Experiment(2, 0.0)
    for _ in range(60):
        experiment.tell(0, -1.0)
    assert experiment.confidence == 0.0  # the other arm was never tried
    for _ in range(60):
        experiment.tell(1, -1.0)
    assert experiment.confidence > 0.999
    assert experiment.recommendation is None
    assert experiment.can_stop(0.01)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, True, "1", None, [1.0]])
def test_wrong_outcomes_change_nothing(value: object) -> None:
    experiment = Experiment(2, 0.0)
    with pytest.raises(InputError, match="value"):
        experiment.tell(0, value)
    assert experiment.t == 0


@pytest.mark.parametrize("arm", ["d", "", -1, 3, 1.0, None, True])
def test_wrong_arms_change_nothing(arm: object) -> None:
    experiment = Experiment(["a", "b", "c"], 0.0)
    with pytest.raises(InputError, match="arm"):
        experiment.tell(arm, 1.0)
    assert experiment.t == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"arms": []}, "at least one"),
        ({"arms": ["a", "a"]}, "its own name"),
        ({"threshold": math.nan}, "threshold"),
        ({"sigma": 0.0}, "not positive"),
        ({"algorithm": "APGIA"}, "did you mean"),
        ({"delta": 2.0}, "delta"),
        ({"algorithm": "SR-G"}, "needs budget"),
        ({"algorithm": "SR-G", "budget": 2}, "at least 3"),
        ({"algorithm": "LUCB-G"}, "needs delta"),
    ],
)
def test_wrong_experiments(arguments: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Experiment(**{"arms": ["a", "b"], "threshold": 0.0, **arguments})


def test_numpy_numbers_are_welcome() -> None:
    experiment = Experiment(2, 0.0)
    experiment.tell(np.int64(1), np.float32(0.5))
    assert experiment.evidence[1].mean == 0.5


def test_outcomes_entered_together_are_judged_together() -> None:
    """One that rules an arm out and one that brings another back: then not all are ruled out."""
    experiment = Experiment(2, 0.0, outcome="gaussian:1", algorithm="Unif", delta=0.1)
    for _ in range(12):
        experiment.tell(1, -1.5)
        experiment.tell(0, 0.0)
    assert experiment.run.active == [1, 0]
    for n in range(12):
        experiment.enter(0, Reading(-3.0), more=True)
        experiment.enter(1, Reading(1.6), more=n < 11)
    assert experiment.run.active == [0, 1]
    assert not experiment.finished
    while not experiment.finished:
        experiment.tell(1, -1.5)
    assert experiment.conclusion is None


def test_the_strongest_of_several_that_are_named_at_once_is_named() -> None:
    experiment = Experiment(3, 0.0, outcome="gaussian:1", algorithm="Unif", delta=0.1)
    for n in range(20):
        for arm, value in enumerate((1.5, 2.0, 1.8)):
            experiment.enter(arm, Reading(value), more=(n, arm) != (19, 2))
    assert experiment.conclusion == 1
