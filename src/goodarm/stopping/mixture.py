"""The stopping rule "mixture": the outcome model's certificates against two fixed levels.

An arm is named as soon as its certificate for "good" reaches ln(K/(xδ)); "none is good" is said as
soon as every arm's certificate for "bad" has reached ln(1/δ₋) (`boundaries.mixture`). An arm's
certificates change with its own outcomes only, so one arm is looked at after each; and as a mixture
never exceeds the likelihood ratio at its best alternative, ln E ≤ W²/2, it is not even looked at
before its evidence suffices.
"""

from collections.abc import Callable
from functools import cache

from goodarm.outcomes.contract import Functions
from goodarm.run import ACTIVE, CONTINUE, KIND, NONE, REACHED, Run, evidence
from goodarm.stopping.boundaries import MIXTURE
from goodarm.stopping.verdicts import verdict as growing_verdict


@cache
def make_verdict(functions: Functions) -> Callable[[Run, int, int], int]:
    """The verdict of any boundary, for outcomes with these functions."""
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
        """CONTINUE, NONE or the arm to answer, after the t-th observation, which was arm's."""
        if run.levels[KIND] != MIXTURE:
            return growing_verdict(run, t, arm)
        w = evidence(run, arm)
        if 0.5 * w * w < run.levels[REACHED] and run.active[arm] == 1:
            return CONTINUE
        return look(run, arm)

    return verdict
