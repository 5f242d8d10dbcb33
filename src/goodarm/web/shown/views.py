"""What a study's page shows, in the order and amount in which a person can take it in."""

from collections.abc import Sequence
from typing import Any

from goodarm import defaults
from goodarm.algorithms import algorithms
from goodarm.errors import InputError
from goodarm.inquiry.arm_state import RETIRED
from goodarm.outcomes import Outcome
from goodarm.study import Study, Trial
from goodarm.study.algorithms import live_algorithm
from goodarm.study.log.events import Event, read_event
from goodarm.study.log.fold import STATES_IN_SHORT
from goodarm.study.log.kinds import Cancelled, Expired, Retracted, Told, next_trial
from goodarm.study.report.status_text import (
    COUNTS,
    STOPS_BY,
    what_confidence_means,
    what_is_asked,
)
from goodarm.web.forms.measuring import measurements
from goodarm.web.shown.ways import ways
from goodarm.wording import printable

RECENT = 20  # events on the study's own page
LOG_PAGE = 200
MOST_NAMES = 300  # offered while typing an arm's name
MOST_PENDING = 25
MOST_WAITED_FOR = 5
WHAT_HAPPENED = {
    Told.name: "{who} recorded trial {number}",
    Cancelled.name: "{who} withdrew trial {number}",
    Expired.name: "the time for trial {number} ran out",
}


def study_view(study: Study, simultaneous: bool = False) -> dict[str, Any]:
    """Everything that the study's page needs."""
    status = study.status(simultaneous)
    recent = recent_events(study, status.events, RECENT)
    pending = study.pending
    settings = study.settings
    outcome, asked = settings.outcome, measurements(settings)
    return {
        "status": status,
        "state": STATES_IN_SHORT[status.state],
        "stops_by": STOPS_BY[status.stopping_rule],
        "counts": COUNTS[status.decide],
        "waiting_for": status.waiting_for[:MOST_WAITED_FOR],
        "ways": ways(status),
        "looking_for": what_is_asked(status).removeprefix("looking for "),
        "what_it_means": what_confidence_means(status.decide),
        "pending": pending,
        "recent": recent,
        "happened": happened(recent),
        "last": last_entry(study, recent),
        "outcome": outcome,
        "criteria": settings.every_criterion,
        "measurements": asked,
        "is_measured": bool(settings.criteria),
        "yes_or_no": not settings.criteria and asked[0].is_yes_or_no,
        "has_papers_boundary": status.is_plain and has_papers_boundary(outcome, len(status.arms)),
        "keeps_one_bar": settings.is_plain,
        "reserve": settings.reserve,
        "arm_names": [arm.arm for arm in status.arms if arm.standing != RETIRED][:MOST_NAMES],
        "arm_labels": {arm.arm: arm.label for arm in status.arms if arm.label},
        "is_limited": status.limit is not None,
    }


def has_papers_boundary(outcome: Outcome, K: int) -> bool:
    """Whether a study with such outcomes can stop by the paper's boundary."""
    try:
        outcome.sub_gaussian(K)
    except InputError:
        return False
    return True


def recent_events(study: Study, last: int, count: int) -> list[Event]:
    """The last few events up to one, newest first."""
    stored = study.events(max(0, last - count), min(count, last)) if last > 0 else []
    return [read_event(event.text) for event in reversed(stored)]


def last_entry(study: Study, recent: Sequence[Event]) -> Trial | None:
    """The latest outcome among recent events that has not been taken back."""
    gone: set[int | None] = set()
    for event in recent:
        if event.kind == Retracted.name:
            gone.add(event.trial)
        if event.kind == Told.name and event.trial not in gone:
            has_more = "measure" in event.body
            return study.trial(event.body["trial"]) if has_more else next_trial(event)
    return None


def happened(recent: Sequence[Event]) -> dict[int, str]:
    """What has become of trials lately, in a few words for whoever has them on the screen."""
    said: dict[int, str] = {}
    for event in recent:  # newest first
        if event.trial is not None and event.kind in WHAT_HAPPENED:
            who = printable(event.by) if event.by else "Someone"
            words = WHAT_HAPPENED[event.kind].format(who=who, number=event.trial)
            said.setdefault(event.trial, words)
    return said


def live_algorithms() -> list[tuple[str, str]]:
    """Name and one-line guide of every algorithm of a live study, the advised one first."""
    guides = []
    for name, algorithm in algorithms.items():
        try:
            live_algorithm(name)
        except InputError:
            continue
        guides.append((name, algorithm.summary))
    return sorted(guides, key=lambda pair: (pair[0] != defaults.ALGORITHM, pair[0]))
