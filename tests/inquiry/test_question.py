import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goodarm.errors import InputError
from goodarm.inquiry.question import BAD, GOOD, UNDECIDED, Question
from goodarm.inquiry.spending import Spending, check_reserve
from goodarm.stopping import parse_boundary

QUESTIONS = ("any", "all", "top:2", "top:5", "in-order")


@pytest.mark.parametrize("K", [1, 2, 4, 5, 30])
def test_for_one_good_arm_the_levels_are_those_of_the_mixture_boundary(K):
    levels = parse_boundary("mixture", K, 0.03).levels
    for kind in ("any", "in-order", "top:1"):
        assert Question.parse(kind).levels(K, -math.log(0.03)) == pytest.approx(levels)


@pytest.mark.parametrize("kind", QUESTIONS)
@given(K=st.integers(1, 40), delta=st.floats(1e-12, 0.5))
def test_however_many_arms_are_good_the_ways_to_be_wrong_share_delta(kind, K, delta):
    question = Question.parse(kind)
    name, none = (math.exp(-level) for level in question.levels(K, -math.log(delta)))
    m = question.wanted(K)
    worst = max((K - G) * name + min(m, G) * none for G in range(K + 1))
    assert worst <= delta * (1 + 1e-12)
    assert worst >= 0.74 * delta  # and nothing is given away


@pytest.mark.parametrize("kind", QUESTIONS)
@given(st.data())
def test_the_answer_is_certain_exactly_when_the_certificates_support_it(kind, data):
    question = Question.parse(kind)
    K = data.draw(st.integers(1, 6))
    nats = st.lists(st.floats(-1, 8), min_size=K, max_size=K)
    good, bad = data.draw(nats), data.draw(nats)
    wanted = data.draw(st.floats(0.5, 7))
    # No arm can be certain to be good and not good at the same time.
    bad = [-1.0 if g >= wanted else b for g, b in zip(good, bad, strict=True)]
    stands = [
        GOOD if g >= wanted else BAD if b >= wanted else UNDECIDED
        for g, b in zip(good, bad, strict=True)
    ]
    settled = question.is_settled(stands, range(K))
    assert settled == (question.support(good, bad) >= wanted)


def test_in_order_tries_the_first_arm_of_which_nothing_is_certain():
    question = Question.parse("in-order")
    assert question.in_play([BAD, UNDECIDED, UNDECIDED], [0, 1, 2]) == [1]
    assert question.is_settled([BAD, GOOD, UNDECIDED], [0, 1, 2])
    assert not question.is_settled([UNDECIDED, GOOD, UNDECIDED], [0, 1, 2])
    assert question.is_settled([BAD, BAD], [0, 1])


def test_fewer_good_arms_than_wanted_end_the_search_once_all_others_are_ruled_out():
    question = Question.parse("top:2")
    for stands in product((UNDECIDED, GOOD, BAD), repeat=3):
        by_hand = stands.count(GOOD) >= 2 or UNDECIDED not in stands
        assert question.is_settled(stands, range(3)) == by_hand


@pytest.mark.parametrize("text", ["top", "top:0", "top:x", "best", "all:2", ""])
def test_what_is_no_question_is_refused_with_what_is(text):
    with pytest.raises(InputError, match="question"):
        Question.parse(text)


@given(
    kind=st.sampled_from(QUESTIONS),
    K=st.integers(1, 12),
    reserve=st.sampled_from([0.0, 0.05, 0.1, 0.5]),
    added=st.integers(0, 60),
    delta=st.floats(1e-6, 0.3),
)
def test_all_that_can_go_wrong_with_arms_that_come_and_go_sums_to_the_total(
    kind, K, reserve, added, delta
):
    spending = Spending(Question.parse(kind), K, reserve)
    log_inverse = -math.log(delta)
    m = spending.question.wanted(K)
    founders = spending.levels(0, log_inverse)
    name, none = math.exp(-founders.name), math.exp(-founders.none)
    static = max((K - G) * name + min(m, G) * none for G in range(K + 1))
    later = 0.0
    for arm in range(K, K + added):
        levels = spending.levels(arm, log_inverse)
        later += math.exp(-levels.name) + math.exp(-levels.none)
    after = spending.levels(0, log_inverse, retired=True)
    if m < K:
        later += K * math.exp(-after.none)
    assert static + later <= spending.total(delta, True) * (1 + 1e-9)
    assert after.none >= founders.none
    assert spending.total(delta, False) == delta


def test_a_reserve_is_a_share():
    assert check_reserve(0.1) == 0.1
    for value in (-0.1, 1.0, "x", math.nan):
        with pytest.raises(InputError, match="reserve"):
            check_reserve(value)
