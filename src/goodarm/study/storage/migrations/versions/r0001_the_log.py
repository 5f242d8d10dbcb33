"""Studies and their events; events cannot be changed, removed, or added out of turn."""

import sqlalchemy as sa

from goodarm.study.storage.dialects import dialect_of
from goodarm.study.storage.migrations import create_table


def upgrade(connection: sa.Connection) -> None:
    """Create the tables and the triggers that guard the log."""
    create_table(
        connection,
        "goodarm_studies",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("uuid", sa.String(32), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_goodarm_studies"),
        sa.UniqueConstraint("uuid", name="uq_goodarm_studies_uuid"),
        sa.UniqueConstraint("name", name="uq_goodarm_studies_name"),
    )
    create_table(
        connection,
        "goodarm_events",
        sa.Column("study_id", sa.Integer, nullable=False),
        sa.Column("seq", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("trial", sa.Integer),
        sa.Column("key", sa.String(300)),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("study_id", "seq", name="pk_goodarm_events"),
        sa.ForeignKeyConstraint(
            ["study_id"], ["goodarm_studies.id"], name="fk_goodarm_events_study_id"
        ),
        sa.UniqueConstraint("study_id", "key", name="uq_goodarm_events_study_id_key"),
        sa.Index("ix_goodarm_events_study_id_trial_seq", "study_id", "trial", "seq"),
    )
    dialect = dialect_of(connection)
    for statement in (*dialect.preparations, *dialect.guards.values()):
        connection.exec_driver_sql(statement)
