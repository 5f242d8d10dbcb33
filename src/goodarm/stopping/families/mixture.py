"""The boundary "mixture": the outcome model's certificates against two fixed levels.

An arm is named as soon as its certificate for "good" reaches ln(K/(xδ)); "none is good" is said as
soon as every arm's certificate for "bad" has reached ln(1/δ₋). An arm's certificates change with
its own outcomes only, so one arm is looked at after each; and as a mixture never exceeds the
likelihood ratio at its best alternative, ln E ≤ W²/2, it is not even looked at before its evidence
suffices.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from goodarm.outcomes.contract import Functions, Levels
from goodarm.run import ACTIVE, CONTINUE, NONE, NONE_LEVEL, REACHED, Run, evidence
from goodarm.stopping.contract import MIXTURE_KIND, Boundary, StoppingRule, Verdict

MOST_FOR_NAMES = 0.75  # of δ, at most, for naming a bad arm where another one is good


def make_verdict(functions: Functions) -> Verdict:
    """The stopping rule, for outcomes with these functions."""
    surely_good, surely_bad = functions.surely_good, functions.surely_bad
    least = functions.least

    def look(run: Run, arm: int) -> int:
        if run.levels[REACHED] == 0.0:  # the first look of this run
            run.levels[REACHED] = least(run)
        above = evidence(run, arm) > 0.0
        ruled_out = False if above else surely_bad(run, arm)
        if ruled_out == (run.active[arm] == 1):  # it was in play and is not, or the reverse
            run.active[arm] = 0 if ruled_out else 1
            run.clock[ACTIVE] += -1 if ruled_out else 1
        if above and surely_good(run, arm):
            return arm
        return NONE if run.clock[ACTIVE] == 0 else CONTINUE

    def verdict(run: Run, t: int, arm: int) -> int:
        w = evidence(run, arm)
        if 0.5 * w * w < run.levels[REACHED] and run.active[arm] == 1:
            return CONTINUE
        return look(run, arm)

    return verdict


def level(run: Run, t: int) -> float:
    """The least evidence that can rule an arm out, √(2 ln(1/δ₋)), at all times."""
    return math.sqrt(2.0 * run.levels[NONE_LEVEL])


def name_share(K: int) -> float:
    """x: xδ/K is an arm's share of δ for being named. 1 up to K = 4, then K/(K − 1) · 3/4."""
    return 1.0 if K == 1 else min(1.0, MOST_FOR_NAMES * K / (K - 1))


@dataclass(frozen=True)
class MixtureBoundary(Boundary):
    """The levels of the certificates: how δ is shared between the two ways to be wrong.

    Where some arm is good, a wrong name needs one of at most K − 1 bad arms to reach K/(xδ), a
    wrong "none" needs that good arm to reach 1/δ₋: (K − 1)xδ/K + δ₋ = δ in all. Where none is,
    only names can be wrong: xδ ≤ δ. No union over arms for "none": one fixed good arm suffices.
    """

    kind = MIXTURE_KIND
    by_certificates = True
    stopping_rule = StoppingRule(make_verdict, level)
    forms: ClassVar[Mapping[str, str]] = {
        "mixture": "certificates of the outcome model, ln(K/(xδ)) to name an arm: the fewest trials"
    }

    @classmethod
    def parse(cls, text: str, K: int, log_inverse_delta: float) -> "MixtureBoundary | None":
        """The one boundary of this family."""
        if text != "mixture":
            return None
        share = name_share(K)
        none = 1.0 - share * (K - 1) / K
        name_level = log_inverse_delta + math.log(K / share)
        return cls(text, name_level, log_inverse_delta - math.log(none))

    @property
    def levels(self) -> Levels:
        """To name an arm, and to rule one out."""
        return Levels(self.offset, self.slope)

    def least_evidence(self, t: float) -> float:
        """√(2 ln(K/(xδ))): a certificate is at most W²/2."""
        return math.sqrt(2.0 * self.offset)


BOUNDARY_FAMILIES = (MixtureBoundary,)
