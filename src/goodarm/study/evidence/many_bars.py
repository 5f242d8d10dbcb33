"""Every other question: several good arms, several measurements, a control, arms that come and go.

Two inquiries, as `OneBar` has two experiments: one has all that was told and suggests what to try,
the other has what counts and says what is certain.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from goodarm.algorithms import Algorithm, find_algorithm
from goodarm.asked_order import AskedOrder
from goodarm.certainty import Limits
from goodarm.inquiry import Inquiry
from goodarm.outcomes.contract import Past, Reading
from goodarm.study.declared import AS_ASKED
from goodarm.study.evidence.contract import SoFar, StudyEvidence
from goodarm.study.evidence.one_bar import ANY_ALGORITHM
from goodarm.study.evidence.trail import MOST_CURVES, EvidenceTrail
from goodarm.study.evidence.watching import Watching
from goodarm.study.roster import AddedArm, Roster
from goodarm.study.settings import Settings


class AheadInInquiry:
    """An inquiry as if some outcomes had come in."""

    def __init__(self, inquiry: Inquiry) -> None:
        self._inquiry = inquiry
        self._awaited: list[int] = []

    def expect(self, arm: int) -> None:
        """One more."""
        self._awaited.append(arm)

    def next_arm(self) -> int | None:
        """By the algorithm, on the arms that are in play."""
        return self._inquiry.next_arm(self._awaited)


class ManyBars(StudyEvidence):
    """`steering` has everything that was told, `counted` what counts for the certificates."""

    uses_certificates = True

    def __init__(self, settings: Settings, algorithm: Algorithm, founders: int) -> None:
        self._settings = settings
        self.steering = self.counted = settings.inquiry(algorithm, founders)
        if settings.decide == AS_ASKED:
            self.counted = settings.inquiry(find_algorithm(ANY_ALGORITHM), founders)
        criteria = settings.every_criterion
        self.orders = tuple(AskedOrder() for _ in criteria)
        self._squares = [[0.0] * founders for _ in criteria]
        self._watching = [Watching(one.outcome, one.reference) for one in criteria]
        self._trail = EvidenceTrail()
        self._noted = 0  # outcomes at the last look at the trail

    @property
    def _is_one(self) -> bool:
        return self.counted is self.steering

    # Arms that come and go

    def add_arm(self, arm: AddedArm) -> None:
        """One more arm."""
        for inquiry in self._both():
            _add_arm(inquiry, arm, self._settings)
        for squares in self._squares:
            squares.append(0.0)

    def retire_arm(self, arm: int) -> None:
        """One less."""
        for inquiry in self._both():
            inquiry.retire_arm(arm)
        self._follow()

    def _both(self) -> tuple[Inquiry, ...]:
        return (self.steering,) if self._is_one else (self.steering, self.counted)

    # What is told

    def enter(
        self, trial: int, arm: int, measure: int, told: Reading, more: bool, waits: bool
    ) -> None:
        """Enter an outcome; all that count at one moment are judged at its end."""
        tally, squares = self.steering.tally(measure), self._squares[measure]
        before = tally.mean(arm)
        self.steering.enter(arm, told, measure, more=True)
        after = tally.mean(arm)
        if before is not None and after is not None and told.size == 1.0:
            squares[arm] += (told.value - before) * (told.value - after)
        if self._is_one:
            self._see(arm, measure, told)
        elif waits or self.orders[measure].waiting(arm):
            self.orders[measure].put(arm, trial, told)
        else:
            self._count(arm, measure, told)

    def release(self, arm: int, measure: int, first_open: int | None) -> None:
        """In the order of asking."""
        for told in self.orders[measure].release(arm, first_open):
            self._count(arm, measure, told)

    def _count(self, arm: int, measure: int, told: Reading) -> None:
        self.counted.enter(arm, told, measure, more=True)
        self._see(arm, measure, told)

    def _see(self, arm: int, measure: int, told: Reading) -> None:
        self._watching[measure].see(arm, told)
        t = self.counted.t
        if t > self._noted:
            self._noted = t
            self._trail.note(t, self._curves)

    def _curves(self) -> list[float | None]:
        shares = self.shares()
        if len(self._settings.arms) > MOST_CURVES:
            return [_digits(max(shares.values())), _digits(min(shares.values()))]
        arms = range(len(self.counted.arms))
        return [_digits(shares[arm]) if arm in shares else None for arm in arms]

    def judge(self) -> None:
        """What counts decides which arms are still to be tried."""
        self.counted.judge()
        self._follow()

    def _follow(self) -> None:
        if not self._is_one:
            self.steering.judge(like=self.counted)

    # What is known

    @property
    def told(self) -> int:
        """Of the measurement that was told most often, arm by arm."""
        return self.steering.t

    @property
    def finished(self) -> bool:
        """By what counts."""
        return self.counted.finished

    @property
    def confidence(self) -> float:
        """By what counts."""
        return self.counted.confidence

    @property
    def recommendation(self) -> tuple[int, ...]:
        """By all that was told; what is certain comes first."""
        return self.steering.recommendation

    @property
    def conclusion(self) -> tuple[int, ...]:
        """By what counts."""
        return self.counted.conclusion

    @property
    def risk(self) -> float | None:
        """δ, and what arms that came later cost."""
        return self.counted.risk

    def can_stop(self, delta: float) -> bool:
        """By what counts."""
        return self.counted.can_stop(delta)

    def ahead(self) -> AheadInInquiry:
        """From all that was told."""
        return AheadInInquiry(self.steering)

    def future(self, roster: Roster, delta: float, number: int) -> Inquiry:
        """A copy to play on in which all that was told counts, at any δ, with its own chances."""
        settings, steering = replace(self._settings, delta=delta), self.steering
        inquiry = settings.inquiry(steering.algorithm, roster.founders, number)
        for arm in roster.added:
            _add_arm(inquiry, arm, settings)
        for retired in roster.retired:
            inquiry.retire_arm(retired)
        inquiry.restore(steering.state(), anew=delta != steering.delta)
        return inquiry

    def past(self, arm: int, measure: int) -> Past:
        """Its mean is the bar where there is none."""
        tally = self.steering.tally(measure)
        count, mean = tally.count(arm), tally.mean(arm)
        scatter = (self._squares[measure][arm] / (count - 1)) ** 0.5 if count > 1 else math.nan
        return Past(arm, count, tally.thresholds[arm] if mean is None else mean, scatter)

    def others(self, arm: int, measure: int) -> tuple[float, float, float]:
        """Of all that was told."""
        tally = self.steering.tally(measure)
        return tally.amount(arm), tally.total(arm), self._squares[measure][arm]

    def measured(self, arm: int) -> tuple[SoFar, ...]:
        """Each measurement."""
        tallies = [self.steering.tally(measure) for measure in range(len(self.orders))]
        return tuple(SoFar(tally.count(arm), tally.mean(arm)) for tally in tallies)

    def weight(self, arm: int) -> float:
        """The least of its criteria's."""
        return self.steering.evidence(arm) + 0.0

    def shares(self) -> dict[int, float]:
        """Of the level that must be reached."""
        counted = self.counted
        return {arm: counted.share(arm) for arm in range(len(counted.arms)) if counted.count(arm)}

    def standing(self, arm: int, share: float) -> str:
        """By what counts."""
        return self.counted.standing(arm)

    def bar(self, arm: int, measure: int = 0) -> float | None:
        """Its own, where it has one."""
        if self.counted.criteria[measure].has_control:
            return None
        return self.counted.tally(measure).thresholds[arm]

    def limits(self, measure: int, simultaneous: bool) -> Limits:
        """By what counts."""
        return self.counted.limits(measure, together=simultaneous)

    def doubts(self) -> Iterator[str]:
        """Of every measurement's watches."""
        criteria = self._settings.every_criterion
        for criterion, watching in zip(criteria, self._watching, strict=True):
            of = f"{criterion.name}: " if len(criteria) > 1 else ""
            yield from (f"{of}{doubt}" for doubt in watching.doubts(self.counted.arms))

    def trail(self) -> dict[str, Any]:
        """Shares of the way."""
        return self._trail.state()

    def state(self) -> dict[str, Any]:
        """Both inquiries, and what they do not know."""
        return {
            "steering": self.steering.state(),
            "counted": None if self._is_one else self.counted.state(),
            "waiting": [order.state() for order in self.orders],
            "squares": self._squares,
            "watched": [watching.state() for watching in self._watching],
            "path": self._trail.state(),
            "noted": self._noted,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """All of it."""
        self.steering.restore(state["steering"])
        if state["counted"] is not None:
            self.counted.restore(state["counted"])
        for order, waiting in zip(self.orders, state["waiting"], strict=True):
            order.restore(waiting)
        self._squares = state["squares"]
        for watching, watched in zip(self._watching, state["watched"], strict=True):
            watching.restore(watched)
        self._trail.restore(state["path"])
        self._noted = state["noted"]


def _add_arm(inquiry: Inquiry, arm: AddedArm, settings: Settings) -> None:
    cost = arm.details.cost if settings.by_cost else None
    inquiry.add_arm(arm.name, arm.thresholds, cost or 1.0)


def _digits(share: float) -> float:
    return float(f"{share:.5g}")
