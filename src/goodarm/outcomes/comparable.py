"""What a comparison of two arms needs of their outcome model: its tilts at any mean.

Against a control the threshold is not known: it is the control's mean, or so much more. The
certificate of such a comparison is the least, over all means c that the control may have, of a
product of two certificates at thresholds that depend on c (`goodarm.inquiry.control`). Steps are
fixed beforehand; exponents are convex in a coordinate of the mean, so the least one is found.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from goodarm.outcomes.contract import Floats
from goodarm.outcomes.tilts import log_weights, steps


class Slopes(NamedTuple):
    """ln of a mixture of tilts at a mean, and its derivative there."""

    value: float
    slope: float


class Comparable(NamedTuple):
    """A family of distributions by a coordinate of their mean, which is the mean or 1/mean.

    Each tilt at mean θ is e^{a s − b n}, with `tilt(θ, ±d)` giving a and b and their derivatives by
    the coordinate; s and n are an arm's sum and amount. `variance(θ)` is that of an outcome, for
    the likelihood ratio: d/dθ kl(μ, θ) = (θ − μ)/variance(θ).
    """

    low: float  # of means
    high: float
    tilt: Callable[[float, Floats], tuple[Floats, Floats, Floats, Floats]]
    variance: Callable[[float], float]
    kl: Callable[[float, float], float]
    sizes: Floats
    weights: Floats
    by_inverse: bool = False  # the coordinate is 1/θ
    takes_difference: bool = True
    takes_ratio: bool = False

    @property
    def reference(self) -> float:
        """A mean for bookkeeping only, inside the range of means."""
        if math.isinf(self.low):
            return 0.0
        return self.low + 1.0 if math.isinf(self.high) else 0.5 * (self.low + self.high)

    def log_certificate(self, sign: float, mean: float, total: float, amount: float) -> Slopes:
        """ln E against "at most this mean" (sign 1) or "at least" (−1), and d/dcoordinate of it."""
        a, b, da, db = self.tilt(mean, sign * self.sizes)
        terms = self.weights + a * total - b * amount
        top = float(terms.max())
        shares = np.exp(terms - top)
        rest = float(shares.sum())
        slope = float((shares * (da * total - db * amount)).sum()) / rest
        return Slopes(top + math.log(rest), slope)


def family(
    low: float,
    high: float,
    tilt: Callable[[float, Floats], tuple[Floats, Floats, Floats, Floats]],
    variance: Callable[[float], float],
    kl: Callable[[float, float], float],
    step_variance: float,
    *,
    by_inverse: bool = False,
    takes_difference: bool = True,
    takes_ratio: bool = False,
) -> Comparable:
    """With the steps and weights that belong to outcomes of that variance."""
    sizes = steps(step_variance)
    return Comparable(
        low,
        high,
        tilt,
        variance,
        kl,
        sizes,
        log_weights(sizes),
        by_inverse,
        takes_difference,
        takes_ratio,
    )


def normal(sigma: float) -> Comparable:
    """Gaussian outcomes: a = ±d/σ, b = ±dθ/σ + d²/2."""

    def tilt(mean: float, d: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        a = d / sigma
        return a, a * mean + 0.5 * d * d, np.zeros_like(d), a

    return family(
        -math.inf,
        math.inf,
        tilt,
        lambda mean: sigma * sigma,
        lambda p, q: 0.5 * ((p - q) / sigma) ** 2,
        1.0,
    )


def share(low: float, high: float) -> Comparable:
    """Outcomes in [lo, hi] by the formula for 0/1: a = ±d/w, b = ±d lo/w + ln(1 + θ'(e^±d − 1)).

    Exact for 0/1, and valid for all that lies between (smaller in convex order), though blind to
    how little such outcomes scatter.
    """
    width = high - low

    def tilt(mean: float, d: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        theta, odds = (mean - low) / width, np.expm1(d)
        a, inside = d / width, 1.0 + theta * odds
        return a, a * low + np.log(inside), np.zeros_like(d), odds / (width * inside)

    def kl(p: float, q: float) -> float:
        return _kl_bernoulli((p - low) / width, (q - low) / width)

    return family(
        low,
        high,
        tilt,
        lambda mean: (mean - low) * (high - mean),
        kl,
        0.25,
        takes_ratio=low == 0.0,
    )


def counts() -> Comparable:
    """Poisson counts: a = ±d, b = θ(e^±d − 1)."""

    def tilt(mean: float, d: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        odds = np.expm1(d)
        return d, mean * odds, np.zeros_like(d), odds

    def kl(p: float, q: float) -> float:
        return q - p + (p * math.log(p / q) if p > 0.0 else 0.0)

    return family(0.0, math.inf, tilt, lambda mean: mean, kl, 0.25, takes_ratio=True)


def durations(shape: float) -> Comparable:
    """Exponential durations, n of them ended: a = −k(e^∓d − 1)/θ, b = ±kd."""

    def tilt(mean: float, d: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        part = -shape * np.expm1(-d)
        return part / mean, shape * d, part, np.zeros_like(d)

    def kl(p: float, q: float) -> float:
        return shape * (p / q - 1.0 - math.log(p / q))

    return family(
        0.0,
        math.inf,
        tilt,
        lambda mean: mean * mean / shape,
        kl,
        shape,
        by_inverse=True,
        takes_difference=False,
        takes_ratio=True,
    )


def _kl_bernoulli(p: float, q: float) -> float:
    nats = 0.0
    if p > 0.0:
        nats += p * math.log(p / q) if q > 0.0 else math.inf
    if p < 1.0:
        nats += (1.0 - p) * math.log((1.0 - p) / (1.0 - q)) if q < 1.0 else math.inf
    return nats
