"""Prospector: every choice from its definition, the index by other routes, and its promises."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import logsumexp

from goodarm import Experiment, Instance, instances, simulate
from goodarm.algorithms.contract import Setting
from goodarm.algorithms.prospector import MOST_EVIDENCE, PROSPECTOR, index
from goodarm.league.trials.families import published_instance
from goodarm.run import evidence, new_run
from goodarm.simulation import trace
from goodarm.simulation.job import make_job

LEVEL = 10.0
SIZES = 2.0 / 2.0 ** np.arange(12)
WEIGHTS = 1.0 / (SIZES / 0.25 + 0.25 / SIZES)
WEIGHTS /= WEIGHTS.sum()
TRAP = Instance(0.0, [0.5] + [-0.02] * 5, name="one good arm among near misses")
CLEARLY_BAD = Instance(0.0, [0.1, -1.5, 0.0, -0.1], name="an arm that is soon ruled out")


def odds(n: float, w: float) -> np.ndarray:
    """Of being at least as far above θ as each step, largest step first."""
    s = w * math.sqrt(n)
    likelier = SIZES * s - SIZES**2 * n / 2.0
    return np.cumsum(WEIGHTS * np.exp(np.where(likelier > 0.0, likelier, likelier / 2.0)))


def expected_index(n: float, w: float) -> float:
    """By the formula, over all steps; beyond the level, 2ℓN − S² counts as 0."""
    s = w * math.sqrt(n)
    half = LEVEL - SIZES * s
    left = (half + np.sqrt(half**2 + SIZES**2 * max(2.0 * LEVEL * n - s * s, 0.0))) / SIZES**2
    return float((odds(n, w) / np.maximum(left, 1.0)).max())


def for_bad(n: int, s: float) -> float:
    """The certificate that an arm is bad: a mixture of twenty steps below θ."""
    sizes = 2.0 / 1.5 ** np.arange(20)
    weights = 1.0 / (sizes / 0.25 + 0.25 / sizes)
    return float(logsumexp(-sizes * s - sizes**2 * n / 2.0, b=weights / weights.sum()))


class Reckoning:
    """What the definition says should be pulled, from the outcomes alone; θ is 0 and σ is 1."""

    def __init__(self, K: int, level: float = math.inf) -> None:
        self.K, self.level = K, level
        self.counts, self.sums = np.zeros(K, dtype=int), np.zeros(K)
        self.looked = np.zeros(K)  # the index when the arm was last looked at
        self.out = np.zeros(K, dtype=bool)
        self.last, self.due = -1, np.ones(K, dtype=int)  # with how many pulls to look again
        self.is_begun = False  # the arm pulled last was not looked at yet

    def choice(self, t: int) -> tuple[str, set[int]]:
        """Why, and which arm; several if they are tied."""
        counts, w = self.counts, self.sums / np.sqrt(self.counts)
        out = self.out & ~self.out.all()
        if (counts <= math.sqrt(t / self.K) - 3.0).any():
            return "forgotten", set(np.flatnonzero(counts == counts.min()))
        first = int(np.argmax(w))
        if t % 2 == 0 and w[first] > 0.0 and counts[first] < t**0.75:
            return "leader", {first}
        richest = int(np.argmax(self.looked))
        arm = self.last if self.is_begun else richest
        reason = "index" if arm == richest else "batch"
        if out[arm]:
            reason, arm = "ruled out", int(np.argmax(np.where(out, -math.inf, self.looked)))
        surely_bad = w[arm] < 0.0 and w[arm] ** 2 > 6.0 * math.log(t / (self.K * counts[arm]))
        if surely_bad and arm != first and not out[first]:
            reason, arm = "veto", first
        return reason, {arm}

    def enter(self, arm: int, value: float) -> None:
        self.counts[arm] += 1
        self.sums[arm] += value
        n, s = int(self.counts[arm]), float(self.sums[arm])
        self.last, self.is_begun = arm, n < self.due[arm]
        if not self.is_begun:
            self.looked[arm] = expected_index(n, s / math.sqrt(n))
            self.due[arm] = n + 1 + (n + 1) // 32
        self.out[arm] = self.level < math.inf and for_bad(n, s) >= self.level


@pytest.mark.parametrize(
    ("instance", "delta", "reasons"),
    [
        (CLEARLY_BAD, None, {"forgotten", "leader", "index", "batch", "veto"}),
        (CLEARLY_BAD, 0.3, {"forgotten", "leader", "index", "batch", "veto", "ruled out"}),
        (instances["NoA2"], None, {"leader", "index", "batch", "veto"}),
        (TRAP, None, {"forgotten", "leader", "index"}),
    ],
)
def test_every_choice_is_what_the_definition_says(
    instance: Instance, delta: float | None, reasons: set[str]
) -> None:
    mode = "fixed-budget" if delta is None else "fixed-confidence"
    job = make_job("Prospector", instance, mode, 900, seed=8, delta=delta)
    seen = Counter[str]()
    for number in range(3):
        level = job.boundary.levels.none if delta is not None else math.inf
        reckoning = Reckoning(instance.K, level)
        for step in trace(job, number):
            if step.t > instance.K:
                reason, arms = reckoning.choice(step.t - 1)
                assert step.arm in arms, (step.t, reason)
                seen[reason] += 1
            reckoning.enter(step.arm, step.value - instance.threshold)
    assert seen.keys() == reasons


def test_outcomes_that_were_not_asked_for_are_taken_in() -> None:
    """Arms told in any order, with outliers: some are ruled out in the midst, and come back."""
    chance = np.random.default_rng(4)
    K = 5
    seen, came_back, none_left = Counter[str](), 0, 0
    for seed in range(8):
        experiment = Experiment(K, 0.0, algorithm="Prospector", delta=0.3, seed=seed)
        reckoning = Reckoning(K, experiment.boundary.levels.none)
        for t in range(400):
            arm = experiment.next_arm([])
            if t >= K:
                reason, arms = reckoning.choice(t)
                assert arm in arms, (seed, t, reason)
                seen[reason] += 1
            if t >= K and chance.random() < 0.3:
                arm = int(chance.integers(K))
            value = float(chance.normal(-0.2, 8.0 if chance.random() < 0.1 else 1.0))
            was_out = reckoning.out[arm]
            experiment.tell(arm, value)
            reckoning.enter(arm, value)
            came_back += was_out and not reckoning.out[arm]
            none_left += reckoning.out.all()
    assert seen.keys() >= {"leader", "index", "batch", "veto", "ruled out"}
    assert came_back > 0
    assert none_left > 0


pulls = st.integers(1, 100_000)


def index_of(n: int, w: float) -> float:
    numbers = PROSPECTOR.numbers(Setting(K=1, threshold=0.0, sigmas=np.ones(1)))
    run = new_run(0.0, [1.0], seed=0, constants=numbers)
    run.counts[0], run.roots[0], run.tree[1] = n, math.sqrt(n), w
    return index(run, 0)


@given(pulls, st.floats(-40.0, MOST_EVIDENCE))
def test_the_index_is_the_largest_over_all_steps(n: int, w: float) -> None:
    assert index_of(n, w) == pytest.approx(expected_index(n, w), rel=1e-9)


@given(pulls, st.floats(-4.4, 4.4))
def test_the_pulls_left_are_those_after_which_the_level_is_reached(n: int, w: float) -> None:
    s = w * math.sqrt(n)

    def pulls_left(d: float) -> float:
        """(S + dr)² = 2ℓ(N + r), solved by bisection."""

        def missing(r: float) -> float:
            return s + d * r - math.sqrt(2.0 * LEVEL * (n + r))

        most = 1.0
        while missing(most) <= 0.0:
            most *= 2.0
        return max(float(brentq(missing, 0.0, most, rtol=1e-13)), 1.0)

    left = np.array([pulls_left(float(d)) for d in SIZES])
    assert index_of(n, w) == pytest.approx(float((odds(n, w) / left).max()), rel=1e-6)


@given(pulls, st.floats(MOST_EVIDENCE, 1e300))
def test_any_evidence_has_an_index_that_is_a_number(n: int, w: float) -> None:
    assert index_of(n, w) == index_of(n, MOST_EVIDENCE) < math.inf
    assert 0.0 <= index_of(n, -w) <= index_of(n, -MOST_EVIDENCE) < 1.0


@pytest.mark.parametrize(
    ("instance", "delta"), [(TRAP, None), (instances["NoA2"], None), (CLEARLY_BAD, 1e-6)]
)
def test_no_arm_is_forgotten(instance: Instance, delta: float | None) -> None:
    """Every arm has more than √(t/K) − 4 pulls at all times, even one that is ruled out."""
    mode = "fixed-budget" if delta is None else "fixed-confidence"
    job = make_job("Prospector", instance, mode, 4_000, seed=1, delta=delta)
    for number in range(2):
        counts = np.zeros(instance.K)
        for step in trace(job, number):
            counts[step.arm] += 1
            assert counts.min() >= math.sqrt(step.t / instance.K) - 4.0
        assert step.t > 2_000
        assert counts.min() < 0.1 * step.t  # it does not just share the pulls out


def test_after_none_is_good_an_experiment_goes_on_with_several_arms() -> None:
    experiment = Experiment(4, threshold=0.0, delta=0.3, algorithm="Prospector")
    while not experiment.finished:
        experiment.tell(experiment.ask(), -1.0)
    assert experiment.conclusion is None
    later = Counter[int]()
    for _ in range(40):
        arm = experiment.ask()
        experiment.tell(arm, -1.0)
        later[arm] += 1
    assert later.keys() == {0, 1, 2, 3}


def test_an_arm_that_was_ruled_out_and_recovers_is_in_play_again() -> None:
    experiment = Experiment(3, threshold=0.0, delta=0.1, algorithm="Prospector")
    for arm in (0, 1, 2):
        experiment.tell(arm, -0.3)
    while experiment.run.active[0]:
        experiment.tell(0, -2.0)
    assert experiment.next_arm([]) != 0
    while evidence(experiment.run, 0) < 1.0:
        experiment.tell(0, 2.0)
    assert experiment.run.active[0]
    assert experiment.next_arm([]) == 0


def test_a_leader_that_is_ruled_out_is_not_pulled_instead_of_a_bad_arm() -> None:
    experiment = Experiment(2, threshold=0.0, delta=0.3, algorithm="Prospector")
    for arm, value in [(0, -1.2), (1, -3.1), *[(0, -1.2)] * 4]:
        experiment.tell(arm, value)
    assert list(experiment.run.active) == [0, 1]
    assert evidence(experiment.run, 0) > evidence(experiment.run, 1)
    assert experiment.next_arm([]) == 1


def test_arms_at_the_bar_do_not_make_a_heavy_tail() -> None:
    instance = published_instance("Unique_Qualified", 10)
    result = simulate(instance, "Prospector", delta=0.05, runs=300, seed=3)["Prospector"]
    assert result.stopping_times.max() < 10 * np.median(result.stopping_times)


def test_it_is_sure_sooner_than_scout() -> None:
    found = simulate("Thr1", ["Prospector", "Scout"], delta=0.05, runs=1_000, seed=3)
    fewer = found["Scout"].stopping_times - found["Prospector"].stopping_times
    assert fewer.mean() > 3.0 * fewer.std() / math.sqrt(len(fewer))
