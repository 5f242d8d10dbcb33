"""The tables, as the newest migration leaves them (a test compares the two)."""

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

studies = Table(
    "goodarm_studies",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("uuid", String(32), nullable=False, unique=True),
    Column("name", String(200), nullable=False, unique=True),
)

# The log. Rows are added and never changed: triggers refuse everything else.
events = Table(
    "goodarm_events",
    metadata,
    Column("study_id", ForeignKey("goodarm_studies.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(20), nullable=False),
    Column("trial", Integer),
    Column("key", String(300)),
    Column("text", Text, nullable=False),
    Column("hash", String(64), nullable=False),
    UniqueConstraint("study_id", "key"),
    Index(None, "study_id", "trial", "seq"),
)

# What follows from the log, kept so that it need not be gone through again.
checkpoints = Table(
    "goodarm_checkpoints",
    metadata,
    Column("study_id", ForeignKey("goodarm_studies.id"), primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("hash", String(64), nullable=False),
    Column("text", Text, nullable=False),
)

summaries = Table(
    "goodarm_summaries",
    metadata,
    Column("study_id", ForeignKey("goodarm_studies.id"), primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("hash", String(64), nullable=False),
    Column("state", String(20), nullable=False),
    Column("arms", Integer, nullable=False),
    Column("told", Integer, nullable=False),
    Column("open", Integer, nullable=False),
    Column("answer", String(200)),
    Column("confidence", Float, nullable=False),
    Column("created_at", String(27), nullable=False),
    Column("updated_at", String(27), nullable=False),
    Column("name", String(200)),
    Column("archived", Boolean, nullable=False, server_default=false()),
    Column("tags", Text, nullable=False, server_default=""),
)
