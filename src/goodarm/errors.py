"""The one exception that a wrong input raises, and the suggestion for a misspelled name."""

import difflib
from collections.abc import Iterable


class InputError(ValueError):
    """An input that cannot be used; the message names the field, the value and the remedy."""


class UnknownNameError(InputError, KeyError):
    """A name that nothing has; a KeyError too, as the users of a mapping expect."""

    def __str__(self) -> str:
        return str(self.args[0])


def unknown_name(what: str, name: str, known: Iterable[str]) -> UnknownNameError:
    """The error for a name that is not known, with the nearest known names."""
    names = list(known)
    lowered = {n.lower(): n for n in names}
    close = difflib.get_close_matches(name.lower(), list(lowered), n=3, cutoff=0.5)
    if close:
        remedy = "did you mean " + " or ".join(repr(lowered[c]) for c in close) + "?"
    else:
        remedy = "known: " + ", ".join(names)
    return UnknownNameError(f"unknown {what} {name!r}: {remedy}")
