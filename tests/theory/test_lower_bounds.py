import math

import pytest
from mpmath import log, mpf

from goodarm.errors import InputError
from goodarm.instance import Instance, instances
from goodarm.theory import (
    complexity,
    fixed_budget_hardness,
    lower_bound,
    lower_table,
    other_arms_pulls,
)


def test_noa2_at_one_percent():
    at = lower_bound(instances["NoA2"], 0.01)
    assert int(at.log_form) == 843
    assert at.kl_form > at.log_form


@pytest.mark.parametrize("delta", ["0.5", "0.3", "0.01", "1e-12", "1e-300"])
def test_in_high_precision(name, delta):
    exact = mpf(delta)
    star = mpf(complexity(instances[name]).T_star)
    at = lower_bound(instances[name], float(delta))
    assert at.log_form == pytest.approx(float(star * log(1 / (mpf("2.4") * exact))), rel=1e-12)
    kl = (1 - 2 * exact) * log((1 - exact) / exact)
    assert at.kl_form == pytest.approx(float(star * kl), rel=1e-12, abs=1e-9)


def test_a_risk_that_no_double_holds():
    at = lower_bound(instances["NoA2"], log_inverse_delta=1e6)
    assert at.kl_form == pytest.approx(complexity(instances["NoA2"]).T_star * 1e6, rel=1e-12)


def test_a_risk_above_one_half_demands_nothing():
    at = lower_bound(instances["NoA2"], 0.8)
    assert at.kl_form == 0.0
    assert at.log_form < 0.0


def test_bounds_that_depend_on_the_number_of_arms():
    assert fixed_budget_hardness(100, 0.5, 0.5) == 200.0
    assert other_arms_pulls(100, 0.5, 0.5) == pytest.approx(99 / 64)
    # The proof's form, maximised over n by hand: n(K − 1)/2 (1 − 2δ − √(n(Δ + ε)²/2)).
    delta, spread = 0.1, 0.7
    n = 2 / spread**2 * ((1 - 2 * delta) / 2) ** 2
    by_hand = n * 9 / 2 * (1 - 2 * delta - math.sqrt(n * spread**2 / 2))
    assert other_arms_pulls(10, 0.3, 0.4, delta) == pytest.approx(by_hand)
    for wrong in ((0, 0.1, 0.1), (3, 0.0, 0.1), (3, 0.1, math.inf)):
        with pytest.raises(InputError):
            fixed_budget_hardness(*wrong)
    with pytest.raises(InputError, match="1/4"):
        other_arms_pulls(3, 0.1, 0.1, 0.3)


def test_table_of_lower_bounds():
    rows = {row.name: row for row in lower_table(instances["TwoG:100:1"])}
    assert rows["fixed budget"].corrected == 200.0
    assert rows["fixed confidence, other arms"].published == pytest.approx(99 / 64)
    # The last row lacks a factor 2.
    assert rows["fixed confidence"].published == 4.0
    assert rows["fixed confidence"].corrected == 8.0
    several = {row.name: row for row in lower_table(instances["Thr1"])}
    assert several["fixed budget"].corrected is None
    assert "one good arm" in several["fixed budget"].reason
    none = {row.name: row for row in lower_table(Instance(0.0, [-0.5, -0.5]))}
    assert none["fixed budget"].corrected is None
    assert none["fixed confidence"].corrected == 16.0
