"""What people and programs do to a study: each checks what it is given, then adds events.

How trials are asked for is in `asking.py`. Every function may run twice for one request (a lost
connection can hide that a commit succeeded), so each first looks for what an earlier attempt has
left.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import uuid4

from goodarm.errors import InputError, unknown_name
from goodarm.inputs import label
from goodarm.outcomes.contract import Outcome, Reading
from goodarm.study import trials
from goodarm.study.errors import REMEDY, ConflictError, UnlikelyOutcomeError
from goodarm.study.log import kinds
from goodarm.study.log.events import Event
from goodarm.study.log.fold import OPEN, Fold
from goodarm.study.log.kinds import next_trial, trial_of
from goodarm.study.log.writing import Writing
from goodarm.study.settings import check_boundary
from goodarm.study.trials import Trial

FEW_ARMS = 50  # names that can stand in a message


def request_key(key: object) -> str:
    """The key of one request: the user's own, or one that no other request has."""
    return f"auto/{uuid4().hex}" if key is None else "key/" + label("key", key)


@dataclass(frozen=True)
class OutcomeEntry:
    """An outcome as a user hands it in."""

    value: object
    size: object = None  # None: it has none
    observed_at: str | None = None
    note: str | None = None
    sure: bool = False  # the value was looked at twice


def tell_arm(writing: Writing, arm: str, entry: OutcomeEntry, key: str) -> Trial:
    """Record an outcome that was not asked for, once for each key."""
    told = check_outcome(writing.fold, entry)
    earlier = writing.under_key(key)
    if earlier is not None:
        return _same(earlier, key, arm, told)
    check_likely(writing.fold, arm, told, entry.sure)
    name = writing.fold.settings.arms[arm_number(writing.fold, arm)]
    return next_trial(_tell(writing, writing.new_trial(), name, told, entry, key))


def tell_trial(writing: Writing, number: int, entry: OutcomeEntry, key: str | None) -> Trial:
    """Record the outcome of a trial, once; late is not too late."""
    told = check_outcome(writing.fold, entry)
    trial = _trial(writing, number)
    if key is not None:
        earlier = writing.under_key(key)
        if earlier is not None and earlier.trial != number:
            raise _used(earlier, key)
        if earlier is not None:
            return _same(earlier, key, trial.arm, told)
    if is_told(writing.fold.settings.outcome, trial, told):
        return trial
    check_likely(writing.fold, trial.arm, told, entry.sure)
    event = _tell(writing, number, trial.arm, told, entry, key or f"trial/{number}/told")
    return next_trial(event, trial)


def cancel(writing: Writing, number: int, reason: str | None) -> Trial:
    """Withdraw a suggestion whose outcome will not come."""
    trial = _trial(writing, number)
    if trial.status in (trials.TOLD, trials.RETRACTED):
        raise ConflictError(f"trial {number} has had its outcome; retract that instead")
    if trial.status != trials.OPEN:
        return trial
    event = writing.add(
        kinds.Cancelled.name, {"trial": number, "reason": reason}, f"trial/{number}/cancelled"
    )
    return next_trial(event, trial)


def cancel_all(writing: Writing, numbers: Sequence[int], reason: str | None) -> list[Trial]:
    """Withdraw those of these suggestions that are still open; what became of all of them."""
    withdrawn = {
        number: writing.fold.open[number] for number in numbers if number in writing.fold.open
    }
    others = writing.trials([number for number in numbers if number not in withdrawn])
    cancelled = []
    for number in numbers:
        if number not in withdrawn:
            cancelled.append(others[number])
            continue
        body, key = {"trial": number, "reason": reason}, f"trial/{number}/cancelled"
        before = withdrawn[number].as_trial(writing.fold.settings.arms)
        cancelled.append(next_trial(writing.add(kinds.Cancelled.name, body, key), before))
    return cancelled


def retract(writing: Writing, number: int, reason: str) -> Trial:
    """Take an outcome back; the log keeps it, with the reason."""
    trial = _trial(writing, number)
    if trial.status == trials.RETRACTED:
        return trial
    if trial.status != trials.TOLD:
        raise InputError(f"trial {number} has no outcome to retract; cancel it instead")
    return next_trial(_retract(writing, number, reason), trial)


def correct(writing: Writing, number: int, entry: OutcomeEntry, reason: str) -> Trial:
    """Replace a wrong outcome by the right one; the log keeps both."""
    right = check_outcome(writing.fold, entry)
    trial = _trial(writing, number)
    if trial.status == trials.TOLD and trial.told == right:
        return trial
    if trial.status not in (trials.TOLD, trials.RETRACTED):
        raise InputError(f"trial {number} has no outcome to correct; tell it instead")
    check_likely(writing.fold, trial.arm, right, entry.sure)
    told = [e for e in writing.of_trial(number) if e.kind == kinds.Told.name]
    if trial.status == trials.TOLD:
        trial = next_trial(_retract(writing, number, reason), trial)
    body = {
        "trial": number,
        "arm": trial.arm,
        "value": right.value,
        "size": own_size(right.size),
        "corrects": told[-1].seq,
        "note": entry.note,
    }
    event = writing.add(kinds.Told.name, body, f"trial/{number}/told/{len(told) + 1}")
    return next_trial(event, trial)


def stop(writing: Writing, reason: str, key: str) -> None:
    """End the study; outcomes that still come in count."""
    if writing.fold.stopped is None and writing.under_key(key) is None:
        writing.add(kinds.Stopped.name, {"reason": reason}, key)


