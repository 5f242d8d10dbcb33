"""Studies and their events; events cannot be changed, removed, or added out of turn."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

REFUSAL = "goodarm: events are only ever added, one after another"
OUT_OF_TURN = (
    "NEW.seq <> (SELECT COALESCE(MAX(seq), 0) + 1 FROM goodarm_events"
    " WHERE study_id = NEW.study_id)"
)


def upgrade() -> None:
    """Create the tables and the triggers that guard the log."""
    op.create_table(
        "goodarm_studies",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("uuid", sa.String(32), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_goodarm_studies"),
        sa.UniqueConstraint("uuid", name="uq_goodarm_studies_uuid"),
        sa.UniqueConstraint("name", name="uq_goodarm_studies_name"),
    )
    op.create_table(
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
    )
    op.create_index(
        "ix_goodarm_events_study_id_trial_seq", "goodarm_events", ["study_id", "trial", "seq"]
    )
    if op.get_bind().dialect.name == "postgresql":
        _guard_postgresql()
    else:
        _guard_sqlite()


def _guard_sqlite() -> None:
    refuse = f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
    for table in ("goodarm_events", "goodarm_studies"):
        for action in ("UPDATE", "DELETE"):
            name = f"{table}_no_{action.lower()}"
            op.execute(f"CREATE TRIGGER {name} BEFORE {action} ON {table} {refuse}")
    op.execute(
        "CREATE TRIGGER goodarm_events_in_turn BEFORE INSERT ON goodarm_events "
        f"WHEN {OUT_OF_TURN} {refuse}"
    )


def _guard_postgresql() -> None:
    op.execute(
        "CREATE FUNCTION goodarm_refuse() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{REFUSAL}'; END $$"
    )
    for table in ("goodarm_events", "goodarm_studies"):
        op.execute(
            f"CREATE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION goodarm_refuse()"
        )
    op.execute(
        "CREATE FUNCTION goodarm_in_turn() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN IF {OUT_OF_TURN} THEN RAISE EXCEPTION '{REFUSAL}'; END IF; RETURN NEW; END $$"
    )
    op.execute(
        "CREATE TRIGGER goodarm_events_in_turn BEFORE INSERT ON goodarm_events "
        "FOR EACH ROW EXECUTE FUNCTION goodarm_in_turn()"
    )
