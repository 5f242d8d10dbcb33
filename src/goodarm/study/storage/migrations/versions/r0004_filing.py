"""Lists can leave out what is archived, and find what has a tag."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """What a summary says of it; before, no study could be archived or tagged."""
    for column in (
        sa.Column("archived", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("tags", sa.Text, nullable=False, server_default=""),
    ):
        op.add_column("goodarm_summaries", column)
