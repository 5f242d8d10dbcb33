"""PostgreSQL: a server, for any number of machines."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from typing import Any, ClassVar

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import URL

from goodarm.extras import POSTGRES, need
from goodarm.study.errors import StorageError
from goodarm.study.storage.dialects.contract import (
    GUARDED,
    MISNAMED,
    MOST_CONNECTIONS,
    OUT_OF_TURN,
    REFUSAL,
    UNKNOWN,
    Dialect,
    Heard,
    Insert,
    News,
    Trouble,
)
from goodarm.study.storage.dialects.postgresql_news import PostgreSQLNews

MANY_ROWS = 500  # those before are inserted one by one
NULL = r"\N"
ESCAPES = (("\\", r"\\"), ("\t", r"\t"), ("\n", r"\n"), ("\r", r"\r"))  # in this order
SESSION = {"synchronous_commit": "on", "lock_timeout": "10s"}
ONE_AT_A_TIME = 7_305_862_001  # the advisory lock under which the tables are made
PASSING_CLASSES = ("08", "40", "57")  # connection, transaction rollback, operator intervention
PASSING_STATES = ("55P03", "53300")  # lock not available, too many connections
REFUSED_CLASS = "23"  # integrity constraint violation
FINAL = {
    "53100": "PostgreSQL's disk is full; nothing was recorded",
    "25006": "the database can only be read (a standby, perhaps?); nothing was recorded",
    "42501": "this user may not do that in the database; nothing was recorded",
}


class PostgreSQL(Dialect):
    """A server. Writers of one study wait for each other, writers of several do not."""

    name = "postgresql"
    driver = "postgresql+psycopg"
    aliases = ("postgresql", "postgres")
    example = "postgresql+psycopg://user@host/database"
    preparations = (
        "CREATE OR REPLACE FUNCTION goodarm_refuse() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{REFUSAL}'; END $$",
        "CREATE OR REPLACE FUNCTION goodarm_in_turn() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN IF {OUT_OF_TURN} THEN RAISE EXCEPTION '{REFUSAL}'; END IF; RETURN NEW; END $$",
        "CREATE OR REPLACE FUNCTION goodarm_only_renamed() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN IF NEW.id <> OLD.id OR NEW.uuid <> OLD.uuid OR NEW.name IS DISTINCT FROM "
        "(SELECT CAST(text AS json) -> 'body' ->> 'name' FROM goodarm_events WHERE study_id = "
        "OLD.id AND kind IN ('created', 'renamed') ORDER BY seq DESC LIMIT 1) "
        f"THEN RAISE EXCEPTION '{MISNAMED}'; END IF; RETURN NEW; END $$",
    )
    guards: ClassVar[Mapping[str, str]] = {
        **{
            f"{table}_no_change": (
                f"CREATE TRIGGER {table}_no_change BEFORE {actions} ON {table} "
                "FOR EACH STATEMENT EXECUTE FUNCTION goodarm_refuse()"
            )
            for table, actions in zip(
                GUARDED, ("UPDATE OR DELETE OR TRUNCATE", "DELETE OR TRUNCATE"), strict=True
            )
        },
        "goodarm_studies_only_renamed": (
            "CREATE TRIGGER goodarm_studies_only_renamed BEFORE UPDATE ON goodarm_studies "
            "FOR EACH ROW EXECUTE FUNCTION goodarm_only_renamed()"
        ),
        "goodarm_events_in_turn": (
            "CREATE TRIGGER goodarm_events_in_turn BEFORE INSERT ON goodarm_events "
            "FOR EACH ROW EXECUTE FUNCTION goodarm_in_turn()"
        ),
    }
    snapshot = "REPEATABLE READ"
    reading = "AUTOCOMMIT"  # each statement sees the latest state anyway: no BEGIN and ROLLBACK

    def engine(self, url: URL) -> sa.Engine:
        """An engine for the server."""
        need(POSTGRES, "storage: PostgreSQL")
        engine = sa.create_engine(
            url, connect_args={"connect_timeout": 10}, max_overflow=MOST_CONNECTIONS
        )
        event.listen(engine, "connect", _set_up)
        return engine

    def trouble(self, error: Any) -> Trouble | None:
        """What PostgreSQL's five-character state means."""
        if not type(error).__module__.startswith("psycopg"):
            return None
        state: str | None = error.sqlstate
        message = " ".join(str(error).split())
        if state is None:  # no connection, or a lost one
            return Trouble(True, f"PostgreSQL cannot be reached: {message}{UNKNOWN}")
        if state.startswith(REFUSED_CLASS):
            return Trouble(True, f"the database refused the entry: {message}", refused=True)
        if state in FINAL:
            return Trouble(False, f"{FINAL[state]} ({message})")
        passing = state[:2] in PASSING_CLASSES or state in PASSING_STATES
        return Trouble(passing, f"PostgreSQL reports {state}: {message}")

    def drop_guards(self, connection: sa.Connection) -> None:
        """All triggers of ours."""
        for table in GUARDED:
            names = (
                "SELECT tgname FROM pg_trigger "
                f"WHERE tgrelid = '{table}'::regclass AND NOT tgisinternal"
            )
            for name in connection.exec_driver_sql(names).scalars().all():
                connection.exec_driver_sql(f"DROP TRIGGER {name} ON {table}")

    def triggers(self, connection: sa.Connection) -> set[str]:
        """The triggers that are switched on."""
        names = "SELECT tgname FROM pg_trigger WHERE tgenabled <> 'D'"
        return set(connection.exec_driver_sql(names).scalars())

    def now(self, connection: sa.Connection) -> datetime:
        """The server's clock, not that of the transaction, which stands still."""
        time: datetime = connection.execute(sa.text("SELECT clock_timestamp()")).scalar_one()
        return time

    def lock(self, connection: sa.Connection, studies: sa.Table, study: int) -> None:
        """Lock the study's row."""
        connection.execute(sa.select(studies.c.id).where(studies.c.id == study).with_for_update())

    @contextmanager
    def insertion(
        self, connection: sa.Connection, table: sa.Table, columns: Sequence[str]
    ) -> Iterator[Insert]:
        """Few rows as usual; many by COPY, during which the server works while we go on.

        The guard of the log looks for the last event by a plan that the server keeps. One that was
        made while the table was small goes through all events, for every row. So it is made anew
        once there are some hundreds: by then, using the index is seen to be better.
        """
        statement = f"COPY {table.name} ({', '.join(columns)}) FROM STDIN"
        with ExitStack() as opened, super().insertion(connection, table, columns) as usual:
            copy: Any = None
            sent = 0

            def insert(rows: Sequence[Sequence[Any]]) -> None:
                nonlocal copy, sent
                if sent < MANY_ROWS:
                    usual(rows)
                elif copy is None:
                    connection.exec_driver_sql("DISCARD PLANS")
                    driver: Any = connection.connection.driver_connection
                    copy = opened.enter_context(
                        opened.enter_context(driver.cursor()).copy(statement)
                    )
                if copy is not None:
                    copy.write("".join(map(_copied, rows)))
                sent += len(rows)

            yield insert

    def news(self, url: URL, heard: Heard) -> News:
        """By NOTIFY and LISTEN."""
        return PostgreSQLNews(url, heard)

    def lock_schema(self, connection: sa.Connection) -> None:
        """Take a lock that lasts until the transaction ends."""
        connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({ONE_AT_A_TIME})"))

    def finish_copy(self, connection: sa.Connection) -> None:
        """The next study's number follows the largest that was copied."""
        connection.exec_driver_sql(
            "SELECT setval(pg_get_serial_sequence('goodarm_studies', 'id'),"
            " (SELECT COALESCE(MAX(id), 1) FROM goodarm_studies))"
        )


def _copied(row: Sequence[Any]) -> str:
    """The row as a line of COPY's text format."""
    cells = []
    for cell in row:
        text = NULL if cell is None else str(cell)
        if isinstance(cell, str):
            for sign, escape in ESCAPES:
                text = text.replace(sign, escape)
        cells.append(text)
    return "\t".join(cells) + "\n"


def _set_up(connection: Any, record: Any) -> None:
    before = connection.autocommit
    connection.autocommit = True
    try:
        with connection.cursor() as cursor:
            for name, wanted in SESSION.items():
                cursor.execute(f"SET {name} = '{wanted}'")
                actual = cursor.execute(f"SHOW {name}").fetchone()[0]
                if actual != wanted:
                    raise StorageError(f"PostgreSQL keeps {name} at {actual!r}, not {wanted!r}")
    finally:
        connection.autocommit = before


DIALECT = PostgreSQL()
