"""Where studies live: SQLite or PostgreSQL, through SQLAlchemy, with Alembic migrations."""

from goodarm.study.storage.store import DEFAULT_STORAGE, Store, open_store
from goodarm.study.storage.transaction import StudyRow, Transaction

__all__ = ["DEFAULT_STORAGE", "Store", "StudyRow", "Transaction", "open_store"]
