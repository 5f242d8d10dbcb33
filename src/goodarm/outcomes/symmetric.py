"""Outcomes with symmetric noise: above the arm's centre as often as below it by the same amount.

The scatter may be anything, differ from outcome to outcome and depend on those before. With

    y_i = (x_i − θ)/s_(i−1), cut off at ±3,   s_(i−1)² = the mean of (x − θ)² before,
    S = ±Σ y_i,   V = Σ y_i²,   ln E = ln Σ_j exp(lw_j + d_j S − d_j² V/2),

an arm's first outcome only sets the scale, and d_j and lw_j are those of `gaussian`. Evidence is
that of Gaussian outcomes of unknown scatter (`student.py`): it has the sign of μ̂ − θ. A certificate
that speaks for the other side than the mean is cut off at 0, so that no arm is named whose mean
is below the bar; like everything that makes a certificate smaller, that costs no validity.

Guarantee: exact for any symmetric noise under any sampling rule, because for Z = ±z with equal
chances, shifted to the null's side and passed through an odd function that does not fall, the mean
of e^(Z − Z²/2) is at most 1. E is an e-value at every stopping time. The centre is the mean where
there is a mean. What breaks it: skewed outcomes, whose mean is not their centre; and telling in an
order that depends on the values, because each outcome is measured against those before it.
When to use it: differences of pairs; noise with heavy tails or a scatter that changes. It takes 4 %
more trials than `gaussian` without σ where an effect is a fifth of the scatter, 45 % more where it
is as large.
Reference: de la Peña, Ann. Probab. 27 (1999), for the symmetric case. One-sided hypotheses and the
cut: this project, docs/theory.md.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

import numpy as np
from numpy.typing import NDArray

from goodarm.errors import InputError
from goodarm.inputs import observed
from goodarm.numerics import normal_quantile
from goodarm.outcomes.contract import Floats, Functions, Levels, Outcome, Seen
from goodarm.outcomes.gaussian import cumulant
from goodarm.outcomes.student import MEAN, SQUARES, signed_root, take_in
from goodarm.outcomes.tilts import BAD_SLOPES, GOOD_SLOPES, log_mixture, table
from goodarm.outcomes.watches.contract import Watch
from goodarm.outcomes.watches.lopsided import Lopsided
from goodarm.run import NAME_LEVEL, NONE_LEVEL, SIDE, THRESHOLD, FloatSequence, Run

FARTHEST = 3.0  # where y is cut off; without that, one tiny first outcome would spoil the scale
SUM, VARIANCE = SQUARES + 1, SQUARES + 2  # what an arm keeps besides mean and M2: S and V
MEMORY = VARIANCE + 1


def remember(run: Run, arm: int, value: float, size: float) -> None:
    """S and V with the scale of the outcomes before; then mean and M2."""
    kept, base, n = run.kept, arm * MEMORY, run.counts[arm]
    x = value - run.levels[THRESHOLD]
    if n > 1:
        before = kept[base + MEAN]
        scale = math.sqrt(kept[base + SQUARES] / (n - 1) + before * before)
        if scale > 0.0:
            y = min(max(x / scale, -FARTHEST), FARTHEST)
            kept[base + SUM] += y
            kept[base + VARIANCE] += y * y
    take_in(kept, base, x, n)


def gap(run: Run, arm: int, n: int, total: float) -> float:
    """W/√n, times −1 where less is good."""
    kept, base = run.kept, arm * MEMORY
    return signed_root(n, run.levels[SIDE] * kept[base + MEAN], kept[base + SQUARES])


def log_certificate(model: FloatSequence, total: float, variance: float, m: float) -> float:
    """ln E, in favour of a centre beyond θ where S > 0; at most 0 where the mean is not."""
    log = log_mixture(model, GOOD_SLOPES, total, variance)
    return log if m > 0.0 else min(log, 0.0)


def certificate(run: Run, arm: int, sign: float) -> float:
    """ln E for "above θ" (sign 1) or "below"."""
    kept, base = run.kept, arm * MEMORY
    return log_certificate(
        run.model, sign * kept[base + SUM], kept[base + VARIANCE], sign * kept[base + MEAN]
    )


def surely(run: Run, arm: int, sign: float, level: float) -> bool:
    """Whether it has reached a level; ln E is at most S²/(2V)."""
    total = sign * run.kept[arm * MEMORY + SUM]
    if total <= 0.0 or total * total < 2.0 * level * run.kept[arm * MEMORY + VARIANCE]:
        return False
    return certificate(run, arm, sign) >= level


def for_good(run: Run, arm: int) -> float:
    """The certificate for "this arm is good"."""
    return certificate(run, arm, run.levels[SIDE])


def for_bad(run: Run, arm: int) -> float:
    """The certificate for "this arm is not good"."""
    return certificate(run, arm, -run.levels[SIDE])


def surely_good(run: Run, arm: int) -> bool:
    """Whether it has reached the level to name an arm."""
    return surely(run, arm, run.levels[SIDE], run.levels[NAME_LEVEL])


def surely_bad(run: Run, arm: int) -> bool:
    """Whether it has reached the level to rule one out."""
    return surely(run, arm, -run.levels[SIDE], run.levels[NONE_LEVEL])


def least(run: Run) -> float:
    """Evidence does not bound the certificates: they are always looked at."""
    return 0.0


@dataclass(frozen=True)
class Symmetric(Outcome):
    """A number that scatters evenly around its arm's centre, by whatever and however unsteadily.

    >>> Symmetric().check(-0.3, threshold=0.0)
    -0.3
    """

    name = "symmetric"
    title = "a number with symmetric noise, such as the difference of a pair"
    summary = (
        "A number that is above its option's centre as often as below it by the same amount, "
        "whatever its scatter, even one that changes. Not for skewed outcomes: it is about the "
        "centre, not the mean."
    )
    functions = Functions(gap, for_good, for_bad, surely_good, surely_bad, least, remember=remember)
    memory = MEMORY
    within_evidence = False
    monotone = False  # an outlier widens the scale
    in_order = True

    @property
    def assumes(self) -> str:
        """What it takes for granted."""
        return "Outcomes lie evenly on both sides of their centre; their scatter may change."

    @property
    def breaks(self) -> str:
        """What makes it too sure."""
        return (
            "A long tail on one side, where the centre is not the mean; outcomes that are entered "
            "sorted by their values."
        )

    @property
    def knows_scatter(self) -> bool:
        """It says nothing of it."""
        return False

    def check(self, value: object, threshold: float) -> float:
        """The value, if it is a number."""
        return observed(value)

    def scales(self, K: int) -> list[float]:
        """1, as nothing is known."""
        return [1.0] * K

    def sub_gaussian(self, K: int) -> Outcome:
        """Nothing bounds the scatter."""
        raise InputError(
            "outcome: the paper's boundaries, and algorithms with their own stopping rule, "
            "need a known standard deviation; give gaussian:SIGMA, or use boundary mixture"
        )

    def numbers(self, threshold: float, side: float, levels: Levels) -> Sequence[float]:
        """Steps and weights of standardised Gaussian outcomes; both sides have the same."""
        return _numbers()

    def limits(
        self, seen: Seen, threshold: float, lower: float, upper: float
    ) -> tuple[Floats, Floats]:
        """At the threshold where a certificate has reached its level, else infinite.

        Elsewhere a limit would need every outcome: each is measured against those before it, from
        the very centre that is tested.
        """
        above = _certified(seen, 1.0, lower)
        below = _certified(seen, -1.0, upper)
        just_below = np.nextafter(threshold, -math.inf)
        return np.where(above, threshold, -math.inf), np.where(below, just_below, math.inf)

    def describe(self) -> str:
        """What an outcome is."""
        return "a number that scatters evenly around its option's centre"

    def note(self, side: float) -> str:
        """What is tested, and why there are hardly any limits."""
        return (
            "What is judged is the centre around which outcomes scatter evenly; that is their mean "
            "unless they are skewed. Limits are shown only where they have reached the bar."
        )

    @classmethod
    def guess(cls, values: Sequence[Sequence[float]]) -> "Symmetric":
        """There is nothing to guess."""
        return cls()

    def typical(self, mean: float, scatter: float, many: int) -> list[float]:
        """Normal quantiles."""
        z = np.array([normal_quantile((i + 0.5) / many) for i in range(many)])
        return (mean + scatter * z / z.std()).tolist()  # type: ignore[no-any-return]

    def quantile(self, u: float, mean: float) -> float:
        """The normal quantile, with a scatter of 1."""
        return mean + normal_quantile(u)

    def watches(self, threshold: float) -> tuple[Watch, ...]:
        """Whether outcomes lean to one side. Drift is not told from a scale that changes."""
        return (Lopsided(),)

    def draw_outcome(self, arm: int, mean: float, scatter: float, chance: Random) -> float:
        """A normal number with the scatter seen."""
        return chance.gauss(mean, _deviation(scatter))


def _deviation(scatter: float) -> float:
    return 1.0 if scatter != scatter else math.sqrt(scatter)


def _certified(seen: Seen, sign: float, alpha: float) -> NDArray[np.bool_]:
    """Whether the certificates at θ have reached ln(1/α)."""
    model, level = list(_numbers()), -math.log(alpha)
    rows = seen.kept.tolist()
    logs = [
        log_certificate(model, sign * row[SUM], row[VARIANCE], sign * row[MEAN]) for row in rows
    ]
    return np.array(logs) >= level


@cache
def _numbers() -> tuple[float, ...]:
    return table(1.0, cumulant, 1.0, Levels())[:BAD_SLOPES]


OUTCOMES = (Symmetric,)
