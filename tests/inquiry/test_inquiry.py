import math

import numpy as np
import pytest

from goodarm import Bernoulli, Experiment, Gaussian, InputError
from goodarm.inquiry import Criterion, Inquiry

RATES = (0.2, 0.75, 0.5, 0.8)
declare = Criterion.declare


def play(inquiry, means, seed, most=5000):
    chance = np.random.default_rng(seed)
    while not inquiry.finished and inquiry.t < most:
        arm = inquiry.ask()
        inquiry.tell(arm, float(chance.random() < means[arm]))
    return inquiry


def test_with_one_criterion_the_certificates_are_those_of_an_experiment():
    experiment = Experiment(3, 0.4, outcome=Bernoulli(), delta=0.05, algorithm="Unif")
    inquiry = Inquiry(3, declare("bernoulli", 0.4), delta=0.05, algorithm="Unif")
    chance = np.random.default_rng(1)
    for step in range(90):
        value = float(chance.random() < 0.5)
        assert inquiry.ask() == experiment.ask()
        for one in (experiment, inquiry):
            one.tell(step % 3, value)
        for arm in range(3):
            assert inquiry.certificates(arm) == pytest.approx(experiment.certificates(arm))
        assert inquiry.confidence == pytest.approx(experiment.confidence, abs=1e-9) or (
            inquiry.finished
        )


@pytest.mark.parametrize(
    ("question", "answer"),
    [("all", (1, 3)), ("top:2", (1, 3)), ("in-order", (1,)), ("top:3", (1, 3))],
)
def test_every_question_gets_its_answer(question, answer):
    means = (0.2, 0.75, 0.3, 0.8)
    inquiry = play(Inquiry(4, declare("bernoulli", 0.5), question, 0.01), means, seed=3)
    assert inquiry.finished
    assert tuple(sorted(inquiry.conclusion)) == answer
    assert inquiry.confidence >= 0.99


def test_an_answered_arm_is_not_tried_again():
    inquiry = Inquiry(3, declare("bernoulli", 0.5), "all", 0.05)
    for _ in range(30):
        inquiry.tell(1, 1.0)
    assert inquiry.standings["arm 2"] == "good"
    assert {inquiry.ask() for _ in range(20)} == {0, 2}


def test_a_threshold_for_each_arm_is_a_shift_of_its_outcomes():
    bars = (0.0, 1.0, -2.0)
    own = Inquiry(3, declare("gaussian:1", bars), "all", 0.05, seed=4)
    shifted = Inquiry(3, declare("gaussian:1", 0.0), "all", 0.05, seed=4)
    chance = np.random.default_rng(2)
    for _ in range(60):
        arm = own.ask()
        assert shifted.ask() == arm
        x = float(chance.normal(0.4))
        own.tell(arm, x + bars[arm])
        shifted.tell(arm, x)
    for arm in range(3):
        assert own.certificates(arm) == pytest.approx(shifted.certificates(arm), abs=1e-9)
        assert own.limits()[0][arm] == pytest.approx(shifted.limits()[0][arm] + bars[arm])


def test_a_scale_for_each_arm_counts():
    inquiry = Inquiry(2, declare(Gaussian((0.1, 10.0)), (0.5, 0.2)), "all", 0.05)
    for _ in range(5):
        inquiry.tell(0, 1.0)
        inquiry.tell(1, 1.0)
    assert inquiry.standings == {"arm 1": "good", "arm 2": "undecided"}


def two_criteria(**more):
    criteria = [
        declare("bernoulli", 0.3, name="efficacy"),
        declare("bernoulli", 0.2, "below", name="adverse"),
    ]
    return Inquiry(3, criteria, delta=0.05, **more)


def test_an_arm_is_good_when_all_of_its_criteria_hold():
    inquiry = two_criteria(question="all")
    for _ in range(60):
        inquiry.tell(0, {"efficacy": 1.0, "adverse": 0.0})
        inquiry.tell(1, {"efficacy": 1.0, "adverse": 1.0})
    assert inquiry.standings == {"arm 1": "good", "arm 2": "not good", "arm 3": "undecided"}
    assert inquiry.states[0].means == (1.0, 0.0)


def test_good_needs_no_correction_for_several_criteria_and_bad_does():
    single = Inquiry(3, declare("bernoulli", 0.3), delta=0.05)
    inquiry = two_criteria()
    for _ in range(8):
        single.tell(0, 1.0)
        inquiry.tell(0, {"efficacy": 1.0, "adverse": 0.0})
        inquiry.tell(1, {"efficacy": 0.0, "adverse": 0.0})
        single.tell(1, 0.0)
    both = inquiry.certificates(0)[0]
    assert both <= single.certificates(0)[0]
    assert inquiry.certificates(1)[1] == pytest.approx(single.certificates(1)[1] - math.log(2))


def test_measurements_of_a_trial_may_come_at_different_times():
    inquiry = two_criteria()
    inquiry.tell(0, {"efficacy": 1.0})
    assert inquiry.count(0) == 1
    inquiry.tell(0, {"adverse": 0.0})
    assert inquiry.states[0].means == (1.0, 0.0)
    assert inquiry.count(0) == 1


