"""A bar that is another arm's mean: certificates for "better than the control by at least m".

With c the control's mean, unknown, an arm is good if its mean is at least b(c) = c + m (or r·c).
For the true c₀, E⁺_a(b(c₀)) · E⁻_c(c₀) is a product of supermartingales that never move together,
so it is one, under any sampling rule; and

    E = inf_c E⁺_a(b(c)) · E⁻_c(c)

is at most that: an e-process against "not better by m". For "certainly not better by m" the signs
change places. Both logarithms are convex in c (in 1/c for durations), so the least value is found
between two slopes, and what is returned lies below it: where the tangents at both ends of the last
bracket meet. E grows like the likelihood ratio of two samples, whose root is W.

Reference: Turner and Grünwald (2022), arXiv 2203.09785, for two samples; this project,
docs/theory.md, "Against a control".
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from goodarm.certainty import Limits
from goodarm.inquiry.criteria import Criterion
from goodarm.inquiry.tally import MeasurementTally
from goodarm.outcomes.comparable import Comparable, Slopes

BISECTIONS = 60
TIGHT = 1e-6  # nats that the value may be below the least one
MOST_DOUBLINGS = 200
MOST_LOOKS = 120
CLOSE = 1e-12  # nats
SMALLEST_VARIANCE = 1e-12
NEARLY = 1e-12  # of the range of means: how close to its ends one is looked for


class ArmSample(NamedTuple):
    """What was seen of an arm, and the family that it comes from."""

    family: Comparable
    total: float
    amount: float

    @property
    def mean(self) -> float:
        """μ̂."""
        return self.total / self.amount


class Bar(NamedTuple):
    """b(c) = factor · c + shift."""

    factor: float
    shift: float

    def of(self, control: float) -> float:
        """The bar that a control's mean makes."""
        return self.factor * control + self.shift

    def control(self, bar: float) -> float:
        """The control's mean that makes this bar."""
        return (bar - self.shift) / self.factor


def log_product(arm: ArmSample, control: ArmSample, bar: Bar, sign: float) -> float:
    """ln inf_c E_a(b(c)) E_c(c): against "not above the bar" (sign 1), or "not below it" (−1)."""
    inverse = arm.family.by_inverse
    scale = 1.0 / bar.factor if inverse else bar.factor  # of the arm's coordinate to the control's

    def at(x: float) -> Slopes:
        c = 1.0 / x if inverse else x
        first = arm.family.log_certificate(sign, bar.of(c), arm.total, arm.amount)
        second = control.family.log_certificate(-sign, c, control.total, control.amount)
        return Slopes(first.value + second.value, scale * first.slope + second.slope)

    low, high = _coordinates(arm.family, control.family, bar)
    ends = [control.mean, bar.control(arm.mean)]
    if inverse:
        ends = [1.0 / max(end, 1e-300) for end in ends]
    return _least(at, low, high, min(ends), max(ends))


def _coordinates(arm: Comparable, control: Comparable, bar: Bar) -> tuple[float, float]:
    """Where c, or 1/c, may be."""
    if arm.by_inverse:  # means and 1/mean are anything above 0
        return 1e-300, math.inf
    return _means(arm, control, bar)


def _means(arm: Comparable, control: Comparable, bar: Bar) -> tuple[float, float]:
    """Where c may be so that both means are in their range, a hair inside it."""
    low = max(control.low, bar.control(arm.low))
    high = min(control.high, bar.control(arm.high))
    hair = NEARLY * (1.0 if math.isinf(high - low) else high - low)
    return (low + hair if low > -math.inf else low), (high - hair if high < math.inf else high)


def _least(
    at: Callable[[float], Slopes], low: float, high: float, first: float, last: float
) -> float:
    """At most the least value of a convex function on [low, high], and nearly that."""
    left, right = min(max(first, low), high), max(min(last, high), low)
    width = max(right - left, 1e-3 * max(1.0, abs(left)))
    f_left, f_right = at(left), at(right)
    for _ in range(MOST_DOUBLINGS):
        if f_left.slope <= 0.0 or left == low:
            break
        right, f_right = left, f_left
        left, width = max(low, left - width), 2.0 * width
        f_left = at(left)
    for _ in range(MOST_DOUBLINGS):
        if f_right.slope >= 0.0 or right == high:
            break
        left, f_left = right, f_right
        right, width = min(high, right + width), 2.0 * width
        f_right = at(right)
    if f_left.slope >= 0.0:
        return f_left.value
    if f_right.slope <= 0.0:
        return f_right.value
    below = -math.inf
    for _ in range(BISECTIONS):
        below, meeting = _tangents(left, f_left, right, f_right)
        if min(f_left.value, f_right.value) - below <= TIGHT or not left < meeting < right:
            break
        middle = at(meeting)
        if middle.slope < 0.0:
            left, f_left = meeting, middle
        else:
            right, f_right = meeting, middle
    return below


def _tangents(left: float, f: Slopes, right: float, g: Slopes) -> tuple[float, float]:
    """The value and the position where the tangents at both ends meet: below the function."""
    meeting = (g.value - f.value + f.slope * left - g.slope * right) / (f.slope - g.slope)
    return f.value + f.slope * (meeting - left), meeting


