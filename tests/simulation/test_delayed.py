"""Studies in blocks: those of a live experiment, choice by choice, and the ordinary ones."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goodarm import Experiment, Instance, Study, simulate
from goodarm.simulation.job import Job, make_job
from goodarm.simulation.loops.delayed import DelayedPlayer, Schedule, play_delayed
from goodarm.simulation.loops.replay import plain_run
from goodarm.simulation.loops.rewards import make_draw
from goodarm.simulation.runner import Task, run_tasks

SUCCESSES = Instance(0.5, [0.3, 0.45, 0.8], kind="bernoulli")
MEASURES = Instance(0.0, [-0.4, 0.1, 0.5, -1.0])
DELAYS = Instance(0.0, [0.4, -0.1, -0.5, 1.0], sigma=[1.0, 0.5, 2.0, 1.0], goal="below")
SCHEDULES = [Schedule(1), Schedule(4), Schedule(3, 1), Schedule(1, 5), Schedule(7, 2)]
RUNS, LIMIT = 4, 300


def confident(algorithm: str, instance: Instance, limit: int = LIMIT, seed: int = 5) -> Job:
    return make_job(algorithm, instance, "fixed-confidence", limit, seed, delta=0.1)


def by_hand(job: Job, number: int, schedule: Schedule) -> tuple[int, int, int, bool]:
    """A run of a live experiment that is asked for blocks, and told of them `delay` later."""
    experiment = Experiment(
        job.instance.K,
        job.instance.threshold,
        algorithm=job.algorithm,
        seed=job.seed,
        run=number,
        delta=job.delta,
        budget=job.setting.budget,
        outcome=job.outcome,
        goal=job.instance.goal,
    )
    arms, _ = plain_run(job, number)
    draw = make_draw(job.instance.families)
    waiting: list[list[int]] = []
    begun = blocks = 0
    while not experiment.finished:
        asked: list[int] = []
        while len(asked) < schedule.block and begun < job.limit:
            arm = experiment.ask()
            if arm is None:
                break
            asked.append(arm)
            begun += 1
        waiting.append(asked)
        if not any(waiting):
            break
        blocks += 1
        if len(waiting) > schedule.delay:
            for arm in waiting.pop(0):
                if not experiment.finished:
                    experiment.tell(arm, draw(arms, experiment.run, arm))
    found = experiment.conclusion if experiment.finished else experiment.recommendation
    stopped = experiment.finished or begun < job.limit
    return begun, blocks, -1 if found is None else found, stopped


def played(job: Job, schedule: Schedule, runs: int = RUNS) -> list[tuple[int, int, int, bool]]:
    chunk, blocks = play_delayed(job, schedule, 0, runs)
    columns = (chunk.stopping_times, blocks, chunk.answers, chunk.stopped)
    return list(zip(*(column.tolist() for column in columns), strict=True))


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("instance", [SUCCESSES, MEASURES, DELAYS])
@pytest.mark.parametrize("algorithm", ["APGAI", "APGAI-FE", "TaS", "MS", "HDoC", "LUCB-G"])
def test_a_live_experiment_does_the_same(
    algorithm: str, instance: Instance, schedule: Schedule
) -> None:
    job = confident(algorithm, instance)
    assert played(job, schedule) == [by_hand(job, number, schedule) for number in range(RUNS)]


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("algorithm", ["APGAI-FE", "SR-G", "PKGAI(UCB)"])
def test_so_does_one_with_a_budget(algorithm: str, schedule: Schedule) -> None:
    """SR-G stops asking before its budget is spent."""
    job = make_job(algorithm, MEASURES, "fixed-budget", 40, seed=8)
    assert played(job, schedule) == [by_hand(job, number, schedule) for number in range(RUNS)]


@pytest.mark.parametrize("algorithm", ["APGAI-FE", "TaS"])
def test_a_live_study_does_the_same(algorithm: str, tmp_path) -> None:
    job = confident(algorithm, SUCCESSES)
    arms, _ = plain_run(job, 0)
    draw = make_draw(SUCCESSES.families)
    study = Study.create(
        "batches",
        arms=list(SUCCESSES.names),
        threshold=0.5,
        outcome="bernoulli",
        delta=0.1,
        algorithm=algorithm,
        seed=job.seed,
        storage=tmp_path / "studies.db",
    )
    outcomes = plain_run(job, 0)[1]  # only to number each arm's rewards
    batches = 0
    while study.status().state == "open":
        batches += 1
        for trial in study.ask(6):
            arm = SUCCESSES.names.index(trial.arm)
            study.tell(trial, draw(arms, outcomes, arm))
            outcomes.counts[arm] += 1
    begun, blocks, answer, _ = played(job, Schedule(6), 1)[0]
    assert (begun, blocks) == (len(study.trials), batches)
    assert study.recommendation == SUCCESSES.names[answer]


@pytest.mark.parametrize("instance", [SUCCESSES, MEASURES])
@pytest.mark.parametrize("algorithm", ["APGAI", "APGAI-FE", "TaS", "MS", "HDoC"])
@pytest.mark.parametrize("mode", [{"delta": 0.1, "cap": LIMIT}, {"budget": 30}])
def test_one_trial_at_a_time_is_the_ordinary_simulation(
    algorithm: str, instance: Instance, mode: dict
) -> None:
    wanted = simulate(instance, algorithm, **mode, runs=500, seed=5)[algorithm]
    chunk, blocks = play_delayed(wanted.job, Schedule(1), 0, 500)
    np.testing.assert_array_equal(chunk.stopping_times, wanted.stopping_times)
    np.testing.assert_array_equal(chunk.answers, wanted.answers)
    np.testing.assert_array_equal(chunk.stopped, wanted.stopped)
    np.testing.assert_array_equal(chunk.pulls, wanted.pulls)
    np.testing.assert_array_equal(blocks, wanted.stopping_times)


@settings(max_examples=60)
@given(
    means=st.lists(st.floats(0.0, 1.0), min_size=1, max_size=5),
    schedule=st.builds(Schedule, st.integers(1, 30), st.integers(0, 6)),
    limit=st.integers(5, 150),
    seed=st.integers(0, 2**64 - 1),
)
def test_what_every_schedule_obeys(
    means: list[float], schedule: Schedule, limit: int, seed: int
) -> None:
    job = confident("APGAI-FE", Instance(0.5, means, kind="bernoulli"), limit, seed)
    chunk, blocks = play_delayed(job, schedule, 0, 20)
    trials = chunk.stopping_times
    assert (trials <= np.minimum(limit, blocks * schedule.block)).all()
    assert (blocks > schedule.delay).all(), "before that nothing is known"
    full = np.minimum(limit, blocks * schedule.block)
    assert (trials == full).all(), "no block is left half empty"
    assert (trials[~chunk.stopped] == limit).all()
    longest = -(-limit // schedule.block) + schedule.delay
    assert (blocks <= longest).all()
    assert (blocks[~chunk.stopped] == longest).all(), "the last outcomes are waited for"
    assert chunk.pulls.sum() <= trials.sum(), "no outcome without a trial"


def test_outcomes_that_come_too_late_change_nothing() -> None:
    """Everything is begun before anything is known: trials spread over arms that look alike."""
    job = confident("APGAI-FE", SUCCESSES, 60)
    chunk, blocks = play_delayed(job, Schedule(10, 6), 0, 50)
    assert (chunk.stopping_times == 60).all()
    assert (blocks >= 7).all()


def test_nothing_depends_on_chunks_or_threads() -> None:
    jobs = [confident("TaS", SUCCESSES, seed=seed) for seed in (1, 2)]
    found = []
    for workers, size in ((1, 60), (2, 7)):
        player = DelayedPlayer(Schedule(4, 1))
        tasks = [Task(job, 60, size) for job in jobs]
        results = dict(run_tasks(tasks, workers, None, None, lambda runs, pulls: None, player))
        found.append([results[i].stopping_times.tolist() for i in range(2)])
        found[-1] += [player.blocks(job).tolist() for job in jobs]
    assert found[0] == found[1]
    assert found[0][0] != found[0][1]


def test_a_flag_makes_it_give_up() -> None:
    control = np.array([1, 0], dtype=np.int64)
    chunk, blocks = play_delayed(confident("APGAI", SUCCESSES), Schedule(5), 0, 50, control)
    assert not blocks.any()
    assert not chunk.pulls.any()
