"""What people and programs do to a study: each checks what it is given, then adds events.

How trials are asked for is in `asking.py`. Every function may run twice for one request (a lost
connection can hide that a commit succeeded), so each first looks for what an earlier attempt has
left.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import uuid4

from goodarm.errors import InputError, unknown_name
from goodarm.inputs import label
from goodarm.outcomes.contract import Reading
from goodarm.study import trials
from goodarm.study.errors import BY_CORRECTING, REMEDY, ConflictError, UnlikelyOutcomeError
from goodarm.study.log import kinds
from goodarm.study.log.events import Event
from goodarm.study.log.fold import Fold
from goodarm.study.log.kinds import next_trial, trial_of
from goodarm.study.log.writing import OWN_KEY, Writing
from goodarm.study.telling import ToldMeasure, check_told, own_size
from goodarm.study.trials import Trial

FEW_ARMS = 50  # names that can stand in a message


def request_key(key: object) -> str:
    """The key of one request: the user's own, or one that no other request has."""
    return OWN_KEY + uuid4().hex if key is None else "key/" + label("key", key)


def own_key(key: object) -> str | None:
    """The key that a user has given, where one that follows from the trial would do as well."""
    return None if key is None else request_key(key)


def batch_key(key: object) -> str:
    """The key of a request about many trials: the user's own, or one that no other has."""
    return request_key(None) if key is None else "batch/" + label("key", key)


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
    told = check_told(writing.fold.settings, entry.value, entry.size)
    earlier = _told_under(writing, key, told, lambda event: bool(event.body["arm"] == arm))
    if earlier is not None:
        return earlier
    name = writing.fold.settings.arms[arm_number(writing.fold, arm)]
    _check_all_likely(writing.fold, arm, told, entry)
    return _tell(writing, Trial(writing.new_trial(), name), told, entry, key)


def tell_trial(writing: Writing, number: int, entry: OutcomeEntry, key: str | None) -> Trial:
    """Record the outcome of a trial, once; late is not too late."""
    fold = writing.fold
    told = check_told(fold.settings, entry.value, entry.size)
    trial = _trial(writing, number)
    if key is not None:
        earlier = _told_under(writing, key, told, lambda event: event.trial == number)
        if earlier is not None:
            return _trial(writing, number)
    new = [one for one in told if not is_told(fold, trial, one)]
    if not new:
        return trial
    _check_all_likely(fold, trial.arm, new, entry)
    return _tell(writing, trial, new, entry, key or f"trial/{number}/told")


def _check_all_likely(
    fold: Fold, arm: str, told: Sequence[ToldMeasure], entry: OutcomeEntry
) -> None:
    for one in told:
        check_likely(fold, arm, one, entry.sure)


def cancel(writing: Writing, number: int, reason: str | None, key: str | None = None) -> Trial:
    """Withdraw a suggestion whose outcome will not come."""
    trial = _trial(writing, number)
    if _was_done(writing, key, kinds.Cancelled.name, number):
        return trial
    if trial.status in (trials.TOLD, trials.RETRACTED):
        raise ConflictError(f"trial {number} has had its outcome; retract that instead")
    if trial.status != trials.OPEN:
        return trial
    if number not in writing.fold.open:  # it has some of its measurements, and may get the others
        raise ConflictError(f"trial {number} was told, not asked for; retract its outcome instead")
    event = writing.add(
        kinds.Cancelled.name,
        {"trial": number, "reason": reason},
        key or f"trial/{number}/cancelled",
    )
    return next_trial(event, trial)


