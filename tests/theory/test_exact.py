import math

import numpy as np
import pytest
from mpmath import erfc, exp, inf, log, mp, mpf, pi, quad, sqrt

from goodarm.instance import Instance, instances
from goodarm.simulation import simulate
from goodarm.theory import unif_error


def by_quadrature(means, counts):
    """P(error) in high precision: the largest W is a bad arm's, or no W is positive."""
    mp.dps = 40
    centres = [sqrt(mpf(n)) * mpf(m) for m, n in zip(means, counts, strict=True)]
    cdf = lambda x: erfc(-x / sqrt(mpf(2))) / 2  # noqa: E731

    def lead(b, w):
        density = exp(-((w - centres[b]) ** 2) / 2) / sqrt(2 * pi)
        for a, centre in enumerate(centres):
            if a != b:
                density *= cdf(w - centre)
        return density

    none = mpf(1)
    for centre in centres:
        none *= cdf(-centre)
    points = [0, 0.5, 1, 2, 3, 4, 6, 8, 12, 20, inf]
    bad = [a for a, m in enumerate(means) if m < 0]
    return none + sum(quad(lambda w, b=b: lead(b, w), points) for b in bad)


@pytest.mark.parametrize(
    ("means", "t"),
    [
        ([0.5, -0.5], 2),
        ([0.5, -0.5], 21),
        ([1.0, 0.1, -0.1, -0.4], 30),
        ([0.3, 0.3, -0.2, -0.2, -0.2], 52),
        ([0.05, -2.0], 100),
        ([3.0, 2.5, -0.1], 60),
    ],
)
def test_with_good_arms_by_quadrature(means, t):
    counts = [t // len(means) + (a < t % len(means)) for a in range(len(means))]
    expected = log(by_quadrature(means, counts))
    found = unif_error(Instance(0.0, means), t)
    assert found.log == pytest.approx(float(expected), rel=1e-9)


def test_without_good_arms_in_closed_form():
    instance = instances["NoA2"]
    for t in (4, 103, 700, 10**5):
        right = mpf(1)
        with mp.workdps(120):
            for a, m in enumerate(instance.means):
                n = t // 4 + (a < t % 4)
                right *= erfc(sqrt(mpf(n)) * mpf(m) / sqrt(mpf(2))) / 2
            right = 1 - right
        assert unif_error(instance, t).log == pytest.approx(float(log(right)), rel=1e-9)


def test_far_out_in_the_tail():
    n = 10**7
    log_phi = lambda x: -x * x / 2 - math.log(x * math.sqrt(2 * math.pi))  # noqa: E731
    # One good arm at 0.5, 99 bad at −0.5: that the good arm looks bad is likeliest by far.
    found = unif_error(instances["TwoG:100:1"], 100 * n).log
    assert found == pytest.approx(log_phi(0.5 * math.sqrt(n)), rel=1e-9)
    # Good arm at 1, bad arm at −0.1: that the bad one passes it is likeliest.
    found = unif_error(Instance(0.0, [1.0, -0.1]), 2 * n).log
    assert found == pytest.approx(log_phi(1.1 * math.sqrt(n / 2)), rel=1e-9)


def test_against_simulation():
    for name in ("NoA2", "IsA1", "Thr3"):
        result = simulate(name, "Unif", budget=137, runs=4000, seed=11)["Unif"]
        low, high = result.error_interval(0.9999)
        assert low < unif_error(instances[name], 137).value < high


def test_every_answer_is_wrong_or_right():
    # With one arm the error is Φ(−√t Δ), whichever side it is on.
    for mean in (0.3, -0.3):
        found = unif_error(Instance(0.0, [mean]), 50).value
        assert found == pytest.approx(0.5 * math.erfc(0.3 * math.sqrt(50) / math.sqrt(2)), rel=1e-9)


def test_where_it_does_not_exist():
    assert unif_error(instances["Thr1"], 9).log is None
    assert unif_error(instances["RealL"], 100).log is None


def test_it_decreases():
    logs = [unif_error(instances["Thr2"], 6 * n).log for n in range(1, 60, 6)]
    assert (np.diff(logs) < 0).all()
