"""How sure an experiment may be of its answer, at any time and by its own stopping rule."""

import math
from collections.abc import Callable
from typing import Protocol

import numpy as np

from goodarm.instance.instance import ABOVE
from goodarm.outcomes import Outcome
from goodarm.outcomes.contract import Floats, Levels, Seen
from goodarm.run import PULLED, Run, evidence, largest_evidence
from goodarm.stopping import Boundary, parse_boundary
from goodarm.stopping import smallest_delta as smallest_delta_by_glr

LEAST_ALPHA = 5e-324  # the least number above 0

Limits = tuple[list[float | None], list[float | None]]
"""Lower and upper limits of every arm's mean; None where there is none."""


class Judged(Protocol):
    """What there is to know of an experiment."""

    boundary_name: str

    @property
    def names(self) -> tuple[str, ...]:
        """The arms' names."""
        ...

    @property
    def t(self) -> int:
        """The number of outcomes."""
        ...

    @property
    def run(self) -> Run:
        """The statistics."""
        ...

    @property
    def model(self) -> Outcome:
        """What the outcomes are taken for."""
        ...

    @property
    def uses_certificates(self) -> bool:
        """Whether the model's certificates decide."""
        ...

    def certificates(self, arm: int) -> tuple[float, float]:
        """Logarithms of the e-processes, for "good" and for "not good"."""
        ...


def by_ville(name: float, none: float) -> tuple[float, float]:
    """Logarithms of the chances that certificates ever get so far where they should not: bounds."""
    return -name, -none


def smallest_delta(
    experiment: Judged, log_chances: Callable[[float, float], tuple[float, float]] = by_ville
) -> float:
    """The smallest δ at which the stopping rule would stop now."""
    K = len(experiment.names)
    if not experiment.uses_certificates:
        return smallest_delta_by_glr(_supporting_evidence(experiment), K, experiment.t)
    certain = parse_boundary(experiment.boundary_name, K, log_inverse_delta=0.0).levels
    name, none = log_chances(*_strongest(experiment))
    return min(1.0, math.exp(certain.name + name), math.exp(certain.none + none))


def can_stop(experiment: Judged, boundary: Boundary) -> bool:
    """Whether the stopping rule would stop now at this boundary."""
    if experiment.uses_certificates:
        name, none = _strongest(experiment)
        return name >= boundary.levels.name or none >= boundary.levels.none
    if experiment.t < len(experiment.names):
        return False
    return _supporting_evidence(experiment) >= boundary.level(experiment.t)


def limit_risks(levels: Levels, more_is_good: bool) -> tuple[float, float]:
    """The chances that a lower and an upper limit may miss: those of the stopping rule.

    So an arm is named exactly when the limit on the bad side of its mean has reached the bar.
    """
    name, none = (max(math.exp(-level), LEAST_ALPHA) for level in levels)
    return (name, none) if more_is_good else (none, name)


def limits_in_range(model: Outcome, K: int, seen: Seen, low: Floats, high: Floats) -> Limits:
    """Limits of the arms that were seen as limits of all K, none beyond the outcomes' range."""
    lows: list[float | None] = [None] * K
    highs: list[float | None] = [None] * K
    for a, lower, upper in zip(seen.arms.tolist(), low.tolist(), high.tolist(), strict=True):
        inside = max(lower, -math.inf if model.low is None else model.low)
        lows[a] = inside if math.isfinite(inside) else None
        inside = min(upper, math.inf if model.high is None else model.high)
        highs[a] = inside if math.isfinite(inside) else None
    return lows, highs


def up_to_the_answer(
    answer: int | None, some: Seen, bar: float, goal: str, low: Floats, high: Floats
) -> tuple[Floats, Floats]:
    """The limits, where the answer says more: an arm clears the bar, or none does.

    Such a limit is wrong only if the answer is. It may say more because outcomes that came after
    the answer have moved the limit back, or because a gate's answer comes earlier than its limits.
    """
    if answer is None:
        beyond = math.nextafter(bar, -math.inf if goal == ABOVE else math.inf)
        decided, is_lower = np.ones(len(some.arms), dtype=bool), goal != ABOVE
    else:
        beyond, decided, is_lower = bar, some.arms == answer, goal == ABOVE
    if is_lower:
        return np.where(decided, np.maximum(low, beyond), low), high
    return low, np.where(decided, np.minimum(high, beyond), high)


def _strongest(experiment: Judged) -> tuple[float, float]:
    """The largest certificate for one arm, and the smallest against any."""
    run, K = experiment.run, len(experiment.names)
    within_evidence = experiment.model.within_evidence
    name, none = -math.inf, math.inf
    for arm in range(K):
        w = evidence(run, arm)
        # Where a certificate is at most W²/2, most arms need not be looked at.
        if w > 0.0 and (0.5 * w * w > name or not within_evidence):
            name = max(name, experiment.certificates(arm)[0])
    if run.clock[PULLED] < K or largest_evidence(run) > 0.0:
        return name, -math.inf
    for arm in range(K):
        none = min(none, experiment.certificates(arm)[1])
    return name, none


def _supporting_evidence(experiment: Judged) -> float:
    """max W_a for an arm, min(−W_a) for none: what the GLR boundary is compared to."""
    run = experiment.run
    most = largest_evidence(run)
    if most > 0.0:
        return most
    return -most if run.clock[PULLED] == len(experiment.names) else 0.0
