"""How δ is spent on arms that come and go, by a sequence that is fixed before the first trial.

The arms of the creation, the founders, share (1 − r)δ as the question says (`Question.levels`). The
rest, ε = rδ, is for what happens later: the j-th arm that is added has ε/2 · 1/(j(j + 1)) to be
named and ε/4 · 1/(j(j + 1)) to be ruled out; and once an arm was retired, each of the K founders
has ε/(4K) to be ruled out, because "none of those present" no longer speaks of one fixed good arm.
These shares sum to at most δ whatever is added or retired when, and for whatever reason. In a study
that has declared no reserve, ε = δ/9 comes on top: it is then sure at 1 − 10δ/9. Proof:
docs/theory.md, "Arms that come and go".
"""

import math
from dataclasses import dataclass

from goodarm.errors import InputError
from goodarm.inputs import number
from goodarm.inquiry.question import Question
from goodarm.outcomes.contract import Levels

USUAL_RESERVE = 0.1
MOST_RESERVE = 0.9
NOT_DECLARED = 1.0 / 9.0  # of δ, on top: a tenth of all
FOR_NAMES, FOR_NONE, FOR_FOUNDERS = 0.5, 0.25, 0.25  # of ε


def check_reserve(value: object) -> float:
    """The share of δ that is kept for later, 0 for none."""
    reserve = number("reserve", value)
    if not 0.0 <= reserve <= MOST_RESERVE:
        raise InputError(
            f"reserve: {value!r} is outside 0 to {MOST_RESERVE:g}; {USUAL_RESERVE:g} keeps a tenth "
            "of delta for arms that are added later"
        )
    return reserve


@dataclass(frozen=True)
class Spending:
    """What each arm's certificates must reach, for a question about so many founders."""

    question: Question
    founders: int
    reserve: float = 0.0

    @property
    def _later(self) -> float:
        """ε/δ."""
        return self.reserve or NOT_DECLARED

    def total(self, delta: float, has_changed: bool) -> float:
        """How probable a wrong answer may be in all, given whether arms were added or retired."""
        if has_changed and self.reserve == 0.0:
            return min(1.0, delta * (1.0 + NOT_DECLARED))
        return delta

    def levels(self, arm: int, log_inverse_delta: float, retired: bool = False) -> Levels:
        """The levels of an arm, in the order of coming; `retired`: some arm was."""
        if arm < self.founders:
            name, none = self.question.levels(
                self.founders, log_inverse_delta - math.log1p(-self.reserve)
            )
            # Where every arm is answered for itself, each has its own share already.
            if retired and self.question.wanted(self.founders) < self.founders:
                share = self._later * FOR_FOUNDERS / self.founders
                none = max(none, log_inverse_delta - math.log(share))
            return Levels(name, none)
        later = arm - self.founders + 1
        places = math.log(later * (later + 1.0))
        return Levels(
            log_inverse_delta + places - math.log(self._later * FOR_NAMES),
            log_inverse_delta + places - math.log(self._later * FOR_NONE),
        )
