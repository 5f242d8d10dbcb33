"""DSR-G, DSH-G and DSH-G-WR: instances of the fixed-budget rules, one after the other."""

import math
import pickle

import numpy as np
import pytest

from goodarm.algorithms import find_algorithm
from goodarm.errors import InputError
from goodarm.instance import Instance, instances
from goodarm.outcomes import Gaussian
from goodarm.outcomes.record import make_record
from goodarm.run import NO_ARM, UNDEFINED, new_run
from goodarm.simulation.job import make_job
from goodarm.simulation.loops.replay import plain_run, trace
from goodarm.simulation.loops.rewards import make_draw
from goodarm.simulation.loops.truth import sizes_of
from goodarm.simulation.runner import simulate

draw = make_draw(("gaussian",))
record = make_record(Gaussian.functions)

ALL = ("DSR-G", "DSH-G", "DSH-G-WR")


def first_budget(K):
    return 2 * K * max(1, math.ceil(math.log2(K)))


def many(K):
    return Instance(0.0, [0.4 * math.cos(2.0 * a) - 0.1 for a in range(K)])


def chained(name, instance, horizon, job, number):
    """The base rule played in fresh runs with budgets T_1, 2 T_1, …; the rewards go on.

    Returns the arms and the answers after every pull. The base rules have tests of their own.
    """
    arms, source = plain_run(job, number)
    order, answers, last, budget = [], [], UNDEFINED, first_budget(instance.K)
    while len(order) < horizon:
        base = make_job(name, instance, "fixed-budget", budget)
        run = new_run(
            instance.threshold,
            instance.sigmas.tolist(),
            0,
            constants=base.algorithm.numbers(base.setting),
            sizes=sizes_of(base),
        )
        base.algorithm.start(run)
        t = 0
        while (arm := base.algorithm.choose(run, t)) != NO_ARM:
            value = draw(arms, source, arm)
            record(source, arm, value)
            record(run, arm, value)
            t += 1
            base.algorithm.observe(run, t, arm, value)
            order.append(arm)
            answers.append(last)
        answers[-1] = last = base.algorithm.answer(run, t)
        budget *= 2
    return order[:horizon], answers[:horizon]


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    ("instance", "horizon"),
    [
        (many(1), 31),
        (many(2), 125),
        (many(3), 300),
        (many(8), 400),
        (instances["NoA1"], 400),
        (instances["IsA1"], 600),
    ],
)
def test_it_is_a_chain_of_instances(name, instance, horizon):
    job = make_job(name, instance, "anytime", horizon, seed=4)
    for number in range(2):
        steps = list(trace(job, number))
        order, answers = chained(name.removeprefix("D"), instance, horizon, job, number)
        assert [step.arm for step in steps] == order
        assert [step.answer for step in steps] == answers


def test_dsr_g_ends_at_the_doubled_budgets():
    """SR-G uses its whole budget: with 4 arms instances end at 16, 16 + 32, 16 + 32 + 64, …"""
    job = make_job("DSR-G", instances["NoA2"], "anytime", 112, seed=1)
    answers = [step.answer for step in trace(job, 0)]
    assert answers[:15] == [UNDEFINED] * 15
    assert UNDEFINED not in answers[15:]
    changes = {t for t in range(16, 112) if answers[t] != answers[t - 1]}
    assert changes <= {47, 111}


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(("instance", "horizon"), [("NoA2", 150), ("RealL", 400)])
def test_compiled_is_plain(name, instance, horizon):
    runs = 4
    result = simulate(instance, name, horizon=horizon, runs=runs, seed=3)[name]
    job = make_job(name, instances[instance], "anytime", horizon, seed=3)
    good = instances[instance].good
    errors, undefined = np.zeros(horizon, dtype=int), np.zeros(horizon, dtype=int)
    for number in range(runs):
        for step in trace(job, number):
            if step.answer == UNDEFINED:
                undefined[step.t - 1] += 1
            else:
                right = step.answer >= 0 and good[step.answer] if good.any() else step.answer < 0
                errors[step.t - 1] += not right
    assert result.undefined_counts.tolist() == undefined.tolist()
    assert np.where(undefined == 0, result.error_counts, 0).tolist() == errors.tolist()
    assert not result.defined[: instances[instance].K].any()
    assert result.defined[first_budget(instances[instance].K) - 1 :].all()


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("K", [1, 2, 5])
def test_as_a_fixed_budget_rule_it_needs_the_first_instance(name, K):
    smallest = first_budget(K)
    result = simulate(many(K), name, budget=smallest, runs=50, seed=1)[name]
    assert (result.stopping_times == smallest).all()
    assert UNDEFINED not in result.answers
    assert len(np.unique(result.answers)) > 1
    with pytest.raises(InputError, match=f"give at least {smallest}"):
        simulate(many(K), name, budget=smallest - 1, runs=1)


@pytest.mark.parametrize("name", ALL)
def test_it_has_no_stopping_rule(name):
    with pytest.raises(InputError, match="anytime and fixed-budget"):
        simulate("NoA2", name, delta=0.1, runs=1)


@pytest.mark.parametrize("name", ALL)
def test_it_travels_by_name(name):
    assert pickle.loads(pickle.dumps(find_algorithm(name.lower()))) is find_algorithm(name)


def errors_at(instance, names, t, runs):
    results = simulate(instance, names, horizon=t, times=[t], runs=runs, seed=9)
    return {name: int(result.error_counts[0]) for name, result in results.items()}


def clearly_fewer(few, more, runs):
    """Whether the first count of errors is below the second by over 4 standard errors."""
    pooled = (few + more) / (2 * runs)
    return more - few > 4.0 * math.sqrt(2 * runs * pooled * (1.0 - pooled))


@pytest.mark.parametrize(
    ("instance", "t", "factor"),
    [("NoA1", 100, 2.0), ("IsA1", 400, 2.0), ("Thr1", 300, 2.0), ("Thr3", 3000, 1.5)],
)
def test_forgetting_costs_dearly(instance, t, factor):
    """Paper, Appendix I: a dramatic increase of the error by dropping past observations."""
    errors = errors_at(instance, ["DSH-G", "DSH-G-WR"], t, runs=4000)
    assert errors["DSH-G"] > factor * errors["DSH-G-WR"]
    assert clearly_fewer(errors["DSH-G-WR"], errors["DSH-G"], 4000)


@pytest.mark.parametrize(("instance", "t"), [("NoA1", 85), ("NoA2", 700)])
def test_who_beats_whom_when_no_arm_is_good(instance, t):
    """Paper, Appendix I: APGAI beats Unif, which beats DSR-G and DSH-G-WR.

    (Right after an instance has finished, as at t = 90 on NoA1, DSH-G-WR is on a par with Unif.)
    """
    errors = errors_at(instance, ["APGAI", "Unif", "DSR-G", "DSH-G-WR"], t, runs=4000)
    assert clearly_fewer(errors["APGAI"], errors["Unif"], 4000)
    assert clearly_fewer(errors["Unif"], errors["DSR-G"], 4000)
    assert clearly_fewer(errors["Unif"], errors["DSH-G-WR"], 4000)
