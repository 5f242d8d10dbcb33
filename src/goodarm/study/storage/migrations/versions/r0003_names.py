"""Names that follow from the log: a study may be renamed, and only to what its log says."""

import sqlalchemy as sa
from alembic import op

from goodarm.study.storage.dialects import dialect_of

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the triggers anew; keep the name that a summary is of."""
    op.add_column("goodarm_summaries", sa.Column("name", sa.String(200)))
    op.execute(
        "UPDATE goodarm_summaries SET name = (SELECT name FROM goodarm_studies"
        " WHERE goodarm_studies.id = goodarm_summaries.study_id)"
    )
    connection = op.get_bind()
    dialect = dialect_of(connection)
    dialect.drop_guards(connection)
    for statement in (*dialect.preparations, *dialect.guards.values()):
        op.execute(statement)
