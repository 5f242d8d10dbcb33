"""The audit: is the log whole, and does every suggestion follow from it and the seed?"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from goodarm.study.log.alike import alike
from goodarm.study.log.checkpoint import CHECKPOINT_FORMAT, is_intact, write_checkpoint
from goodarm.study.log.claims import compare
from goodarm.study.log.events import GENESIS, Event, Stored, digest, read_event
from goodarm.study.log.export import Claims, read_export
from goodarm.study.log.fold import Fold
from goodarm.study.log.form import check_form
from goodarm.study.log.kinds import Asked, Created, Renamed, Told, kind_of
from goodarm.study.log.kinds.of_studies import check_creation
from goodarm.study.log.ledger import summary_of
from goodarm.study.log.seals import KeptElsewhere, Seal, check_head, check_seal
from goodarm.study.log.standing import StandingOutcomes, TrialStates
from goodarm.study.log.verification import LogProblem, Verification
from goodarm.study.report.meaning import meaning
from goodarm.study.storage import Transaction


class BrokenLogError(Exception):
    """The chain ends here: what follows cannot be judged."""


class Audit:
    """Goes through a log from its beginning, trusting nothing but the seed and the software."""

    def __init__(
        self, events: Iterable[Stored], uuid: str | None = None, name: str | None = None
    ) -> None:
        self._events = events
        self._uuid, self._name = uuid, name
        self._standing, self._trials = StandingOutcomes(), TrialStates()
        self._keys: set[str] = set()
        self._named_at = 1  # the event
        self._more = False  # whether outcomes follow that count at the same moment
        self._compared: list[str] = []
        self._not_compared: list[str] = []
        self._count, self._head = 0, GENESIS
        self.fold: Fold | None = None
        self.suggestions = 0
        self.problems: list[LogProblem] = []

    def run(
        self,
        saved: dict[int, list[tuple[str, Any]]],
        head: str | None,
        claims: Claims | None = None,
        seal: Seal | None = None,
    ) -> Verification:
        """Check everything.

        `saved` has what the database derived, by the event that it follows, `head` and `seal` were
        kept elsewhere, `claims` is what a file says besides its events.
        """
        kept = KeptElsewhere(head, seal)
        summarised = max((seq for seq in saved if "summary" in dict(saved[seq])), default=None)
        try:
            for event, stored in self._chained():
                self._follow(event, stored)
                kept.see(event.seq, stored.hash, self.fold.name if self.fold else "")
                for what, content in saved.pop(event.seq, []):
                    self._compare(what, content)
        except BrokenLogError:
            pass
        else:
            for seq in saved:
                self._note(seq, "the database has a checkpoint beyond the end of the log")
            if summarised is not None and summarised < self._count:  # every write renews it
                self._note(summarised, "the summary in the database lacks the later events")
            if self._more:
                self._note(self._count, "the log ends although this event announces more outcomes")
            self.problems += kept.problems(self._count)
            self._compare_name()
            if claims is not None and self.fold is not None:
                self._compare_claims(claims, self.fold)
        return Verification(
            study=self.fold.name if self.fold else "",
            events=self._count,
            head=self._head,
            suggestions=self.suggestions,
            skipped=self._skipped(),
            problems=tuple(self.problems),
            meaning=meaning(self.fold) if self.fold else "",
            compared=tuple(self._compared),
            not_compared=tuple(self._not_compared),
            vouched=kept.vouched,
        )

    def _compare_name(self) -> None:
        """Whether the database calls the study by the name that is in its log."""
        if self.fold is None:
            self._note(1, "the log is empty")
        elif self.fold.name == "":
            self._not_compared.append("the study's name, which its log does not have")
        elif self._name is None:
            pass
        elif self.fold.name == self._name:
            self._compared.append("the study's name")
        else:
            self._note(
                self._named_at,
                f"the log names the study {self.fold.name!r}, the database {self._name!r}",
            )

    def _compare_claims(self, claims: Claims, fold: Fold) -> None:
        found = compare(claims, fold)
        for problem in found.problems:
            self._note(fold.seq, problem)
        self._compared += found.compared
        self._not_compared += found.not_compared

    def _skipped(self) -> str | None:
        if self.fold is None or self.fold.algorithm_is_known:
            return None
        return f"the algorithm {self.fold.settings.algorithm} has changed since the study began"

    def _chained(self) -> Iterator[tuple[Event, Stored]]:
        """The events as far as the chain of hashes holds."""
        for number, stored in enumerate(self._events, 1):
            if stored.seq != number:
                self._break(number, f"event {number} is missing: number {stored.seq} follows")
            if digest(stored.text) != stored.hash:
                self._break(number, "its text does not have its hash: it was altered")
            try:
                event = read_event(stored.text)
                text = event.text()
            except (ValueError, TypeError, RecursionError):
                self._break(number, "it is not an event")
            if event.repeated != stored.repeated:
                self._break(number, "its columns differ from its text")
            if text != stored.text:
                self._break(number, "its text is not in canonical form")
            if event.previous != self._head:
                self._break(number, "it does not follow the event before it")
            if event.study != (self._uuid or event.study):
                self._break(number, "it belongs to another study")
            self._uuid, self._head, self._count = event.study, stored.hash, number
            yield event, stored

    def _follow(self, event: Event, stored: Stored) -> None:
        try:
            check_form(event)
            if event.seq == 1:
                if event.kind != Created.name:
                    raise ValueError("the log does not begin with the study's creation")
                check_creation(event.body)
                self.fold = Fold(event, stored.hash)
                return
            assert self.fold is not None
            self._check(self.fold, event)
            if event.kind == Renamed.name:
                self._named_at = event.seq
            kind = kind_of(event)
            kind.move_outcome(event, self._standing)
            if event.trial is not None:
                self._trials.put(kind.next_trial(event, self._trials.get(event.trial)))
            self.fold.apply(event, stored.hash, lambda _: self._standing)
        except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError) as error:
            self._break(event.seq, f"it cannot have happened: {error}")

    def _check(self, fold: Fold, event: Event) -> None:
        """Whether the event could happen at this point; what the study itself would refuse."""
        if event.key is not None:
            if event.key in self._keys:
                raise ValueError(f"the key {event.key!r} is used twice")
            self._keys.add(event.key)
        if self._more and event.kind != Told.name:
            raise ValueError("the event before it announces more outcomes")
        self._more = "more" in event.body
        kind_of(event).check(event, fold, self._trials.get(event.trial))
        if event.kind == Asked.name:
            self._check_suggestion(fold, event)

    def _check_suggestion(self, fold: Fold, event: Event) -> None:
        if event.body.get("chosen") or not fold.algorithm_is_known:
            return
        arm, recorded = fold.next_arm(), event.body["arm"]
        expected = None if arm is None else fold.settings.arms[arm]
        if expected != recorded:
            self._note(event.seq, f"the algorithm suggests {expected!r} here, not {recorded!r}")
        else:
            self.suggestions += 1

    def _compare(self, what: str, content: Any) -> None:
        assert self.fold is not None
        if what == "checkpoint":
            head, text = content
            same = head == self._head and _is_checkpoint(text, write_checkpoint(self.fold))
        else:
            same = alike(content, summary_of(self.fold))
        if same:
            self._compared.append(f"the {what}")
        else:
            self._note(self.fold.seq, f"the {what} in the database does not follow from the log")

    def _note(self, seq: int, text: str) -> None:
        self.problems.append(LogProblem(seq, text))

    def _break(self, seq: int, text: str) -> None:
        self._note(seq, text)
        raise BrokenLogError


def _is_checkpoint(text: str, expected: str) -> bool:
    """Whether it is the expected one, or one of another version, which is ignored."""
    if text == expected:
        return True
    try:
        data = json.loads(text)
    except ValueError:
        return False
    if not isinstance(data, dict):
        return False
    if data.get("format", CHECKPOINT_FORMAT) != CHECKPOINT_FORMAT:
        return True
    return is_intact(text) and alike(_derived(data), _derived(json.loads(expected)))


def _derived(checkpoint: dict[str, Any]) -> dict[str, Any]:
    """What a checkpoint says of the log; the digest is of the text, which may be rounded."""
    return {name: value for name, value in checkpoint.items() if name != "digest"}


def derived(transaction: Transaction, study: int) -> dict[int, list[tuple[str, Any]]]:
    """What the database keeps besides the log, by the event after which it was derived."""
    saved: dict[int, list[tuple[str, Any]]] = {}
    checkpoint = transaction.checkpoint(study)
    if checkpoint is not None:
        saved.setdefault(checkpoint[0], []).append(("checkpoint", checkpoint[1:]))
    summary = transaction.summary(study)
    if summary is not None:
        del summary["study_id"]
        saved.setdefault(summary["seq"], []).append(("summary", summary))
    return saved


def verify_file(path: Path, head: object = None, seal: object = None) -> Verification:
    """Audit a JSON export; no database is needed."""
    wanted, sealed = check_head(head), check_seal(seal)
    claims, events = read_export(path)
    return Audit(events).run({}, wanted, claims, sealed)
