"""Events: what happened, one after another, each carrying the hash of the one before it.

An event is stored as the text of a JSON object, written in one way only: keys sorted, no spaces,
ASCII, numbers as Python's ``repr`` writes them (the shortest text that gives the number back).
Its hash is the SHA-256 of that text, which contains the hash of the event before. So a hash fixes
everything that happened up to it, and floats survive the journey exactly.
"""

import hashlib
import json
from json.encoder import encode_basestring_ascii
from typing import Any, NamedTuple

_write = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode
GENESIS = "0" * 64
"""What stands in the first event where the others have the hash of the one before."""
LOG_FORMAT = 1
"""What the first event says of the way in which all are written."""


class Stored(NamedTuple):
    """An event as the database holds it; all but text and hash repeat what the text says."""

    seq: int
    kind: str
    trial: int | None
    key: str | None
    text: str
    hash: str

    @property
    def repeated(self) -> tuple[object, ...]:
        """What the text says as well."""
        return self[:4]


class Event(NamedTuple):
    """One thing that happened in a study."""

    study: str  # the study's own identifier, so that no event fits into another study
    seq: int  # 1, 2, 3, …: the order of events is this, never the clock
    kind: str
    at: str  # the server's time, UTC
    by: str | None
    key: str | None  # what makes a repeated request harmless
    previous: str
    body: dict[str, Any]

    @property
    def trial(self) -> int | None:
        """The trial that the event is about."""
        return self.body.get("trial")

    @property
    def repeated(self) -> tuple[object, ...]:
        """What the columns of a table say as well, in their order."""
        return (self.seq, self.kind, self.trial, self.key)

    def text(self) -> str:
        """The event as canonical JSON."""
        by, key = ("" if text is None else text for text in (self.by, self.key))
        texts = (self.at, self.kind, self.previous, self.study, by, key)
        if type(self.seq) is not int or not all(type(text) is str for text in texts):
            return canonical(self._asdict())  # someone has been at it
        # The same, in half the time: there may be a million.
        at, kind, previous, study, by, key = map(encode_basestring_ascii, texts)
        by, key = "null" if self.by is None else by, "null" if self.key is None else key
        return (
            f'{{"at":{at},"body":{canonical(self.body)},"by":{by},"key":{key},"kind":{kind},'
            f'"previous":{previous},"seq":{self.seq},"study":{study}}}'
        )

    def stored(self) -> Stored:
        """The event as the database keeps it."""
        text = self.text()
        return Stored(self.seq, self.kind, self.trial, self.key, text, digest(text))


def canonical(data: Any) -> str:
    """The one JSON text of this data."""
    return _write(data)


def digest(text: str) -> str:
    """The hash of an event's text; canonical text is ASCII, but someone may have been at it."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def read_event(text: str) -> Event:
    """The event that a text holds; anything else is a ValueError."""
    data = json.loads(text)
    if not isinstance(data, dict) or not isinstance(data.get("body"), dict):
        raise ValueError("not an event")
    try:
        return Event(**data)
    except TypeError:
        raise ValueError("not an event") from None
