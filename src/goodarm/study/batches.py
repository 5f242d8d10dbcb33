"""Many outcomes at once, all or none: every one is checked, then they are entered as one moment.

What is checked is kept in arrays, so a million outcomes take little room. A request may have been
made before, as a whole: its traces are looked for first (see `actions`).
"""

from array import array
from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np

from goodarm.errors import InputError
from goodarm.inputs import label
from goodarm.outcomes.contract import Reading
from goodarm.study.actions import (
    arm_number,
    check_number,
    is_told,
    key_part,
    says,
    unlikely,
)
from goodarm.study.errors import REMEDY, ConflictError, UnlikelyOutcomeError
from goodarm.study.log import kinds
from goodarm.study.log.events import Event
from goodarm.study.log.kinds import next_trial
from goodarm.study.log.writing import Writing
from goodarm.study.odd_outcomes import OutcomeArrays, odd_one
from goodarm.study.rows import NO_REMARKS, Rows, SplitRows
from goodarm.study.telling import ToldMeasure, own_size
from goodarm.study.trials import Trial

AT_ONCE = 1_000  # trials or keys looked up together
OFTEN = 5_000  # outcomes between two reports of progress
Progress = Callable[[int, int], None]
"""ToldMeasure now and then how many outcomes of how many are entered."""


