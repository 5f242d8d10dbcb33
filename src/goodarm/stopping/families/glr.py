"""The paper's boundaries: b(t)² = 2c(t, δ) = W̄(offset + slope·ln(slope + ln t)).

GLR (paper, Eq. 8): stop with argmax W_a when max W_a ≥ b(t), with ∅ when min(−W_a) ≥ b(t). Both
look at max W_a alone, which the run's max-tree has at its root.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from goodarm.errors import InputError
from goodarm.numerics import wbar
from goodarm.outcomes.contract import Functions
from goodarm.run import (
    CONTINUE,
    NONE,
    OFFSET,
    PULLED,
    REACHED,
    SLOPE,
    Run,
    largest_evidence,
    leader,
)
from goodarm.stopping.contract import GLR_KIND, Boundary, StoppingRule, Verdict

SUMMED = 10  # terms of ζ from here on are not added up one by one
BERNOULLI = (  # B_2j/(2j)!
    1.0 / 12.0,
    -1.0 / 720.0,
    1.0 / 30_240.0,
    -1.0 / 1_209_600.0,
    1.0 / 47_900_160.0,
    -691.0 / 1_307_674_368_000.0,
    1.0 / 74_724_249_600.0,
    -3_617.0 / 10_670_622_842_880_000.0,
)


def glr_level(offset: float, slope: float, t: float) -> float:
    """√W̄(offset + slope·ln(slope + ln t)); plain, so that compiled code can call it."""
    return math.sqrt(wbar(offset + slope * math.log(slope + math.log(t))))


def level(run: Run, t: int) -> float:
    """b(t), what the evidence must reach after t observations."""
    return glr_level(run.levels[OFFSET], run.levels[SLOPE], t)


def verdict(run: Run, t: int, arm: int) -> int:
    """Whether the evidence has reached b(t)."""
    if abs(largest_evidence(run)) < run.levels[REACHED] or t < len(run.counts):
        return CONTINUE
    return _look_closer(run, t)


def _look_closer(run: Run, t: int) -> int:
    """A boundary that grows with t.

    One computed earlier is a lower bound of today's: it is computed anew only when the evidence
    passes the last one.
    """
    most = largest_evidence(run)
    now = level(run, t)
    run.levels[REACHED] = now
    if most >= now:
        return leader(run, t)
    if most <= -now and run.clock[PULLED] == len(run.counts):
        return NONE
    return CONTINUE


def make_verdict(functions: Functions) -> Verdict:
    """The same stopping rule for all outcomes: it looks at their evidence alone."""
    return verdict


def zeta(s: float) -> float:
    """Riemann's ζ(s), s > 1: nine terms, and Euler and Maclaurin's formula for the rest.

    The first term that is left out is below 1e-17, whatever s is.

    >>> zeta(2.0) == math.pi**2 / 6.0
    True
    """
    if s > 60.0:
        return 1.0 + math.pow(2.0, -s)
    first = math.pow(SUMMED, -s)
    rest = [SUMMED * first / (s - 1.0), 0.5 * first]
    factor = s * first / SUMMED
    for j, number in enumerate(BERNOULLI):
        rest.append(number * factor)
        factor *= (s + 2 * j + 1) * (s + 2 * j + 2) / SUMMED**2
    return math.fsum([*rest, *(math.pow(k, -s) for k in range(1, SUMMED))])


def g(s: float) -> float:
    """g(s) = ln ζ(s) + s(1 − ln 2s) + 1/2, the constant of the general-s boundary, s > 1."""
    return math.log(zeta(s)) + s * (1.0 - math.log(2.0 * s)) + 0.5


@dataclass(frozen=True)
class GlrBoundary(Boundary):
    """What the paper states, what its tables used, and the family behind both."""

    kind = GLR_KIND
    stopping_rule = StoppingRule(make_verdict, level)
    forms: ClassVar[Mapping[str, str]] = {
        "glr": "2c(t, δ) = W̄(2 ln(K/δ) + 4 ln(4 + ln t) + 1/2): δ-correct for any sampling rule",
        "glr-tables": "W̄(2 ln(2K/δ) + 4 ln(4 + ln t) + 1): what the paper's tables were made with",
        "glr[s=S]": "W̄(2 ln(K/δ) + 2s ln(2s + ln t) + 2g(s)): the family behind it, any s > 1",
    }

    @classmethod
    def parse(cls, text: str, K: int, log_inverse_delta: float) -> "GlrBoundary | None":
        """One of the three forms."""
        base = math.log(K) + log_inverse_delta
        if text == "glr":
            return cls(text, 2.0 * base + 0.5, 4.0)
        if text == "glr-tables":
            return cls(text, 2.0 * (base + math.log(2.0)) + 1.0, 4.0)
        general = re.fullmatch(r"glr\[\s*s\s*=\s*([^\]]+)\]", text)
        if general is None:
            return None
        try:
            s = float(general.group(1))
        except ValueError:
            s = math.nan
        if not 1.0 < s < math.inf:
            raise InputError(f"boundary {text!r}: s must be a number above 1")
        return cls(f"glr[s={s:g}]", 2.0 * base + 2.0 * g(s), 2.0 * s)

    def level(self, t: float) -> float:
        """b(t) = √(2c(t, δ)), the evidence needed to stop after t observations."""
        return glr_level(self.offset, self.slope, t)

    def least_evidence(self, t: float) -> float:
        """b(t)."""
        return self.level(t)


BOUNDARY_FAMILIES = (GlrBoundary,)
