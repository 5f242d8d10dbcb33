"""One measurement, arm by arm: what was seen of it, and what that proves of a bar that is known."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from goodarm.certainty import LEAST_ALPHA, Limits
from goodarm.inquiry.criteria import Criterion
from goodarm.outcomes import Outcome
from goodarm.outcomes.contract import Levels, Reading, Seen
from goodarm.outcomes.record import make_record, refresh
from goodarm.run import Run, Sizes, evidence, new_run


class CriterionJudge(Protocol):
    """What a criterion has to say of the arms: by a bar that is known, or a control."""

    tally: "MeasurementTally"

    def touched(self, arm: int) -> Sequence[int]:
        """The arms whose evidence an outcome of this arm may change."""
        ...

    def evidence(self, arm: int) -> float:
        """W: the signed root of twice the likelihood ratio."""
        ...

    def certificates(self, arm: int) -> tuple[float, float]:
        """Logarithms of the e-processes, for "the criterion holds" and for "it does not"."""
        ...

    def may_reach(self, arm: int, level: float, side: float) -> bool:
        """Whether a certificate may have reached a level, for it (side 1) or against it (−1)."""
        ...

    def limits(self, arms: Sequence[int], risks: Sequence[tuple[float, float]]) -> Limits:
        """Limits of the means of these arms, missed with those probabilities."""
        ...


class _Home(NamedTuple):
    """Where an arm is kept: arms with the same threshold share a run."""

    run: Run
    position: int


class MeasurementTally:
    """The outcomes of a measurement: counts, sums and certificates at each arm's threshold."""

    def __init__(self, model: Outcome, thresholds: Sequence[float], side: float = 1.0) -> None:
        self.model = model
        self._side = side
        self._record = make_record(model.functions)
        self._functions = model.functions
        self._homes: list[_Home] = []
        self._certificates: dict[int, tuple[int, float, float]] = {}  # by arm, with its count
        by_threshold: dict[float, list[int]] = {}
        for arm, threshold in enumerate(thresholds):
            by_threshold.setdefault(threshold, []).append(arm)
        homes: dict[int, _Home] = {}
        for threshold, arms in by_threshold.items():
            run = self._new_run(threshold, arms, len(thresholds))
            homes |= {arm: _Home(run, position) for position, arm in enumerate(arms)}
        self._homes = [homes[arm] for arm in range(len(thresholds))]
        self.thresholds = list(thresholds)

    def _new_run(self, threshold: float, arms: Sequence[int], K: int) -> Run:
        scales = self.model.scales(K)
        return new_run(
            threshold,
            [scales[arm] for arm in arms],
            seed=0,
            sizes=Sizes(len(arms), self.model.memory),
            model=self.model.numbers(threshold, self._side, Levels()),
            side=self._side,
        )

    def add_arm(self, threshold: float) -> None:
        """One more arm."""
        K = len(self._homes) + 1
        self.model.check_arms(K)
        self._homes.append(_Home(self._new_run(threshold, [K - 1], K), 0))
        self.thresholds.append(threshold)

    def enter(self, arm: int, told: Reading) -> None:
        """Take in an outcome."""
        run, position = self._homes[arm]
        self._record(run, position, told.value, told.size, self.model.units(told.size))

    def count(self, arm: int) -> int:
        """N."""
        run, position = self._homes[arm]
        return run.counts[position]

    def total(self, arm: int) -> float:
        """Σx."""
        run, position = self._homes[arm]
        return run.sums[position]

    def kept(self, arm: int) -> list[float]:
        """What the model remembers of the arm."""
        run, position = self._homes[arm]
        memory = self.model.memory
        return [run.kept[position * memory + i] for i in range(memory)]

    def amount(self, arm: int) -> float:
        """What the sum is divided by for the mean."""
        return self.model.amount(self.count(arm), self.kept(arm))

    def mean(self, arm: int) -> float | None:
        """The mean of the outcomes; None where there is none."""
        amount = self.amount(arm)
        return self.total(arm) / amount + 0.0 if amount else None

    def evidence(self, arm: int) -> float:
        """W at the arm's threshold; 0 where there is no outcome."""
        run, position = self._homes[arm]
        return evidence(run, position) if run.counts[position] else 0.0

    def certificates(self, arm: int) -> tuple[float, float]:
        """Logarithms of the e-processes at the arm's threshold."""
        run, position = self._homes[arm]
        count = run.counts[position]
        if count == 0:
            return 0.0, 0.0
        cached = self._certificates.get(arm)
        if cached is None or cached[0] != count:
            good = self._functions.for_good(run, position)
            bad = self._functions.for_bad(run, position)
            cached = self._certificates[arm] = (count, good, bad)
        return cached[1:]

    def limits(self, arms: Sequence[int], risks: Sequence[tuple[float, float]]) -> Limits:
        """Lower and upper limits of these arms' means, missed with those probabilities each."""
        lows: list[float | None] = [self.model.low] * len(arms)
        highs: list[float | None] = [self.model.high] * len(arms)
        groups: dict[tuple[float, float, float], list[int]] = {}
        for where, (arm, risk) in enumerate(zip(arms, risks, strict=True)):
            if self.count(arm):
                groups.setdefault((self.thresholds[arm], *risk), []).append(where)
        for (threshold, lower, upper), places in groups.items():
            seen = self._seen([arms[where] for where in places])
            low, high = self.model.limits(
                seen, threshold, max(lower, LEAST_ALPHA), max(upper, LEAST_ALPHA)
            )
            for where, least, most in zip(places, low.tolist(), high.tolist(), strict=True):
                lows[where] = _inside(least, self.model.low, max)
                highs[where] = _inside(most, self.model.high, min)
        return lows, highs

    def _seen(self, arms: Sequence[int]) -> Seen:
        return Seen(
            np.array(arms, dtype=np.int64),
            np.array([self.count(arm) for arm in arms], dtype=np.float64),
            np.array([self.total(arm) for arm in arms], dtype=np.float64),
            np.array([self.kept(arm) for arm in arms]).reshape(len(arms), self.model.memory),
        )

    def state(self) -> dict[str, Any]:
        """Everything that outcomes have left, as plain numbers, arm by arm."""
        arms = range(len(self._homes))
        return {
            "counts": [self.count(arm) for arm in arms],
            "sums": [self.total(arm) for arm in arms],
            "kept": [x for arm in arms for x in self.kept(arm)],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Take up what a tally of the same arms has given away."""
        memory = self.model.memory
        self._certificates.clear()
        runs: dict[int, Run] = {}
        for arm, (run, position) in enumerate(self._homes):
            run.counts[position] = state["counts"][arm]
            run.sums[position] = state["sums"][arm]
            for i in range(memory):
                run.kept[position * memory + i] = state["kept"][arm * memory + i]
            runs[id(run)] = run
        for run in runs.values():
            refresh(self._functions, run)


def _inside(limit: float, end: float | None, inner: Any) -> float | None:
    """A limit within the range of outcomes; None where there is none."""
    if end is not None:
        return float(inner(limit, end))
    return limit if np.isfinite(limit) else None


class AgainstBar:
    """A criterion with a bar that is known."""

    def __init__(self, criterion: Criterion, K: int) -> None:
        thresholds = [criterion.threshold_of(arm) for arm in range(K)]
        self.tally = MeasurementTally(criterion.outcome, thresholds, criterion.side)
        self._has_bound = criterion.outcome.within_evidence

    def touched(self, arm: int) -> Sequence[int]:
        """That arm."""
        return (arm,)

    def evidence(self, arm: int) -> float:
        """W."""
        return self.tally.evidence(arm)

    def certificates(self, arm: int) -> tuple[float, float]:
        """At the bar."""
        return self.tally.certificates(arm)

    def may_reach(self, arm: int, level: float, side: float) -> bool:
        """A mixture never exceeds the likelihood ratio at its best alternative: ln E ≤ W²/2."""
        w = side * self.tally.evidence(arm)
        return not self._has_bound or (w > 0.0 and 0.5 * w * w >= level)

    def limits(self, arms: Sequence[int], risks: Sequence[tuple[float, float]]) -> Limits:
        """Of the arms' means."""
        return self.tally.limits(arms, risks)
