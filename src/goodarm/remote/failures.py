"""What can go wrong with a request besides a wrong input, and how it is said."""

from collections.abc import Mapping, Sequence
from typing import Any

from goodarm.errors import InputError
from goodarm.extras import MissingExtraError
from goodarm.study import ConflictError, StudyClosedError, UnlikelyOutcomeError
from goodarm.study.errors import BY_CORRECTING
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


UNLIKELY, NOT_FOUND, BUSY, NOT_INSTALLED = "unlikely", "not_found", "busy", "not_installed"
CONFLICT, CLOSED, WRONG_INPUT, INTERNAL = "conflict", "closed", "wrong_input", "internal"
KINDS: tuple[tuple[type[Exception], str], ...] = (
    (UnlikelyOutcomeError, UNLIKELY),
    (NotFoundError, NOT_FOUND),
    (BusyError, BUSY),
    (MissingExtraError, NOT_INSTALLED),
    (ConflictError, CONFLICT),
    (StudyClosedError, CLOSED),
    (InputError, WRONG_INPUT),
)
MOST_FAULTS = 5  # in one message
BODY = "the body"
IN_OUR_WORDS = {
    "missing": "it is missing",
    "extra_forbidden": "there is no such field; look at the spelling",
    "json_invalid": "it is not JSON; quote names and texts with double quotation marks",
    "model_attributes_type": "give a JSON object, with the header Content-Type: application/json",
    "model_type": "give an object",
    "dict_type": "give an object",
    "list_type": "give a list",
    "float_type": "give a number",
    "finite_number": "give a finite number",
    "int_type": "give a whole number",
    "int_parsing": "give a whole number",
    "bool_type": "give true or false",
    "bool_parsing": "give true or false",
    "string_type": "give a text",
}
DATABASE_TROUBLE = "The database cannot be used now; nothing was written."


def error_kind(error: Exception) -> str:
    """The kind of an error, in one word for programs."""
    return next((kind for sort, kind in KINDS if isinstance(error, sort)), INTERNAL)


def message_of(error: Exception) -> str:
    """What is said of an error; each face has its own words for what makes an outcome sure."""
    if not isinstance(error, UnlikelyOutcomeError):
        return str(error).replace(BY_CORRECTING, "")
    return f"{what_is_unlikely(error)} Nothing was recorded yet."


def faults_text(faults: Sequence[Mapping[str, Any]], skip: int = 0) -> str:
    """What is wrong with the fields of a body; `skip` parts of where they are say nothing."""
    said = [f"{_where(fault['loc'][skip:])}: {_what(fault)}" for fault in faults]
    return "; ".join(said[:MOST_FAULTS])


def _where(parts: Sequence[Any]) -> str:
    """The field that is wrong; nothing names the body itself, or a place in its text."""
    return ".".join(str(part) for part in parts if isinstance(part, str) or len(parts) > 1) or BODY


def _what(fault: Mapping[str, Any]) -> str:
    """What is wrong with it, where the validator's words are about its own types."""
    return IN_OUR_WORDS.get(str(fault["type"]), str(fault["msg"]))
