"""Lists can leave out what is archived, and find what has a tag."""

import sqlalchemy as sa

from goodarm.study.storage.migrations import add_column


def upgrade(connection: sa.Connection) -> None:
    """What a summary says of it; before, no study could be archived or tagged."""
    for column in (
        sa.Column("archived", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("tags", sa.Text, nullable=False, server_default=""),
    ):
        add_column(connection, "goodarm_summaries", column)
