"""Outcomes that another tool has recorded, as a study imports them."""

import csv
import json
import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from goodarm.errors import InputError
from goodarm.study.log.importing import Numbered
from goodarm.study.rows import Row


class Record(NamedTuple):
    """One outcome: its number in the file, whose it is, what it was of, and what came out."""

    number: int
    arm: str
    question: Hashable  # which test or document
    value: float
    note: str


class Records(Numbered):
    """Outcomes in the order of their numbers; those of one question are one outcome.

    Several answers to one question are not independent, and a study is about further questions of
    the same kind: so their mean counts. Where there is only one question, each answer counts, and
    the study is about further answers to it.
    """

    def __init__(
        self, records: Iterable[Record], word: str, path: str | Path, source: str | None = None
    ) -> None:
        self._records = _one_per_question(list(records))
        self._numbers = [record.number for record in self._records]
        self.word = word  # what a message calls one of them
        self.path = Path(path)
        self.source = source

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[Row]:
        for record in self._records:
            yield Row(None, record.arm, record.value, note=record.note)

    @property
    def arms(self) -> tuple[str, ...]:
        """The arms, in the order in which they appear."""
        return tuple(dict.fromkeys(record.arm for record in self._records))

    def to_csv(self) -> str:
        """A table as everything in goodarm reads it: arm, value, note."""
        text = StringIO()
        rows = csv.writer(text, lineterminator="\n")
        rows.writerow(["arm", "value", "note"])
        rows.writerows((record.arm, record.value, record.note) for record in self._records)
        return text.getvalue()


def _one_per_question(records: Sequence[Record]) -> list[Record]:
    if len({record.question for record in records}) == 1:
        return list(records)
    groups: dict[tuple[str, Hashable], list[Record]] = {}
    for record in records:
        groups.setdefault((record.arm, record.question), []).append(record)
    return [
        group[0]._replace(value=math.fsum(record.value for record in group) / len(group))
        for group in groups.values()
    ]


def read_json(text: str, where: str) -> Any:
    """A JSON text of a file."""
    try:
        return json.loads(text)
    except ValueError as error:
        raise InputError(f"{where}: this is not JSON ({error})") from None


def fields_of(found: object, where: str) -> Mapping[str, Any]:
    """A JSON object."""
    if not isinstance(found, dict):
        raise InputError(f"{where}: {json.dumps(found)[:60]} stands where an object should")
    return found


def score_of(fields: Mapping[str, Any], name: str, where: str) -> float:
    """A number, or true or false, in a field of a result."""
    if name not in fields:
        raise InputError(f"{where}: {name} is missing; was the evaluation finished?")
    value = fields[name]
    if not isinstance(value, bool | int | float) or not math.isfinite(value):
        shown = json.dumps(value)[:60]
        raise InputError(f"{where}: {name}: {shown} is neither a number nor true or false")
    return float(value)
