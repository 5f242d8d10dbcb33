"""What an audit found."""

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class LogProblem:
    """Something that is not as it must be, and where in the log."""

    seq: int
    text: str


@dataclass(frozen=True)
class Verification:
    """What an audit found; `head` is what to compare with a hash that was noted elsewhere."""

    study: str
    events: int
    head: str
    suggestions: int  # how many were derived anew and found as recorded
    skipped: str | None  # why suggestions could not be derived, if so
    problems: tuple[LogProblem, ...]
    meaning: str = field(default="", metadata={"description": "What the log amounts to."})
    compared: tuple[str, ...] = field(
        default=(), metadata={"description": "What else was held against the log."}
    )
    not_compared: tuple[str, ...] = field(
        default=(), metadata={"description": "What there is besides, and was not."}
    )
    vouched: int | None = field(
        default=None,
        metadata={"description": "The last event that a head kept elsewhere vouches for."},
    )

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return not self.problems

    def to_dict(self) -> dict[str, Any]:
        """The findings as plain data."""
        return {"ok": self.ok, **asdict(self)}
