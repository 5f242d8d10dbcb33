"""Where a worker on a study gets its trials, and hands in what came out: the study's database.

A trial that is given out has a lease. It is renewed, each time for twice as long, for as long as
the trial is being made: so the trials of a worker that was killed expire after half a minute, and
at most twice the time for which they had been running.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any

from goodarm.errors import InputError
from goodarm.gating.loop import INTERRUPTED, Ended, Exchange, FruitlessError, Told
from goodarm.gating.progress import Headway, headway
from goodarm.gating.question import Call, seed_of_trial
from goodarm.inputs import stamp
from goodarm.study.actions import cancel_all, request_key
from goodarm.study.asking import exchange, renew
from goodarm.study.errors import StorageError
from goodarm.study.evidence import OneBar
from goodarm.study.log.fold import DECIDED, STOPPED, Fold
from goodarm.study.log.ledger import Ledger
from goodarm.study.log.writing import Writing
from goodarm.study.trials import Trial
from goodarm.study.working.made import entry, outcomes_given, worst_outcomes
from goodarm.wording import shown

LEASE = 30.0  # seconds that a worker's trial has at first
LONGEST_LEASE = 7 * 86_400.0
NEARLY_OVER = 60.0  # seconds for which trials of other workers are waited for
BEAT = 1.0  # seconds between two looks at leases, where a thread does nothing else
LOOK_AGAIN = 0.2  # seconds between two looks whether they have ended
LONGEST_REASON = 500
Heard = Callable[[Trial], object]


class _Held:
    """A trial that was given out, and its lease."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        self.lease = LEASE
        self.renewed_at = monotonic()

    def is_due(self) -> bool:
        """Whether half of the lease is over."""
        return monotonic() > self.renewed_at + 0.5 * self.lease

    def renew(self) -> None:
        """Twice as long from now."""
        self.lease = min(2.0 * self.lease, LONGEST_LEASE)
        self.renewed_at = monotonic()


