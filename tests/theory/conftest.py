"""An independent route to every formula: high precision, written anew from the paper."""

import math
from types import SimpleNamespace

import pytest
from mpmath import mp, mpf

from goodarm.instance import instances

mp.dps = 40

FAMILIES = [*instances, "TwoG:100:30", "TwoG:100:0", "LinG:100:5", "LinG:100:95"]


def wbar(x):
    """The larger root of w − ln w = x, by bisection-free Newton in 40 digits."""
    x = mpf(x)
    w = x + mp.log(x) + 1
    for _ in range(60):
        w -= (w - mp.log(w) - x) / (1 - 1 / w)
    return w


class Reference:
    """One instance in high precision; every quantity by its definition, with loops."""

    def __init__(self, instance):
        self.K = instance.K
        self.theta = mpf(instance.threshold)
        self.means = [mpf(m) for m in instance.means]
        self.sigma = mpf(float(instance.sigmas[0]))
        self.good = [bool(g) for g in instance.good]
        self.gaps = [abs(m - self.theta) / self.sigma for m in self.means]
        self.good_gaps = [d for d, g in zip(self.gaps, self.good, strict=True) if g]
        self.bad_gaps = [d for d, g in zip(self.gaps, self.good, strict=True) if not g]
        self.H1 = sum(d**-2 for d in self.gaps)
        self.Htheta = sum(d**-2 for d in self.good_gaps)
        self.logbar = mpf(1) / 2 + sum(mpf(1) / i for i in range(2, self.K + 1))
        ordered = sorted(self.means, reverse=True)
        terms = [
            (i + 1) * (self.sigma / (ordered[0] - m)) ** 2
            for i, m in enumerate(ordered)
            if m < ordered[0]
        ]
        self.H2 = max(terms) if terms else None
        self.rounds = math.ceil(math.log2(self.K))

    @property
    def hat(self):
        return max(self.good_gaps, default=mpf(0)) + min(self.bad_gaps)


@pytest.fixture(scope="session")
def reference():
    return SimpleNamespace(wbar=wbar, of=lambda name: Reference(instances[name]))


@pytest.fixture(scope="session", params=FAMILIES)
def name(request):
    return request.param
