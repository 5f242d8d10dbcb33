import math

import pytest

from goodarm.instance import Instance, instances
from goodarm.theory import (
    ERROR_THEOREMS,
    ErrorBound,
    complexity,
    error_rate_constant,
    error_table,
    stopping_table,
    unverifiable_table,
)


@pytest.mark.parametrize("algorithm", ERROR_THEOREMS)
def test_the_corrected_constant_is_the_limit_of_the_bound(name, algorithm):
    c = error_rate_constant(instances[name], algorithm).number
    k = complexity(instances[name])
    if algorithm == "SR-G" and k.good:  # its constant is that of the asymptotic theorem
        assert c == pytest.approx(4 * k.logbar * max(k.G2, k.delta_min_good**-2))
        return
    bound = ErrorBound(instances[name], algorithm)
    late = (1e14, 2e14)
    slope = (bound.at(late[0]).log - bound.at(late[1]).log) / 1e14
    assert 1 / slope == pytest.approx(c, rel=1e-6)


def test_sr_g_has_the_constant_of_the_asymptotic_theorem():
    c = complexity(instances["IsA2"])
    published = error_rate_constant(c, "SR-G", "published").number
    assert published == pytest.approx(4 * c.logbar * c.G2)
    assert error_rate_constant(c, "SR-G").number == pytest.approx(4 * c.logbar * 100.0)


def test_published_table(name, reference):
    r = reference.of(name)
    K, none = r.K, not r.good_gaps
    if none:
        expected = {
            "APGAI": 18 * r.H1,
            "Unif": 2 * K / min(r.gaps) ** 2,
            "DSR-G": 16 * r.logbar / min(r.gaps) ** 2,
            "DSH-G": 16 * r.rounds / min(r.gaps) ** 2,
            "PKGAI": 2 * r.H1,
            "PKGAI(Unif)": 2 * r.H1,
        }
    else:
        tilde = max(max(d**-2 for d in r.good_gaps), r.H2)
        expected = {
            "APGAI": 4 * r.H1,
            "Unif": 4 * K / max(r.good_gaps) ** 2,
            "DSR-G": 16 * r.logbar * tilde,
            "DSH-G": 32 * r.rounds * tilde,
            "PKGAI": 2 * r.H1,
            "PKGAI(Unif)": 2 * K / r.hat**2,
        }
    rows = {row.name: row for row in error_table(instances[name])}
    for algorithm, value in expected.items():
        assert rows[algorithm].published == pytest.approx(float(value), rel=1e-9)


def test_references_of_the_doubling_algorithms_are_not_swapped():
    rows = {row.name: row.label for row in error_table(instances["NoA1"])}
    assert rows["DSR-G"] == rows["SR-G"] == "thm:SR_PoE_recoElim"
    assert rows["DSH-G"] == rows["SH-G"] == "thm:SH_PoE_recoElim"


def test_unverifiable_table():
    for name, published, corrected in (("NoA2", 36, 18), ("Thr1", 8, 8)):
        row = unverifiable_table(instances[name])[0]
        h = complexity(instances[name]).H1
        assert (row.published, row.corrected) == (
            pytest.approx(published * h),
            pytest.approx(corrected * h),
        )
    unif = unverifiable_table(instances["Thr1"])[1]
    assert unif.corrected == pytest.approx(8 * 10 / 0.4**2)


def test_stopping_table():
    none = {row.name: row for row in stopping_table(instances["NoA2"])}
    h = complexity(instances["NoA2"]).H1
    assert none["APGAI"].corrected == none["HDoC"].corrected == none["APT-G"].corrected == 2 * h
    assert none["Unif"].corrected == pytest.approx(2 * 4 / 0.1**2)
    some = {row.name: row for row in stopping_table(instances["IsA2"])}
    assert some["APGAI"].corrected == pytest.approx(2 * 105.0)
    assert some["S-TaS"].corrected == 2.0
    assert some["LUCB-G"].corrected is None
    assert some["SEE"].reason == "known up to a constant factor only"


def test_constants_that_do_not_exist():
    one = Instance(0.0, [0.5])
    assert error_rate_constant(one, "SH-G").number is None
    assert "K = 1" in error_rate_constant(one, "DSR-G").reason
    assert error_rate_constant(one, "SR-G").number == pytest.approx(2 * 4)
    good = Instance(0.0, [0.5, 0.25])
    assert error_rate_constant(good, "SR-G", "published").reason == "no arm is bad"
    assert error_rate_constant(good, "Unif").number == pytest.approx(2 * 2 / 0.25)
    assert math.isfinite(error_rate_constant(good, "PKGAI(Unif)").number)
    at = Instance(0.0, [0.0, 0.25])
    for algorithm in ERROR_THEOREMS:
        assert "exactly at the threshold" in error_rate_constant(at, algorithm).reason