class StudyDesk:
    """A source of trials for `gating.loop.Loop`: a study, for one worker.

    `most` is how many outcomes the worker may tell, None for no limit; `told` is called after each.
    Outcomes that are given as text are read only `as_text`.
    """

    keeps = True  # a study may be extended, so its record has no gaps

    def __init__(
        self,
        ledger: Ledger,
        by: str | None,
        most: int | None = None,
        sure: bool = False,
        as_text: bool = False,
        told: Heard | None = None,
    ) -> None:
        self._ledger, self._by, self._most, self._sure = ledger, by, most, sure
        self._as_text, self._told = as_text, told
        self.looks_ahead = told is None  # whoever hears of an outcome may not want another trial
        self._settings = ledger.look(lambda fold: fold.settings)
        self._held: dict[int, _Held] = {}
        self._ended = False  # the study has, by its answer or by someone's wish
        self._others = False  # whether trials of others will soon end or be gone
        self.failed = self.retried = 0
        self.made = 0  # outcomes that this worker has told
        self.without: list[int] = []  # trials that gave no outcome
        self.interrupted: list[int] = []

    @property
    def finished(self) -> bool:
        """Whether this worker has nothing more to begin, whatever others do."""
        return self._ended or self.made == self._most

    def exchange(self, ended: Sequence[Ended], wanted: int) -> Exchange:
        """Record outcomes and ask for trials; one commit, unless someone wants to hear between."""
        if ended and self._told is not None:
            given = self._commit(ended, 0)
            return given if given.refused else self._commit((), wanted)
        return self._commit(ended, wanted)

    def read(self, given: object) -> Told:
        """What a trial gave as an outcome."""
        return outcomes_given(given, self._settings, self._as_text)

    @property
    def worst(self) -> Told:
        """The outcome on the bad side beyond which there is none."""
        return worst_outcomes(self._settings)

    def title(self, call: Call) -> str:
        """The trial's number, and its arm if there are others."""
        arm = f" of arm {call.arm!r}" if len(self._settings.arms) > 1 else ""
        return f"trial {call.trial}{arm}"

    def trial(self, call: Call) -> Trial:
        """The trial as the study has it."""
        return self._held[call.trial].trial

    def drop(self, calls: Sequence[Call], why: BaseException | str) -> None:
        """Cancel trials, for the record with the reason."""
        numbers, reason = [call.trial for call in calls], _reason(why)
        if numbers:
            self._ledger.commit(lambda writing: cancel_all(writing, numbers, reason), self._by)
        for number in numbers:
            self._held.pop(number, None)
        if isinstance(why, BaseException):
            self.without += numbers
        elif why == INTERRUPTED:
            self.interrupted += numbers

    def pause(self) -> bool:
        """Wait for other workers: their outcomes may be the answer, or their trials become free."""
        if self._others:
            sleep(LOOK_AGAIN)
        return self._others

    def beat(self) -> None:
        """Renew the leases of which half is over."""
        due = {number: held for number, held in list(self._held.items()) if held.is_due()}
        if not due:
            return
        for held in due.values():
            held.renew()
        leases = {number: held.lease for number, held in due.items()}
        try:
            self._ledger.commit(lambda writing: renew(writing, leases), self._by)
        except StorageError:  # if it lasts, telling the outcome will say so
            return

    def headway(self) -> Headway:
        """How far the study has come."""
        return self._ledger.look(_headway)

    def _commit(self, ended: Sequence[Ended], wanted: int) -> Exchange:
        if self._most is not None:
            wanted = min(wanted, self._most - self.made - len(self._held))
        if not ended and (wanted <= 0 or self.finished):
            return Exchange(())
        key = request_key(None)
        entries = {one.call.trial: entry(one.told, self._sure) for one in ended}

        def work(writing: Writing) -> tuple[Any, ...]:
            done = exchange(writing, entries, wanted, LEASE, key)
            return done, *self._outlook(writing.fold, writing.now)

        done, self._ended, self._others = self._ledger.commit(work, self._by)
        for trial in done.told:
            self._settle(trial)
        for trial in done.asked:
            self._held[trial.number] = _Held(trial)
        calls = [self._call(trial) for trial in done.asked]
        by_number = {one.call.trial: one.call for one in ended}
        refused = [(by_number[number], error) for number, error in done.refused.items()]
        return Exchange(calls, refused)

    def _settle(self, trial: Trial) -> None:
        """An outcome is recorded; the first time, someone may want to hear of it."""
        if self._held.pop(trial.number, None) is not None:
            self.made += 1
            if self._told is not None:
                self._told(trial)

    def _call(self, trial: Trial) -> Call:
        return Call(trial.arm, trial.number, seed_of_trial(self._settings.seed, trial.number))

    def _outlook(self, fold: Fold, now: str) -> tuple[bool, bool]:
        """Whether the study has ended, and whether trials of others will soon be told or gone."""
        soon = stamp(datetime.fromisoformat(now) + timedelta(seconds=NEARLY_OVER))
        others = any(
            trial.expires_at is not None and trial.expires_at <= soon
            for trial in fold.open.values()
            if trial.number not in self._held
        )
        return fold.state in (DECIDED, STOPPED), others


def _headway(fold: Fold) -> Headway:
    """What it still takes is known where there is one bar."""
    evidence = fold.evidence
    if isinstance(evidence, OneBar):
        return headway(evidence.counted, fold.told)
    return Headway(fold.told, evidence.confidence, None)


class Heartbeat:
    """Lets leases be renewed by a thread of its own, where trials are made in the caller's."""

    def __init__(self, desk: StudyDesk) -> None:
        self._desk = desk
        self._over = Event()
        self._thread = Thread(target=self._beat, name="goodarm-leases", daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *raised: object) -> None:
        self._over.set()
        self._thread.join()

    def _beat(self) -> None:
        while not self._over.wait(BEAT):
            self._desk.beat()


def _reason(why: BaseException | str) -> str:
    """Why a trial is cancelled, as the log has it."""
    if isinstance(why, InputError | FruitlessError):
        text = f"no outcome: {why}"
    elif isinstance(why, BaseException):
        text = f"the objective raised {type(why).__name__}"
    else:
        text = why
    return shown(text)[:LONGEST_REASON]
