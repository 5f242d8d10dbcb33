"""Prospector by odds per unit of cost: cheap arms first, and nothing else changes."""

import numpy as np
import pytest

from goodarm import Criterion, Experiment, InputError, Inquiry, Study

RATE = Criterion.declare("bernoulli", 0.5)
MEANS = (0.7, 0.7, 0.4)


def play(asking, seed, most=4000):
    """The arms that were tried; the n-th outcome of an arm is the same whatever was tried."""
    streams = [np.random.default_rng([seed, arm]) for arm in range(3)]
    tried = []
    while not asking.finished and len(tried) < most:
        arm = asking.ask()
        tried.append(arm)
        asking.tell(arm, float(streams[arm].random() < MEANS[arm]))
    return tried


@pytest.mark.parametrize("costs", [(1.0, 1.0, 1.0), (7.0, 7.0, 7.0)])
def test_equal_costs_are_as_good_as_none(costs):
    by_name = dict(zip(("arm 1", "arm 2", "arm 3"), costs, strict=True))
    for seed in range(3):
        assert play(Inquiry(3, RATE, "top:2", 0.05, costs=by_name), seed) == play(
            Inquiry(3, RATE, "top:2", 0.05), seed
        )
        experiments = [
            Experiment(3, 0.5, outcome="bernoulli", delta=0.05, costs=given)
            for given in (costs, None)
        ]
        assert play(experiments[0], seed) == play(experiments[1], seed)


@pytest.mark.parametrize("make", ["inquiry", "experiment"])
def test_the_cheaper_of_two_equally_good_arms_is_preferred(make):
    tried, right = np.zeros(3), 0
    for seed in range(40):
        if make == "inquiry":
            asking = Inquiry(3, RATE, "any", 0.05, costs={"arm 1": 10.0})
        else:
            asking = Experiment(3, 0.5, outcome="bernoulli", delta=0.05, costs=[10.0, 1.0, 1.0])
        tried += np.bincount(play(asking, seed), minlength=3)
        answer = asking.conclusion
        right += (answer[0] if make == "inquiry" else answer) in (0, 1)
    assert tried[1] > 2.0 * tried[0]
    assert right >= 38  # of 40, at δ = 0.05


def test_certificates_do_not_know_of_costs():
    plain, priced = Inquiry(3, RATE, "all", 0.05), Inquiry(3, RATE, "all", 0.05, costs={"arm 2": 9})
    for arm, value in ((0, 1.0), (1, 0.0), (1, 1.0), (2, 0.0)) * 5:
        plain.tell(arm, value)
        priced.tell(arm, value)
    assert [plain.certificates(arm) for arm in range(3)] == [
        priced.certificates(arm) for arm in range(3)
    ]


def test_an_arm_that_comes_later_has_a_cost(tmp_path):
    inquiry = Inquiry(1, RATE, "all", 0.05)
    inquiry.add_arm("dear", cost=1000.0)
    asked = [inquiry.ask() for _ in range(12)]
    assert asked.count(0) > asked.count(1)
    with pytest.raises(InputError, match="cost: 0 is not positive"):
        inquiry.add_arm("free", cost=0)
    with pytest.raises(InputError, match="unknown cost: arm 'x'"):
        Inquiry(1, RATE, costs={"x": 2.0})


def test_a_study_with_costs_is_steered_by_them_and_verifies(tmp_path):
    def tried(study):
        for step in range(12):
            study.tell(study.ask(), step % 3 < 2)
        return [trial.arm for trial in study.trials]

    asked = {"outcome": "bernoulli", "delta": 0.05, "storage": tmp_path / "studies.db", "seed": 1}
    plain = Study.create("plain", ["a", "b"], 0.5, **asked)
    without = tried(plain)
    favourite = max("ab", key=without.count)
    study = Study.create("priced", ["a", "b"], 0.5, **asked, details={favourite: {"cost": 20}})
    assert study.settings.by_cost
    assert "by_cost" not in plain.settings.to_data()
    assert tried(study).count(favourite) < without.count(favourite)
    study.add_arm("c", "cheap", cost=0.1)
    for _ in range(6):
        study.tell(study.ask(), 1)
    assert Study.load("priced", asked["storage"]).verify().ok
    assert plain.verify().ok
