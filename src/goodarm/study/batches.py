"""Many outcomes at once, all or none: every one is checked, then they are entered as one moment.

What is checked is kept in arrays, so a million outcomes take little room. A request may have been
made before, as a whole: its traces are looked for first (see `actions`).
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from goodarm.errors import InputError
from goodarm.inputs import label
from goodarm.outcomes.contract import Reading
from goodarm.study.actions import arm_number, check_number, is_told, own_size, says, unlikely
from goodarm.study.errors import REMEDY, ConflictError, UnlikelyOutcomeError
from goodarm.study.log import kinds
from goodarm.study.log.events import Event
from goodarm.study.log.kinds import next_trial
from goodarm.study.log.writing import Writing
from goodarm.study.odd_outcomes import OutcomeArrays, odd_one
from goodarm.study.trials import Trial, trial_number

AT_ONCE = 1_000  # trials or keys looked up together
OFTEN = 5_000  # outcomes between two reports of progress
Progress = Callable[[int, int], None]
"""Told now and then how many outcomes of how many are entered."""


GivenOutcome = tuple[Trial | int | str, float] | tuple[Trial | int | str, float, float | None]
"""A trial (itself or its number) or an arm's name, the value, and the size if it has one."""


class Row(NamedTuple):
    """An outcome as it is handed in: of a trial, or of an arm, or of both if they agree."""

    trial: int | None
    arm: str | None
    value: object
    size: object = None
    observed_at: str | None = None
    note: str | None = None


REMARKS, NO_REMARKS = 4, (None, None)  # of a row: when it was observed, and a note


class Rows(Protocol):
    """Outcomes that can be gone through several times, and what a message calls one of them."""

    @property
    def word(self) -> str:
        """A line, say."""
        ...

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Row]: ...

    def number(self, position: int) -> int:
        """The number that the outcome at a position has for its user."""
        ...


class GivenOutcomes:
    """Outcomes from a program: (trial or arm, value), or (trial or arm, value, size)."""

    word = "outcome"

    def __init__(self, items: Iterable[Sequence[Any]]) -> None:
        self._items: Sequence[Any] = items if isinstance(items, list | tuple) else list(items)

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Row]:
        for item in self._items:
            if not isinstance(item, tuple | list) or len(item) not in (2, 3):
                raise InputError(
                    f"{item!r} is not an outcome; give a trial or arm, its value, and its size if "
                    "it has one"
                )
            what, *outcome = item
            if isinstance(what, str):
                yield Row(None, what, *outcome)
            else:
                yield Row(trial_number(what), None, *outcome)

    def number(self, position: int) -> int:
        """They are counted from 1."""
        return position + 1


