"""Which version the tables have, and bringing them up to date."""

from pathlib import Path

import sqlalchemy as sa

from goodarm.study.errors import StorageError
from goodarm.study.storage.dialects import dialect_of

VERSION_TABLE = "goodarm_schema"  # our own: the database may hold other software's tables
MIGRATIONS = Path(__file__).parent / "migrations"
VERSIONS = tuple(sorted(file.name[1:5] for file in MIGRATIONS.glob("versions/r*.py")))
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


def prepare_to_migrate() -> None:
    """Load what migrations need: a second, perhaps, for which others should not have to wait."""
    import alembic.command
    import alembic.runtime.migration  # noqa: F401


def migrate(connection: sa.Connection, to: str = NEWEST) -> None:
    """Bring the tables to a version, within the connection's transaction."""
    from alembic import command
    from alembic.config import Config

    dialect_of(connection).lock_schema(connection)
    if version(connection) == to:  # others were faster
        return
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    config.attributes["version_table"] = VERSION_TABLE
    command.upgrade(config, to)
