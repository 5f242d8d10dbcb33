"""The tables of an item as files; pictures are written where they are drawn (`drawing.py`)."""

from pathlib import Path

from goodarm.files import write
from goodarm.paper.items.item import Outcome


def write_tables(out: Path, outcome: Outcome) -> None:
    """Every table as CSV, JSON and LaTeX."""
    for table in outcome.tables:
        stem = out / "tables" / table.name
        write(stem.with_suffix(".csv"), table.to_csv())
        write(stem.with_suffix(".json"), table.to_json())
        write(stem.with_suffix(".tex"), table.to_latex())
