"""Trials as users see them: a suggestion or an entry, and what became of it."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from goodarm.study.log import events as kinds
from goodarm.study.log.events import Event

OPEN, TOLD, CANCELLED, EXPIRED, RETRACTED = "open", "told", "cancelled", "expired", "retracted"


@dataclass(frozen=True)
class Trial:
    """One trial: `number` names it, `arm` is what to try, `value` what came out."""

    number: int
    arm: str
    status: str = OPEN
    value: float | None = None
    asked_at: str | None = None  # None: told without having been asked for
    expires_at: str | None = None
    told_at: str | None = None
    observed_at: str | None = None  # the client's own time, as given
    note: str | None = None
    reason: str | None = None  # why it was cancelled or retracted
    by: str | None = None  # who did the last thing to it

    def to_dict(self) -> dict[str, Any]:
        """The trial as plain data."""
        return asdict(self)


def next_status(trial: Trial | None, event: Event) -> Trial:
    """What an event makes of its trial."""
    body = event.body
    if event.kind == kinds.ASKED:
        return Trial(
            number=body["trial"],
            arm=body["arm"],
            asked_at=event.at,
            expires_at=body.get("expires_at"),
            by=event.by,
        )
    if event.kind == kinds.TOLD:
        before = trial or Trial(number=body["trial"], arm=body["arm"])
        return replace(
            before,
            status=TOLD,
            value=body["value"],
            told_at=event.at,
            observed_at=body.get("observed_at"),
            note=body.get("note"),
            reason=None,
            by=event.by,
        )
    if trial is None:
        raise ValueError(f"event {event.seq} is about a trial that does not exist")
    if event.kind == kinds.RETRACTED:
        return replace(trial, status=RETRACTED, value=None, reason=body.get("reason"), by=event.by)
    status = CANCELLED if event.kind == kinds.CANCELLED else EXPIRED
    return replace(trial, status=status, reason=body.get("reason"), by=event.by)


def trial_of(events: Iterable[Event]) -> Trial:
    """The trial that these events, all of one trial, amount to."""
    trial: Trial | None = None
    for event in events:
        trial = next_status(trial, event)
    if trial is None:
        raise ValueError("no events")
    return trial
