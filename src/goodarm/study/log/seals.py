"""Heads that are kept elsewhere: what no log can show of itself, they can.

A seal is a few lines of text with the head of a study, to be mailed or printed. An audit then
finds out whether the log, which has grown since, still has that head at that event.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from goodarm.errors import InputError
from goodarm.study.log.verification import LogProblem

TITLE = "goodarm seal"
QUOTED = "> |"  # what mail programs put before a line


@dataclass(frozen=True)
class Seal:
    """What to keep where nobody can change it: a study's head after so many events."""

    study: str
    events: int
    head: str
    time: str

    def text(self) -> str:
        """The seal as lines of text."""
        lines = (f"{name:8}{value}" for name, value in self.to_dict().items())
        return "\n".join([TITLE, *lines])

    def to_dict(self) -> dict[str, Any]:
        """The seal as plain data."""
        return asdict(self)

    @classmethod
    def read(cls, text: str) -> "Seal":
        """The seal that a text has in it, perhaps quoted, with other lines around it."""
        lines = [line.strip().lstrip(QUOTED).rstrip() for line in text.splitlines()]
        if lines.count(TITLE) != 1:
            number = "no seal" if TITLE not in lines else "more than one seal"
            raise InputError(f"seal: the text has {number} in it; give the output of `study seal`")
        said: dict[str, str] = {}
        for line in lines[lines.index(TITLE) + 1 :]:
            name, _, value = line.partition(" ")
            if name in cls.__annotations__:
                said.setdefault(name, value.strip())
        missing = [name for name in cls.__annotations__ if not said.get(name)]
        if missing:
            raise InputError(f"seal: its line {missing[0]!r} is missing; give the whole text")
        if not (said["events"].isascii() and said["events"].isdigit() and len(said["events"]) < 20):
            raise InputError(f"seal: {said['events'][:40]!r} is not a number of events")
        head = check_head(said["head"]) or ""
        return cls(said["study"], int(said["events"]), head, said["time"])


class KeptElsewhere:
    """A head or a seal, or both, while the log is gone through."""

    def __init__(self, head: str | None, seal: Seal | None) -> None:
        self._head, self._seal = head, seal
        self._wanted = {head, seal.head if seal else None} - {None}
        self._found: dict[str, int] = {}
        self._name = ""  # of the study after the event of the seal
        self._hash = ""  # of that event

    def see(self, seq: int, hash: str, name: str) -> None:  # noqa: A002
        """Take note of an event's hash, and of the study's name after it."""
        if hash in self._wanted:
            self._found[hash] = seq
        if self._seal is not None and seq == self._seal.events:
            self._name, self._hash = name, hash

    @property
    def vouched(self) -> int | None:
        """The last event whose hash was kept elsewhere."""
        return max(self._found.values(), default=None)

    def problems(self, events: int) -> Iterator[LogProblem]:
        """What is not as it was noted, in a log of so many events."""
        if self._head is not None and self._head not in self._found:
            yield LogProblem(
                events,
                f"no event has the hash {self._head}: the end of the log was cut off, or all of "
                "it was replaced",
            )
        seal = self._seal
        if seal is None:
            return
        if events < seal.events:
            yield LogProblem(
                events,
                f"the seal is of {seal.events} events, the log has {events}: its end was cut off, "
                "or all of it was replaced",
            )
        elif self._hash != seal.head:
            yield LogProblem(
                seal.events,
                f"the seal says that event {seal.events} had the hash {seal.head}: what is there "
                "was written anew, or the seal is another study's",
            )
        elif self._name and not _same_name(self._name, seal.study):
            yield LogProblem(
                seal.events,
                f"the seal calls the study {seal.study!r}; its name was {self._name!r}",
            )


def check_head(value: object) -> str | None:
    """A head hash as someone has noted it."""
    if value is None:
        return None
    text = str(value).strip().lower()
    if len(text) != 64 or any(c not in "0123456789abcdef" for c in text):
        raise InputError(f"head: {value!r} is not a hash of 64 hexadecimal digits")
    return text


def check_seal(value: object) -> Seal | None:
    """A seal, or its text."""
    return value if isinstance(value, Seal | None) else Seal.read(str(value))


def _same_name(one: str, other: str) -> bool:
    """Whether it is the same name, whatever a mail program makes of spaces and accents."""
    first, second = (" ".join(unicodedata.normalize("NFC", name).split()) for name in (one, other))
    return first == second
