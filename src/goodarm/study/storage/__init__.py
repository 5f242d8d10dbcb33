"""Where studies live: SQLite or PostgreSQL, through SQLAlchemy, with Alembic migrations."""

from goodarm.study.storage.store import Store, open_store
from goodarm.study.storage.transaction import StudyRow, Transaction

__all__ = ["Store", "StudyRow", "Transaction", "open_store"]
