"""Names that follow from the log: a study may be renamed, and only to what its log says."""

import sqlalchemy as sa

from goodarm.study.storage.dialects import dialect_of
from goodarm.study.storage.migrations import add_column


def upgrade(connection: sa.Connection) -> None:
    """Make the triggers anew; keep the name that a summary is of."""
    add_column(connection, "goodarm_summaries", sa.Column("name", sa.String(200)))
    connection.exec_driver_sql(
        "UPDATE goodarm_summaries SET name = (SELECT name FROM goodarm_studies"
        " WHERE goodarm_studies.id = goodarm_summaries.study_id)"
    )
    dialect = dialect_of(connection)
    dialect.drop_guards(connection)
    for statement in (*dialect.preparations, *dialect.guards.values()):
        connection.exec_driver_sql(statement)
