"""Checkpoints and summaries: what follows from the log, kept for speed."""

import sqlalchemy as sa

from goodarm.study.storage.migrations import create_table


def upgrade(connection: sa.Connection) -> None:
    """Create two tables that may be emptied at any time without loss."""
    create_table(
        connection,
        "goodarm_checkpoints",
        sa.Column("study_id", sa.Integer, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("study_id", name="pk_goodarm_checkpoints"),
        sa.ForeignKeyConstraint(
            ["study_id"], ["goodarm_studies.id"], name="fk_goodarm_checkpoints_study_id"
        ),
    )
    create_table(
        connection,
        "goodarm_summaries",
        sa.Column("study_id", sa.Integer, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("arms", sa.Integer, nullable=False),
        sa.Column("told", sa.Integer, nullable=False),
        sa.Column("open", sa.Integer, nullable=False),
        sa.Column("answer", sa.String(200)),
        sa.Column("confidence", sa.Float, nullable=False),
        sa.Column("created_at", sa.String(27), nullable=False),
        sa.Column("updated_at", sa.String(27), nullable=False),
        sa.PrimaryKeyConstraint("study_id", name="pk_goodarm_summaries"),
        sa.ForeignKeyConstraint(
            ["study_id"], ["goodarm_studies.id"], name="fk_goodarm_summaries_study_id"
        ),
    )
