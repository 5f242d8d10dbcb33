"""The form of an event: what each must look like, whatever it says has happened.

Hashes fit whoever computes them. So an audit also asks whether goodarm could have written an event:
nothing is there that its kind does not have, times are times, texts can be read.
"""

import re
from dataclasses import fields

from goodarm.inputs import LONGEST_NOTE, is_stamp, label, text
from goodarm.study.log.columns import check_columns
from goodarm.study.log.events import Event
from goodarm.study.log.kinds import Created, kind_of
from goodarm.study.settings import Settings

CREATION = frozenset({"name", "format", "goodarm", *(one.name for one in fields(Settings))})
UNDECLARED = {"fingerprint": str, "goodarm": str, "by_cost": bool}  # nobody else checks these
FLAGS = ("chosen", "imported", "more", "awaited")  # there, or not
TEXTS = ("note", "reason")
TIMES = ("expires_at", "observed_at")

_STUDY = re.compile("[0-9a-f]{32}")


def check_form(event: Event) -> None:
    """Raise a ValueError if nobody could have written this event."""
    if type(event.seq) is not int:
        raise ValueError(f"its number is {event.seq!r}")
    _check_time("at", event.at)
    if event.by is not None:
        label("by", event.by)
    if event.key is not None:
        if not isinstance(event.key, str):
            raise ValueError(f"its key is {event.key!r}, which is no text")
        _check_key(event, event.key)
    check_columns(event)
    if event.kind == Created.name:
        _check_creation(event)
    else:
        _check_body(event)


def _check_creation(event: Event) -> None:
    if not _STUDY.fullmatch(event.study):
        raise ValueError(f"the study's own identifier is {event.study!r}")
    _check_fields(event, CREATION)
    for name, kind in UNDECLARED.items():
        if not isinstance(event.body.get(name, kind()), kind):
            raise ValueError(f"{name} is {event.body[name]!r}, which is no {kind.__name__}")
    if "name" in event.body:  # the first logs did not have it
        label("name", event.body["name"])


def _check_body(event: Event) -> None:
    kind, body = kind_of(event), event.body
    if not kind.carries.issuperset(body):
        _check_fields(event, kind.carries)
    if not body.keys() >= kind.needs:
        missing = sorted(kind.needs - body.keys())
        raise ValueError(f"it has no {missing[0]}")
    for name, value in body.items():
        if value is None or (name in FLAGS and value is not True):
            raise ValueError(f"{name} is {value!r}, where it would be left out")
        if name in TIMES:
            _check_time(name, value)
        elif name in TEXTS:
            text(name, value, LONGEST_NOTE)


def _check_fields(event: Event, known: frozenset[str]) -> None:
    others = sorted(event.body.keys() - known)
    if others:
        raise ValueError(f"it has {others[0]!r}, which {event.kind!r} does not have")


def _check_time(what: str, value: object) -> None:
    if not is_stamp(value):
        raise ValueError(f"{what} is {value!r}, which is no time")


def _check_key(event: Event, key: str) -> None:
    """A key that names a trial names the event's own."""
    about, _, rest = key.partition("/")
    number = event.trial if about == "trial" else event.body.get("told") if about == "event" else 0
    if about in ("trial", "event") and rest.partition("/")[0] != str(number):
        raise ValueError(f"its key {key!r} is that of another {about}")
