"""Where studies live: a database, through SQLAlchemy, with migrations.

`dialects/` has one file per kind of database, `tables` and `migrations/` what is in it. `store`
opens it and tries again where trouble passes, `transaction` reads and writes, `backup` copies and
checks.
"""

from goodarm.study.storage.dialects.contract import News
from goodarm.study.storage.store import DEFAULT_STORAGE, Store, open_store
from goodarm.study.storage.transaction import StudyRow, Transaction

__all__ = ["DEFAULT_STORAGE", "News", "Store", "StudyRow", "Transaction", "open_store"]
