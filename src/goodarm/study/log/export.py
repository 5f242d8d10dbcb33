"""Taking everything out: CSV for spreadsheets, Parquet for programs, JSON for an audit.

A log may have a million events: they are written, and read from JSON, one after another.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from goodarm import __version__, files
from goodarm.errors import InputError, unknown_name
from goodarm.extras import LAB, need
from goodarm.study.log.columns import log_csv, log_parquet
from goodarm.study.log.events import Stored
from goodarm.study.report.status import Status

PARQUET = "parquet"
FORMATS = ("csv", "json", PARQUET)
# A JSON export as `json.dumps` writes it with indent=1, around and within its list of events.
EVENTS, END = ' "events": [\n', " ]\n}"
EVENT = ("  {\n", '   "hash": "', '   "text": "', "  }")


def choose_format(path: Path, name: object) -> str:
    """The format asked for, or the one that the file's ending names."""
    wanted = path.suffix.lstrip(".").lower() if name is None else str(name).lower()
    if wanted not in FORMATS:
        raise unknown_name("format", wanted, FORMATS)
    if wanted == PARQUET:
        need(LAB, "format: Parquet")
    return wanted


class Claims(NamedTuple):
    """What a JSON export says besides the events; None where it does not say it."""

    goodarm: Any = None  # the version that wrote it
    study: Any = None
    head: Any = None
    at: Any = None  # when it was written
    status: Any = None
    others: tuple[str, ...] = ()  # what there is besides, which goodarm does not write


SAID = Claims._fields[:-1]


def exported(status: Status, now: str, events: Iterable[Stored], wanted: str) -> Iterator[bytes]:
    """The log in one of FORMATS, piece by piece; the head is the last row's hash, or `head`."""
    if wanted == "csv":
        return (piece.encode() for piece in log_csv(events))
    if wanted == "json":
        claims = Claims(__version__, status.name, status.head, now, status.to_dict())
        return (piece.encode() for piece in _json(claims, events))
    return log_parquet(events)


def write_new(path: Path, content: bytes | Iterable[bytes]) -> None:
    """Write a file that does not exist yet, whole or not at all."""
    if path.exists():
        raise InputError(f"{str(path)!r} exists already; give another name")
    files.write(path, content)


def read_export(path: Path) -> tuple[Claims, Iterator[Stored]]:
    """What a JSON export says, and its events as the database held them, one after another."""
    with _reading(path):
        if _is_ours(path):
            return _claims(_before_events(path)), _guarded(path, _streamed(path))
        data = _loads(files.read_text(path))  # someone has formatted it
        return _claims(data), _guarded(path, map(_stored, data["events"]))


def read_exported(path: Path) -> Iterator[Stored]:
    """The events of a JSON export alone."""
    return read_export(path)[1]


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except InputError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError(f"{str(path)!r} is not a JSON export of a study") from None


def _guarded(path: Path, events: Iterable[Stored]) -> Iterator[Stored]:
    with _reading(path):
        yield from events


def _claims(data: dict[str, Any]) -> Claims:
    said = {name: data.get(name) for name in SAID}
    return Claims(**said, others=tuple(sorted(data.keys() - {*SAID, "events"})))


def _before_events(path: Path) -> dict[str, Any]:
    lines = []
    with files.opened(path) as file:
        for line in file:
            lines.append(line)
            if line == EVENTS:
                break
    data: dict[str, Any] = _loads("".join([*lines, END]))
    return data


def _loads(text: str) -> Any:
    """The data; nothing is said twice, so that all readers see the same."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        data = dict(pairs)
        if len(data) < len(pairs):
            raise ValueError("something is said twice")
        return data

    return json.loads(text, object_pairs_hook=unique)


def _json(claims: Claims, events: Iterable[Stored]) -> Iterator[str]:
    """Status and log; each event with its exact text, so that the chain can be checked."""
    data = {**{name: getattr(claims, name) for name in SAID}, "events": []}
    yield json.dumps(data, indent=1, allow_nan=False).removesuffix("]\n}")
    before = "\n"
    for event in events:
        digest, text = json.dumps(event.hash), json.dumps(event.text)
        yield f'{before}  {{\n   "hash": {digest},\n   "text": {text}\n  }}'
        before = ",\n"
    yield f"\n{END}"


def _is_ours(path: Path) -> bool:
    """Whether the file is laid out, line by line, as it was written."""
    with files.opened(path) as file:
        if not any(line == EVENTS for line in file):
            return False
        while (lines := _four(file))[0] == EVENT[0]:
            if not all(line.startswith(start) for line, start in zip(lines, EVENT, strict=True)):
                return False
            if lines[3] == "  }\n":
                return file.read(len(END) + 2).rstrip("\n") == END
        return False


def _streamed(path: Path) -> Iterator[Stored]:
    with files.opened(path) as file:
        for line in file:
            if line == EVENTS:
                break
        while (lines := _four(file))[0] == EVENT[0]:
            yield _stored(_loads("".join(lines).rstrip(",\n")))


def _four(file: TextIO) -> tuple[str, str, str, str]:
    return file.readline(), file.readline(), file.readline(), file.readline()


def _stored(event: dict[str, Any]) -> Stored:
    if event.keys() != {"hash", "text"}:  # no audit would look at the rest
        raise ValueError("an event is a hash and a text")
    text = str(event["text"])
    data = json.loads(text)  # whether it is an event is for the audit to find out
    trial = data["body"].get("trial")
    return Stored(data["seq"], data["kind"], trial, data["key"], text, str(event["hash"]))
