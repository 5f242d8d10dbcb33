"""What every theory function shares: readings, risks, and numbers that may not exist."""

import math
from typing import NamedTuple

from goodarm.errors import InputError, unknown_name

CORRECTED, PUBLISHED = "corrected", "published"
READINGS = (CORRECTED, PUBLISHED)
"""A statement as the paper prints it, or as its proof (repaired where needed) supports it."""

LARGEST_LOG = 709.78  # exp of more than this is no double


class UndefinedError(Exception):
    """A quantity does not exist for this instance or time; the text says why. Never escapes."""


class Quantity(NamedTuple):
    """A number, or None and the reason why there is none."""

    number: float | None
    reason: str | None = None


class LogBound(NamedTuple):
    """The natural logarithm of a bound on a probability, or None and the reason.

    `log` is not clipped: above 0 the bound says nothing. `value` is what may be shown.
    """

    log: float | None
    reason: str | None = None

    @property
    def value(self) -> float | None:
        """The bound as a probability, never above 1."""
        return None if self.log is None else math.exp(min(self.log, 0.0))


def is_published(reading: str) -> bool:
    """Check the reading's name; true for the paper's own wording."""
    if reading not in READINGS:
        raise unknown_name("reading", str(reading), READINGS)
    return reading == PUBLISHED


def log_inverse(delta: float | None = None, log_inverse_delta: float | None = None) -> float:
    """ln(1/δ) from δ or from itself, whichever is given; the latter has room for δ = 1e-1000.

    >>> log_inverse(log_inverse_delta=2302.6)
    2302.6
    """
    if (delta is None) == (log_inverse_delta is None):
        raise InputError("delta: give either delta or log_inverse_delta, one of the two")
    if log_inverse_delta is not None:
        if not 0.0 < log_inverse_delta < math.inf:
            raise InputError(
                f"log_inverse_delta: {log_inverse_delta!r} is not positive and finite, "
                "as ln(1/delta) must be for delta strictly between 0 and 1"
            )
        return float(log_inverse_delta)
    assert delta is not None
    if not 0.0 < delta < 1.0:
        raise InputError(f"delta: {delta!r} is not strictly between 0 and 1")
    return -math.log(delta)


def exponential(log: float) -> float | None:
    """e^log, or None where that is no double."""
    return math.exp(log) if log <= LARGEST_LOG else None


def finite(number: float, what: str) -> float:
    """The number itself if it is positive and finite, as every complexity must be."""
    if not 0.0 < number < math.inf:
        raise UndefinedError(f"{what} is outside the range of a double")
    return float(number)
