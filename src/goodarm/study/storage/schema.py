"""Which version the tables have, and bringing them up to date."""

from importlib import import_module
from pathlib import Path

import sqlalchemy as sa

from goodarm.study.errors import StorageError
from goodarm.study.storage import migrations
from goodarm.study.storage.dialects import dialect_of
from goodarm.study.storage.migrations import create_table

VERSION_TABLE = "goodarm_schema"  # our own: the database may hold other software's tables
STEPS = tuple(sorted((Path(__file__).parent / "migrations" / "versions").glob("r*.py")))
VERSIONS = tuple(file.stem[1:5] for file in STEPS)
NEWEST = VERSIONS[-1]


def version(connection: sa.Connection) -> str | None:
    """The version of the tables, or None where there are none."""
    if not sa.inspect(connection).has_table(VERSION_TABLE):
        return None
    present = connection.execute(sa.text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()
    return None if present is None else str(present)


def check_version(present: str | None) -> None:
    """Refuse tables that this software does not know, or that must be upgraded first."""
    if present == NEWEST:
        return
    if present is None:
        raise StorageError("the database holds no studies yet; create one first")
    if present not in VERSIONS:
        raise StorageError(
            f"the database has schema version {present}, made by a newer goodarm than this one, "
            f"which knows up to {NEWEST}; install the newer goodarm"
        )
    raise StorageError(
        f"the database has schema version {present}, this goodarm needs {NEWEST}; run "
        "`goodarm db upgrade`, which makes a backup first"
    )


def migrate(connection: sa.Connection, to: str = NEWEST) -> None:
    """Bring the tables to a version, within the connection's transaction."""
    dialect_of(connection).lock_schema(connection)
    present = version(connection)
    if present == to:  # others were faster
        return
    for file in STEPS:
        if (present or "") < file.stem[1:5] <= to:
            step = import_module(f"{migrations.__name__}.versions.{file.stem}")
            step.upgrade(connection)
    if present is None:
        number = sa.Column("version_num", sa.String(32), primary_key=True)
        create_table(connection, VERSION_TABLE, number)
        entry = f"INSERT INTO {VERSION_TABLE} (version_num) VALUES (:to)"
    else:
        entry = f"UPDATE {VERSION_TABLE} SET version_num = :to"
    connection.execute(sa.text(entry), {"to": to})
