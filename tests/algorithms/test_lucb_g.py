"""LUCB-G against its definition: the largest upper bound, with the stopping rule's half-width."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import lambertw

from goodarm import InputError, Instance, instances, simulate
from goodarm.algorithms.lucb_g import LUCB_G, choose
from goodarm.outcomes import Gaussian
from goodarm.outcomes.record import make_record
from goodarm.run import Sizes, new_run
from goodarm.simulation import trace
from goodarm.simulation.job import make_job
from goodarm.stopping import parse_boundary

record = make_record(Gaussian.functions)

UNEQUAL = Instance(0.2, [0.4, 0.3, 0.1, -0.5], sigma=[1.0, 2.0, 0.5, 1.0], name="unequal")
BERNOULLI = Instance(0.5, [0.55, 0.55, 0.4, 0.2], kind="bernoulli", name="coins")
DELTA = 0.05


def glr_width(K: int, t: int, counts):
    x = 2 * math.log(K / DELTA) + 4 * math.log(4 + math.log(t)) + 0.5
    return np.sqrt(-lambertw(-math.exp(-x), -1).real / counts)


def kano_width(K: int, t: int, counts):
    return np.sqrt(2 * (math.log(4 * K / DELTA) + 2 * np.log(counts)) / counts)


@pytest.mark.parametrize(
    "instance", [instances["NoA2"], instances["Thr2"], UNEQUAL, BERNOULLI], ids=lambda i: i.name
)
@pytest.mark.parametrize(("boundary", "width"), [("glr", glr_width), ("kano", kano_width)])
def test_pulls_the_largest_upper_bound(instance, boundary, width) -> None:
    K = instance.K
    job = make_job("LUCB-G", instance, "fixed-confidence", 700, 5, DELTA, boundary)
    steps = list(trace(job, 2))
    arms = np.array([s.arm for s in steps])
    values = np.array([s.value for s in steps])
    dropped = np.zeros(K, dtype=bool)
    decided = 0
    for t in range(K, len(steps)):
        counts = np.array([(arms[:t] == a).sum() for a in range(K)])
        means = np.array([values[:t][arms[:t] == a].mean() for a in range(K)])
        bound = (means - instance.threshold) / instance.sigmas + width(K, t, counts)
        dropped = bound < 0 if boundary == "glr" else dropped | (bound < 0)
        best = bound[~dropped].max()
        assert bound[arms[t]] >= best - 1e-9
        assert not dropped[arms[t]]
        decided += (bound[~dropped] > best - 1e-9).sum() == 1
    assert decided > len(steps) / 3


@given(
    st.lists(st.tuples(st.integers(1, 40), st.floats(-0.4, 0.4)), min_size=2, max_size=6),
    st.integers(0, 60),
)
def test_a_late_look_at_the_boundary_changes_nothing(arms, ahead) -> None:
    """However long ago b(t) was computed, the choice is the exact one."""
    K = len(arms)
    boundary = parse_boundary("glr", K, 0.1)
    sizes = Sizes(K, 0, *LUCB_G.memory(K))
    run = new_run(0.0, [1.0] * K, 0, boundary=boundary.numbers, sizes=sizes)
    t = 0
    for a, (count, mean) in enumerate(arms):
        for _ in range(count):
            record(run, a, mean)
            t += 1
            LUCB_G.observe(run, t, a, mean)
    t += ahead
    b = boundary.level(t)
    bounds = [run.gaps[a] + b / run.roots[a] for a in range(K)]
    in_play = [math.sqrt(n) * run.gaps[a] >= -b * (1 + 1e-12) for a, (n, _) in enumerate(arms)]
    best = max((x for x, ok in zip(bounds, in_play, strict=True) if ok), default=max(bounds))
    assert bounds[choose(run, t)] == best


@pytest.mark.parametrize("spec", ["LUCB-G", "LUCB-G[boundary=kano]"])
@pytest.mark.parametrize("instance", [UNEQUAL, BERNOULLI], ids=lambda i: i.name)
def test_compiled_equals_plain(spec, instance) -> None:
    result = simulate(instance, spec, delta=0.1, cap=1500, runs=6, seed=4)[spec]
    for number in range(6):
        steps = list(trace(make_job(spec, instance, "fixed-confidence", 1500, 4, 0.1), number))
        assert len(steps) == result.stopping_times[number]
        assert steps[-1].answer == result.answers[number]


def test_it_needs_delta() -> None:
    with pytest.raises(InputError, match="LUCB-G is a fixed-confidence algorithm"):
        simulate("Thr1", "LUCB-G", budget=100)
