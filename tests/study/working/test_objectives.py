"""Study.run: functions, coroutines and executors; what is no outcome; who hears of what."""

import asyncio
import math
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from goodarm import Experiment, InputError
from goodarm.study import Bernoulli, Bounded, Gaussian, Study, Trial, UnlikelyOutcomeError
from goodarm.study.log.events import read_event

ARMS = ["bad", "good"]


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return Study.create("s", ARMS, 0.5, Bernoulli(), 0.05, storage=tmp_path / "s.db", seed=1)


def is_good(trial: Trial) -> bool:
    return trial.arm == "good"


async def is_good_in_time(trial: Trial) -> bool:
    await asyncio.sleep(0)
    return trial.arm == "good"


def check_record(study: Study) -> None:
    """Nothing is open, every trial was told once at most, and the log is sound."""
    assert not study.pending
    told = Counter(
        (event.trial, read_event(event.text).body.get("measure"))
        for event in study.events()
        if event.kind == "told"
    )
    assert all(many == 1 for many in told.values())
    assert study.verify().ok


@pytest.mark.parametrize(
    ("objective", "executor", "n_jobs"),
    [
        (is_good, None, None),
        (is_good, None, 3),
        (is_good_in_time, None, 3),
        (is_good, lambda: ProcessPoolExecutor(2), None),
        (is_good, lambda: ThreadPoolExecutor(3), 2),
    ],
    ids=["this thread", "threads", "coroutines", "processes", "an executor of threads"],
)
def test_whoever_makes_the_trials(
    study: Study,
    objective: Callable[[Trial], Any],
    executor: Callable[[], Executor] | None,
    n_jobs: int | None,
) -> None:
    with nullcontext() if executor is None else executor() as someone:
        status = study.run(objective, n_jobs=n_jobs, executor=someone)
    assert (status.decision, status.state) == ("good", "decided")
    check_record(study)
    assert study.run(objective) == study.status()  # there is nothing left to do


def test_a_cluster_makes_the_trials(study: Study) -> None:
    distributed = pytest.importorskip("distributed")
    local = {"processes": False, "n_workers": 1, "threads_per_worker": 2}
    with distributed.Client(dashboard_address=None, set_as_default=False, **local) as client:
        with pytest.raises(InputError, match="n_jobs: say how many"):
            study.run(is_good, executor=client.get_executor(pure=False))
        status = study.run(is_good, n_jobs=2, executor=client.get_executor(pure=False))
    assert status.decision == "good"
    check_record(study)


@pytest.mark.parametrize("n_jobs", [1, 3])
@pytest.mark.parametrize(
    ("given", "said"),
    [
        (None, "None is not a number"),
        ("1", "'1' is text"),
        (math.nan, "nan is not a number"),
        (0.5, "0.5 is neither 0 nor 1"),
        ([1, 2, 3], r"\[1, 2, 3\] is not a value with its size"),
    ],
)
def test_what_is_no_outcome_leaves_no_trial_open(
    study: Study, n_jobs: int, given: object, said: str
) -> None:
    with pytest.raises(InputError, match=said) as caught:
        study.run(lambda trial: given if trial.number == 3 else True, n_jobs=n_jobs)
    assert study.trial(3).status == "cancelled"
    assert study.trial(3).reason.startswith("no outcome: value: ")
    assert "trial 3 of arm" in caught.value.__notes__[0]
    check_record(study)
    study.tell(3, False)  # if it says something about the outcome
    assert study.trial(3).value == 0.0


def test_an_unlikely_outcome_is_asked_about(tmp_path: Path) -> None:
    study = Study.create("s", ["A"], 0.5, Gaussian(0.1), 0.05, storage=tmp_path / "s.db")
    with pytest.raises(UnlikelyOutcomeError, match="standard deviations"):
        study.run(lambda trial: 1e6 if trial.number == 2 else 0.5, n_jobs=2)
    assert study.trial(2).status == "cancelled"
    check_record(study)
    assert study.run(lambda trial: 1e6, trials=1, sure=True).trials == study.status().trials


@pytest.mark.parametrize("yes", [True, np.True_, (3, 3), 1])
def test_what_is_yes_wherever_outcomes_are_told(study: Study, yes: Any) -> None:
    assert study.run(lambda trial: yes, trials=2, n_jobs=2).trials >= 2
    if isinstance(yes, tuple):
        return
    assert study.tell(study.ask(), yes).value == 1.0
    assert study.tell_many([("good", yes), ("bad", np.False_)])[1].value == 0.0
    assert study.correct(1, np.bool_(0), "typing").value == 0.0
    experiment = Experiment(["A"], 0.5, outcome=Bounded(0, 1))
    experiment.tell(0, yes)
    assert experiment.mean(0) == 1.0


@pytest.mark.parametrize("outcome", [Bounded(0, 2), Bounded(hi=1), Gaussian(), Gaussian(1)])
def test_yes_is_refused_elsewhere(outcome: Any, tmp_path: Path) -> None:
    study = Study.create("s", ["A"], 0.5, outcome, storage=tmp_path / "s.db")
    for tell in (study.tell, lambda arm, value: study.tell_many([(arm, value)])):
        with pytest.raises(InputError, match="True is not a number; True and False are outcomes"):
            tell("A", True)
    assert study.seq == 1


