"""Taking everything out: CSV for spreadsheets, Parquet for programs, JSON for an audit."""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from goodarm import __version__
from goodarm.errors import InputError, unknown_name
from goodarm.study.log.events import Stored
from goodarm.study.log.history import COLUMNS, log_frame, log_rows
from goodarm.study.report.status import Status

FORMATS = ("csv", "json", "parquet")
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def choose_format(path: Path, given: object) -> str:
    """The format asked for, or the one that the file's ending names."""
    wanted = path.suffix.lstrip(".").lower() if given is None else str(given).lower()
    if wanted not in FORMATS:
        raise unknown_name("format", wanted, FORMATS)
    return wanted


def export_bytes(status: Status, events: Sequence[Stored], wanted: str) -> bytes:
    """The log in one of FORMATS; the head hash is the last row's, or the field `head`."""
    if wanted == "csv":
        return to_csv(log_rows(events)).encode()
    if wanted == "json":
        return to_json(status, events).encode()
    buffer = io.BytesIO()
    log_frame(events).write_parquet(buffer)
    return buffer.getvalue()


def to_csv(rows: Sequence[dict[str, Any]]) -> str:
    """The rows as CSV in which no text is taken for a formula by a spreadsheet."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow([_harmless(row[name]) for name in COLUMNS])
    return out.getvalue()


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


def write_file(path: Path, content: bytes) -> None:
    """Write a file that does not exist yet."""
    try:
        with path.open("xb") as file:
            file.write(content)
    except FileExistsError:
        raise InputError(f"{str(path)!r} exists already; give another name") from None
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror}") from None


def read_exported(path: Path) -> list[Stored]:
    """The events of a JSON export, as the database held them."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        pairs = [(str(event["text"]), str(event["hash"])) for event in data["events"]]
        return [_stored(text, digest) for text, digest in pairs]
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(f"{str(path)!r} is not a JSON export of a study") from None


def _stored(text: str, digest: str) -> Stored:
    data = json.loads(text)
    return Stored(data["seq"], data["kind"], data["body"].get("trial"), data["key"], text, digest)


def _harmless(cell: Any) -> Any:
    if isinstance(cell, str) and cell.startswith(FORMULA_STARTS):
        return "'" + cell
    return cell
