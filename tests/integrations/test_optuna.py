"""The callback against Optuna itself."""

import random
from collections.abc import Callable

import pytest

pytest.importorskip("optuna", reason="optuna is not installed")

import optuna

from goodarm import Experiment, InputError
from goodarm.integrations.optuna import GoodArmCallback

optuna.logging.set_verbosity(optuna.logging.WARNING)
GRID = {"x": [1, 2, 3], "kind": ["a", "b"]}
GOOD = {"x": 2, "kind": "b"}
Objective = Callable[["optuna.Trial"], float]


def objective(rate: Callable[[dict], float], seed: int = 1) -> Objective:
    chance = random.Random(seed)

    def play(trial: "optuna.Trial") -> float:
        tried = {"x": trial.suggest_int("x", 1, 3), "kind": trial.suggest_categorical("kind", "ab")}
        return chance.random() < rate(tried)

    return play


def new_study(direction: str = "maximize", **options: object) -> "optuna.Study":
    sampler = optuna.samplers.RandomSampler(seed=1)
    return optuna.create_study(direction=direction, sampler=sampler, **options)


def optimized(callback: GoodArmCallback, play: Objective, n_jobs: int = 1) -> "optuna.Study":
    study = new_study()
    callback.enqueue(study, n_jobs)
    study.optimize(play, n_trials=600, n_jobs=n_jobs, callbacks=[callback])
    return study


def test_it_stops_when_a_configuration_certainly_clears_the_bar() -> None:
    callback = GoodArmCallback(0.8, GRID)
    study = optimized(callback, objective(lambda tried: 0.97 if tried == GOOD else 0.4))
    assert callback.best == GOOD
    assert (callback.result["verdict"], callback.finished) == ("clears", True)
    # The same outcomes, in the order of the trials, make a plain experiment stop there as well.
    names = [each["arm"] for each in callback.result["arms"]]
    plain = Experiment(names, 0.8, outcome="bernoulli", delta=0.05)
    for trial in study.trials:
        assert not plain.finished
        plain.tell(f"x={trial.params['x']}, kind={trial.params['kind']}", trial.value)
    assert plain.finished
    assert (plain.t, names[plain.conclusion]) == (callback.result["counted"], "x=2, kind=b")


def test_it_says_that_none_does_where_the_best_value_seen_is_1() -> None:
    callback = GoodArmCallback(0.8, GRID)
    study = optimized(callback, objective(lambda tried: 0.4))
    assert study.best_value == 1.0
    assert (callback.best, callback.result["verdict"]) == (None, "none")
    assert len(study.trials) < 600


def test_a_minimum_is_below_the_bar_and_several_jobs_are_counted_in_order() -> None:
    callback = GoodArmCallback(2.0, [{"x": 1}, {"x": 2}], outcome="bounded:0:5", goal="below")
    study, chance = new_study("minimize"), random.Random(3)
    callback.enqueue(study, 3)

    def loss(trial: "optuna.Trial") -> float:
        return trial.suggest_int("x", 1, 2) * 1.5 + chance.uniform(-0.5, 0.5)

    study.optimize(loss, n_trials=300, n_jobs=3, callbacks=[callback])
    assert callback.best == {"x": 1}


def test_a_study_that_is_taken_up_again_is_counted_from_its_beginning() -> None:
    play = objective(lambda tried: 0.97 if tried == GOOD else 0.4)
    first, second = GoodArmCallback(0.8, GRID), GoodArmCallback(0.8, GRID)
    study = new_study()
    first.enqueue(study)
    study.optimize(play, n_trials=4, callbacks=[first])
    second.update(study)
    assert second.result == first.result
    assert second.result["counted"] == 4
    study.optimize(play, n_trials=2, callbacks=[second])
    assert second.result["counted"] == 6


def test_a_loop_of_one_s_own() -> None:
    callback, study = GoodArmCallback(0.5, {"x": [1, 2]}), new_study()
    while not callback.finished:
        callback.enqueue(study)
        trial = study.ask()
        study.tell(trial, float(trial.suggest_int("x", 1, 2) == 2))
        callback(study, study.trials[-1])
    assert callback.best == {"x": 2}


def test_an_earlier_trial_that_still_runs_is_waited_for() -> None:
    callback, study = GoodArmCallback(0.5, {"x": [1]}), new_study()
    slow, quick = study.ask(), study.ask()
    study.tell(quick, float(quick.suggest_int("x", 1, 1)))
    callback.update(study)
    assert callback.result["counted"] == 0
    slow.suggest_int("x", 1, 1)
    study.tell(slow, 0.0)
    callback.update(study)
    assert callback.result["arms"][0]["mean"] == 0.5


def test_a_configuration_that_was_not_declared_is_refused() -> None:
    callback = GoodArmCallback(0.8, {"x": [1, 2], "kind": ["a", "b"]})
    study = new_study()
    study.enqueue_trial({"x": 3, "kind": "a"})
    with pytest.raises(InputError, match=r"trial 0 tried \{'x': 3.*declare every configuration"):
        study.optimize(objective(lambda tried: 0.5), n_trials=1, callbacks=[callback])


def test_a_trial_without_an_outcome_is_not_left_out_silently() -> None:
    def fail(trial: "optuna.Trial") -> float:
        trial.suggest_int("x", 1, 1)
        raise optuna.TrialPruned

    with pytest.raises(InputError, match=r"trial 0 has ended without an outcome \(pruned\)"):
        new_study().optimize(fail, n_trials=1, callbacks=[GoodArmCallback(0.8, {"x": [1]})])
    counts = GoodArmCallback(0.8, {"x": [1]}, on_error="fail")
    new_study().optimize(fail, n_trials=3, callbacks=[counts])
    (only,) = counts.result["arms"]
    assert (only["arm"], only["count"], only["mean"]) == ("x=1", 3, 0.0)
    assert 0.0 == only["low"] < only["high"] <= 1.0


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"configurations": []}, "configurations: give at least one"),
        ({"configurations": {"x": []}}, "configurations: give at least one"),
        ({"configurations": [{"x": 1}, {"x": 1.0}]}, "one occurs twice"),
        ({"configurations": {"x": [[1]]}}, r"x: \[1\] is nothing that Optuna suggests"),
        ({"bar": 1.5}, "bar: "),
        ({"delta": 0.0}, "delta"),
        ({"goal": "up"}, "goal"),
        ({"on_error": "skip"}, "on_error"),
        ({"outcome": "gaussian:1", "on_error": "fail"}, "on_error: .* have no worst one"),
    ],
)
def test_what_cannot_be_asked(given: dict, words: str) -> None:
    with pytest.raises(InputError, match=words):
        GoodArmCallback(**{"bar": 0.8, "configurations": {"x": [1, 2]}, **given})


def test_a_study_that_looks_the_other_way() -> None:
    with pytest.raises(InputError, match=r"'above' is for .* maximize; this one has minimize"):
        GoodArmCallback(0.8, GRID).enqueue(new_study("minimize"))
