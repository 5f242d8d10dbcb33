"""Checks of what users hand in; each error names the field, the value and the remedy."""

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from numbers import Real

import numpy as np

from goodarm.errors import InputError, unknown_name

LARGEST_NUMBER = 1e100  # beyond, sums of squares would overflow
LONGEST_NAME = 200
LONGEST_NOTE = 10_000
MOST_ARMS = 100_000
LONGEST_LEASE = 10 * 365 * 86_400.0
BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

_STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE | re.ASCII)


def number(
    what: str,
    value: object,
    remedy: str = "give a finite number",
    largest: float = LARGEST_NUMBER,
) -> float:
    """The value as a finite float; booleans and text are refused. `remedy` is what to do instead.

    >>> number("threshold", 1)
    1.0
    """
    if isinstance(value, bool | np.bool_):
        raise InputError(f"{what}: {_short(value)} is not a number; give 1 or 0 for yes or no")
    if not isinstance(value, Real):
        raise InputError(f"{what}: {_short(value)} is not a number; {remedy}")
    try:
        result = float(value)
    except (OverflowError, ValueError):
        result = math.inf
    if math.isnan(result):
        raise InputError(f"{what}: {_short(value)} is not a number; {remedy}")
    if math.isinf(result) or abs(result) > largest:
        raise InputError(f"{what}: {_short(value)} is too large; give a finite number")
    return result + 0.0  # no negative zero


def observed(value: object, yes_or_no: bool = False) -> float:
    """The value of an outcome as a finite float; True and False where that is what outcomes are."""
    if isinstance(value, bool | np.bool_):
        if yes_or_no:
            return float(value)
        raise InputError(
            f"value: {value} is not a number; True and False are outcomes of yes or no only"
        )
    return number("value", value, "cancel the trial if nothing was observed")


def read_number(what: str, text: str) -> float:
    """A number as a person types it."""
    plain = text.strip().replace("−", "-")
    if not plain:
        raise InputError(f"{what}: nothing was entered; write a number")
    if _NUMBER.fullmatch(plain) is None:
        hint = "; write one such as 0.5"
        if "," in plain:
            hint = "; write 0.5 with a point"
        elif plain.endswith("%"):
            hint = "; write 0.5 for 50 %"
        raise InputError(f"{what}: {plain[:40]!r} is not a number{hint}")
    if math.isinf(float(plain)):
        raise InputError(f"{what}: {plain[:40]} is too large; check the entry")
    return float(plain)


def check_cost(value: object) -> float:
    """What a trial costs, in whatever unit: more than nothing."""
    cost = number("cost", value)
    if cost <= 0.0:
        raise InputError(f"cost: {value!r} is not positive; give what a trial costs, such as 0.5")
    return cost


def costs_of(arms: Sequence[str], costs: Mapping[str, float] | None) -> list[float]:
    """What a trial of each arm costs, 1 where nothing is said of it."""
    given = costs or {}
    for name in given:
        if name not in arms:
            raise unknown_name("cost: arm", name, arms)
    return [check_cost(given.get(name, 1.0)) for name in arms]


def whole(what: str, value: object, low: int, high: int) -> int:
    """The value as an int between low and high."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise InputError(f"{what}: {_short(value)} is not a whole number")
    if not low <= value <= high:
        raise InputError(f"{what}: {_short(int(value))} is outside {low} to {high}")
    return int(value)


def label(what: str, value: object) -> str:
    """A name: one line of text that can be shown, stored and told from other names."""
    name = text(what, value, LONGEST_NAME)
    if name != name.strip():
        raise InputError(f"{what}: {_short(value)} begins or ends with a space; leave it out")
    if any(c in "\n\t" for c in name):
        raise InputError(f"{what}: {_short(value)} has a line break or tab in it; use spaces")
    return name


def text(what: str, value: object, longest: int) -> str:
    """Text without characters that hide or reorder other text; line breaks and tabs may stand."""
    if not isinstance(value, str):
        raise InputError(f"{what}: {_short(value)} is not text")
    if not _visible(value).strip():
        raise InputError(f"{what}: {_short(value)} is empty; write something that can be read")
    if len(value) > longest:
        raise InputError(f"{what}: {len(value)} characters; at most {longest} are allowed")
    if value.isascii() and value.isprintable():  # as most are; an audit looks at a million
        return value
    for character in value:
        hidden = unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")
        if (hidden and character not in "\n\t") or character in BIDI_CONTROLS:
            raise InputError(
                f"{what}: {_short(value)} has the control character U+{ord(character):04X} in it; "
                "leave it out"
            )
    return value


def names(values: object) -> tuple[str, ...]:
    """The arms' names: at least one, no two that look alike."""
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise InputError(f"arms: {_short(values)} is not a list of names")
    if not values:
        raise InputError("arms: the list is empty; a study needs at least one arm")
    if len(values) > MOST_ARMS:
        raise InputError(f"arms: {len(values)} names; at most {MOST_ARMS} are allowed")
    arms = tuple(label(f"arm {position}", name) for position, name in enumerate(values, 1))
    by_look: dict[str, str] = {}
    for name in arms:
        look = unicodedata.normalize("NFC", _visible(name))
        if look in by_look:
            raise InputError(
                f"arms: {_short(name)} and {_short(by_look[look])} cannot be told apart; "
                "give every arm its own name"
            )
        by_look[look] = name
    return arms


def moment(what: str, value: object) -> str | None:
    """A time as UTC text; a datetime without a zone is taken as local time."""
    if value is None:
        return None
    try:
        time = datetime.fromisoformat(value) if isinstance(value, str) else value
        if not isinstance(time, datetime):
            raise ValueError
        return stamp(time.astimezone(UTC))
    except (ValueError, OverflowError):
        raise InputError(
            f"{what}: {_short(value)} is not a time; give a datetime or 2026-01-31T12:00:00Z"
        ) from None


def seconds(what: str, value: object) -> float | None:
    """A duration in seconds, from a number or a timedelta."""
    if value is None:
        return None
    duration = number(what, value.total_seconds() if isinstance(value, timedelta) else value)
    if duration <= 0.0:
        raise InputError(f"{what}: {duration:g} s is no time at all; give more, or leave it out")
    if duration > LONGEST_LEASE:
        raise InputError(f"{what}: {duration:g} s is outside 0 to {LONGEST_LEASE:g} s (ten years)")
    return duration


def stamp(time: datetime) -> str:
    """A time in UTC as text of fixed width, which sorts as the times do."""
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f").zfill(26) + "Z"


def is_stamp(value: object) -> bool:
    """Whether it is a time as `stamp` writes it.

    >>> is_stamp("2026-01-31T12:00:00.000000Z"), is_stamp("2026-02-31T12:00:00.000000Z")
    (True, False)
    """
    if not isinstance(value, str) or not _STAMP.fullmatch(value):
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def _visible(value: str) -> str:
    """The text without its format characters, which take no room."""
    if value.isascii():
        return value
    return "".join(c for c in value if unicodedata.category(c) != "Cf")


def _short(value: object) -> str:
    """The value as it can stand in a message, whatever it is."""
    if isinstance(value, int) and abs(value) >= 10**80:
        return f"a whole number of {value.bit_length()} bits"
    words = ascii(value) if isinstance(value, str) and not value.isprintable() else repr(value)
    return words if len(words) <= 80 else words[:77] + "..."
