"""Asking a study for trials: which there are to be made, who makes them, and until when.

As in `actions.py`, each may run twice for one request.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from goodarm.errors import InputError
from goodarm.inputs import stamp
from goodarm.study.actions import OutcomeEntry, arm_number, check_number, tell_trial, used
from goodarm.study.errors import ConflictError, StudyClosedError
from goodarm.study.log import kinds
from goodarm.study.log.events import Event
from goodarm.study.log.fold import DECIDED, OPEN, SPENT, Fold
from goodarm.study.log.kinds import next_trial
from goodarm.study.log.writing import Writing
from goodarm.study.trials import Trial
from goodarm.wording import counted

SAME_LEASE = 0.001  # seconds between leases that are one
MOST_NAMED = 5  # arms in a message


def ask(
    writing: Writing, count: int, arm: str | None, lease: float | None, key: str
) -> list[Trial]:
    """Suggest trials; suggestions whose lease has run out make room first."""
    keys, fold = _keys(key, count), writing.fold
    number = None if arm is None else arm_number(fold, arm)
    earlier = _asked_before(writing, [*keys, f"{key}#{count + 1}"])
    if earlier:
        if len(earlier) != count or not all(_asks_for(e, arm, lease) for e in earlier):
            raise used(earlier[0], key)
        return [next_trial(event) for event in earlier]
    if number is not None and number in fold.roster.retired:
        raise InputError(f"arm: {arm!r} was retired ({fold.roster.retired[number]}); try another")
    gone = fold.expired(writing.now)
    _check_open(fold, count, len(gone))
    _expire(writing, gone)
    asked = _suggest(writing, keys, number, lease)
    if len(asked) < count:
        raise StudyClosedError(f"{fold.settings.algorithm} has nothing left to try")
    return asked


def ask_up_to(writing: Writing, count: int, lease: float, key: str) -> list[Trial]:
    """As many of these trials as there are to be made; none where the study has ended."""
    keys, fold = _keys(key, count), writing.fold
    earlier = _asked_before(writing, keys)
    if earlier:
        return [next_trial(event) for event in earlier]
    _expire(writing, fold.expired(writing.now))
    if fold.state != OPEN:
        return []
    _check_open(fold, 0, 0)
    left = count if fold.limit is None else min(count, fold.limit - fold.used)
    return _suggest(writing, keys[:left], None, lease)


def _keys(key: str, count: int) -> list[str]:
    """A key for each trial that one request asks for."""
    return [key, *(f"{key}#{number}" for number in range(2, count + 1))]


def _asked_before(writing: Writing, keys: Sequence[str]) -> list[Event]:
    """What an earlier attempt at the same request has left."""
    if writing.under_key(keys[0]) is None:
        return []
    left = writing.under_keys(keys)
    return [left[key] for key in keys if key in left]


def _asks_for(event: Event, arm: str | None, lease: float | None) -> bool:
    """Whether an event is what a request of this kind leaves."""
    end = event.body.get("expires_at")
    if event.kind != kinds.Asked.name or (lease is None) != (end is None):
        return False
    if end is not None and abs(_moment(end) - _moment(event.at) - (lease or 0.0)) > SAME_LEASE:
        return False
    chosen = event.body["arm"] if event.body.get("chosen") else None
    return bool(chosen == arm)


def _moment(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def _expire(writing: Writing, gone: Sequence[int]) -> None:
    for trial in gone:
        writing.add(kinds.Expired.name, {"trial": trial})


def _suggest(
    writing: Writing, keys: Sequence[str], number: int | None, lease: float | None
) -> list[Trial]:
    """A trial for each key, of the arm of that number if there is one; fewer if none is left."""
    fold, asked = writing.fold, []
    for key in keys:
        chosen = fold.next_arm() if number is None else number
        if chosen is None:
            break
        body = {
            "trial": writing.new_trial(),
            "arm": fold.settings.arms[chosen],
            "expires_at": None if lease is None else _end_of(writing, lease),
            "chosen": None if number is None else True,
        }
        asked.append(next_trial(writing.add(kinds.Asked.name, body, key)))
    return asked


def renew(writing: Writing, numbers: Mapping[int, float]) -> list[int]:
    """Let the leases of open trials end so many seconds from now; which were open."""
    still_open = [number for number in numbers if number in writing.fold.open]
    for number in still_open:
        body = {"trial": number, "expires_at": _end_of(writing, numbers[number])}
        writing.add(kinds.Renewed.name, body)
    return still_open


def renew_one(writing: Writing, number: int, lease: float) -> Trial:
    """The same for one trial, which must be open."""
    if not renew(writing, {number: lease}):
        check_number(writing.fold, number)
        raise ConflictError(f"trial {number} is not open any more; there is nothing to renew")
    return writing.fold.open[number].as_trial(writing.fold.settings.arms)


def _end_of(writing: Writing, lease: float) -> str:
    """When a lease ends that begins now."""
    now = datetime.fromisoformat(writing.now).astimezone(UTC)
    return stamp(now + timedelta(seconds=lease))


class Exchanged(NamedTuple):
    """What became of outcomes, and the trials that were given for them."""

    told: Sequence[Trial]
    refused: Mapping[int, InputError]  # by trial; nothing of these was recorded
    asked: Sequence[Trial]


def exchange(
    writing: Writing, ended: Mapping[int, OutcomeEntry], wanted: int, lease: float, key: str
) -> Exchanged:
    """Record outcomes of trials, one after another, and ask for more trials, in one commit."""
    told: list[Trial] = []
    refused: dict[int, InputError] = {}
    for number, entry in ended.items():
        try:
            told.append(tell_trial(writing, number, entry, None))
        except InputError as error:
            refused[number] = error
    wanted = 0 if refused else wanted  # someone must look at that first
    return Exchanged(told, refused, ask_up_to(writing, wanted, lease, key) if wanted > 0 else [])


def _check_open(fold: Fold, count: int, expired: int) -> None:
    if not fold.algorithm_is_known:
        raise StudyClosedError(
            f"the algorithm {fold.settings.algorithm} that this study began with (fingerprint "
            f"{fold.settings.fingerprint}) is not installed any more; outcomes can still be told"
        )
    state = fold.state
    if state == DECIDED:
        arms = fold.decisions()
        verb, listed = "is" if len(arms) == 1 else "are", ", ".join(map(repr, arms[:MOST_NAMED]))
        more = f" and {len(arms) - MOST_NAMED:,} more" if len(arms) > MOST_NAMED else ""
        answer = f"{listed}{more} {verb} good" if arms else "no arm is good"
        raise StudyClosedError(
            f"the study has its answer: {answer}; extend it to go on (more trials, smaller delta)"
        )
    if state not in (OPEN, SPENT):
        raise StudyClosedError(f"the study was stopped ({fold.stopped}); extend it to go on")
    left = None if fold.limit is None else fold.limit - fold.used + expired
    if left is not None and count > left:
        left = max(left, 0)
        verb = "is" if left == 1 else "are"
        raise StudyClosedError(
            f"{counted(left, 'trial')} {verb} left, {count} asked for; extend it"
        )
