"""SEE against a straightforward reimplementation that keeps every sample."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goodarm import Experiment, InputError, Instance, find_algorithm, simulate
from goodarm.algorithms.contract import Setting
from goodarm.algorithms.see import BETA0, LAST_PHASE, LOG_INVERSE_DELTA, bonus, constants
from goodarm.simulation import trace
from goodarm.simulation.job import make_job

NEAR = Instance(0.0, [0.05, -0.02, -0.05], name="near θ")
UNEQUAL = Instance(0.2, [0.5, 0.3, 0.1, -0.5], sigma=[1.0, 2.0, 0.5, 1.0], name="unequal")
GOOD = Instance(0.0, [0.5, 0.6, -0.2], name="two good")
NONE_GOOD = Instance(0.0, [-0.6, -0.8, -1.0, -0.7], name="none good")
BERNOULLI = Instance(0.5, [0.7, 0.6, 0.3, 0.2], kind="bernoulli", name="coins")


def width(N: int, delta: float) -> float:
    """U(N, δ') as the specification writes it."""
    L = max(math.ceil(math.log2(N)), 1)
    return math.sqrt(2 * 2**L * math.log(2 * L**2 / delta)) / N


class Reference:
    """SEE as in the specification, one exploration sample after the other, in plain lists."""

    def __init__(self, K: int, delta: float, beta0: float, pull) -> None:
        self.K, self.delta, self.beta0, self.pull = K, delta, beta0, pull
        self.explored = [[] for _ in range(K)]
        self.exploited = [[] for _ in range(K)]
        self.drawer = [None] * K
        self.seen = {"drawer": 0, "gave up": 0, "none": 0, "candidate": 0, "failed": 0}

    def upper(self, a: int, delta_k: float) -> float:
        x = self.explored[a]
        return sum(x) / len(x) + width(len(x), delta_k / self.K) if x else math.inf

    def explore(self, k: int):
        delta_k, K = 3.0**-k, self.K
        limit = 1000 * 2.01**2 * K * self.beta0 * 2**k * math.log(4 * K / delta_k)
        while True:
            arm = int(np.argmax([self.upper(a, delta_k) for a in range(K)]))
            if self.drawer[arm] is not None:
                self.seen["drawer"] += 1
                sample, self.drawer[arm] = self.drawer[arm], None
            else:
                sample = self.pull(arm)
            self.explored[arm].append(sample)
            if sum(map(len, self.explored)) >= limit:
                return "gave up", None
            if all(self.upper(a, delta_k) <= 0 for a in range(K)):
                return "none", None
            x = self.explored[arm]
            if sum(x) / len(x) - 1.01 * width(len(x), delta_k / K) > 0:
                self.drawer[arm] = x.pop()
                return "candidate", arm

    def play(self) -> int:
        k = 0
        while True:
            k += 1
            outcome, arm = self.explore(k)
            self.seen[outcome] += 1
            if outcome == "none" and 3.0**-k < self.delta / 3:
                return -1
            if outcome == "candidate":
                x = self.exploited[arm]
                while True:
                    x.append(self.pull(arm))
                    level = self.delta / (self.K * 5.0**k)
                    if sum(x) / len(x) - width(len(x), level) > 0:
                        return arm
                    limit = 1000 * self.beta0 * 2**k * math.log(4 * self.K * 5.0**k / self.delta)
                    if len(x) >= limit:
                        self.seen["failed"] += 1
                        break


class OutOfPulls(Exception):  # noqa: N818
    pass


def check(instance, delta, beta0, number, limit=1500):
    """Give the reference the run's rewards, and demand the same pulls and the same end."""
    spec = f"SEE[beta0={beta0}]"
    steps = list(trace(make_job(spec, instance, "fixed-confidence", limit, 3, delta), number))
    made = []

    def pull(arm: int) -> float:
        if len(made) == len(steps):
            raise OutOfPulls
        step = steps[len(made)]
        assert step.arm == arm, f"pull {step.t}: SEE {step.arm}, the reference {arm}"
        made.append(arm)
        return (step.value - instance.threshold) / instance.sigmas[arm]

    reference = Reference(instance.K, delta, beta0, pull)
    try:
        answer = reference.play()
        assert len(made) == len(steps)
        assert steps[-1].final
        assert steps[-1].answer == answer
    except OutOfPulls:
        assert len(steps) == limit
    return reference.seen


@pytest.mark.parametrize("beta0", [1.0, 0.02, 0.001])
@pytest.mark.parametrize("instance", [NEAR, GOOD, UNEQUAL, NONE_GOOD], ids=lambda i: i.name)
def test_follows_the_definition(instance, beta0) -> None:
    for number in range(4):
        check(instance, 0.1, beta0, number)


def test_every_branch_is_taken() -> None:
    """Drawers are used, phases are given up, say none, find candidates, and fail to certify."""
    total = dict.fromkeys(("drawer", "gave up", "none", "candidate", "failed"), 0)
    for instance in (GOOD, NEAR, NONE_GOOD):
        for number in range(6):
            for key, n in check(instance, 0.01, 0.001, number).items():
                total[key] += n
    assert min(total.values()) > 2, total


@given(st.integers(1, 10**9), st.floats(1e-200, 0.9))
def test_the_bonus(N: int, delta: float) -> None:
    """⌈log2 N⌉ is exact, also next to powers of two."""
    L = max((N - 1).bit_length(), 1)
    expected = math.sqrt(2 * 2**L * math.log(2 * L**2 / delta)) / N
    assert bonus(N, -math.log(delta)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("delta", "last"),
    [(0.1, 4), (0.01, 6), (0.5, 2), (0.34, 2), (0.33, 3), (1e-9, 20), (1e-300, 630)],
)
def test_constants_by_hand(delta: float, last: int) -> None:
    """The first k with 3^−k < δ/3; for δ = 0.1: 3^−3 = 0.037 > 0.0333 > 3^−4."""
    setting = Setting(K=3, threshold=0.0, sigmas=np.ones(3), delta=delta)
    numbers = constants(setting, {"beta0": 0.25})
    assert numbers[LAST_PHASE] == last
    assert 3.0**-last < delta / 3 <= 3.0 ** (1 - last)
    assert numbers[LOG_INVERSE_DELTA] == pytest.approx(math.log(1 / delta))
    assert numbers[BETA0] == 0.25


@pytest.mark.parametrize("spec", ["SEE", "SEE[beta0=0.002]"])
@pytest.mark.parametrize("instance", [GOOD, UNEQUAL, NONE_GOOD, BERNOULLI], ids=lambda i: i.name)
def test_compiled_equals_plain(instance, spec) -> None:
    result = simulate(instance, spec, delta=0.1, cap=1500, runs=5, seed=4)[spec]
    job = make_job(spec, instance, "fixed-confidence", 1500, 4, 0.1)
    for number in range(5):
        steps = list(trace(job, number))
        assert len(steps) == result.stopping_times[number]
        assert steps[-1].answer == result.answers[number]


def test_a_candidate_may_come_before_all_arms_were_pulled() -> None:
    """No sweep: an outstanding first arm is certified alone."""
    live = Experiment(3, 0.0, algorithm="SEE", delta=0.1)
    while not live.finished:
        live.tell(live.ask(), 50.0)
    assert live.conclusion == 0
    assert [e.count for e in live.evidence][1:] == [0, 0]
    assert live.ask() is None


@pytest.mark.parametrize("means", [[0.8], [-0.8], [0.8, -0.8], [-0.8, 0.8]])
def test_one_and_two_arms(means) -> None:
    result = simulate(Instance(0.0, means), "SEE", delta=0.05, cap=100_000, runs=50)["SEE"]
    assert result.stopped.all()
    assert result.error_rate <= 0.1


def test_it_spends_more_than_tas_where_good_arms_exist() -> None:
    """It certifies on samples of their own; when no arm is good the two are close, with glr."""
    good = simulate("TwoG:100:30", ["SEE", "TaS"], delta=0.01, boundary="glr", runs=100)
    assert 1.5 < good["SEE"].mean / good["TaS"].mean < 5
    bad = simulate("NoA2", ["SEE", "TaS"], delta=0.01, boundary="glr", cap=60_000, runs=100)
    assert bad["SEE"].quantile(0.5) < 1.5 * bad["TaS"].quantile(0.5)


def test_what_cannot_be_asked() -> None:
    with pytest.raises(InputError, match="give a number above 0"):
        find_algorithm("SEE[beta0=0]")
    with pytest.raises(InputError, match="fixed-confidence algorithm"):
        simulate("NoA2", "SEE", budget=100)
