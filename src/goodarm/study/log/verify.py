"""The audit: is the log whole, and does every suggestion follow from it and the seed?"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from goodarm.errors import InputError
from goodarm.study import trials
from goodarm.study.log import events as kinds
from goodarm.study.log.checkpoint import FORMAT, write_checkpoint
from goodarm.study.log.events import GENESIS, Event, Stored, digest, read_event
from goodarm.study.log.export import read_exported
from goodarm.study.log.fold import Fold
from goodarm.study.log.ledger import summary_of
from goodarm.study.settings import check_boundary
from goodarm.study.storage import Transaction
from goodarm.study.trials import Trial, next_status


@dataclass(frozen=True)
class Problem:
    """Something that is not as it must be, and where in the log."""

    seq: int
    text: str


@dataclass(frozen=True)
class Verification:
    """What an audit found; `head` is what to compare with a hash that was noted elsewhere."""

    study: str
    events: int
    head: str
    suggestions: int  # how many were derived anew and found as recorded
    skipped: str | None  # why suggestions could not be derived, if so
    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return not self.problems

    def to_dict(self) -> dict[str, Any]:
        """The findings as plain data."""
        return {"ok": self.ok, **asdict(self)}


class BrokenLogError(Exception):
    """The chain ends here: what follows cannot be judged."""


class Audit:
    """Goes through a log from its beginning, trusting nothing but the seed and the software."""

    def __init__(self, events: Iterable[Stored], uuid: str | None = None) -> None:
        self._events = events
        self._uuid = uuid
        self._outcomes: dict[int, tuple[int, int, float]] = {}
        self._trials: dict[int, Trial] = {}
        self._keys: set[str] = set()
        self._hashes: list[str] = []
        self.fold: Fold | None = None
        self.suggestions = 0
        self.problems: list[Problem] = []

    def run(self, saved: dict[int, list[tuple[str, Any]]], head: str | None) -> Verification:
        """Check everything; `saved` has what the database derived, by its place in the log."""
        try:
            for event, stored in self._chained():
                self._follow(event, stored)
                for what, found in saved.pop(event.seq, []):
                    self._compare(what, found)
        except BrokenLogError:
            pass
        else:
            for seq in saved:
                self._note(seq, "the database has a checkpoint beyond the end of the log")
            if head is not None and head not in self._hashes:
                self._note(
                    len(self._hashes),
                    f"no event has the hash {head}: the end of the log was cut off, or all of it "
                    "was replaced",
                )
        fold = self.fold
        unknown = fold is not None and not fold.rule_is_known
        return Verification(
            study=fold.name if fold else "",
            events=len(self._hashes),
            head=self._hashes[-1] if self._hashes else GENESIS,
            suggestions=self.suggestions,
            skipped=f"the rule {fold.settings.algorithm} has changed since the study began"
            if fold and unknown
            else None,
            problems=tuple(self.problems),
        )

    def _chained(self) -> Iterator[tuple[Event, Stored]]:
        """The events as far as the chain of hashes holds."""
        previous = GENESIS
        for place, stored in enumerate(self._events, 1):
            if stored.seq != place:
                self._break(place, f"event {place} is missing: number {stored.seq} follows")
            if digest(stored.text) != stored.hash:
                self._break(place, "its text does not have its hash: it was altered")
            try:
                event = read_event(stored.text)
                written = event.text()
            except (ValueError, TypeError):
                self._break(place, "it is not an event")
            columns = (event.seq, event.kind, event.trial, event.key)
            if columns != (stored.seq, stored.kind, stored.trial, stored.key):
                self._break(place, "its columns differ from its text")
            if written != stored.text:
                self._break(place, "its text is not in canonical form")
            if event.previous != previous:
                self._break(place, "it does not follow the event before it")
            if event.study != (self._uuid or event.study):
                self._break(place, "it belongs to another study")
            self._uuid, previous = event.study, stored.hash
            self._hashes.append(stored.hash)
            yield event, stored

    def _follow(self, event: Event, stored: Stored) -> None:
        try:
            if event.seq == 1:
                if event.kind != kinds.CREATED:
                    raise ValueError("the log does not begin with the study's creation")
                self.fold = Fold(event, stored.hash)
                return
            assert self.fold is not None
            self._check(self.fold, event)
            if event.kind == kinds.TOLD:
                arm = self.fold.numbers[event.body["arm"]]
                self._outcomes[event.seq] = (event.body["trial"], arm, event.body["value"])
            elif event.kind == kinds.RETRACTED:
                del self._outcomes[event.body["told"]]
            if event.trial is not None:
                known = self._trials.get(event.trial)
                self._trials[event.trial] = next_status(known, event)
            self.fold.apply(event, stored.hash, lambda _: self._outcomes.values())
        except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError) as error:
            self._break(event.seq, f"it cannot have happened: {error}")

    def _check(self, fold: Fold, event: Event) -> None:
        """Whether the event could happen at this point; what the study itself would refuse."""
        body = event.body
        if event.key is not None:
            if event.key in self._keys:
                raise ValueError(f"the key {event.key!r} is used twice")
            self._keys.add(event.key)
        trial = self._trials.get(body.get("trial", 0))
        if event.kind == kinds.ASKED:
            self._check_suggestion(fold, event)
        elif event.kind == kinds.TOLD:
            if fold.settings.outcome.check(body["value"], fold.settings.threshold) != body["value"]:
                raise ValueError("the value is not a number of the declared kind")
            if trial is None and body["trial"] != fold.next_trial:
                raise ValueError(f"its trial should have the number {fold.next_trial}")
            allowed = (None, trials.OPEN, trials.CANCELLED, trials.EXPIRED, trials.RETRACTED)
            if (trial and trial.status) not in allowed or (trial and trial.arm != body["arm"]):
                raise ValueError("the trial had its outcome, or another arm")
        elif event.kind == kinds.RETRACTED:
            if trial is None or trial.status != trials.TOLD:
                raise ValueError("there was no outcome to retract")
        elif event.kind == kinds.AMENDED:
            if "threshold" in body:
                fold.settings.outcome.check_threshold(body["threshold"])
            if "boundary" in body:
                check_boundary(body["boundary"])

    def _check_suggestion(self, fold: Fold, event: Event) -> None:
        body = event.body
        if body["trial"] != fold.next_trial:
            raise ValueError(f"its trial should have the number {fold.next_trial}")
        if body.get("chosen") or not fold.rule_is_known:
            return
        arm = fold.next_arm()
        expected = None if arm is None else fold.settings.arms[arm]
        if expected != body["arm"]:
            self._note(event.seq, f"the rule suggests {expected!r} here, not {body['arm']!r}")
        else:
            self.suggestions += 1

    def _compare(self, what: str, found: Any) -> None:
        assert self.fold is not None
        if what == "checkpoint":
            same = found == write_checkpoint(self.fold) or _is_of_another_format(found)
        else:
            same = found == summary_of(self.fold)
        if not same:
            self._note(self.fold.seq, f"the {what} in the database does not follow from the log")

    def _note(self, seq: int, text: str) -> None:
        self.problems.append(Problem(seq, text))

    def _break(self, seq: int, text: str) -> None:
        self._note(seq, text)
        raise BrokenLogError


def _is_of_another_format(text: str) -> bool:
    """Whether another version of this software wrote the checkpoint, which is then ignored."""
    try:
        data = json.loads(text)
    except ValueError:
        return False
    return isinstance(data, dict) and data.get("format", FORMAT) != FORMAT


def check_head(value: object) -> str | None:
    """A head hash as someone has noted it."""
    if value is None:
        return None
    text = str(value).strip().lower()
    if len(text) != 64 or any(c not in "0123456789abcdef" for c in text):
        raise InputError(f"head: {value!r} is not a hash of 64 hexadecimal digits")
    return text


def derived(transaction: Transaction, study: int) -> dict[int, list[tuple[str, Any]]]:
    """What the database keeps besides the log, by the place in the log that it belongs to."""
    found: dict[int, list[tuple[str, Any]]] = {}
    checkpoint = transaction.checkpoint(study)
    if checkpoint is not None:
        found.setdefault(checkpoint[0], []).append(("checkpoint", checkpoint[2]))
    summary = transaction.summary(study)
    if summary is not None:
        del summary["study_id"]
        found.setdefault(summary["seq"], []).append(("summary", summary))
    return found


def verify_file(path: Path, head: object = None) -> Verification:
    """Audit a JSON export; no database is needed."""
    return Audit(read_exported(path)).run({}, check_head(head))