class Batch:
    """Outcomes on their way into the log. Looked up, doubted and entered, in this order."""

    def __init__(
        self, writing: Writing, rows: Rows, ending: str = "recorded", listed: bool = False
    ) -> None:
        settings = writing.fold.settings
        self._split = SplitRows(rows, settings) if settings.criteria else None
        rows = self._split or rows
        self._writing, self._rows, self._ending = writing, rows, ending
        self._listed = listed  # whether the trials are wanted, in the order of the outcomes
        self._trials = array("q")  # their numbers; 0 for outcomes that were not asked for
        self._arms = array("i")  # −1 while it is not known
        self._values, self._sizes = array("d"), array("d")
        self._measures = array("b")
        self._is_there = bytearray(len(rows))  # told before
        self._known: dict[int, Trial] = {}  # by position: trials that were told or withdrawn before
        self._first: dict[int, int] = {}  # by position: that of the same trial earlier on
        self._check()

    @property
    def already(self) -> int:
        """How many of the outcomes were told before."""
        return sum(self._is_there)

    @property
    def already_rows(self) -> int:
        """How many rows have nothing new."""
        if self._split is None:
            return self.already
        new = {self._row(at) for at, is_there in enumerate(self._is_there) if not is_there}
        return self._row(len(self._rows) - 1) + 1 - len(new) if len(self._rows) else 0

    def position_of(self, row: int, event: Event) -> int | None:
        """Where the outcome is that an event has told, among those of a row."""
        if self._split is None:
            return row
        return self._split.position(row, self._writing.fold.measure(event.body.get("measure")))

    def number(self, position: int) -> int:
        """The number that the row of an outcome has for its user."""
        return self._rows.number(position)

    def fault(self, position: int, error: InputError) -> InputError:
        """The error, with the outcome that it is about."""
        where = f"{self._rows.word} {self._rows.number(position)}"
        return type(error)(f"{where}: {error}; nothing was {self._ending}")

    def is_said_by(self, event: Event, position: int) -> bool:
        """Whether an event tells this very outcome."""
        number, arm = self._trials[position], self._arms[position]
        name = event.body["arm"] if arm < 0 else self._writing.fold.settings.arms[arm]
        is_same = event.body.get("measure") == self._measure_name(position)
        return is_same and number in (0, event.trial) and says(event, name, self._told(position))

    def key(self, base: str, position: int) -> str:
        """The key of an outcome: its row's, and its measurement's if there are several."""
        return base + key_part(self._measure_name(position))

    def _under(self, key: str, number: int, position: int) -> Event | None:
        return self._writing.under_key(self.key(request_part(key, number), position))

    def _row(self, position: int) -> int:
        return position if self._split is None else self._split.row(position)

    def _measure_name(self, position: int) -> str | None:
        if self._split is None:
            return None
        return self._writing.fold.criteria[self._measures[position]].name

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
        measures = self._writing.fold.criteria
        if not unasked or self._under(key, 0, unasked[0]) is None:
            return
        used = ConflictError(
            f"the key {key.partition('/')[2]!r} was used before, for other outcomes; give every "
            "request its own key"
        )
        last = len(unasked)
        if any(self._under(key, last, one) is not None for one in unasked[: len(measures)]):
            raise used
        for first in range(0, len(unasked), AT_ONCE):
            some = enumerate(unasked[first : first + AT_ONCE], first)
            block = {self.key(request_part(key, number), at): at for number, at in some}
            earlier = self._writing.under_keys(list(block))
            for part, position in block.items():
                if part not in earlier or not self.is_said_by(earlier[part], position):
                    raise self.fault(position, used)
                self.leave_out(position, earlier[part])

    def find_trials(self) -> None:
        """Look up the trials that are to be told; one that was told the same is left out."""
        fold = self._writing.fold
        firsts: dict[tuple[int, int], int] = {}
        for first in range(0, len(self._trials), AT_ONCE):
            block = [
                position
                for position in range(first, min(first + AT_ONCE, len(self._trials)))
                if self._trials[position] and not self._is_there[position]
            ]
            numbers = {self._trials[position] for position in block}
            begun = [n for n in numbers if n not in fold.open or n in fold.measured]
            known = self._writing.trials([n for n in begun if n < fold.next_trial])
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
        measures = np.frombuffer(self._measures, np.int8)
        for measure in range(len(self._writing.fold.criteria)):
            own = told.positions[measures[told.positions] == measure]
            found = odd_one(self._writing.fold, told._replace(positions=own), measure)
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
        bits: dict[int, list[int]] = {}  # the measurements of a trial that were just entered
        entered = 0  # the trial
        for position, row in enumerate(self._rows):
            if progress is not None and position % OFTEN == 0:
                progress(position, len(self._rows))
            same = self._split is not None and self._split.is_of_same_row(position)
            if self._is_there[position]:
                if listed:
                    there = self._known.get(position) or trials[self._row(self._first[position])]
                    if same:
                        there = there.and_measured(trials.pop())
                    trials.append(there)
                continue
            number = self._trials[position]
            asked = writing.fold.open.get(number) if listed else None
            entered = number or (entered if same else writing.new_trial())
            body: dict[str, Any] = {
                "trial": entered,
                "arm": names[self._arms[position]],
                "value": self._values[position],
                "more": True,
            }
            if self._split is not None:
                just = bits.setdefault(entered, [])
                just.append(self._measures[position])
                awaited = None if writing.fold.completes(entered, *just) else True
                body |= {"measure": row.measure, "awaited": awaited}
            remarks = (row.observed_at, row.note)
            if self._sizes[position] != 1.0 or remarks != NO_REMARKS or imported:
                body |= {
                    "size": own_size(self._sizes[position]),
                    "observed_at": row.observed_at,
                    "note": row.note,
                    "imported": imported or None,
                }
            event = writing.add(kinds.Told.name, body, self.key(key(position, number), position))
            if listed and same and trials:
                trials[-1] = next_trial(event, trials[-1])
            elif listed:
                known = self._known.get(position) or (asked.as_trial(names) if asked else None)
                trials.append(next_trial(event, known))
        writing.end_batch()
        if progress is not None:
            progress(len(self._rows), len(self._rows))
        return trials

    def _check_order(self) -> None:
        """Ask, where order matters, about several outcomes of an arm that nobody asked for."""
        criteria = self._writing.fold.criteria
        ordered = [one.outcome for one in criteria if one.outcome.in_order]
        if not ordered:
            return
        outcome = ordered[0]
        rows = enumerate(zip(self._trials, self._arms, self._is_there, strict=True))
        arms: set[tuple[int, int]] = set()
        for position, (trial, arm, is_there) in rows:
            measure = self._measures[position]
            if not trial and not is_there and criteria[measure].outcome.in_order:
                if (arm, measure) in arms:
                    why = (
                        f"order: what {outcome.name} outcomes prove depends on the order of their "
                        "trials; a table that is sorted by value proves nothing. Enter them in the "
                        f"order in which they were observed. {REMEDY}"
                    )
                    raise self.fault(position, UnlikelyOutcomeError(why))
                arms.add((arm, measure))

    def _told(self, position: int) -> Reading:
        return Reading(self._values[position], self._sizes[position])

    def _check(self) -> None:
        """Whether there can be such outcomes."""
        fold = self._writing.fold
        checks = [(one.outcome.check_sized, one.reference) for one in fold.criteria]
        check, threshold = checks[0]
        measure = 0
        try:
            for row in self._rows:
                if row.measure is not None:
                    measure = fold.measure(row.measure)
                    check, threshold = checks[measure]
                told = check(row.value, row.size, threshold)
                arm = -1 if row.arm is None else fold.numbers.get(row.arm, -1)
                if arm < 0 and row.arm is not None:
                    arm = arm_number(fold, label("arm", row.arm))
                self._trials.append(row.trial or 0)
                self._arms.append(arm)
                self._values.append(told.value)
                self._sizes.append(told.size)
                self._measures.append(measure)
        except InputError as error:
            raise self.fault(len(self._values), error) from None

    def _find(
        self, position: int, known: dict[int, Trial], firsts: dict[tuple[int, int], int]
    ) -> None:
        """Find a trial: open, withdrawn, told before, or told earlier in the batch."""
        fold, number, told = self._writing.fold, self._trials[position], self._told(position)
        check_number(fold, number)
        trial = known.get(number) or fold.open[number].as_trial(fold.settings.arms)
        arm = fold.numbers[trial.arm]
        if self._arms[position] not in (-1, arm):
            other = fold.settings.arms[self._arms[position]]
            raise InputError(f"arm: trial {number} is of arm {trial.arm!r}, not {other!r}")
        self._arms[position] = arm
        if self._listed and number in known:
            self._known[position] = trial
        measure = self._measures[position]
        one = ToldMeasure(measure, self._measure_name(position), told)
        self._is_there[position] = is_told(fold, trial, one)
        first = firsts.setdefault((number, measure), position)
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
    unasked = count()

    def own_key(position: int, trial: int) -> str:
        return f"trial/{trial}/told" if trial else request_part(key, next(unasked))

    trials = batch.enter(own_key, progress=progress)
    return batch.already, trials