def extend(
    writing: Writing, more: int | None, delta: float | None, reason: str | None, key: str
) -> None:
    """Go on: with more trials, towards another δ, or for as long as wanted."""
    fold = writing.fold
    if writing.under_key(key) is not None:
        return
    if delta is not None and delta == fold.settings.delta:
        raise InputError(f"delta: the study already aims at {delta:g}; give another, or none")
    if delta is None and fold.state == OPEN and (more is None or fold.limit is None):
        raise InputError("the study is open and has no limit that could be extended")
    writing.add(kinds.Extended.name, {"trials": more, "delta": delta, "reason": reason}, key)


def amend(writing: Writing, threshold: object, boundary: object, reason: str, key: str) -> None:
    """Change threshold or stopping rule, for the record, with a warning if there are outcomes."""
    settings = writing.fold.settings
    wanted: dict[str, object] = {}
    if threshold is not None:
        wanted["threshold"] = settings.outcome.check_threshold(threshold)
    if boundary is not None:
        wanted["boundary"] = check_boundary(boundary)
    changed = {what: value for what, value in wanted.items() if value != getattr(settings, what)}
    if changed and writing.under_key(key) is None:
        writing.add(kinds.Amended.name, {**changed, "reason": reason}, key)


def rename(writing: Writing, name: str, reason: str | None, key: str) -> None:
    """Give the study another name, which no other study has."""
    if writing.fold.name == name or writing.under_key(key) is not None:
        return
    if writing.is_taken(name):
        raise ConflictError(f"name: there is a study {name!r} already; give another name")
    writing.add(kinds.Renamed.name, {"name": name, "reason": reason}, key)


def _tell(
    writing: Writing, number: int, arm: str, told: Reading, entry: OutcomeEntry, key: str
) -> Event:
    body = {
        "trial": number,
        "arm": arm,
        "value": told.value,
        "size": own_size(told.size),
        "observed_at": entry.observed_at,
        "note": entry.note,
    }
    return writing.add(kinds.Told.name, body, key)


def _retract(writing: Writing, number: int, reason: str) -> Event:
    events = writing.of_trial(number)
    told = [e.seq for e in events if e.kind == kinds.Told.name][-1]
    body = {"trial": number, "told": told, "reason": reason}
    return writing.add(kinds.Retracted.name, body, f"event/{told}/retracted")


def _same(earlier: Event, key: str, arm: str, told: Reading) -> Trial:
    """The trial that a request with this key has left, if it was the same request."""
    if earlier.kind == kinds.Told.name and says(earlier, arm, told):
        return next_trial(earlier)
    raise _used(earlier, key)


def _used(earlier: Event, key: str) -> ConflictError:
    return ConflictError(
        f"the key {key.partition('/')[2]!r} was used before, for event {earlier.seq} "
        f"({earlier.kind}); give every request its own key"
    )


def told_by(event: Event) -> Reading:
    """The outcome that an event tells."""
    return Reading(event.body["value"], event.body.get("size", 1.0))


def says(event: Event, arm: str, told: Reading) -> bool:
    """Whether an event tells this outcome of this arm."""
    return event.body["arm"] == arm and told_by(event) == told


def check_outcome(fold: Fold, entry: OutcomeEntry) -> Reading:
    """What was handed in, if there can be such an outcome."""
    settings = fold.settings
    return settings.outcome.check_sized(entry.value, entry.size, settings.threshold)


def is_told(model: Outcome, trial: Trial, told: Reading) -> bool:
    """Whether the trial has this very outcome; another one, or one taken back, is a conflict."""
    if trial.status == trials.RETRACTED:
        raise ConflictError(
            f"the outcome of trial {trial.number} was retracted ({trial.reason}); to enter "
            "another, correct it (study.correct, `goodarm study correct`)"
        )
    there = trial.told
    if there is None:
        return False
    if there != told:
        raise ConflictError(
            f"trial {trial.number} has the outcome {model.write(there)}, not {model.write(told)}; "
            "if that was a mistake, correct it (study.correct, `goodarm study correct`), which "
            "keeps both"
        )
    return True


def own_size(size: float) -> float | None:
    """The size as an event has it: left out if it is 1."""
    return None if size == 1.0 else size


def check_likely(fold: Fold, arm: str, told: Reading, sure: bool) -> None:
    """Ask before an outcome is taken that the declared outcome model makes next to impossible."""
    if sure:
        return
    number, settings = arm_number(fold, arm), fold.settings
    why = settings.outcome.unlikely(told, fold.past(number), settings.threshold)
    if why is not None:
        raise unlikely(why)


def unlikely(why: str) -> UnlikelyOutcomeError:
    """What to ask a person who has handed in an outcome that is next to impossible."""
    return UnlikelyOutcomeError(
        f"value: {why}; check the entry, its unit and the declared outcome. {REMEDY}"
    )


def check_number(fold: Fold, number: int) -> None:
    """Complain about a trial that does not exist."""
    if not 1 <= number < fold.next_trial:
        last = f"the last one is {fold.next_trial - 1}" if fold.next_trial > 1 else "there is none"
        raise InputError(f"trial: there is no trial {number}; {last}")


def _trial(writing: Writing, number: int) -> Trial:
    check_number(writing.fold, number)
    awaited = writing.fold.open.get(number)
    if awaited is not None:  # most are; there is nothing to look up
        return awaited.as_trial(writing.fold.settings.arms)
    return trial_of(writing.of_trial(number))


def arm_number(fold: Fold, name: str) -> int:
    """The number of the arm of that name."""
    if name not in fold.numbers:
        if len(fold.numbers) > FEW_ARMS:
            raise InputError(f"unknown arm {name!r}; the study has {len(fold.numbers)} others")
        raise unknown_name("arm", name, fold.settings.arms)
    return fold.numbers[name]
