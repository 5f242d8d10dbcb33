"""The whole paper with one command: every experimental table and figure, and what agrees.

An item (`item.py`) is a declaration in `catalogue/`: instances, algorithms, runs, published
numbers and claims. Kinds of items are `stopping_table.py`, `stopping_figure.py`,
`budget_table.py`, `error_figure.py` and `constants.py`. `engine.py` runs them; `agreement.py` and
`claims.py` judge them by the intervals of `intervals.py`; `page.py` writes the report.
"""

from goodarm.paper.catalogue import ITEMS, choose_items
from goodarm.paper.engine import Report, Settings, reproduce

__all__ = ["ITEMS", "Report", "Settings", "choose_items", "reproduce"]
