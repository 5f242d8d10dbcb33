"""The state of a study: what its events amount to, one after another."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from goodarm.algorithms import find_algorithm
from goodarm.errors import unknown_name
from goodarm.outcomes.contract import Reading
from goodarm.study.arms import ArmDetails
from goodarm.study.evidence import ANY_ALGORITHM, ManyBars, StudyEvidence, evidence_of
from goodarm.study.evidence.contract import Awaiting
from goodarm.study.log.events import Event
from goodarm.study.log.kinds import kind_of
from goodarm.study.log.standing import ToldOutcome
from goodarm.study.roster import AddedArm, Roster
from goodarm.study.settings import Settings
from goodarm.study.trials import OpenTrial

OPEN: Final = "open"
DECIDED: Final = "decided"
SPENT: Final = "spent"
STOPPED: Final = "stopped"
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

    What the outcomes prove, and what to try next, is for its `evidence` to say.
    """

    def __init__(self, created: Event, head: str) -> None:
        self.study = created.study
        self.name: str = created.body.get("name", "")  # "" where the log does not say
        self.created_at = created.at
        self.settings = Settings.from_data(created.body)
        self.roster = Roster(len(self.settings.arms))
        self._name_arms()
        algorithm = self.settings.find_algorithm()
        self.algorithm_is_known = algorithm is not None
        # Evidence and stopping do not depend on it: a log outlives an algorithm that is gone.
        self._algorithm = algorithm or find_algorithm(ANY_ALGORITHM)
        self.seq, self.head, self.last_at = created.seq, head, created.at
        self.open: dict[int, OpenTrial] = {}  # by number, oldest first
        self.measured: dict[int, int] = {}  # what there is of trials that lack a measurement: bits
        self._open_of: dict[int, dict[int, None]] = {}  # the same numbers by arm
        self._ahead: Awaiting | None = None  # the evidence as if they had come in, if it is known
        self.next_trial = 1
        self.limit = self.settings.budget
        self.going_on = False  # past the stopping rule's answer, on request
        self.stopped: str | None = None
        self.archived = False
        self.tags: tuple[str, ...] = ()
        self.tally: Counter[str] = Counter()
        self.amendments: list[dict[str, Any]] = []
        self.evidence: StudyEvidence
        self._start_over(())

    @property
    def told(self) -> int:
        """The number of trials with an outcome that stands, whole or in part."""
        if not self.measured:
            return self.evidence.told
        arms = range(len(self.settings.arms))
        first = sum(self.evidence.measured(arm)[0].trials for arm in arms)
        return first + sum(not bits & 1 for bits in self.measured.values())

    @property
    def used(self) -> int:
        """The number of trials that count against a limit: with an outcome, or awaiting one."""
        in_part = sum(1 for number in self.measured if number in self.open)
        return self.told + len(self.open) - in_part

    @property
    def state(self) -> str:
        """One of STATES."""
        if self.stopped is not None:
            return STOPPED
        if self.evidence.finished and not self.going_on:
            return DECIDED
        return SPENT if self.limit is not None and self.used >= self.limit else OPEN

    @property
    def is_open(self) -> bool:
        """Whether more outcomes are waited for."""
        return self.state == OPEN

    def answers(self) -> tuple[str, ...]:
        """The arms to bet on now, best first; one, at most, where one is asked for."""
        return tuple(self.settings.arms[arm] for arm in self.evidence.recommendation)

    def answer(self) -> str | None:
        """The arm to bet on now, or None."""
        return next(iter(self.answers()), None)

    def decisions(self) -> tuple[str, ...]:
        """The arms that the stopping rule has named; none for "none is good"."""
        return tuple(self.settings.arms[arm] for arm in self.evidence.conclusion)

    def decision(self) -> str | None:
        """The first of them, or None."""
        return next(iter(self.decisions()), None)

    def waiting(self) -> dict[int, list[int]]:
        """Arms with outcomes that do not count yet, and the open trials that each waits for."""
        return {
            arm: [trial.number for trial in self.open.values() if trial.arm == arm]
            for arm in self.evidence.waiting_arms()
        }

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

    # Measurements

    def measure(self, name: str | None) -> int:
        """The number of the measurement of that name; of the only one, if there is none."""
        for number, criterion in enumerate(self.criteria):
            if name == criterion.name or (name is None and not self.settings.criteria):
                return number
        raise unknown_name("measurement", str(name), [one.name for one in self.criteria])

    def lacks(self, trial: int, measure: int) -> bool:
        """Whether a trial without all of its outcomes has none of this measurement."""
        return not self.measured.get(trial, 0) >> measure & 1

    def completes(self, trial: int, *measures: int) -> bool:
        """Whether a trial has everything once it has these measurements, too."""
        bits = self.measured.get(trial, 0)
        for measure in measures:
            bits |= 1 << measure
        return bits == self._everything

    def apply(self, event: Event, head: str, outcomes: Outcomes) -> bool:
        """Go on to the next event; true if the outcomes had to be gone through anew."""
        anew = kind_of(event).apply(event, self)
        if anew:
            self._start_over(outcomes(event.seq))
        self.seq, self.head, self.last_at = event.seq, head, event.at
        return anew

    def restore(self, settings: Settings, roster: dict[str, Any], evidence: dict[str, Any]) -> None:
        """Take up the outcomes' state from a checkpoint; of a study that has just begun."""
        self.roster.restore(roster)
        for arm in self.roster.added:
            settings = _with_arm(settings, arm)
        if settings != self.settings or self.roster.has_changed:
            self.settings = settings
            self._name_arms()
            self._start_over(())
        self.evidence.restore(evidence)

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

    def add_arm(self, arm: AddedArm) -> bool:
        """One more arm; true if the outcomes must be gone through anew."""
        evidence, self._ahead = self.evidence, None
        self.roster.added.append(arm)
        self.settings = _with_arm(self.settings, arm)
        self._name_arms()
        if isinstance(evidence, ManyBars):
            evidence.add_arm(arm)
            return False
        return True

    def retire_arm(self, arm: int, reason: str) -> bool:
        """One less; true if the outcomes must be gone through anew."""
        evidence, self._ahead = self.evidence, None
        self.roster.retired[arm] = reason
        if isinstance(evidence, ManyBars):
            evidence.retire_arm(arm)
            return False
        return True

    def enter(self, trial: int, arm: int, measure: int, told: Reading, more: bool) -> None:
        """Enter an outcome into what steers; it may still have to wait until it counts."""
        self._ahead = None
        if not self.completes(trial, measure):
            self.measured[trial] = self.measured.get(trial, 0) | 1 << measure
        else:
            self.measured.pop(trial, None)
        waits = self._first_open(arm, measure) is not None
        self.evidence.enter(trial, arm, measure, told, more, waits)
        self._release(arm, measure)

    def count(self, arm: int) -> None:
        """Let those outcomes of an arm count that have nothing to wait for any more."""
        for measure in range(len(self.evidence.orders)):
            self._release(arm, measure)

    def _release(self, arm: int, measure: int) -> None:
        if self.evidence.orders[measure].waiting(arm):
            self.evidence.release(arm, measure, self._first_open(arm, measure))

    def _first_open(self, arm: int, measure: int) -> int | None:
        """The first open trial of the arm that has not got this measurement."""
        numbers = self._open_of.get(arm, ())
        if not self.measured:
            return next(iter(numbers), None)
        return next((number for number in numbers if self.lacks(number, measure)), None)

    def _look_ahead(self, awaited: Iterable[OpenTrial]) -> Awaiting:
        ahead = self.evidence.ahead()
        for trial in awaited:
            ahead.expect(trial.arm)
        return ahead

    def _name_arms(self) -> None:
        self.numbers = {name: number for number, name in enumerate(self.settings.arms)}

    def _start_over(self, outcomes: Iterable[ToldOutcome]) -> None:
        self._ahead = None
        self.evidence = evidence = evidence_of(self.settings, self._algorithm, self.roster)
        self.measured = {}
        self.criteria = self.settings.every_criterion
        self._everything = (1 << len(self.criteria)) - 1
        # Certificates depend on what is known, not on how it came to be: one look at the end. The
        # paper's boundary looks after every outcome, in the order of telling.
        together = evidence.uses_certificates
        measures = {one.name: number for number, one in enumerate(self.criteria)}
        for trial, name, value, size, measure in outcomes:
            number = measures.get(measure, 0)
            self.enter(trial, self.numbers[name], number, Reading(value, size), more=together)
            if not together:
                evidence.judge()
        evidence.judge()


def _with_arm(settings: Settings, arm: AddedArm) -> Settings:
    """The settings of a study that has this arm, too."""
    details = settings.details
    if arm.details != ArmDetails(arm.name):
        details = (*details, arm.details)
    return replace(settings, arms=(*settings.arms, arm.name), details=details)
