"""The kinds of events: what each carries, what it does to a study, and how people read it.

A class of its own for each kind, listed at the end of its file; everything else that deals with
events (the fold, the trials, the audit, the page) asks the kind. Its `about` is a row of the table
in docs/studies.md, and `actions.py` has the requests that add it.
"""

from collections.abc import Iterable

from goodarm.study.log.events import Event
from goodarm.study.log.kinds.contract import Kind
from goodarm.study.log.kinds.of_filing import FILING_KINDS, Archived, Tagged, Unarchived
from goodarm.study.log.kinds.of_studies import (
    STUDY_KINDS,
    Amended,
    ArmAdded,
    ArmRetired,
    Created,
    Extended,
    Renamed,
    Stopped,
)
from goodarm.study.log.kinds.of_trials import (
    TRIAL_KINDS,
    Asked,
    Cancelled,
    Expired,
    Renewed,
    Retracted,
    Told,
)
from goodarm.study.log.standing import StandingOutcomes, ToldOutcome
from goodarm.study.trials import Trial

__all__ = [
    "CHANGES",
    "KINDS",
    "MOVING_OUTCOMES",
    "Amended",
    "Archived",
    "ArmAdded",
    "ArmRetired",
    "Asked",
    "Cancelled",
    "Created",
    "Expired",
    "Extended",
    "Kind",
    "Renamed",
    "Renewed",
    "Retracted",
    "Stopped",
    "Tagged",
    "Told",
    "Unarchived",
    "all_trials",
    "kind_of",
    "next_trial",
    "standing_outcomes",
    "trial_of",
]

KINDS: dict[str, Kind] = {kind.name: kind for kind in (*TRIAL_KINDS, *STUDY_KINDS, *FILING_KINDS)}
CHANGES = tuple(name for name, kind in KINDS.items() if kind.is_change)
MOVING_OUTCOMES = tuple(name for name, kind in KINDS.items() if kind.moves_outcomes)


def kind_of(event: Event) -> Kind:
    """The kind of an event; one that is not known is a ValueError."""
    if event.kind not in KINDS:
        raise ValueError(f"an event of unknown kind {event.kind!r}")
    return KINDS[event.kind]


def next_trial(event: Event, trial: Trial | None = None) -> Trial:
    """What an event makes of its trial."""
    return kind_of(event).next_trial(event, trial)


def trial_of(events: Iterable[Event]) -> Trial:
    """The trial that these events, all of one trial, amount to."""
    trial: Trial | None = None
    for event in events:
        trial = next_trial(event, trial)
    if trial is None:
        raise ValueError("no events")
    return trial


def all_trials(events: Iterable[Event]) -> list[Trial]:
    """Every trial and what became of it, in the order of their numbers."""
    trials: dict[int, Trial] = {}
    for event in events:
        if event.trial is not None:
            trials[event.trial] = next_trial(event, trials.get(event.trial))
    return [trials[number] for number in sorted(trials)]


def standing_outcomes(events: Iterable[Event]) -> Iterable[ToldOutcome]:
    """The outcomes that stand after these events, in the order in which they were told."""
    standing = StandingOutcomes()
    for event in events:
        kind_of(event).move_outcome(event, standing)
    return standing
