"""All studies of one database, for the faces that show several: command line and web page."""

from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from goodarm.inputs import label, whole
from goodarm.outcomes import Outcome
from goodarm.study.log.ledger import Ledger, summary_of
from goodarm.study.storage import DEFAULT_STORAGE, Store, open_store
from goodarm.study.storage.transaction import Wanted
from goodarm.study.study import Study
from goodarm.study.tags import check_tags, read_tags

MOST_KEPT = 64  # studies whose state is held in memory
MOST_LISTED = 10_000
MISNAMED = {"state": "misnamed", "told": 0, "open": 0, "answer": None, "confidence": 0.0}
"""Of a study whose log has another name than the table of studies; nothing is said of it."""


@dataclass(frozen=True)
class Summary:
    """A study in a list."""

    name: str
    state: str
    arms: int
    told: int
    open: int
    answer: str | None
    confidence: float
    created_at: str
    updated_at: str
    archived: bool
    tags: tuple[str, ...]
    events: int
    head: str

    def to_dict(self) -> dict[str, Any]:
        """The summary as plain data."""
        return asdict(self)


_AS_KEPT = set(Summary.__annotations__) - {"name", "events", "head"}


class Studies:
    """The studies of one database; safe to use from several threads."""

    def __init__(self, storage: str | Path | Store = DEFAULT_STORAGE, create: bool = False) -> None:
        self.store = open_store(storage).prepare(create=create)
        self._lock = Lock()
        self._ledgers: OrderedDict[str, Ledger] = OrderedDict()

    def list(
        self,
        search: str | None = None,
        limit: int = 1000,
        offset: int = 0,
        *,
        tag: str | None = None,
        archived: bool | None = False,
    ) -> list[Summary]:
        """Studies whose names contain a text, the latest changed first.

        With a `tag` only those that have it; with `archived` only those that were put away, with
        None both.
        """
        most = whole("limit", limit, 1, MOST_LISTED)
        first = whole("offset", offset, 0, 2**31 - 1)
        wanted = _wanted(search, tag, archived)
        rows = self.store.read(lambda transaction: transaction.summaries(wanted, most, first))
        return [self._summary(row) for row in rows]

    def count(
        self, search: str | None = None, *, tag: str | None = None, archived: bool | None = False
    ) -> int:
        """How many studies `list` would have, if it had all of them."""
        wanted = _wanted(search, tag, archived)
        return self.store.read(lambda transaction: transaction.count(wanted))

    def tags(self) -> dict[str, int]:
        """The tags of the studies that are not archived: how many have each."""
        texts = self.store.read(lambda transaction: transaction.tags())
        counts = Counter(tag for text in texts for tag in read_tags(text))
        return dict(sorted(counts.items()))

    def names(self) -> "Sequence[str]":
        """The names of all studies, oldest first."""
        return [row.name for row in self.store.read(lambda transaction: transaction.studies())]

    def create(
        self,
        name: str,
        arms: Sequence[str],
        threshold: float | Sequence[float] | None = None,
        outcome: Outcome | str | None = None,
        by: str | None = None,
        **options: Any,
    ) -> Study:
        """Create a study here; see `Study.create` for the options."""
        return Study.create(
            name, list(arms), threshold, outcome, storage=self.store, by=by, **options
        )

    def open(self, name: str, by: str | None = None) -> Study:
        """The study of that name; its state stays in memory for the next time."""
        who = None if by is None else label("by", by)
        found = Ledger.find(self.store, label("name", name))  # names change hands
        with self._lock:
            ledger = self._ledgers.setdefault(found.row.uuid, found)
            self._ledgers.move_to_end(found.row.uuid)
            if len(self._ledgers) > MOST_KEPT:
                self._ledgers.popitem(last=False)
        return Study(ledger, who)

    def number_of(self, study: Study) -> int:
        """The number by which this database knows a study."""
        return study._ledger.row.id

    def in_state(self, state: str) -> dict[int, str]:
        """The names of all studies in one state, by their numbers."""
        return self.store.read(lambda transaction: transaction.in_state(state))

    def heads(self, numbers: Sequence[int]) -> dict[int, int]:
        """The number of the last event of each of these studies."""
        return self.store.read(lambda transaction: transaction.heads(numbers))

    def _summary(self, row: dict[str, Any]) -> Summary:
        if row["seq"] is None:  # a database that was upgraded: nothing was kept yet
            row |= self.open(row["listed_name"])._ledger.look(summary_of)
        listed = {"name": row["listed_name"], "events": row["seq"], "head": row["hash"]}
        listed["tags"] = read_tags(row["tags"])
        if row["name"] not in (None, row["listed_name"]):
            listed |= MISNAMED  # not another study's evidence under this name
        return Summary(**{what: row[what] for what in _AS_KEPT} | listed)


def _wanted(search: str | None, tag: str | None, archived: bool | None) -> Wanted:
    return Wanted(search, check_tags("tag", [tag])[0] if tag else None, archived)
