"""May we stop? The stopping rules of all families in one: a run says which of them is its own."""

from collections.abc import Callable, Sequence
from functools import cache

from goodarm.outcomes.contract import Functions
from goodarm.run import CONTINUE, KIND, Run
from goodarm.stopping.boundaries import ALL_FAMILIES
from goodarm.stopping.contract import Verdict


@cache
def make_verdict(functions: Functions) -> Verdict:
    """The verdict of a run's boundary, for outcomes with these functions."""
    return _verdict([(f.kind, f.stopping_rule.make_verdict(functions)) for f in ALL_FAMILIES])


def _verdict(by_kind: Sequence[tuple[int, Verdict]]) -> Verdict:
    verdict: Verdict = _go_on
    for kind, own in reversed(by_kind):
        verdict = _either_verdict(kind, own, verdict)
    return verdict


def _go_on(run: Run, t: int, arm: int) -> int:
    """Without a boundary."""
    return CONTINUE


def _either_verdict(kind: int, own: Verdict, other: Verdict) -> Verdict:
    def verdict(run: Run, t: int, arm: int) -> int:
        """CONTINUE, NONE or the arm to answer, after the t-th observation, which was arm's."""
        if run.levels[KIND] == kind:
            return own(run, t, arm)
        return other(run, t, arm)

    return verdict


def boundary_verdict(run: Run, t: int, arm: int) -> int:
    """Stands for the verdict of the run's boundary: `make_verdict` makes that for an outcome."""
    return CONTINUE


def _level() -> Callable[[Run, int], float]:
    level = ALL_FAMILIES[-1].stopping_rule.level
    for family in reversed(ALL_FAMILIES[:-1]):
        level = _either_level(family.kind, family.stopping_rule.level, level)
    return level


def _either_level(
    kind: int, own: Callable[[Run, int], float], other: Callable[[Run, int], float]
) -> Callable[[Run, int], float]:
    def level(run: Run, t: int) -> float:
        if run.levels[KIND] == kind:
            return own(run, t)
        return other(run, t)

    return level


level = _level()
"""level(run, t): what an arm's evidence must reach for the arm to be ruled out."""
