"""What a study's page shows under its tabs, besides what is known at a glance."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from goodarm.inquiry.arm_state import CONTROL, RETIRED
from goodarm.study import Study
from goodarm.study.report.status import Status
from goodarm.study.report.status_text import what_holds, what_the_line_is
from goodarm.web.forms.option import own_bars
from goodarm.web.shown.options import WHICH, OptionsAsked, options_shown
from goodarm.web.shown.views import LOG_PAGE, MOST_NAMES, recent_events

TRIALS_PAGE = 100
LARGEST = 10**9
Asked = Mapping[str, str]


class Tab(NamedTuple):
    """A tab: its name for people, and what its part of the page needs."""

    title: str
    show: Callable[[Study, Status, Asked], dict[str, Any]]


def _options(study: Study, status: Status, asked: Asked) -> dict[str, Any]:
    wanted = OptionsAsked(
        search=asked.get("q", "").strip()[:200],
        only=asked.get("only", ""),
        sort=asked.get("sort", ""),
        start=_whole(asked.get("start")),
        limits=asked.get("limits", ""),
        measure=_whole(asked.get("measure")),
    )
    drawn = wanted.measure if wanted.measure < len(status.criteria) else 0
    gone = [arm.arm for arm in status.arms if arm.standing in (CONTROL, RETIRED)]
    return {
        "shown": options_shown(status, wanted),
        "drawn": drawn,
        "known_of": {arm.arm: arm for arm in status.arms},
        "which": {name: title for name, (title, _) in WHICH.items()},
        "line": what_the_line_is(status, drawn),
        "own_bars": own_bars(study.settings),
        "may_retire": [arm.arm for arm in status.arms if arm.arm not in gone][:MOST_NAMES],
        "what_holds": what_holds(status, "option"),
    }


def _evidence(study: Study, status: Status, asked: Asked) -> dict[str, Any]:
    return {}


def _trials(study: Study, status: Status, asked: Asked) -> dict[str, Any]:
    latest = study.last_trial
    last = min(_whole(asked.get("until")) or latest, latest)
    return {
        "trials": study.some_trials(last - TRIALS_PAGE + 1, last)[::-1],
        "older": last - TRIALS_PAGE if last > TRIALS_PAGE else None,
        "newer": min(latest, last + TRIALS_PAGE) if last < latest else None,
    }


def _log(study: Study, status: Status, asked: Asked) -> dict[str, Any]:
    newest = study.seq
    last = min(_whole(asked.get("until")) or newest, newest)
    events = recent_events(study, last, LOG_PAGE)
    return {
        "events": events,
        "older": events[-1].seq - 1 if events and events[-1].seq > 1 else None,
        "newer": min(newest, last + LOG_PAGE) if last < newest else None,
    }


TABS = {
    "options": Tab("Options", _options),
    "evidence": Tab("Evidence", _evidence),
    "trials": Tab("Trials", _trials),
    "log": Tab("Log", _log),
    "settings": Tab("Settings", _evidence),
}


def _whole(text: str | None) -> int:
    """A number in an address; 0 where there is none."""
    plain = text or ""
    return (
        min(int(plain), LARGEST) if plain.isascii() and plain.isdigit() and len(plain) < 19 else 0
    )
