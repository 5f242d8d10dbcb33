import math

import pytest
from mpmath import log, mpf, zeta

from goodarm.errors import InputError
from goodarm.instance import Instance, instances
from goodarm.theory import (
    baec_thresholds,
    f1,
    f1_tilde,
    glr_threshold,
    kano_threshold,
    pkgai_q,
    pkgai_z,
)


@pytest.mark.parametrize("delta", ["0.5", "0.01", "1e-300"])
@pytest.mark.parametrize("t", [1, 10, 10**15])
def test_the_wbar_thresholds_in_high_precision(delta, t, reference):
    K, d, value = 10, mpf(delta), float(delta)
    wbar, half = reference.wbar, mpf(1) / 2
    base = 2 * log(K / d) + 4 * log(4 + log(t))
    assert glr_threshold(K, t, value) == pytest.approx(float(wbar(base + half) / 2), rel=1e-13)
    tables = wbar(2 * log(2 * K / d) + 4 * log(4 + log(t)) + 1) / 2
    found = glr_threshold(K, t, value, boundary="glr-tables")
    assert found == pytest.approx(float(tables), rel=1e-13)
    s = mpf("1.2")
    g = log(zeta(s)) + s * (1 - log(2 * s)) + half
    family = wbar(2 * log(K / d) + 2 * s * log(2 * s + log(t)) + 2 * g) / 2
    found = glr_threshold(K, t, value, boundary="glr[s=1.2]")
    assert found == pytest.approx(float(family), rel=1e-12)
    tilde = wbar(2 * log(1 / d) + 2 * log(2 + log(t)) + 2) / 2
    assert f1_tilde(t, value) == pytest.approx(float(tilde), rel=1e-13)
    z = wbar(2 * log(K / d) + 2 * log(2 + log(t)) + 2)
    assert pkgai_z(K, t, value) == pytest.approx(float(z), rel=1e-13)


def test_the_elementary_thresholds():
    assert f1(100, 0.1) == pytest.approx(math.log(10) + 3 * math.log(100))
    assert kano_threshold(5, 7, 0.1) == pytest.approx(math.log(200) + 2 * math.log(7))
    looks = math.ceil(
        2 * math.e / ((math.e - 1) * 0.04) * math.log(2 * math.sqrt(5) / (0.04 * 0.1))
    )
    upper, lower = baec_thresholds(5, 0.2, 0.1)
    assert upper == pytest.approx(math.log(looks / 0.1))
    assert lower == pytest.approx(math.log(math.sqrt(5) * looks / 0.1))


def test_prior_knowledge():
    assert pkgai_q(instances["NoA2"], 700).number == pytest.approx(696 / (4 * 113.0277778))
    assert pkgai_q(instances["IsA2"], 700).number == pytest.approx(693 * 1.1**2 / (4 * 7))
    assert pkgai_q(Instance(0.0, [0.1]), 700).reason == "no arm is bad"
    assert "K = 4" in pkgai_q(instances["NoA2"], 4).reason


def test_wrong_inputs():
    with pytest.raises(InputError, match="two different thresholds"):
        baec_thresholds(5, 0.0, 0.1)
    with pytest.raises(InputError, match="time"):
        glr_threshold(5, 0.5, 0.1)
    with pytest.raises(InputError, match="kano_threshold"):
        glr_threshold(5, 10, 0.1, boundary="kano")
