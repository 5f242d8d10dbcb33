"""The stopping rule "kano"."""

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goodarm import Experiment, Instance, find_algorithm, instances, simulate
from goodarm.outcomes import Gaussian
from goodarm.outcomes.record import make_record
from goodarm.run import ACTIVE, CONTINUE, NO_ARM, NONE, new_run
from goodarm.simulation import trace
from goodarm.simulation.job import make_job
from goodarm.stopping import parse_boundary
from goodarm.stopping.families.kano import verdict

record = make_record(Gaussian.functions)

BERNOULLI = Instance(0.5, [0.7, 0.6, 0.4, 0.2], kind="bernoulli", name="coins")
UNEQUAL = Instance(0.2, [0.5, 0.1, -0.5], sigma=[1.0, 0.5, 2.0], name="unequal")


def kano(instance, steps, delta):
    """The rule of Kano et al. on a whole history: when it stops, what it says, what it dropped."""
    K = instance.K
    dropped: list[int] = []
    for t in range(K, len(steps) + 1):
        for a in range(K) if t == K else [steps[t - 1].arm]:
            values = np.array([s.value for s in steps[:t] if s.arm == a])
            n = len(values)
            mean = (values.mean() - instance.threshold) / instance.sigmas[a]
            bonus = np.sqrt(2 * (log(4 * K / delta) + 2 * log(n)) / n)
            if a in dropped:
                continue
            if mean - bonus >= 0:
                return t, a, dropped
            if mean + bonus < 0:
                dropped.append(a)
        if len(dropped) == K:
            return t, NONE, dropped
    return len(steps), CONTINUE, dropped


@pytest.mark.parametrize("instance", [instances["NoA1"], BERNOULLI, UNEQUAL], ids=lambda i: i.name)
@pytest.mark.parametrize("rule", ["HDoC", "LUCB-G", "APT-G", "APGAI", "Unif"])
def test_stops_when_the_definition_does(instance, rule) -> None:
    ends = set()
    for number in range(3):
        job = make_job(rule, instance, "fixed-confidence", 4000, 6, 0.1, "kano")
        steps = list(trace(job, number))
        t, answer, dropped = kano(instance, steps, 0.1)
        assert len(steps) == t
        assert steps[-1].final
        ends.add(answer)
        if answer != CONTINUE:
            assert steps[-1].answer == answer
        if rule in ("HDoC", "LUCB-G", "APT-G"):  # a dropped arm is not pulled again
            for a in dropped:
                last = max(s.t for s in steps if s.arm == a)
                before, _, out = kano(instance, [s for s in steps if s.t <= last], 0.1)
                assert a in out or before == t
    assert ends & {NONE, 0, 1}


@given(st.lists(st.tuples(st.integers(0, 2), st.floats(-6, 6)), min_size=1, max_size=40))
def test_elimination_is_permanent(pulls) -> None:
    """Arms only ever leave, the count in play is right, and an arm out of play is no answer."""
    run = new_run(0.0, [1.0] * 3, 0, boundary=parse_boundary("kano", 3, 0.1).numbers)
    before = list(run.active)
    for t, (arm, value) in enumerate(pulls, 1):
        record(run, arm, value)
        said = verdict(run, t, arm)
        assert all(now <= then for now, then in zip(run.active, before, strict=True))
        assert run.clock[ACTIVE] == sum(run.active)
        assert (said == NONE) == (sum(run.active) == 0 and sum(before) > 0)
        assert said < 0 or run.active[said] == 1
        before = list(run.active)
        if said != CONTINUE:
            break


@pytest.mark.parametrize("rule", ["HDoC", "LUCB-G", "APT-G"])
def test_nothing_is_left_to_pull_once_all_arms_are_dropped(rule) -> None:
    live = Experiment(2, 0.0, algorithm=f"{rule}[boundary=kano]", delta=0.1)
    while not live.finished:
        live.tell(live.ask(), -2.0)
    assert live.conclusion is None
    assert live.ask() is None
    algorithm = find_algorithm(f"{rule}[boundary=kano]")
    assert algorithm.choose(live._run, live.t) == NO_ARM


@pytest.mark.parametrize("rule", ["HDoC", "LUCB-G", "APT-G"])
def test_the_option_is_the_boundary(rule) -> None:
    """The rule's own option and the simulation's argument mean the same, and the option wins."""
    spec = f"{rule}[boundary=kano]"
    ours = simulate("NoA1", spec, delta=0.1, boundary="glr", runs=5)[spec]
    theirs = simulate("NoA1", rule, delta=0.1, boundary="kano", runs=5)[rule]
    assert (ours.stopping_times == theirs.stopping_times).all()
    assert ours.job.describe()["boundary"] == "kano"
