"""One step of a run, put together from an algorithm and an outcome model."""

from dataclasses import replace

import pytest

from goodarm.algorithms import Algorithm
from goodarm.outcomes import Bernoulli, Bounded, Gaussian, Outcome
from goodarm.run import CONTINUE, NONE, Run, Sizes, copy_run, evidence, leader, new_run
from goodarm.step import make_step
from goodarm.stopping import parse_boundary


def new(model: Outcome, K: int, delta: float = 0.05, floats: int = 0) -> Run:
    boundary = parse_boundary("mixture", K, delta)
    numbers = model.numbers(0.5, 1.0, boundary.levels)
    sizes = Sizes(K, model.memory, floats)
    return new_run(0.5, model.scales(K), 0, 0, boundary.numbers, (), sizes, numbers)


def count_calls(run: Run, t: int, arm: int, value: float) -> None:
    """Remembers what it was called with, and that the outcome was recorded before."""
    run.floats[0] += 1.0
    run.floats[1] = t
    run.floats[2] = arm
    run.floats[3] = value if run.counts[arm] > 0 else -1.0


LEADS = Algorithm(
    name="Leads",
    summary="Pulls the leading arm.",
    reference="none",
    guarantee="none",
    choose=leader,
    observe=count_calls,
    memory=lambda K: (4, 0),
)


def test_a_step_is_made_once_for_a_rule_and_a_kind_of_outcome() -> None:
    assert make_step(LEADS, Gaussian(1.0)) is make_step(LEADS, Gaussian(2.0))
    assert make_step(LEADS, Gaussian(1.0)) is not make_step(LEADS, Bernoulli())
    assert make_step(LEADS, Bernoulli()) is not make_step(replace(LEADS, sweep=False), Bernoulli())


def test_each_arm_is_pulled_once_before_the_rule_is_asked() -> None:
    step, run = make_step(LEADS, Bernoulli()), new(Bernoulli(), 4, floats=4)
    step.receive(run, 1, 2, 1.0)  # told without having been asked for
    chosen = []
    for t in range(1, 5):
        before = copy_run(run)
        arm = step.choose(run, t)
        assert run == before
        step.receive(run, t + 1, arm, 0.0)
        chosen.append(arm)
    assert chosen == [0, 1, 3, 2]
    free = make_step(replace(LEADS, sweep=False), Bernoulli())
    run = new(Bernoulli(), 4, floats=4)
    free.receive(run, 1, 2, 1.0)
    assert free.choose(run, 1) == 2


def test_an_outcome_is_recorded_and_then_shown_to_the_rule() -> None:
    step, run = make_step(LEADS, Bounded(0, 1)), new(Bounded(0, 1), 2, floats=4)
    step.receive(run, 1, 1, 0.75)
    assert run.floats == [1.0, 1.0, 1.0, 0.75]
    assert (run.counts, run.sums) == ([0, 1], [0.0, 0.75])
    assert evidence(run, 1) > 0.0


@pytest.mark.parametrize("model", [Bernoulli(), Bounded(0, 1), Gaussian(0.5)])
@pytest.mark.parametrize(("value", "answer"), [(1.0, 0), (0.0, NONE)])
def test_it_is_judged_by_the_outcomes_own_certificates(
    model: Outcome, value: float, answer: int
) -> None:
    step, run = make_step(LEADS, model), new(model, 2, floats=4)
    for t in range(1, 100):
        arm = 0 if value else t % 2
        step.receive(run, t, arm, value)
        said = step.judge(run, t, arm)
        if said != CONTINUE:
            break
        assert model.functions.for_good(run, arm) < run.levels[2]
    assert said == answer
    assert step.answer(run, t) == answer


def test_a_rule_with_a_stopping_rule_of_its_own_keeps_it() -> None:
    def never(run: Run, t: int, arm: int) -> int:
        return CONTINUE

    assert make_step(replace(LEADS, verdict=never), Bernoulli()).judge is never