class Batch:
    """Outcomes on their way into the log. Looked up, doubted and entered, in this order."""

    def __init__(
        self, writing: Writing, rows: Rows, ending: str = "recorded", listed: bool = False
    ) -> None:
        self._writing, self._rows, self._ending = writing, rows, ending
        self._listed = listed  # whether the trials are wanted, in the order of the outcomes
        self._trials = array("q")  # their numbers; 0 for outcomes that were not asked for
        self._arms = array("i")  # −1 while it is not known
        self._values, self._sizes = array("d"), array("d")
        self._is_there = bytearray(len(rows))  # told before
        self._known: dict[int, Trial] = {}  # by position: trials that were told or withdrawn before
        self._first: dict[int, int] = {}  # by position: that of the same trial earlier on
        self._check()

    @property
    def already(self) -> int:
        """How many of the outcomes were told before."""
        return sum(self._is_there)

    def fault(self, position: int, error: InputError) -> InputError:
        """The error, with the outcome that it is about."""
        where = f"{self._rows.word} {self._rows.number(position)}"
        return type(error)(f"{where}: {error}; nothing was {self._ending}")

    def is_said_by(self, event: Event, position: int) -> bool:
        """Whether an event tells this very outcome."""
        number, arm = self._trials[position], self._arms[position]
        name = event.body["arm"] if arm < 0 else self._writing.fold.settings.arms[arm]
        return number in (0, event.trial) and says(event, name, self._told(position))

    def leave_out(self, position: int, event: Event) -> None:
        """An outcome that an event has told before."""
        self._is_there[position] = True
        if self._listed:
            self._known[position] = next_trial(event)

    def find_request(self, key: str) -> None:
        """Leave out what a request with this key has told; if that was another, it is a conflict.

        Only outcomes that were not asked for need a key; trials speak for themselves.
        """
        unasked = [position for position, trial in enumerate(self._trials) if not trial]
        if not unasked or self._writing.under_key(request_part(key, 0)) is None:
            return
        used = ConflictError(
            f"the key {key.partition('/')[2]!r} was used before, for other outcomes; give every "
            "request its own key"
        )
        if self._writing.under_key(request_part(key, len(unasked))) is not None:
            raise used
        for first in range(0, len(unasked), AT_ONCE):
            some = enumerate(unasked[first : first + AT_ONCE], first)
            block = {request_part(key, number): position for number, position in some}
            earlier = self._writing.under_keys(list(block))
            for part, position in block.items():
                if part not in earlier or not self.is_said_by(earlier[part], position):
                    raise self.fault(position, used)
                self.leave_out(position, earlier[part])

    def find_trials(self) -> None:
        """Look up the trials that are to be told; one that was told the same is left out."""
        fold = self._writing.fold
        firsts: dict[int, int] = {}
        for first in range(0, len(self._trials), AT_ONCE):
            block = [
                position
                for position in range(first, min(first + AT_ONCE, len(self._trials)))
                if self._trials[position] and not self._is_there[position]
            ]
            numbers = {self._trials[position] for position in block}
            closed = [n for n in numbers if n not in fold.open and n < fold.next_trial]
            known = self._writing.trials(closed)
            for position in block:
                try:
                    self._find(position, known, firsts)
                except InputError as error:
                    raise self.fault(position, error) from None

    def check_likely(self) -> None:
        """Ask about an outcome that the declared model makes next to impossible."""
        if not len(self._rows):
            return
        self._check_order()
        told = OutcomeArrays(
            np.flatnonzero(np.frombuffer(self._is_there, np.uint8) == 0),
            np.frombuffer(self._arms, np.int32),
            np.frombuffer(self._values),
            np.frombuffer(self._sizes),
        )
        found = odd_one(self._writing.fold, told) if len(told.positions) else None
        if found is not None:
            raise self.fault(found[0], unlikely(found[1]))

    def enter(
        self,
        key: Callable[[int, int], str],
        imported: bool = False,
        progress: Progress | None = None,
    ) -> list[Trial]:
        """Tell what was not told before; the trials, if they are wanted.

        `key` makes a key of the position and the trial's number, 0 if it was not asked for.
        """
        writing, names, listed = self._writing, self._writing.fold.settings.arms, self._listed
        trials: list[Trial] = []
        for position, row in enumerate(self._rows):
            if progress is not None and position % OFTEN == 0:
                progress(position, len(self._rows))
            if self._is_there[position]:
                if listed:
                    trials.append(self._known.get(position) or trials[self._first[position]])
                continue
            number = self._trials[position]
            asked = writing.fold.open.get(number) if listed else None
            body: dict[str, Any] = {
                "trial": number or writing.new_trial(),
                "arm": names[self._arms[position]],
                "value": self._values[position],
                "more": True,
            }
            if self._sizes[position] != 1.0 or row[REMARKS:] != NO_REMARKS or imported:
                body |= {
                    "size": own_size(self._sizes[position]),
                    "observed_at": row.observed_at,
                    "note": row.note,
                    "imported": imported or None,
                }
            event = writing.add(kinds.Told.name, body, key(position, number))
            if listed:
                before = asked.as_trial(names) if asked else self._known.get(position)
                trials.append(next_trial(event, before))
        writing.end_batch()
        if progress is not None:
            progress(len(self._rows), len(self._rows))
        return trials

    def _check_order(self) -> None:
        """Ask, where order matters, about several outcomes of an arm that nobody asked for."""
        outcome = self._writing.fold.settings.outcome
        if not outcome.in_order:
            return
        rows = enumerate(zip(self._trials, self._arms, self._is_there, strict=True))
        arms: set[int] = set()
        for position, (trial, arm, is_there) in rows:
            if not trial and not is_there:
                if arm in arms:
                    why = (
                        f"order: what {outcome.name} outcomes prove depends on the order of their "
                        "trials; a table that is sorted by value proves nothing. Enter them in the "
                        f"order in which they were observed. {REMEDY}"
                    )
                    raise self.fault(position, UnlikelyOutcomeError(why))
                arms.add(arm)

    def _told(self, position: int) -> Reading:
        return Reading(self._values[position], self._sizes[position])

    def _check(self) -> None:
        """Whether there can be such outcomes."""
        fold = self._writing.fold
        check, threshold = fold.settings.outcome.check_sized, fold.settings.threshold
        try:
            for row in self._rows:
                told = check(row.value, row.size, threshold)
                arm = -1 if row.arm is None else fold.numbers.get(row.arm, -1)
                if arm < 0 and row.arm is not None:
                    arm = arm_number(fold, label("arm", row.arm))
                self._trials.append(row.trial or 0)
                self._arms.append(arm)
                self._values.append(told.value)
                self._sizes.append(told.size)
        except InputError as error:
            raise self.fault(len(self._values), error) from None

    def _find(self, position: int, known: dict[int, Trial], firsts: dict[int, int]) -> None:
        """Find a trial: open, withdrawn, told before, or told earlier in the batch."""
        fold, number, told = self._writing.fold, self._trials[position], self._told(position)
        check_number(fold, number)
        trial = (
            fold.open[number].as_trial(fold.settings.arms) if number in fold.open else known[number]
        )
        arm = fold.numbers[trial.arm]
        if self._arms[position] not in (-1, arm):
            other = fold.settings.arms[self._arms[position]]
            raise InputError(f"arm: trial {number} is of arm {trial.arm!r}, not {other!r}")
        self._arms[position] = arm
        if self._listed and number not in fold.open:
            self._known[position] = trial
        self._is_there[position] = is_told(fold.settings.outcome, trial, told)
        first = firsts.setdefault(number, position)
        if first == position or self._is_there[position]:
            return
        if self._told(first) != told:
            where = f"{self._rows.word} {self._rows.number(first)}"
            raise ConflictError(f"trial {number} has another outcome in {where}; leave one out")
        self._is_there[position] = True
        self._known.pop(position, None)
        self._first[position] = first


def request_part(key: str, number: int) -> str:
    """The key of an outcome that was not asked for: the request's, and which of those it is."""
    return f"{key}/{number + 1}"


def tell_many(
    writing: Writing,
    rows: Rows,
    key: str,
    sure: bool = False,
    progress: Progress | None = None,
    listed: bool = False,
) -> tuple[int, list[Trial]]:
    """Tell outcomes that came in together; how many were there, and the trials if wanted."""
    batch = Batch(writing, rows, listed=listed)
    batch.find_request(key)
    batch.find_trials()
    if not sure:
        batch.check_likely()
    unasked = iter(range(len(rows)))

    def own_key(position: int, trial: int) -> str:
        return f"trial/{trial}/told" if trial else request_part(key, next(unasked))

    trials = batch.enter(own_key, progress=progress)
    return batch.already, trials
