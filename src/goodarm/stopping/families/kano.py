"""The boundary "kano": arms are answered, or eliminated for good, by a bonus of their own.

The bonus of an arm is √(2Λ_a/N_a), Λ_a = ln(4K/δ) + 2 ln N_a, in units of σ_a. It changes with the
arm's own pulls only, so only the arm just pulled is looked at.
Reference: Kano et al., "Good arm identification via bandit feedback", Machine Learning 108 (2019).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from goodarm.outcomes.contract import Functions
from goodarm.run import CONTINUE, NONE, OFFSET, Run, evidence
from goodarm.stopping.contract import (
    KANO_KIND,
    Boundary,
    StoppingRule,
    Verdict,
    answer_or_eliminate,
)


def kano_level(run: Run, arm: int) -> float:
    """√(2Λ_a): the bonus of Kano et al. in units of evidence."""
    return math.sqrt(2.0 * (run.levels[OFFSET] + 2.0 * math.log(run.counts[arm])))


def half_width(run: Run, arm: int) -> float:
    """The half-width of the arm's confidence interval, in units of σ_a."""
    return kano_level(run, arm) / run.roots[arm]


def level(run: Run, t: int) -> float:
    """√(2 ln(4K/δ)), for an arm that was pulled once; more for others."""
    return math.sqrt(2.0 * run.levels[OFFSET])


def verdict(run: Run, t: int, arm: int) -> int:
    """Eliminate or answer the arm just pulled; all arms at the first look, at t = K."""
    K = len(run.counts)
    if t < K:
        return CONTINUE
    if t > K:
        return _look(run, arm)
    answer = CONTINUE  # of several, the one with most evidence
    for a in range(K):
        if run.counts[a] > 0:
            one = _look(run, a)
            if one == NONE:
                return NONE
            if one >= 0 and (answer < 0 or evidence(run, one) > evidence(run, answer)):
                answer = one
    return answer


def _look(run: Run, arm: int) -> int:
    bound = kano_level(run, arm)
    return answer_or_eliminate(run, arm, bound, bound)


def make_verdict(functions: Functions) -> Verdict:
    """The same stopping rule for all outcomes: it looks at their evidence alone."""
    return verdict


@dataclass(frozen=True)
class KanoBoundary(Boundary):
    """ln(4K/δ) is the offset; there is no slope."""

    kind = KANO_KIND
    stopping_rule = StoppingRule(make_verdict, level)
    forms: ClassVar[Mapping[str, str]] = {
        "kano": "per-arm bonus √(2(ln(4K/δ) + 2 ln N)/N) with permanent elimination (Kano et al.)"
    }

    @classmethod
    def parse(cls, text: str, K: int, log_inverse_delta: float) -> "KanoBoundary | None":
        """The one boundary of this family."""
        if text != "kano":
            return None
        return cls(text, math.log(K) + log_inverse_delta + math.log(4.0))


BOUNDARY_FAMILIES = (KanoBoundary,)