def log_likelihood_ratio(arm: ArmSample, control: ArmSample, bar: Bar) -> float:
    """min_c n_a kl(μ̂_a, b(c)) + n_c kl(μ̂_c, c), where the derivative is 0."""
    least, most = _means(arm.family, control.family, bar)
    first, last = sorted((control.mean, bar.control(arm.mean)))
    low, high = min(max(first, least), most), max(min(last, most), least)

    def pull(sample: ArmSample, mean: float) -> float:
        """The derivative of n kl(μ̂, mean)."""
        variance = max(sample.family.variance(mean), SMALLEST_VARIANCE)
        return sample.amount * (mean - sample.mean) / variance

    c = _crossing(lambda c: bar.factor * pull(arm, bar.of(c)) + pull(control, c), low, high)
    return arm.amount * arm.family.kl(arm.mean, bar.of(c)) + control.amount * control.family.kl(
        control.mean, c
    )


def _crossing(slope: Callable[[float], float], low: float, high: float) -> float:
    """Where the slope of a convex function is 0, nearly: its value there is `CLOSE` to the least.

    By secants (Illinois), which take one look where the slope is a straight line, and by halves
    after a secant that did not shorten the bracket by half.
    """
    below, above = slope(low), slope(high)
    if below >= 0.0 or above <= 0.0:
        return low if below >= 0.0 else high
    halve = False
    c = low
    for _ in range(MOST_LOOKS):
        width = high - low
        c = 0.5 * (low + high) if halve else low - below * width / (above - below)
        value = slope(c)
        if value < 0.0:
            low, below, above = c, value, 0.5 * above
        else:
            high, above, below = c, value, 0.5 * below
        if abs(value) * (high - low) <= CLOSE:  # a convex function cannot fall by more
            break
        halve = high - low > 0.5 * width
    return c


class AgainstControl:
    """A criterion whose bar is the control's mean, more or less."""

    def __init__(self, criterion: Criterion, K: int, control: int) -> None:
        families = [criterion.outcome.comparable(arm) for arm in range(K)]
        assert all(family is not None for family in families)
        self._families = [family for family in families if family is not None]
        self._model, self.control = criterion.outcome, control
        self._bar, self._side = Bar(criterion.factor, criterion.shift), criterion.side
        self.tally = MeasurementTally(criterion.outcome, [criterion.reference] * K)
        self._evidence: dict[int, tuple[tuple[int, int], float]] = {}
        self._certificates: dict[int, tuple[tuple[int, int], float, float]] = {}

    def add_arm(self) -> None:
        """One more arm."""
        family = self._model.comparable(len(self._families))
        assert family is not None
        self._families.append(family)
        self.tally.add_arm(self.tally.thresholds[0])

    def touched(self, arm: int) -> Sequence[int]:
        """That arm; all others, if it is the control."""
        if arm != self.control:
            return (arm,)
        return [other for other in range(len(self._families)) if other != arm]

    def evidence(self, arm: int) -> float:
        """W, with the sign of the difference; 0 before both have outcomes."""
        counts = self._counts(arm)
        cached = self._evidence.get(arm)
        if cached is not None and cached[0] == counts:
            return cached[1]
        w = self._fresh_evidence(arm) if min(counts) else 0.0
        self._evidence[arm] = counts, w
        return w

    def certificates(self, arm: int) -> tuple[float, float]:
        """For "better by the margin", and for "not better by it"."""
        counts = self._counts(arm)
        if not min(counts):
            return 0.0, 0.0
        cached = self._certificates.get(arm)
        if cached is None or cached[0] != counts:
            one, other = self._sample(arm), self._sample(self.control)
            good = bad = 0.0
            if one.amount and other.amount:  # 0 where no duration has ended
                good = log_product(one, other, self._bar, self._side)
                bad = log_product(one, other, self._bar, -self._side)
            cached = self._certificates[arm] = (counts, good, bad)
        return cached[1:]

    def may_reach(self, arm: int, level: float, side: float) -> bool:
        """The product is at most the likelihood ratio of both samples: ln E ≤ W²/2."""
        w = side * self.evidence(arm)
        return w > 0.0 and 0.5 * w * w >= level

    def limits(self, arms: Sequence[int], risks: Sequence[tuple[float, float]]) -> Limits:
        """Of the arms' own means, each for itself."""
        return self.tally.limits(arms, risks)

    def _counts(self, arm: int) -> tuple[int, int]:
        return self.tally.count(arm), self.tally.count(self.control)

    def _sample(self, arm: int) -> ArmSample:
        return ArmSample(self._families[arm], self.tally.total(arm), self.tally.amount(arm))

    def _fresh_evidence(self, arm: int) -> float:
        one, other = self._sample(arm), self._sample(self.control)
        if not (one.amount and other.amount):
            return 0.0
        nats = max(log_likelihood_ratio(one, other, self._bar), 0.0)
        sign = self._side if one.mean >= self._bar.of(other.mean) else -self._side
        return sign * math.sqrt(2.0 * nats)
