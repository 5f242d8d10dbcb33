"""A model may say nothing of how outcomes scatter; a plan then needs a guess, and uses it."""

import pytest

from goodarm import InputError, plan

ASKED = {"threshold": 0.5, "delta": 0.05, "algorithms": ["APGAI"], "runs": 300}


def trials(outcome: str, scatter: float | None) -> float:
    found = plan([0.7, 0.4], outcome=outcome, scatter=scatter, **ASKED)
    return found.algorithms[0].trials.mean.value


def test_bounded_outcomes_of_small_scatter_need_fewer_trials() -> None:
    ends, wide, narrow = (trials("bounded:0:1", scatter) for scatter in (None, 0.3, 0.05))
    assert narrow < 0.7 * wide < 0.5 * ends


def test_an_unknown_sigma_costs_a_little_more_than_a_known_one() -> None:
    known, unknown = trials("gaussian:0.3", None), trials("gaussian", 0.3)
    assert known < unknown < 2.0 * known


@pytest.mark.parametrize(
    ("outcome", "scatter", "words"),
    [
        ("gaussian", None, "scatter: gaussian says nothing of it.*recorded data"),
        ("bounded:0", None, "scatter: bounded:0 says nothing"),
        ("gaussian:1", 0.3, "have their own; leave it out"),
        ("bernoulli", 0.3, "have their own; leave it out"),
        ("gaussian", 0.0, "is not positive"),
    ],
)
def test_what_is_wrong_with_a_scatter_is_said(outcome, scatter, words) -> None:
    with pytest.raises(InputError, match=words):
        trials(outcome, scatter)


def test_the_protocol_says_what_was_assumed() -> None:
    found = plan([0.7, 0.4], outcome="bounded:0:1", scatter=0.1, **ASKED)
    assert "a standard deviation of 0.1" in found.protocol
    assert found.to_dict()["scatter"] == 0.1


def test_unknown_means_are_near_the_bar_on_the_guessed_scale() -> None:
    found = plan(unknown=3, outcome="gaussian", scatter=0.2, **ASKED)
    assert found.question.arms.ranges[0] == pytest.approx((0.4, 0.6))