def cancel_all(
    writing: Writing, numbers: Sequence[int], reason: str | None, key: str | None = None
) -> list[Trial]:
    """Withdraw those of these suggestions that are still open; what became of all of them."""
    if key is not None:
        earlier = list(writing.under_prefix(f"{key}/"))
        if any(event.kind != kinds.Cancelled.name for event in earlier):
            raise used(earlier[0], key)
        if earlier:
            done = [event.body["trial"] for event in earlier]
            return list(writing.trials(done).values())
    withdrawn = {
        number: writing.fold.open[number] for number in numbers if number in writing.fold.open
    }
    others = writing.trials([number for number in numbers if number not in withdrawn])
    cancelled = []
    for number in numbers:
        if number not in withdrawn:
            cancelled.append(others[number])
            continue
        body, own = {"trial": number, "reason": reason}, f"{key or 'trial'}/{number}/cancelled"
        before = withdrawn[number].as_trial(writing.fold.settings.arms)
        cancelled.append(next_trial(writing.add(kinds.Cancelled.name, body, own), before))
    return cancelled


def retract(writing: Writing, number: int, reason: str, key: str | None = None) -> Trial:
    """Take an outcome back, with all its measurements; the log keeps it, with the reason."""
    trial = _trial(writing, number)
    if _was_done(writing, key, kinds.Retracted.name, number):
        return trial
    if trial.status == trials.RETRACTED and trial.values is None:
        return trial
    names = list(trial.values) if trial.values else [None]
    if trial.values is None and trial.status != trials.TOLD:
        raise InputError(f"trial {number} has no outcome to retract; cancel it instead")
    return _retract(writing, trial, names, reason, key)


def correct(
    writing: Writing, number: int, entry: OutcomeEntry, reason: str, key: str | None = None
) -> Trial:
    """Replace a wrong outcome by the right one; the log keeps both."""
    fold = writing.fold
    right = check_told(fold.settings, entry.value, entry.size)
    trial = _trial(writing, number)
    if _was_done(writing, key, kinds.Told.name, number, right):
        return trial
    standing = [one for one in right if trial.told_of(one.name) is not None]
    wrong = [one for one in right if trial.told_of(one.name) != one.reading]
    if not wrong:
        return trial
    earlier = {one.name: _told_events(writing, number, one.name) for one in wrong}
    if not all(earlier.values()):
        raise InputError(f"trial {number} has no outcome to correct; tell it instead")
    _check_all_likely(fold, trial.arm, wrong, entry)
    out = [one.name for one in wrong if one in standing]
    trial = _retract(writing, trial, out, reason) if out else trial
    for one in wrong:
        events = earlier[one.name]
        body = {
            **_body(fold, trial, one),
            "corrects": events[-1].seq,
            "note": entry.note,
        }
        own = f"trial/{number}/told{key_part(one.name)}/{len(events) + 1}"
        own = own if key is None else key + key_part(one.name)
        trial = next_trial(writing.add(kinds.Told.name, body, own), trial)
    return trial


def key_part(measure: str | None) -> str:
    """What a key has of a measurement, where there are several."""
    return "" if measure is None else f"/{measure}"


def _body(
    fold: Fold, trial: Trial, told: ToldMeasure, before: Sequence[int] = ()
) -> dict[str, object]:
    """An outcome; those measured `before` in the same request are as good as recorded."""
    is_last = fold.completes(trial.number, *before, told.measure)
    return {
        "trial": trial.number,
        "arm": trial.arm,
        "measure": told.name,
        "value": told.reading.value,
        "size": own_size(told.reading.size),
        "awaited": None if is_last else True,
    }


def _tell(
    writing: Writing, trial: Trial, told: Sequence[ToldMeasure], entry: OutcomeEntry, key: str
) -> Trial:
    """Record what is new of a trial; several measurements count at one moment."""
    measures = [one.measure for one in told]
    for position, one in enumerate(told):
        body = {
            **_body(writing.fold, trial, one, measures[:position]),
            "observed_at": entry.observed_at,
            "note": entry.note,
            "more": True if position < len(told) - 1 else None,
        }
        trial = next_trial(writing.add(kinds.Told.name, body, key + key_part(one.name)), trial)
    return trial


