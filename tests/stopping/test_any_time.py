import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import exp, log, mpf

from goodarm.errors import InputError
from goodarm.stopping import (
    confidence_sequence,
    log_smallest_delta,
    parse_boundary,
    smallest_delta,
)
from goodarm.theory import glr_threshold


def test_confidence_sequence_by_hand():
    limits = confidence_sequence([0.4, 0.7, 0.0], [10, 40, 0], [0.5, 1.0, 1.0], 0.05)
    c = glr_threshold(3, 50, 0.05)
    half = [0.5 * math.sqrt(2 * c / 10), math.sqrt(2 * c / 40)]
    assert limits.low[:2] == pytest.approx([0.4 - half[0], 0.7 - half[1]])
    assert limits.high[:2] == pytest.approx([0.4 + half[0], 0.7 + half[1]])
    assert np.isneginf(limits.low[2])
    assert np.isposinf(limits.high[2])


def test_confidence_sequences_hold_at_all_times():
    # 2,000 paths of 300 observations, two arms in turn: at δ = 0.2 at most 20 % may ever fail.
    noise = np.random.default_rng(7).standard_normal((2000, 2, 150)).cumsum(axis=2)
    counts = np.arange(1, 151)
    widths = np.array([math.sqrt(2 * glr_threshold(2, 2 * n, 0.2) / n) for n in counts])
    failed = (np.abs(noise / counts) > widths).any(axis=(1, 2)).mean()
    assert failed < 0.2


@given(
    st.lists(st.floats(-12, 12), min_size=1, max_size=5),
    st.integers(1, 10**9),
)
def test_the_level_is_the_smallest_risk_that_stops(evidence, t):
    log_level = log_smallest_delta(max(evidence), len(evidence), t)
    most = max(evidence)
    reach = most if most > 0 else min(-w for w in evidence)

    def stops(log_delta):
        boundary = parse_boundary("glr", len(evidence), log_inverse_delta=-log_delta)
        return reach >= boundary.level(t)

    if log_level == 0.0:
        assert not stops(-1e-6)
    else:
        assert stops(log_level * (1 - 1e-9))
        assert not stops(log_level * (1 + 1e-9))


def test_level_in_high_precision():
    w = mpf("5.5")
    x = w**2
    t = 100
    level = 2 * exp(-(x - log(x) - 4 * log(4 + log(t)) - mpf(1) / 2) / 2)
    assert smallest_delta(5.5, 2, t) == pytest.approx(float(level), rel=1e-12)
    assert smallest_delta(-5.5, 2, t) == smallest_delta(5.5, 2, t)


def test_no_evidence_no_level():
    assert smallest_delta(0.9, 2, 10) == 1.0
    assert smallest_delta(0.0, 1, 10) == 1.0
    assert smallest_delta(-0.5, 2, 10) == 1.0
    assert smallest_delta(5.0, 2, 0) == 1.0


def test_overwhelming_evidence():
    assert log_smallest_delta(1e150, 1, 10) == pytest.approx(-0.5e300)
    assert log_smallest_delta(1e160, 1, 10) == -math.inf
    assert smallest_delta(1e160, 1, 10) == 0.0


def test_wrong_inputs():
    with pytest.raises(InputError):
        confidence_sequence([0.1], [0], [1.0], 0.1)
    with pytest.raises(InputError):
        confidence_sequence([0.1], [5], [1.0])


def test_a_confidence_beyond_doubles_is_given_by_its_logarithm():
    arms = ([0.1, 0.4], [5, 9], [1.0, 2.0])
    by_delta = confidence_sequence(*arms, math.exp(-5.0))
    by_logarithm = confidence_sequence(*arms, log_inverse_delta=5.0)
    assert by_logarithm.low == pytest.approx(by_delta.low)
    assert by_logarithm.high == pytest.approx(by_delta.high)
    beyond = confidence_sequence(*arms, log_inverse_delta=2000.0)
    assert (beyond.low < by_delta.low).all()
