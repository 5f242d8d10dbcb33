"""The whole paper with one command: every experimental table and figure, and what agrees.

`catalogue/` declares every item (instances, algorithms, runs, claims), `items/` has the kinds of
items, one file per kind, `judging/` compares published numbers and claims with ours, and `report/`
writes tables, pictures and the page. `engine.py` runs it all; `data.py` reads what the paper
publishes and what an item costs; `cluster.py` and `progress.py` serve long runs.
"""

from goodarm.paper.catalogue import ITEMS, choose_items
from goodarm.paper.engine import PaperReport, PaperSettings, reproduce

__all__ = ["ITEMS", "PaperReport", "PaperSettings", "choose_items", "reproduce"]
