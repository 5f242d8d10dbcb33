"""Past outcomes from a CSV file. The guarantee holds for any sampling, so they count in full.

Every line has a key made of its source and its number, so a line counts once, however often its
file is imported, and a file that has grown adds what is new. A file's source is its name with a
mark of its folder: files of one name in two folders are two sources.
"""

import hashlib
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol, TextIO

from goodarm.inputs import LONGEST_NAME, label
from goodarm.study.actions import told_by
from goodarm.study.batches import Batch, Progress
from goodarm.study.errors import ConflictError
from goodarm.study.log.events import Event
from goodarm.study.log.writing import Writing
from goodarm.study.rows import Rows

FEW_LINES = 20_000  # each is looked up; beyond, all of the source are gone through
MARK = 8  # hexadecimal digits for a folder


class Imported(NamedTuple):
    """What became of the lines of a table."""

    added: int
    already: int  # lines that had been entered before


class Numbered:
    """Outcomes that have rising numbers of their own."""

    _numbers: Sequence[int]

    def number(self, position: int) -> int:
        """The number of the outcome at a position, such as its line's in the file."""
        return self._numbers[position]

    def position(self, number: int) -> int | None:
        """The position of the outcome with that number, if there is one."""
        position = bisect_left(self._numbers, number)
        is_there = position < len(self._numbers) and self._numbers[position] == number
        return position if is_there else None


class PastOutcomes(Rows, Protocol):
    """Outcomes with numbers that stay the same, such as those of lines: each counts once."""

    def position(self, number: int) -> int | None:
        """The position of the outcome with that number, if there is one."""
        ...


class PastResults(PastOutcomes, Protocol):
    """Past outcomes that another tool has kept in a file."""

    path: Path
    source: str | None  # what it calls them, whatever the file is called


@dataclass(frozen=True)
class Source:
    """Where outcomes come from: what a user calls it, or a file's name with its folder's mark."""

    name: str
    file: str | None = None  # the file's name alone, if nobody has named the source


def source_of(path: str | Path | TextIO, name: object) -> Source:
    """The source of that name, or the file's own."""
    if name is not None or not isinstance(path, str | Path):
        return Source(check_source(name))
    file = Path(path).resolve()
    mark = hashlib.sha256(str(file.parent).encode("utf-8", "surrogateescape")).hexdigest()[:MARK]
    short = file.name[: LONGEST_NAME - MARK - 1]
    return Source(check_source(f"{short}@{mark}"), check_source(short))


def check_source(value: object) -> str:
    """A name for where outcomes come from; imports of one source do not count a line twice."""
    return label("source", value)


def enter_lines(
    writing: Writing,
    table: PastOutcomes,
    source: Source,
    sure: bool = False,
    progress: Progress | None = None,
) -> Imported:
    """Enter every line that this source has not been entered from before, or none at all.

    They count at one moment, at their end: a file may be sorted by value.
    """
    batch = Batch(writing, table, "imported")
    name = source.name if source.file is None else _recognised(writing, table, batch, source)
    for line, event in _entered(writing, f"import/{name}/", table):
        row = table.position(line)
        position = None if row is None else batch.position_of(row, event)
        if position is None:
            continue
        if not batch.is_said_by(event, position):
            measure = writing.fold.measure(event.body.get("measure"))
            was = writing.fold.criteria[measure].outcome.write(told_by(event))
            raise batch.fault(
                position,
                ConflictError(
                    f"was imported before as {event.body['arm']!r} {was}; correct that trial, or "
                    "give these outcomes another source"
                ),
            )
        batch.leave_out(position, event)
    batch.find_trials()
    if not sure:
        batch.check_likely()
    batch.enter(lambda at, _: f"import/{name}/{batch.number(at)}", True, progress)
    already = batch.already_rows
    return Imported(added=len(table) - already, already=already)


def _entered(writing: Writing, prefix: str, table: PastOutcomes) -> Iterator[tuple[int, Event]]:
    """The lines of a source that were entered before, and the events that they became."""
    fold = writing.fold
    parts = [f"/{one.name}" for one in fold.criteria] if fold.settings.criteria else [""]
    if len(table) * len(parts) <= FEW_LINES:
        numbers = [table.number(at) for at in range(len(table))]
        keys = {f"{prefix}{number}{part}": number for number in numbers for part in parts}
        for key, event in writing.under_keys(list(keys)).items():
            yield keys[key], event
        return
    for event in writing.under_prefix(prefix):
        line = _without_measure(event).removeprefix(prefix)
        if line.isdigit():
            yield int(line), event


def _without_measure(event: Event) -> str:
    """The key of a line that an event has a measurement of."""
    measure = event.body.get("measure")
    return str(event.key).removesuffix("" if measure is None else f"/{measure}")


def _recognised(writing: Writing, table: PastOutcomes, batch: Batch, source: Source) -> str:
    """The name under which a file is entered: its own, unless an earlier import knew no folders.

    The same lines in a file of the same name elsewhere may be the same outcomes, moved or copied,
    or others that look alike: that is for a person to say.
    """
    assert source.file is not None
    alike: dict[str, bool] = {}  # by source: whether all lines in common are the same
    for event in writing.under_prefix(f"import/{source.file}"):
        name, _, line = _without_measure(event).removeprefix("import/").rpartition("/")
        if not line.isdigit() or not (name == source.file or name.startswith(f"{source.file}@")):
            continue
        if name == source.name:
            return name
        row = table.position(int(line))
        position = None if row is None else batch.position_of(row, event)
        if position is not None:
            alike[name] = alike.get(name, True) and batch.is_said_by(event, position)
    same = [name for name, all_same in alike.items() if all_same]
    if source.file in same:
        return source.file
    if same:
        raise ConflictError(
            f"source: the same lines were imported before from a file {source.file!r} in another "
            f"folder; if these are the same outcomes, give source={same[0]!r} (--source), if they "
            "are others, a source of your own; nothing was imported"
        )
    return source.name
