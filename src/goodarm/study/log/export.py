"""Taking everything out: CSV for spreadsheets, Parquet for programs, JSON for an audit."""

import io
import json
from collections.abc import Sequence
from pathlib import Path

from goodarm import __version__, files
from goodarm.errors import InputError, unknown_name
from goodarm.study.log.columns import log_csv, log_frame
from goodarm.study.log.events import Stored
from goodarm.study.report.status import Status

FORMATS = ("csv", "json", "parquet")


def choose_format(path: Path, name: object) -> str:
    """The format asked for, or the one that the file's ending names."""
    wanted = path.suffix.lstrip(".").lower() if name is None else str(name).lower()
    if wanted not in FORMATS:
        raise unknown_name("format", wanted, FORMATS)
    return wanted


def export_bytes(status: Status, events: Sequence[Stored], wanted: str) -> bytes:
    """The log in one of FORMATS; the head hash is the last row's, or the field `head`."""
    if wanted == "csv":
        return log_csv(events).encode()
    if wanted == "json":
        return to_json(status, events).encode()
    buffer = io.BytesIO()
    log_frame(events).write_parquet(buffer)
    return buffer.getvalue()


def to_json(status: Status, events: Sequence[Stored]) -> str:
    """Status and log; each event with its exact text, so that the chain can be checked."""
    data = {
        "goodarm": __version__,
        "study": status.name,
        "head": status.head,
        "status": status.to_dict(),
        "events": [{"hash": event.hash, "text": event.text} for event in events],
    }
    return json.dumps(data, indent=1, allow_nan=False)


def write_new(path: Path, content: bytes) -> None:
    """Write a file that does not exist yet, whole or not at all."""
    if path.exists():
        raise InputError(f"{str(path)!r} exists already; give another name")
    files.write(path, content)


def read_exported(path: Path) -> list[Stored]:
    """The events of a JSON export, as the database held them."""
    text = files.read_text(path)
    try:
        data = json.loads(text)
        return [_stored(str(event["text"]), str(event["hash"])) for event in data["events"]]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(f"{str(path)!r} is not a JSON export of a study") from None


def _stored(text: str, digest: str) -> Stored:
    data = json.loads(text)  # whether it is an event is for the audit to find out
    return Stored(data["seq"], data["kind"], data["body"].get("trial"), data["key"], text, digest)
