"""What the server says of itself on standard error: bounded, however much is tried on it."""

import json
import logging
import sys
from datetime import UTC, datetime
from time import monotonic

TEXT, JSON = "text", "json"
STYLES = (TEXT, JSON)
MINUTE = 60.0
MOST_ALIKE = 20  # lines of one kind in a minute
MOST_KINDS = 1_000
LONGEST_LINE = 2_000
LONGEST_TRACE = 20_000


class Throttle(logging.Filter):
    """Lets through some lines of each kind a minute; the next one says how many were left out."""

    def __init__(self) -> None:
        super().__init__()
        self._began = monotonic()
        self._seen: dict[tuple[str, str], int] = {}
        self._left_out: dict[tuple[str, str], int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the line is said."""
        if getattr(record, "unlimited", False):
            return True
        if monotonic() > self._began + MINUTE or len(self._seen) > MOST_KINDS:
            self._began, self._seen = monotonic(), {}
        kind = (record.name, str(record.msg))
        self._seen[kind] = self._seen.get(kind, 0) + 1
        if self._seen[kind] > MOST_ALIKE:
            self._left_out[kind] = self._left_out.get(kind, 0) + 1
            return False
        left_out = self._left_out.pop(kind, 0)
        if left_out:
            record.msg = f"{record.getMessage()} (and {left_out:,} more like it before)"
            record.args = ()
        if len(self._left_out) > MOST_KINDS:
            self._left_out.clear()
        return True


class Lines(logging.Formatter):
    """A line as people read it."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """The line, and the trace of an error below it."""
        return _cut(super().format(record), LONGEST_TRACE if record.exc_info else LONGEST_LINE)


class JsonLines(logging.Formatter):
    """A line as programs read it: one JSON object, with all that is known about it."""

    def format(self, record: logging.LogRecord) -> str:
        """The object, on one line."""
        said: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _cut(record.getMessage(), LONGEST_LINE),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            said["trace"] = _cut(self.formatException(record.exc_info), LONGEST_TRACE)
        return json.dumps(said)


def set_up(style: str, requests: bool = False) -> None:
    """Say what everyone logs on standard error, in one of the two styles; requests, too, if so."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if style == JSON else Lines())
    handler.addFilter(Throttle())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("goodarm.requests").setLevel(logging.INFO if requests else logging.WARNING)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}…"
