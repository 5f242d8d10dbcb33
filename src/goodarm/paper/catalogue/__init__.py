"""Every experimental table and figure of the paper, in groups, as declarations."""

from fnmatch import fnmatch

from goodarm.errors import unknown_name
from goodarm.paper.catalogue import (
    anytime,
    budgets,
    constants,
    stopping_figures,
    stopping_tables,
)
from goodarm.paper.items.item import Item

GROUPS: dict[str, tuple[Item, ...]] = {
    "Figures of the main text": (budgets.MAIN, anytime.MAIN, stopping_figures.MAIN),
    "Tables of constants": constants.SUMMARIES,
    "Instances": constants.ITEMS,
    "Fixed-budget error: tables and curves": tuple(
        item for pair in zip(budgets.TABLES, budgets.CURVES, strict=True) for item in pair
    ),
    "Fixed-budget error: thresholds of PKGAI": budgets.PAIRS,
    "Anytime error": anytime.ITEMS,
    "Stopping time: tables": stopping_tables.ITEMS,
    "Stopping time: figures": stopping_figures.ITEMS,
}
ITEMS: tuple[Item, ...] = tuple(item for group in GROUPS.values() for item in group)


def choose_items(names: list[str]) -> list[Item]:
    """The items that the names ask for: labels, with or without tab: or fig:, or patterns."""
    if not names:
        return list(ITEMS)
    chosen: dict[str, Item] = {}
    for name in names:
        matching = [item for item in ITEMS if _matches(item.label, name.strip())]
        if not matching:
            raise unknown_name("item", name, [item.label for item in ITEMS])
        chosen |= {item.label: item for item in matching}
    return [item for item in ITEMS if item.label in chosen]


def _matches(label: str, pattern: str) -> bool:
    short = label.partition(":")[2]
    return any(fnmatch(name.lower(), pattern.lower()) for name in (label, short))
