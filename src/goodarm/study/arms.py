"""What a study knows of its arms besides their outcomes: a label, a price, a note."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from goodarm.errors import InputError, unknown_name
from goodarm.inputs import LONGEST_NOTE, check_cost, label, text

KNOWN = ("label", "cost", "note")


@dataclass(frozen=True)
class ArmDetails:
    """What was said of an arm: a longer name for readers, what a trial of it costs, a note."""

    name: str
    label: str | None = None
    cost: float | None = None
    note: str | None = None

    @classmethod
    def declare(cls, name: str, **said: object) -> "ArmDetails":
        """Check what a user says of an arm."""
        for what in said:
            if what not in KNOWN:
                raise unknown_name("what is said of an arm", what, KNOWN)
        longer, cost, note = (said.get(what) for what in KNOWN)
        return cls(
            name,
            None if longer is None else label("label", longer),
            None if cost is None else check_cost(cost),
            None if note is None else text("note", note, LONGEST_NOTE),
        )

    def to_data(self) -> dict[str, Any]:
        """What was said, without the name."""
        said = {what: getattr(self, what) for what in KNOWN}
        return {what: value for what, value in said.items() if value is not None}


NOTHING_SAID = ArmDetails("")


def check_details(given: object) -> tuple[ArmDetails, ...]:
    """Details by arm: a mapping from names to what is said, or `ArmDetails`."""
    if isinstance(given, Mapping):
        return tuple(
            one
            if isinstance(one, ArmDetails)
            else ArmDetails.declare(str(name), **_said(str(name), one))
            for name, one in given.items()
        )
    if isinstance(given, Iterable) and not isinstance(given, str):
        details = tuple(given)
        if all(isinstance(one, ArmDetails) for one in details):
            return tuple(ArmDetails.declare(one.name, **one.to_data()) for one in details)
    raise InputError(
        "details: give a mapping from arms to what is said of each, such as "
        '{"red": {"label": "The red one", "cost": 5}}'
    )


def _said(name: str, given: object) -> dict[str, Any]:
    if isinstance(given, Mapping):
        return {str(what): value for what, value in given.items()}
    raise InputError(f"details: {name!r} has {given!r:.60}; give label, cost or note by name")
