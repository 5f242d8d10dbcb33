import math

import numpy as np
import pytest
from mpmath import mp, mpf

from goodarm.instance import instances
from goodarm.theory import (
    ErrorBound,
    complexity,
    gamma_tilde,
    time_uniform_bound,
    unverifiable_sample_complexity,
)


def integral(scale, offset, upper=mp.inf):
    points = [0, mpf("1e-6"), mpf("0.01"), 1, 5, 20, 60, upper]
    points = [p for p in points if p < upper] + [upper]
    with mp.workdps(25):
        return mp.quad(lambda x: (2 + mp.log(scale * x + offset)) * mp.sqrt(x) * mp.exp(-x), points)


@pytest.mark.parametrize("scale", [1e-9, 0.3, 2000.0, 1e18])
@pytest.mark.parametrize("offset", [1, 18, 10**5])
def test_gamma_tilde_by_quadrature(scale, offset):
    assert gamma_tilde(scale, offset) == pytest.approx(float(integral(scale, offset)), rel=1e-12)


def test_values(name, reference):
    r = reference.of(name)
    g = len(r.good_gaps)
    published = time_uniform_bound(instances[name], "published").number
    corrected = time_uniform_bound(instances[name]).number
    factor = r.K * float(r.H1) * math.e * math.sqrt(2)
    alpha = 2 if g else 9
    expected = factor * alpha * float(integral(float(2 * alpha * r.H1), r.K + 2 * g))
    assert published == pytest.approx(expected, rel=1e-9)
    alpha = 4 if g else 9
    expected = factor * 2 * alpha * float(integral(float(2 * alpha * r.H1), r.K))
    assert corrected == pytest.approx(expected, rel=1e-9)
    assert corrected > published > 1.0  # it says nothing on any benchmark instance


def test_the_change_of_variable_has_a_factor_two():
    # The union bound itself, term by term.
    bound = ErrorBound(instances["NoA1"], "APGAI", "published")
    total = np.exp(bound.log(np.arange(bound.first_time, 40_000.0))).sum()
    assert total == pytest.approx(time_uniform_bound(instances["NoA1"]).number, rel=1e-3)
    assert total > 1.99 * time_uniform_bound(instances["NoA1"], "published").number


@pytest.mark.parametrize("which", ["NoA1", "Thr1"])
def test_the_infimum_over_delta_is_its_limit(which):
    instance = instances[which]
    c = complexity(instance)
    alpha = 4 if c.good else 9
    limit = time_uniform_bound(instance).number
    step = mpf(2 * alpha * c.H1)
    previous = mpf(limit)
    for delta in ("1e-4", "0.01", "0.3", "0.99"):
        u = unverifiable_sample_complexity(instance, "APGAI", float(delta)).number
        tail = integral(step, c.K) - integral(step, c.K, (mpf(u) - c.K) / step)
        value = mpf(limit) + mpf(delta) - c.K * step * mp.e * mp.sqrt(2) * tail
        assert value > previous
        previous = value
