"""Everything that is read from and written to the database, within one transaction."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from goodarm.inputs import stamp
from goodarm.study.log.events import Stored
from goodarm.study.storage.dialects import dialect_of
from goodarm.study.storage.dialects.contract import Insert
from goodarm.study.storage.tables import checkpoints, events, studies, summaries
from goodarm.study.tags import BETWEEN

Clock = Callable[[], datetime]
KEYS_AT_ONCE = 500  # keys or trials looked up by one statement
PAGE = 2_000  # events read by one statement
BLOCK = 200  # events that are handed to the database together
ESCAPED = str.maketrans({sign: f"/{sign}" for sign in "/%_"})  # what LIKE takes for something else

_event = sa.select(*(events.c[name] for name in Stored._fields))
_of_study = _event.where(events.c.study_id == sa.bindparam("study"))
_after = (
    _of_study.where(events.c.seq > sa.bindparam("seq"))
    .order_by(events.c.seq)
    .limit(sa.bindparam("limit"))
)
_at = _of_study.where(events.c.seq == sa.bindparam("seq"))
_of_trials = _of_study.where(events.c.trial.in_(sa.bindparam("trials", expanding=True)))
_by_key = _of_study.where(events.c.key == sa.bindparam("key"))
_by_keys = _of_study.where(events.c.key.in_(sa.bindparam("keys", expanding=True)))
_by_prefix = _after.where(events.c.key.startswith(sa.bindparam("prefix"), escape="/"))
_of_kinds = _after.where(
    events.c.kind.in_(sa.bindparam("kinds", expanding=True)),
    events.c.seq <= sa.bindparam("until"),
)
_update = {
    table.name: table.update().where(table.c.study_id == sa.bindparam("study"))
    for table in (checkpoints, summaries)
}
_head = sa.select(sa.func.max(events.c.seq)).where(events.c.study_id == sa.bindparam("study"))

# From the summaries, which are brought up to date by every write: of a log it would be a search.
_heads = sa.select(summaries.c.study_id, summaries.c.seq).where(
    summaries.c.study_id.in_(sa.bindparam("wanted", expanding=True))
)


class StudyRow(NamedTuple):
    """A study as the table of studies has it."""

    id: int
    uuid: str
    name: str


@dataclass(frozen=True)
class Wanted:
    """Which studies are listed: by a part of the name, by a tag, archived or not (None: both)."""

    search: str | None = None
    tag: str | None = None
    archived: bool | None = None

    def conditions(self) -> Iterator[sa.ColumnElement[bool]]:
        """The same for the database. A study may lack a summary: then it was never archived."""
        if self.search:
            yield studies.c.name.icontains(self.search, autoescape=True)
        if self.tag:
            between = sa.literal(BETWEEN)
            every = between + summaries.c.tags + between
            yield every.contains(f"{BETWEEN}{self.tag}{BETWEEN}", autoescape=True)
        if self.archived is not None:
            archived = sa.func.coalesce(summaries.c.archived, sa.false())
            yield archived if self.archived else sa.not_(archived)


class Transaction:
    """A connection within a transaction; nothing is kept unless it ends well."""

    def __init__(self, connection: sa.Connection, clock: Clock | None) -> None:
        self._raw = connection
        self._clock = clock
        self._dialect = dialect_of(connection)
        self._appending = ExitStack()
        self._append: Insert | None = None
        self._rows: list[tuple[Any, ...]] = []  # on their way into the log

    def __enter__(self) -> "Transaction":
        return self

    def __exit__(self, *raised: Any) -> None:
        if raised[0] is None:
            self._send()
        self._appending.__exit__(*raised)

    @property
    def _connection(self) -> sa.Connection:
        """The connection, once everything that was appended has arrived."""
        self._send()
        self._append = None
        self._appending.close()
        return self._raw

    def _send(self) -> None:
        if self._rows:
            if self._append is None:
                columns = ("study_id", *Stored._fields)
                way = self._dialect.insertion(self._raw, events, columns)
                self._append = self._appending.enter_context(way)
            self._append(self._rows)
            self._rows = []

    def now(self) -> str:
        """The server's time: its own, or this machine's where the database is a file."""
        if self._clock is not None:
            return stamp(self._clock())
        return stamp(self._dialect.now(self._connection))

    def find(self, name: str) -> StudyRow | None:
        """The study of that name."""
        row = self._connection.execute(sa.select(studies).where(studies.c.name == name)).first()
        return None if row is None else StudyRow(*row)

    def study(self, study: int) -> StudyRow:
        """The row of a study that is known to be there."""
        row = self._connection.execute(sa.select(studies).where(studies.c.id == study)).one()
        return StudyRow(*row)

    def rename(self, study: int, name: str) -> None:
        """Put a study's new name into its row; the log must have it already."""
        row = studies.update().where(studies.c.id == study).values(name=name)
        self._connection.execute(row)

    def add_study(self, uuid: str, name: str) -> int:
        """A new row in the table of studies; its id."""
        row = studies.insert().values(uuid=uuid, name=name).returning(studies.c.id)
        return int(self._connection.execute(row).scalar_one())

    def studies(self) -> list[StudyRow]:
        """All studies in the order in which they were created."""
        rows = self._connection.execute(sa.select(studies).order_by(studies.c.id))
        return [StudyRow(*row) for row in rows]

    def lock(self, study: int) -> None:
        """Make every other writer of this study wait."""
        self._dialect.lock(self._connection, studies, study)

    def head(self, study: int) -> int:
        """The number of the last event."""
        return self._connection.execute(_head, {"study": study}).scalar() or 0

    def log(self, study: int, seq: int = 0) -> Iterator[Stored]:
        """The events after one, oldest first."""
        return self._pages(_after, {"study": study}, seq)

    def page(self, study: int, seq: int, limit: int) -> list[Stored]:
        """The first few of the events after one."""
        rows = self._connection.execute(_after, {"study": study, "seq": seq, "limit": limit})
        return [Stored(*row) for row in rows]

    def at(self, study: int, seq: int) -> Stored | None:
        """One event by its number."""
        row = self._connection.execute(_at, {"study": study, "seq": seq}).first()
        return None if row is None else Stored(*row)

    def of_trials(self, study: int, trials: Sequence[int]) -> Iterator[Stored]:
        """All events of some trials; those of one trial oldest first."""
        for some in _parts(trials):
            rows = self._connection.execute(_of_trials, {"study": study, "trials": some})
            # Sorted here: to have them in order, SQLite would go through the whole log.
            yield from sorted(Stored(*row) for row in rows)

    def by_key(self, study: int, key: str) -> Stored | None:
        """The event that was recorded under that key."""
        row = self._connection.execute(_by_key, {"study": study, "key": key}).first()
        return None if row is None else Stored(*row)

    def by_keys(self, study: int, keys: Sequence[str]) -> dict[str, Stored]:
        """The events that were recorded under these keys."""
        by_key: dict[str, Stored] = {}
        for some in _parts(keys):
            for row in self._connection.execute(_by_keys, {"study": study, "keys": some}):
                by_key[row.key] = Stored(*row)
        return by_key

    def by_prefix(self, study: int, prefix: str) -> Iterator[Stored]:
        """The events that were recorded under keys that begin like this, oldest first."""
        escaped = prefix.translate(ESCAPED)
        for stored in self._pages(_by_prefix, {"study": study, "prefix": escaped}):
            # Some databases compare without regard to case.
            if stored.key is not None and stored.key.startswith(prefix):
                yield stored

    def of_kinds(self, study: int, kinds: Sequence[str], until: int) -> Iterator[Stored]:
        """The events of some kinds up to one, oldest first."""
        return self._pages(_of_kinds, {"study": study, "kinds": kinds, "until": until})

    def append(self, study: int, added: Sequence[Stored]) -> None:
        """Add events to the log; they are there when anything is asked."""
        self._rows += [(study, *event) for event in added]
        if len(self._rows) >= BLOCK:
            self._send()

    def checkpoint(self, study: int) -> tuple[int, str, str] | None:
        """Number of the last event, its hash, and text of the study's checkpoint."""
        columns = (checkpoints.c.seq, checkpoints.c.hash, checkpoints.c.text)
        row = self._connection.execute(
            sa.select(*columns).where(checkpoints.c.study_id == study)
        ).first()
        return None if row is None else (row.seq, row.hash, row.text)

    def put_checkpoint(self, study: int, seq: int, head: str, text: str) -> None:
        """Replace the study's checkpoint."""
        self._put(checkpoints, study, {"seq": seq, "hash": head, "text": text})

    def summary(self, study: int) -> dict[str, Any] | None:
        """The study's row in the table of summaries."""
        row = self._connection.execute(
            sa.select(summaries).where(summaries.c.study_id == study)
        ).first()
        return None if row is None else dict(row._mapping)

    def put_summary(self, study: int, summary: dict[str, Any]) -> None:
        """Replace the study's summary."""
        self._put(summaries, study, summary)

    def summaries(self, wanted: Wanted, limit: int, offset: int) -> list[dict[str, Any]]:
        """Some studies, the latest changed first: `listed_name`, and the summary if one is kept."""
        statement = (
            sa.select(studies.c.id, studies.c.name.label("listed_name"), *summaries.c)
            .select_from(studies.outerjoin(summaries))
            .order_by(summaries.c.updated_at.desc(), studies.c.id.desc())
            .limit(limit)
            .offset(offset)
            .where(*wanted.conditions())
        )
        return [dict(row._mapping) for row in self._connection.execute(statement)]

    def count(self, wanted: Wanted) -> int:
        """How many studies there are of some kind."""
        statement = (
            sa.select(sa.func.count())
            .select_from(studies.outerjoin(summaries))
            .where(*wanted.conditions())
        )
        return int(self._connection.execute(statement).scalar_one())

    def tags(self) -> list[str]:
        """The tags of every study that has some, and is not archived, each as one text."""
        statement = sa.select(summaries.c.tags).where(
            summaries.c.tags != "", sa.not_(summaries.c.archived)
        )
        return list(self._connection.execute(statement).scalars())

    def in_state(self, state: str) -> dict[int, str]:
        """The names of all studies in one state, by their numbers."""
        statement = (
            sa.select(studies.c.id, studies.c.name)
            .select_from(studies.join(summaries))
            .where(summaries.c.state == state)
        )
        return {row[0]: row[1] for row in self._connection.execute(statement)}

    def heads(self, wanted: Sequence[int]) -> dict[int, int]:
        """The number of the last event of some studies."""
        found: dict[int, int] = {}
        for some in _parts(wanted):
            rows = self._connection.execute(_heads, {"wanted": some})
            found.update((row[0], row[1]) for row in rows)
        return found

    def _pages(
        self, statement: sa.Select[Any], values: dict[str, Any], seq: int = 0
    ) -> Iterator[Stored]:
        """What a statement selects, page by page: a driver may fetch all of a result at once."""
        while True:
            rows = self._connection.execute(statement, {**values, "seq": seq, "limit": PAGE})
            page = [Stored(*row) for row in rows]
            yield from page
            if len(page) < PAGE:
                return
            seq = page[-1].seq

    def _put(self, table: sa.Table, study: int, values: dict[str, Any]) -> None:
        changed = self._connection.execute(_update[table.name], {"study": study, **values})
        if changed.rowcount == 0:
            self._connection.execute(table.insert(), {"study_id": study, **values})


def _parts(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for first in range(0, len(values), KEYS_AT_ONCE):
        yield values[first : first + KEYS_AT_ONCE]