def test_an_error_counts_or_is_made_good(study: Study) -> None:
    failed: set[int] = set()

    def fails_once(trial: Trial) -> bool:
        if trial.number in failed:
            return is_good(trial)
        failed.add(trial.number)
        raise OSError("the line is busy")

    with pytest.raises(OSError, match="busy") as caught:
        study.run(fails_once)
    assert study.trial(1).reason == "the objective raised OSError"
    assert "on_error='fail'" in caught.value.__notes__[0]
    failed.clear()
    assert study.run(fails_once, n_jobs=2, on_error="retry:1").decision == "good"
    reasons = {trial.reason for trial in study.trials[1:] if trial.status != "told"}
    assert reasons <= {"not begun"}  # asked for ahead, as such trials take no time
    study.extend(trials=3)
    study.run(fails_once, on_error="fail", trials=3)
    assert [trial.value for trial in study.trials[-3:]] == [0.0, 0.0, 0.0]
    with pytest.raises(InputError, match="on_error: 'ignore'"):
        study.run(is_good, on_error="ignore")
    check_record(study)


@pytest.mark.parametrize("n_jobs", [1, 4])
def test_callbacks_hear_of_every_outcome_and_may_stop(study: Study, n_jobs: int) -> None:
    heard: list[int] = []

    def stop(study: Study, trial: Trial) -> None:
        assert study.trial(trial.number) == trial
        assert threading.current_thread() is threading.main_thread()
        heard.append(trial.number)
        if len(heard) == 5:
            study.stop("enough")

    status = study.run(lambda trial: trial.number % 2, callbacks=[stop], n_jobs=n_jobs)
    assert status.stopped == "enough"
    assert sorted(heard) == [trial.number for trial in study.trials if trial.status == "told"]
    assert 5 <= len(heard) < 5 + n_jobs
    check_record(study)


def test_what_runs_is_kept_when_a_callback_raises(study: Study) -> None:
    """Two trials run; the one that is told first ends the run, the other one is waited for."""
    told, begun = threading.Event(), threading.Event()

    def objective(trial: Trial) -> bool:
        if trial.number == 1:
            assert begun.wait(60)
            return True
        begun.set()
        assert told.wait(60)
        return True

    def leave(study: Study, trial: Trial) -> None:
        told.set()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        study.run(objective, n_jobs=2, callbacks=[leave])
    assert [trial.value for trial in study.trials if trial.status == "told"] == [1.0, 1.0]
    check_record(study)


def test_several_runs_share_a_study(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/s.db"
    study = Study.create("s", ARMS, 0.5, Bernoulli(), storage=url, seed=1, budget=40)

    def work() -> None:
        Study.load("s", url).run(lambda trial: trial.number % 2, n_jobs=2)

    runs = [threading.Thread(target=work) for _ in range(3)]
    for run in runs:
        run.start()
    for run in runs:
        run.join(60)
    assert [trial.status for trial in study.trials] == ["told"] * 40
    check_record(study)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"n_jobs": 0}, "n_jobs: 0"),
        ({"trials": 0}, "trials: 0"),
        ({"objective": 3}, "objective: 3 is no function"),
        ({"objective": is_good_in_time, "executor": ThreadPoolExecutor(1)}, "executor: a corout"),
    ],
)
def test_what_is_wrong_is_said_before_any_trial(study: Study, change: dict, said: str) -> None:
    with pytest.raises(InputError, match=said):
        study.run(**{"objective": is_good, **change})
    assert study.seq == 1


def with_two_measurements(folder: Path) -> Study:
    return Study.create(
        "m",
        ARMS,
        delta=0.05,
        criteria=["works:bernoulli>=0.5", "score:bounded:0:1>=0.3"],
        storage=folder / "s.db",
        seed=1,
    )


def test_a_function_measures_several_things(tmp_path: Path) -> None:
    study = with_two_measurements(tmp_path)

    def measured(trial: Trial) -> dict[str, Any]:
        return {"works": trial.arm == "good", "score": np.float32(0.75)}

    status = study.run(measured, n_jobs=2)
    assert (status.decision, status.arms[1].measurements[1].mean) == ("good", 0.75)
    check_record(study)


@pytest.mark.parametrize(
    ("gives", "said"),
    [
        ({"works": True}, "score is missing; a trial that is made gives all of works, score"),
        (True, "several measurements; give all of them by name: works, score"),
        ({"works": True, "scores": 1}, "unknown measurement 'scores'"),
        ({"works": True, "score": 2}, "score: value: 2 is outside"),
        ({"works": True, "score": "1"}, "score: value: '1' is text"),
    ],
)
def test_what_is_missing_of_several_measurements_is_said(
    tmp_path: Path, gives: object, said: str
) -> None:
    study = with_two_measurements(tmp_path)
    with pytest.raises(InputError, match=said):
        study.run(lambda trial: gives)
    check_record(study)
    assert study.run(lambda trial: gives, on_error="fail").decision is None
    assert study.trial(2).values == {"works": 0.0, "score": 0.0}


def test_the_only_criterion_need_not_be_named(tmp_path: Path) -> None:
    study = Study.create(
        "m", ARMS, delta=0.05, criteria="works:bernoulli>=0.5", storage=tmp_path / "s.db", seed=1
    )
    assert study.run(is_good).decision == "good"
    check_record(study)
