"""The state of a study: what its events amount to, one after another."""

import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from goodarm.ahead import Ahead
from goodarm.algorithms import find_algorithm
from goodarm.asked_order import AskedOrder
from goodarm.outcomes.contract import Past, Reading
from goodarm.outcomes.watches.contract import Watch, show
from goodarm.study.log.events import Event
from goodarm.study.log.evidence_trail import EvidenceTrail
from goodarm.study.log.kinds import kind_of
from goodarm.study.log.standing import ToldOutcome
from goodarm.study.settings import AS_ASKED, Settings
from goodarm.study.trials import OpenTrial

ANY_ALGORITHM = "Unif"  # where nothing is chosen
OPEN, DECIDED, SPENT, STOPPED = "open", "decided", "spent", "stopped"
STATES = {
    OPEN: "waiting for more outcomes",
    DECIDED: "the stopping rule has spoken",
    SPENT: "the trials allowed are used up",
    STOPPED: "stopped by a person",
}

STATES_IN_SHORT = {OPEN: "in progress", DECIDED: "answered", SPENT: "used up", STOPPED: "stopped"}

Outcomes = Callable[[int], Iterable[ToldOutcome]]
"""The outcomes that stand after an event, by its number."""


class Fold:
    """What the log says up to event `seq`, whose hash is `head`.

    `experiment` has everything that was told, as it was told: what is tried next and the
    recommendation come from it. `counted` has what counts for the certificates (`asked_order`):
    stopping, confidence and limits come from it. In a study that decides as told they are one.
    """

    def __init__(self, created: Event, head: str) -> None:
        self.study = created.study
        self.name: str = created.body.get("name", "")  # "" where the log does not say
        self.created_at = created.at
        self.settings = Settings.from_data(created.body)
        self.numbers = {name: number for number, name in enumerate(self.settings.arms)}
        algorithm = self.settings.find_algorithm()
        self.algorithm_is_known = algorithm is not None
        # Evidence and stopping do not depend on it: a log outlives an algorithm that is gone.
        self._algorithm = algorithm or find_algorithm(ANY_ALGORITHM)
        self.seq, self.head, self.last_at = created.seq, head, created.at
        self.open: dict[int, OpenTrial] = {}  # by number, oldest first
        self._open_of: dict[int, dict[int, None]] = {}  # the same numbers by arm
        self._ahead: Ahead | None = None  # the experiment as if they had come in, if it is known
        self.next_trial = 1
        self.limit = self.settings.budget
        self.going_on = False  # past the stopping rule's answer, on request
        self.stopped: str | None = None
        self.tally: Counter[str] = Counter()
        self.amendments: list[dict[str, Any]] = []
        self._start_over(())

    @property
    def told(self) -> int:
        """The number of outcomes that stand."""
        return self.experiment.t

    @property
    def used(self) -> int:
        """The number of trials that count against a limit: with an outcome, or awaiting one."""
        return self.told + len(self.open)

    @property
    def state(self) -> str:
        """One of STATES."""
        if self.stopped is not None:
            return STOPPED
        if self.counted.finished and not self.going_on:
            return DECIDED
        return SPENT if self.limit is not None and self.used >= self.limit else OPEN

    @property
    def is_open(self) -> bool:
        """Whether more outcomes are waited for."""
        return self.state == OPEN

    def answer(self) -> str | None:
        """The arm to bet on now, or None."""
        arm = self.experiment.recommendation
        return None if arm is None else self.settings.arms[arm]

    def decision(self) -> str | None:
        """The arm that the stopping rule has named; None for "none is good"."""
        arm = self.counted.conclusion
        return None if arm is None else self.settings.arms[arm]

    def waiting(self) -> dict[int, list[int]]:
        """Arms with outcomes that do not count yet, and the open trials that each waits for."""
        return {
            arm: [trial.number for trial in self.open.values() if trial.arm == arm]
            for arm in self.asked_order.arms()
        }

    def past(self, arm: int) -> Past:
        """What an arm has shown so far."""
        count, mean = self.experiment.run.counts[arm], self.experiment.mean(arm)
        scatter = (self.squares[arm] / (count - 1)) ** 0.5 if count > 1 else math.nan
        return Past(arm, count, self.settings.threshold if mean is None else mean, scatter)

    def expired(self, now: str) -> list[int]:
        """The open trials whose lease has run out."""
        return [
            trial.number
            for trial in self.open.values()
            if trial.expires_at is not None and trial.expires_at <= now
        ]

    def next_arm(self, without: Iterable[int] = ()) -> int | None:
        """What the algorithm would try next, some of the open trials taken as gone."""
        gone = set(without)
        if gone:
            left = (trial for trial in self.open.values() if trial.number not in gone)
            return self._look_ahead(left).next_arm()
        if self._ahead is None:
            self._ahead = self._look_ahead(self.open.values())
        return self._ahead.next_arm()

    def apply(self, event: Event, head: str, outcomes: Outcomes) -> bool:
        """Go on to the next event; true if the outcomes had to be gone through anew."""
        anew = kind_of(event).apply(event, self)
        if anew:
            self._start_over(outcomes(event.seq))
        self.seq, self.head, self.last_at = event.seq, head, event.at
        return anew

    def restore(
        self,
        settings: Settings,
        experiment: dict[str, Any],
        counted: dict[str, Any] | None,
        waiting: list[Any],
    ) -> None:
        """Take up the outcomes' state from a checkpoint; of a study that has just begun."""
        if settings != self.settings:
            self.settings = settings
            self._start_over(())
        self.experiment.restore(experiment)
        if counted is not None:
            self.counted.restore(counted)
        self.asked_order.restore(waiting)

    # What the kinds of events do

    def open_trial(self, trial: OpenTrial) -> None:
        """Take in an open trial, younger than those that are open."""
        self.open[trial.number] = trial
        if self._ahead is not None:  # as it was, and one more: many can be asked for in a row
            self._ahead.expect(trial.arm)
        self._open_of.setdefault(trial.arm, {})[trial.number] = None

    def close_trial(self, number: int) -> OpenTrial | None:
        """The trial, which is open no more; None if it was not."""
        trial = self.open.pop(number, None)
        if trial is not None:
            self._ahead = None
            del self._open_of[trial.arm][number]
        return trial

    def amend(self, what: str, event: Event) -> None:
        """Change a setting to what the event says; the change is kept in mind."""
        self.amendments.append(
            {
                "what": what,
                "from": getattr(self.settings, what),
                "to": event.body[what],
                "told": self.told,
                "seq": event.seq,
            }
        )
        self.settings = replace(self.settings, **{what: event.body[what]})

    def enter(self, trial: int, arm: int, told: Reading, more: bool) -> None:
        """Enter an outcome into what steers; it may still have to wait until it counts."""
        self._ahead = None
        before = self.experiment.mean(arm)
        self.experiment.enter(arm, told, more)
        after = self.experiment.mean(arm)
        if before is not None and after is not None and told.size == 1.0:
            # Welford's update: the sum of squared distances from the arm's mean.
            self.squares[arm] += (told.value - before) * (told.value - after)
        if self.counted is self.experiment:
            self._watch(arm, told)
            self.trail.note(self.experiment)
        elif self._open_of.get(arm) or self.asked_order.waiting(arm):
            self.asked_order.put(arm, trial, told)
        else:
            self._count(arm, told)

    def count(self, arm: int, more: bool) -> None:
        """Let those outcomes of an arm count that have nothing to wait for any more."""
        if self.asked_order.waiting(arm):
            first_open = next(iter(self._open_of.get(arm, ())), None)
            for told in self.asked_order.release(arm, first_open):
                self._count(arm, told)
        if not more and self.counted is not self.experiment:
            self.counted.judge()

    def _count(self, arm: int, told: Reading) -> None:
        self.counted.enter(arm, told, more=True)
        self._watch(arm, told)
        self.trail.note(self.counted)

    def _watch(self, arm: int, told: Reading) -> None:
        """Let the watches see an outcome that counts."""
        for watch, states in self.watched:
            state = states.get(arm)
            if state is None:
                state = states[arm] = [0.0] * watch.memory
            show(watch, state, arm, *told)

    def _look_ahead(self, awaited: Iterable[OpenTrial]) -> Ahead:
        ahead = self.experiment.ahead()
        for trial in awaited:
            ahead.expect(trial.arm)
        return ahead

    def _start_over(self, outcomes: Iterable[ToldOutcome]) -> None:
        settings = self.settings
        self._ahead = None
        self.experiment = self.counted = settings.experiment(self._algorithm)
        if settings.decide == AS_ASKED:
            self.counted = settings.experiment(find_algorithm(ANY_ALGORITHM))
        self.asked_order = AskedOrder()
        self.squares = [0.0] * len(settings.arms)
        watches = settings.outcome.watches(settings.threshold)
        self.watched: list[tuple[Watch, dict[int, list[float]]]] = [(w, {}) for w in watches]
        self.trail = EvidenceTrail()
        # Certificates depend on what is known, not on how it came to be: one look at the end. The
        # paper's boundary looks after every outcome, in the order of telling.
        together = self.experiment.uses_certificates
        for trial, name, value, size in outcomes:
            arm = self.numbers[name]
            self.enter(trial, arm, Reading(value, size), more=together)
            self.count(arm, more=together)
        self.experiment.judge()
        self.counted.judge()
