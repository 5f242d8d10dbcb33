"""What stands and what became of trials, for logs of a million events: in arrays."""

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from goodarm.study.trials import CANCELLED, EXPIRED, OPEN, RETRACTED, TOLD, Trial

STATUSES = (OPEN, TOLD, CANCELLED, EXPIRED, RETRACTED)


class ToldOutcome(NamedTuple):
    """An outcome that was told and not taken back."""

    trial: int
    arm: str
    value: float
    size: float = 1.0
    measure: str = ""  # of several


class Names:
    """A number for every name, so that an array can hold it."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._names: list[str] = []

    def number(self, name: str) -> int:
        """The number of a name; a new one if it was never seen."""
        number = self._numbers.setdefault(name, len(self._names))
        if number == len(self._names):
            self._names.append(name)
        return number

    def name(self, number: int) -> str:
        """The name with that number."""
        return self._names[number]


class StandingOutcomes:
    """The outcomes that stand, by the number of the event that told each."""

    def __init__(self) -> None:
        self._arm_names, self._measure_names = Names(), Names()
        self._seqs, self._trials, self._arms = array("q"), array("q"), array("q")
        self._values, self._sizes = array("d"), array("d")
        self._measures = array("b")
        self._stands = bytearray()

    def add(self, seq: int, told: ToldOutcome) -> None:
        """One more stands, told by a later event than all before."""
        self._seqs.append(seq)
        self._trials.append(told.trial)
        self._arms.append(self._arm_names.number(told.arm))
        self._values.append(told.value)
        self._sizes.append(told.size)
        self._measures.append(self._measure_names.number(told.measure))
        self._stands.append(True)

    def remove(self, seq: int, trial: int, measure: str) -> None:
        """What that event told of a trial was taken back; a LookupError if it does not stand."""
        if not self.stands(seq, trial, measure):
            raise LookupError(f"what event {seq} has told was taken back before")
        self._stands[bisect_left(self._seqs, seq)] = False

    def stands(self, seq: int, trial: int, measure: str) -> bool:
        """Whether what that event told of a trial stands; a LookupError if it told nothing."""
        position = bisect_left(self._seqs, seq)
        if position == len(self._seqs) or self._seqs[position] != seq:
            raise LookupError(f"event {seq} has told nothing")
        name = self._measure_names.name(self._measures[position])
        if (self._trials[position], name) != (trial, measure):
            raise LookupError(f"event {seq} has told something else")
        return bool(self._stands[position])

    def __iter__(self) -> Iterator[ToldOutcome]:
        """In the order in which they were told."""
        for position, stands in enumerate(self._stands):
            if stands:
                yield ToldOutcome(
                    self._trials[position],
                    self._arm_names.name(self._arms[position]),
                    self._values[position],
                    self._sizes[position],
                    self._measure_names.name(self._measures[position]),
                )


class TrialStates:
    """The arm and the status of every trial: what an audit asks of them."""

    def __init__(self) -> None:
        self._arm_names = Names()
        self._arms, self._statuses = array("q"), bytearray()

    def get(self, number: int | None) -> Trial | None:
        """The trial, without its times and remarks; None if there is none of that number."""
        if number is None or not 1 <= number <= len(self._arms):
            return None
        arm = self._arm_names.name(self._arms[number - 1])
        return Trial(number, arm, STATUSES[self._statuses[number - 1]])

    def put(self, trial: Trial) -> None:
        """What became of a trial: of one that is known, or of the next."""
        arm, status = self._arm_names.number(trial.arm), STATUSES.index(trial.status)
        if trial.number == len(self._arms) + 1:
            self._arms.append(arm)
            self._statuses.append(status)
        else:
            self._arms[trial.number - 1], self._statuses[trial.number - 1] = arm, status
