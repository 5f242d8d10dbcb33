"""What can go wrong with a request besides a wrong input, and how it is said."""

from collections.abc import Mapping, Sequence
from typing import Any

from goodarm.errors import InputError
from goodarm.study import UnlikelyOutcomeError
from goodarm.study.report.status_text import what_is_unlikely


class NotFoundError(InputError):
    """There is nothing under that name."""


class BusyError(InputError):
    """The server has as much to do as it takes on; later it may not.

    `retry_after` is the number of seconds after which it makes sense to ask again.
    """

    def __init__(self, message: str, retry_after: int = 5) -> None:
        super().__init__(message)
        self.retry_after = retry_after


MOST_FAULTS = 5  # in one message
DATABASE_TROUBLE = "The database cannot be used now; nothing was written."


def message_of(error: Exception) -> str:
    """What is said of an error; each face has its own words for what makes an outcome sure."""
    if not isinstance(error, UnlikelyOutcomeError):
        return str(error)
    return f"{what_is_unlikely(error)} Nothing was recorded yet."


def faults_text(faults: Sequence[Mapping[str, Any]], skip: int = 0) -> str:
    """What is wrong with the fields of a body; `skip` parts of where they are say nothing."""
    said = [f"{'.'.join(str(part) for part in f['loc'][skip:])}: {f['msg']}" for f in faults]
    return "; ".join(said[:MOST_FAULTS])
