"""Is one arm good? All have the same bar: the question of the paper, with an `Experiment`."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from goodarm.ahead import Ahead
from goodarm.algorithms import Algorithm, find_algorithm
from goodarm.asked_order import AskedOrder
from goodarm.certainty import Limits, limit_risks, limits_in_range, up_to_the_answer
from goodarm.experiment import Experiment
from goodarm.instance.instance import ABOVE
from goodarm.outcomes.contract import Past, Reading, seen
from goodarm.run import evidence
from goodarm.stopping.boundaries import parse_boundary
from goodarm.study.declared import AS_ASKED
from goodarm.study.evidence.contract import NOT_CERTAIN, SoFar, StudyEvidence
from goodarm.study.evidence.trail import (
    MOST_CURVES,
    USUAL_DELTA,
    EvidenceTrail,
    certificate_shares,
)
from goodarm.study.evidence.watching import Watching
from goodarm.study.settings import Settings

ANY_ALGORITHM = "Unif"  # where nothing is chosen
MEMORIES = ("floats", "kept")  # of the algorithm, and of the outcome model


class OneBar(StudyEvidence):
    """`experiment` has everything that was told, as it was told: what is tried next and the
    recommendation come from it. `counted` has what counts for the certificates (`asked_order`):
    stopping, confidence and limits come from it. In a study that decides as told they are one.
    """

    def __init__(self, settings: Settings, algorithm: Algorithm) -> None:
        self._settings = settings
        self.experiment = self.counted = settings.experiment(algorithm)
        if settings.decide == AS_ASKED:
            self.counted = settings.experiment(find_algorithm(ANY_ALGORITHM))
        self.orders = (AskedOrder(),)
        self.squares = [0.0] * len(settings.arms)
        self._watching = Watching(settings.outcome, settings.threshold)
        self._trail = EvidenceTrail()
        self.uses_certificates = self.counted.uses_certificates

    @property
    def _is_one(self) -> bool:
        return self.counted is self.experiment

    @property
    def told(self) -> int:
        """t."""
        return self.experiment.t

    @property
    def finished(self) -> bool:
        """By what counts."""
        return self.counted.finished

    @property
    def confidence(self) -> float:
        """By what counts; an answer that was given stays as sure as it was asked to be."""
        confidence, delta = self.counted.confidence, self._settings.delta
        return confidence if delta is None or not self.finished else max(confidence, 1.0 - delta)

    @property
    def recommendation(self) -> tuple[int, ...]:
        """By all that was told."""
        arm = self.experiment.recommendation
        return () if arm is None else (arm,)

    @property
    def conclusion(self) -> tuple[int, ...]:
        """By what counts."""
        arm = self.counted.conclusion
        return () if arm is None else (arm,)

    @property
    def risk(self) -> float | None:
        """δ."""
        return self._settings.delta

    def can_stop(self, delta: float) -> bool:
        """By what counts."""
        return self.counted.can_stop(delta)

    def ahead(self) -> Ahead:
        """From all that was told."""
        return self.experiment.ahead()

    def enter(
        self, trial: int, arm: int, measure: int, told: Reading, more: bool, waits: bool
    ) -> None:
        """Enter an outcome; the paper's boundary looks after every one unless `more` follow."""
        before = self.experiment.mean(arm)
        self.experiment.enter(arm, told, more)
        after = self.experiment.mean(arm)
        if before is not None and after is not None and told.size == 1.0:
            # Welford's update: the sum of squared distances from the arm's mean.
            self.squares[arm] += (told.value - before) * (told.value - after)
        if self._is_one:
            self._watching.see(arm, told)
            self._note(self.experiment)
        elif waits or self.orders[0].waiting(arm):
            self.orders[0].put(arm, trial, told)
        else:
            self._count(arm, told)

    def release(self, arm: int, measure: int, first_open: int | None) -> None:
        """In the order of asking."""
        for told in self.orders[0].release(arm, first_open):
            self._count(arm, told)

    def _count(self, arm: int, told: Reading) -> None:
        self.counted.enter(arm, told, more=True)
        self._watching.see(arm, told)
        self._note(self.counted)

    def _note(self, experiment: Experiment) -> None:
        self._trail.note(experiment.t, lambda: _evidence(experiment))

    def judge(self) -> None:
        """Both."""
        self.experiment.judge()
        self.counted.judge()

    def past(self, arm: int, measure: int) -> Past:
        """Its mean is the threshold where there is none."""
        count, mean = self.experiment.run.counts[arm], self.experiment.mean(arm)
        scatter = (self.squares[arm] / (count - 1)) ** 0.5 if count > 1 else math.nan
        return Past(arm, count, self._settings.threshold if mean is None else mean, scatter)

    def others(self, arm: int, measure: int) -> tuple[float, float, float]:
        """Of all that was told."""
        experiment = self.experiment
        return experiment.amount(arm), experiment.run.sums[arm], self.squares[arm]

    def measured(self, arm: int) -> tuple[SoFar, ...]:
        """There is one measurement."""
        return (SoFar(self.experiment.run.counts[arm], self.experiment.mean(arm)),)

    def weight(self, arm: int) -> float:
        """W."""
        run = self.experiment.run
        return evidence(run, arm) + 0.0 if run.counts[arm] else 0.0

    def shares(self) -> dict[int, float]:
        """Of the level or the boundary that must be reached; what is certain stays so."""
        counted = self.counted
        arms = [arm for arm, count in enumerate(counted.run.counts) if count]
        if counted.uses_certificates:
            shares = certificate_shares(counted, arms, self._settings.delta or USUAL_DELTA)
        else:
            level = self.boundary or math.inf
            shares = {arm: evidence(counted.run, arm) / level for arm in arms}
        if counted.finished and counted.conclusion is None:
            return {arm: min(share, -1.0) for arm, share in shares.items()}
        if counted.finished and counted.conclusion is not None:
            shares[counted.conclusion] = max(shares[counted.conclusion], 1.0)
        return shares

    def standing(self, arm: int, share: float) -> str:
        """By its share."""
        return NOT_CERTAIN if abs(share) < 1.0 else "good" if share > 0.0 else "not good"

    def bar(self, arm: int, measure: int = 0) -> float:
        """The threshold."""
        return self._settings.threshold

    @property
    def boundary(self) -> float | None:
        """b(t), what |W| must reach now with the paper's boundary; None before any outcome."""
        if self.told == 0 or self.uses_certificates:
            return None
        if self._settings.delta is not None:
            return self.experiment.boundary.level(self.told)
        return parse_boundary("glr", len(self._settings.arms), USUAL_DELTA).level(self.told)

    def limits(self, measure: int, simultaneous: bool) -> Limits:
        """Those of the stopping rule, or simultaneous ones, which share δ among arms and sides.

        An arm is named exactly when the limit on the bad side of its mean has reached the bar,
        "none is good" is said exactly when those on the good side are all short of it. The first
        kind holds for all arms together with probability 1 − xδ, the second for each arm alone
        with 1 − δ₋.
        """
        counted, settings = self.counted, self._settings
        run, K, delta = counted.run, len(settings.arms), settings.delta or USUAL_DELTA
        if not any(run.counts):
            return [None] * K, [None] * K
        arms = seen(run, settings.outcome.memory if counted.uses_certificates else 0)
        if counted.uses_certificates:
            levels = parse_boundary(settings.boundary, K, delta).levels
            lower, upper = limit_risks(levels, settings.goal == ABOVE)
            if simultaneous:
                lower = upper = delta / (2 * K)
            low, high = settings.outcome.limits(arms, settings.threshold, lower, upper)
            if counted.finished and not simultaneous:
                answer, bar = counted.conclusion, settings.threshold
                low, high = up_to_the_answer(answer, arms, bar, settings.goal, low, high)
        else:
            half = np.array(settings.outcome.scales(K))[arms.arms] * (self.boundary or 0.0)
            means, half = arms.sums / arms.counts, half / np.sqrt(arms.counts)
            low, high = means - half, means + half
        return limits_in_range(settings.outcome, K, arms, low, high)

    def doubts(self) -> Iterator[str]:
        """Of the watches."""
        yield from self._watching.doubts(self._settings.arms)

    def trail(self) -> dict[str, Any]:
        """W with the paper's boundary, else shares of the way."""
        return self._trail.state()

    def state(self) -> dict[str, Any]:
        """Both experiments, and what they do not know."""
        return {
            "experiment": _finite(self.experiment.state()),
            "counted": None if self._is_one else _finite(self.counted.state()),
            "waiting": self.orders[0].state(),
            "squares": self.squares,
            "watched": self._watching.state(),
            "path": self._trail.state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """All of it."""
        self.experiment.restore(_with_infinities(state["experiment"]))
        if state["counted"] is not None:
            self.counted.restore(_with_infinities(state["counted"]))
        self.orders[0].restore(state["waiting"])
        self.squares = state["squares"]
        self._watching.restore(state["watched"])
        self._trail.restore(state["path"])


def _evidence(experiment: Experiment) -> list[float | None]:
    """A number for each arm to five digits, None before an arm's first outcome."""
    run = experiment.run
    arms = [a for a in range(len(experiment.names)) if run.counts[a]]
    if len(experiment.names) > MOST_CURVES:
        # By evidence, of which the certificates are a rising function but for the counts.
        arms = [
            max(arms, key=lambda a: evidence(run, a)),
            min(arms, key=lambda a: evidence(run, a)),
        ]
    if experiment.uses_certificates:
        values = certificate_shares(experiment, arms, experiment.delta or USUAL_DELTA)
    else:
        values = {a: evidence(run, a) for a in arms}
    curves = arms if len(experiment.names) > MOST_CURVES else range(len(experiment.names))
    return [float(f"{values[a]:.5g}") if a in values else None for a in curves]


def _finite(state: dict[str, Any]) -> dict[str, Any]:
    """The state with the infinities of the memories as text: JSON has none."""
    return state | {
        name: [x if math.isfinite(x) else repr(x) for x in state[name]] for name in MEMORIES
    }


def _with_infinities(state: dict[str, Any]) -> dict[str, Any]:
    return state | {name: [float(value) for value in state[name]] for name in MEMORIES}