def _retract(
    writing: Writing,
    trial: Trial,
    measures: Sequence[str | None],
    reason: str,
    key: str | None = None,
) -> Trial:
    for measure in measures:
        told = _told_events(writing, trial.number, measure)[-1].seq
        body = {"trial": trial.number, "told": told, "measure": measure, "reason": reason}
        own = f"event/{told}/retracted" if key is None else key + key_part(measure)
        trial = next_trial(writing.add(kinds.Retracted.name, body, own), trial)
    return trial


def _was_done(
    writing: Writing,
    key: str | None,
    kind: str,
    number: int,
    told: Sequence[ToldMeasure] | None = None,
) -> bool:
    """Whether an earlier request with this key has done the same to a trial."""
    if key is None:
        return False
    readings = {key + key_part(one.name): one.reading for one in told or ()}
    left = {} if told is None else writing.under_keys(list(readings))
    if told is None:
        left = {event.key or "": event for event in writing.under_prefix(key)}
        left = {own: event for own, event in left.items() if own == key or own[len(key)] == "/"}
    for own, event in left.items():
        same = event.kind == kind and event.trial == number
        if not same or (own in readings and told_by(event) != readings[own]):
            raise used(event, key)
    return bool(left)


def _told_events(writing: Writing, number: int, measure: str | None) -> list[Event]:
    """The events that told a trial's outcome, or one measurement of it."""
    return [
        event
        for event in writing.of_trial(number)
        if event.kind == kinds.Told.name and event.body.get("measure") == measure
    ]


def _told_under(
    writing: Writing, key: str, told: Sequence[ToldMeasure], is_same: Callable[[Event], bool]
) -> Trial | None:
    """The trial that a request with this key has left, if it was the same request."""
    trial: Trial | None = None
    for one in told:
        event = writing.under_key(key + key_part(one.name))
        if event is None:
            continue
        if event.kind != kinds.Told.name or not is_same(event) or told_by(event) != one.reading:
            raise used(event, key)
        trial = next_trial(event, trial)
    return trial


def used(earlier: Event, key: str) -> ConflictError:
    """What to say of a request that is another than an earlier one with its key."""
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


def is_told(fold: Fold, trial: Trial, told: ToldMeasure) -> bool:
    """Whether the trial has this very outcome; another one, or one taken back, is a conflict."""
    if trial.status == trials.RETRACTED:
        raise ConflictError(
            f"the outcome of trial {trial.number} was retracted ({trial.reason}); to enter "
            f"another, correct it{BY_CORRECTING}"
        )
    there = trial.told_of(told.name)
    if there is None:
        return False
    if there != told.reading:
        model = fold.criteria[told.measure].outcome
        of = "" if told.name is None else f"{told.name} "
        raise ConflictError(
            f"trial {trial.number} has the outcome {of}{model.write(there)}, not "
            f"{model.write(told.reading)}; if that was a mistake, correct it{BY_CORRECTING}, "
            "which keeps both"
        )
    return True


def check_likely(fold: Fold, arm: str, told: ToldMeasure, sure: bool) -> None:
    """Ask before an outcome is taken that the declared outcome model makes next to impossible."""
    if sure:
        return
    past = fold.evidence.past(arm_number(fold, arm), told.measure)
    criterion = fold.criteria[told.measure]
    why = criterion.outcome.unlikely(told.reading, past, criterion.reference)
    if why is not None:
        raise unlikely(why if told.name is None else f"{told.name}: {why}")


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
    if awaited is not None and number not in writing.fold.measured:  # nothing to look up
        return awaited.as_trial(writing.fold.settings.arms)
    return trial_of(writing.of_trial(number))


def arm_number(fold: Fold, name: str) -> int:
    """The number of the arm of that name."""
    if name not in fold.numbers:
        if len(fold.numbers) > FEW_ARMS:
            raise InputError(f"unknown arm {name!r}; the study has {len(fold.numbers)} others")
        raise unknown_name("arm", name, fold.settings.arms)
    return fold.numbers[name]