def test_what_does_not_fit_is_refused_and_changes_nothing():
    inquiry = two_criteria()
    before = inquiry.state()
    for value, word in (
        (1.0, "mapping"),
        ({"safety": 1.0}, "measurement"),
        ({"efficacy": 1.0, "adverse": 2.0}, "value"),
    ):
        with pytest.raises(InputError, match=word):
            inquiry.tell(0, value)
    with pytest.raises(InputError, match="arm"):
        inquiry.tell("arm 9", {"efficacy": 1.0})
    assert inquiry.state() == before
    with pytest.raises(InputError, match="criteria"):
        Inquiry(2, [declare("bernoulli", 0.3), declare("bernoulli", 0.4)])
    with pytest.raises(InputError, match="threshold"):
        Inquiry(2, declare("bernoulli", (0.3, 0.4, 0.5)))
    with pytest.raises(InputError, match="algorithm"):
        Inquiry(2, declare("bernoulli", 0.3), algorithm="SR-G")


def test_a_state_can_be_taken_up():
    first = play(Inquiry(4, declare("bernoulli", 0.5), "all", 0.05, seed=1), RATES, 5, most=150)
    second = Inquiry(4, declare("bernoulli", 0.5), "all", 0.05, seed=1)
    second.restore(first.state())
    assert second.state() == first.state()
    assert second.states == first.states
    assert second.standings == first.standings


def successes_until_named(inquiry, arm):
    many = 0
    while inquiry.standings[arm] == "undecided":
        inquiry.tell(arm, 1.0)
        many += 1
    return many


def test_an_arm_that_is_added_needs_more_and_the_others_as_much_as_before():
    alone = Inquiry(["a", "b"], declare("bernoulli", 0.5), delta=0.05)
    inquiry = Inquiry(["a", "b"], declare("bernoulli", 0.5), delta=0.05)
    assert inquiry.risk == 0.05
    inquiry.add_arm("c")
    inquiry.add_arm("d")
    assert inquiry.risk == pytest.approx(0.05 / 0.9)
    many = [successes_until_named(inquiry, arm) for arm in ("a", "c", "d")]
    assert many[0] == successes_until_named(alone, "a")
    assert many[0] < many[1] < many[2]
    with pytest.raises(InputError, match="told apart"):
        inquiry.add_arm("c")


def test_a_reserve_is_paid_by_the_arms_of_the_creation():
    inquiry = Inquiry(["a", "b"], declare("bernoulli", 0.5), delta=0.05, reserve=0.1)
    inquiry.add_arm("c")
    assert inquiry.risk == 0.05


@pytest.mark.parametrize(("reserve", "on_top"), [(0.0, 10 / 9), (0.1, 1.0)])
@pytest.mark.parametrize("change", ["add", "retire"])
def test_confidence_counts_what_arms_that_come_and_go_may_cost(reserve, on_top, change):
    inquiry = Inquiry(["a", "b"], declare("bernoulli", 0.5), delta=1e-4, reserve=reserve)
    if change == "add":
        inquiry.add_arm("c")
    else:
        inquiry.retire_arm("b")
    for _ in range(10):
        inquiry.tell("a", 1.0)
    least, most = 1e-9, 1.0  # the smallest δ that would stop here
    for _ in range(60):
        middle = math.sqrt(least * most)
        least, most = (least, middle) if inquiry.can_stop(middle) else (middle, most)
    assert inquiry.confidence == pytest.approx(1.0 - on_top * most)
    for _ in range(20):
        inquiry.tell("a", 1.0)
    assert inquiry.finished
    assert inquiry.risk == pytest.approx(1e-4 * on_top)
    assert inquiry.confidence >= 1.0 - inquiry.risk


def test_a_retired_arm_is_neither_tried_nor_named():
    inquiry = Inquiry(["a", "b", "c"], declare("bernoulli", 0.5), delta=0.05)
    for _ in range(4):
        inquiry.tell("a", 1.0)
    inquiry.retire_arm("a")
    for _ in range(20):
        inquiry.tell("a", 1.0)
    assert inquiry.standings == {"b": "undecided", "c": "undecided"}
    assert inquiry.recommendation == ()
    assert {inquiry.ask() for _ in range(10)} == {1, 2}
    with pytest.raises(InputError, match="retired before"):
        inquiry.retire_arm("a")
    inquiry.retire_arm("b")
    with pytest.raises(InputError, match="only one"):
        inquiry.retire_arm("c")


def test_once_an_arm_was_retired_none_is_said_of_those_present_with_more_evidence():
    few = Inquiry(["a", "b"], declare("bernoulli", 0.5), delta=0.05)
    one = Inquiry(["a", "b"], declare("bernoulli", 0.5), delta=0.05)
    one.retire_arm("b")
    counts = []
    for inquiry, arms in ((few, ("a", "b")), (one, ("a",))):
        while not inquiry.finished:
            for arm in arms:
                inquiry.tell(arm, 0.0)
        counts.append(inquiry.count(0))
        assert inquiry.conclusion == ()
    assert counts[0] < counts[1]
