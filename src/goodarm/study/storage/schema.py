"""Which version the tables have, and bringing them up to date."""

from pathlib import Path

import sqlalchemy as sa

from goodarm.study.errors import StorageError

VERSION_TABLE = "goodarm_schema"  # our own: the database may hold other software's tables
VERSIONS = ("0001", "0002")
NEWEST = VERSIONS[-1]
ONE_AT_A_TIME = 7_305_862_001  # the advisory lock under which PostgreSQL's tables are made


def version(connection: sa.Connection) -> str | None:
    """The version of the tables, or None where there are none."""
    if not sa.inspect(connection).has_table(VERSION_TABLE):
        return None
    found = connection.execute(sa.text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()
    return None if found is None else str(found)


def check_version(found: str | None) -> None:
    """Refuse tables that this software does not know, or that must be upgraded first."""
    if found == NEWEST:
        return
    if found is None:
        raise StorageError("the database holds no studies yet; create one first")
    if found not in VERSIONS:
        raise StorageError(
            f"the database has schema version {found}, made by a newer goodarm than this one, "
            f"which knows up to {NEWEST}; install the newer goodarm"
        )
    raise StorageError(
        f"the database has schema version {found}, this goodarm needs {NEWEST}; run "
        "`goodarm db upgrade`, which makes a backup first"
    )


def migrate(connection: sa.Connection, to: str = NEWEST) -> None:
    """Bring the tables to a version, within the connection's transaction."""
    from alembic import command
    from alembic.config import Config

    if connection.dialect.name == "postgresql":
        connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({ONE_AT_A_TIME})"))
    config = Config()
    folder = str(Path(__file__).parent / "migrations")
    config.set_main_option("script_location", folder.replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    config.attributes["version_table"] = VERSION_TABLE
    command.upgrade(config, to)
