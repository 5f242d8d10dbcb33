"""Everything that is read from and written to the database, within one transaction."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from goodarm.inputs import stamp
from goodarm.study.log.events import Stored
from goodarm.study.storage.dialects import dialect_of
from goodarm.study.storage.tables import checkpoints, events, studies, summaries

Clock = Callable[[], datetime]
KEYS_AT_ONCE = 500  # keys looked up by one statement
PAGE = 2_000  # events read by one statement

_event = sa.select(*(events.c[name] for name in Stored._fields))
_of_study = _event.where(events.c.study_id == sa.bindparam("study"))
_after = (
    _of_study.where(events.c.seq > sa.bindparam("seq"))
    .order_by(events.c.seq)
    .limit(sa.bindparam("limit"))
)
_at = _of_study.where(events.c.seq == sa.bindparam("seq"))
_of_trial = _of_study.where(events.c.trial == sa.bindparam("trial")).order_by(events.c.seq)
_by_key = _of_study.where(events.c.key == sa.bindparam("key"))
_insert = events.insert()
_update = {
    table.name: table.update().where(table.c.study_id == sa.bindparam("study"))
    for table in (checkpoints, summaries)
}
_head = sa.select(sa.func.max(events.c.seq)).where(events.c.study_id == sa.bindparam("study"))


class StudyRow(NamedTuple):
    """A study as the table of studies has it."""

    id: int
    uuid: str
    name: str


class Transaction:
    """A connection within a transaction; nothing is kept unless it ends well."""

    def __init__(self, connection: sa.Connection, clock: Clock | None) -> None:
        self._connection = connection
        self._clock = clock
        self._dialect = dialect_of(connection)

    def now(self) -> str:
        """The server's time: its own, or this machine's where the database is a file."""
        if self._clock is not None:
            return stamp(self._clock())
        return stamp(self._dialect.now(self._connection))

    def find(self, name: str) -> StudyRow | None:
        """The study of that name."""
        row = self._connection.execute(sa.select(studies).where(studies.c.name == name)).first()
        return None if row is None else StudyRow(*row)

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
        while page := self.page(study, seq, PAGE):
            yield from page
            if len(page) < PAGE:
                return
            seq = page[-1].seq

    def page(self, study: int, seq: int, limit: int) -> list[Stored]:
        """The first few of the events after one."""
        rows = self._connection.execute(_after, {"study": study, "seq": seq, "limit": limit})
        return [Stored(*row) for row in rows]

    def at(self, study: int, seq: int) -> Stored | None:
        """One event by its number."""
        row = self._connection.execute(_at, {"study": study, "seq": seq}).first()
        return None if row is None else Stored(*row)

    def of_trial(self, study: int, trial: int) -> list[Stored]:
        """All events of a trial, oldest first."""
        rows = self._connection.execute(_of_trial, {"study": study, "trial": trial})
        return [Stored(*row) for row in rows]

    def by_key(self, study: int, key: str) -> Stored | None:
        """The event that was recorded under that key."""
        row = self._connection.execute(_by_key, {"study": study, "key": key}).first()
        return None if row is None else Stored(*row)

    def by_keys(self, study: int, keys: Sequence[str]) -> dict[str, Stored]:
        """The events that were recorded under these keys."""
        by_key: dict[str, Stored] = {}
        for first in range(0, len(keys), KEYS_AT_ONCE):
            statement = _of_study.where(events.c.key.in_(keys[first : first + KEYS_AT_ONCE]))
            for row in self._connection.execute(statement, {"study": study}):
                by_key[row.key] = Stored(*row)
        return by_key

    def by_prefix(self, study: int, prefix: str) -> dict[str, Stored]:
        """The events that were recorded under keys that begin like this."""
        statement = _of_study.where(events.c.key.startswith(prefix, autoescape=True))
        rows = self._connection.execute(statement.order_by(events.c.seq), {"study": study})
        # Some databases compare without regard to case.
        return {row.key: Stored(*row) for row in rows if row.key.startswith(prefix)}

    def of_kinds(self, study: int, kinds: Sequence[str], until: int) -> Iterator[Stored]:
        """The events of some kinds up to one, oldest first."""
        statement = _of_study.where(events.c.seq <= until, events.c.kind.in_(kinds)).order_by(
            events.c.seq
        )
        for row in self._connection.execute(statement, {"study": study}):
            yield Stored(*row)

    def append(self, study: int, added: Iterable[Stored]) -> None:
        """Add events to the log."""
        rows = [{"study_id": study, **event._asdict()} for event in added]
        self._connection.execute(_insert, rows)

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

    def summaries(self, search: str | None, limit: int, offset: int) -> list[dict[str, Any]]:
        """Name and summary of some studies, the latest changed first; None where none is kept."""
        statement = (
            sa.select(studies.c.id, studies.c.name, *summaries.c)
            .select_from(studies.outerjoin(summaries))
            .order_by(summaries.c.updated_at.desc(), studies.c.id.desc())
            .limit(limit)
            .offset(offset)
        )
        if search:
            statement = statement.where(studies.c.name.icontains(search, autoescape=True))
        return [dict(row._mapping) for row in self._connection.execute(statement)]

    def _put(self, table: sa.Table, study: int, values: dict[str, Any]) -> None:
        changed = self._connection.execute(_update[table.name], {"study": study, **values})
        if changed.rowcount == 0:
            self._connection.execute(table.insert(), {"study_id": study, **values})
