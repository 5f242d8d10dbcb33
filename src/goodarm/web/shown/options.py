"""The table of options: as many as there are, a page at a time, sorted and filtered here."""

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode

from goodarm.showing.forest import AGAINST, FOR, DrawnArm, Forest, lay_out
from goodarm.study.report.status import Status

ON_ONE_PAGE = 50
FEW = 20  # options that stand in the order in which they were declared
BEST_FIRST = "-evidence"
MOST_PAGES = 10_000
WHICH: dict[str, tuple[str, Callable[[DrawnArm], bool]]] = {
    "": ("all", lambda arm: True),
    "named": ("found good", lambda arm: arm.look == FOR),
    "open": ("in question", lambda arm: arm.look == "" and not arm.standing),
    "out": ("ruled out", lambda arm: arm.look == AGAINST),
    "untried": ("not tried yet", lambda arm: arm.count == 0),
}
ORDERS: dict[str, Callable[[DrawnArm], tuple[bool, float | str]]] = {
    "name": lambda arm: (False, arm.name.casefold()),
    "trials": lambda arm: (False, arm.count),
    "average": lambda arm: (arm.mean is None, arm.mean or 0.0),
    "evidence": lambda arm: (arm.count == 0, arm.share or 0.0),
}


@dataclass(frozen=True)
class OptionsAsked:
    """Which options are to be shown, in which order, from which one on."""

    search: str = ""
    only: str = ""
    sort: str = ""
    start: int = 0
    limits: str = ""
    measure: int = 0  # which of several measurements

    def address(self, **changes: object) -> str:
        """The same with changes, as the end of an address."""
        given = {"q": self.search, "only": self.only, "sort": self.sort, "limits": self.limits}
        merged = {**given, "start": self.start, "measure": self.measure, **changes}
        return "?" + urlencode({name: value for name, value in merged.items() if value})

    def sorted_by(self, column: str) -> str:
        """The address that sorts by a column, or, where it does already, the other way round."""
        falling = f"-{column}"
        first, other = (column, falling) if column == "name" else (falling, column)
        return self.address(sort=other if self.sort == first else first, start=0)

    def direction(self, column: str) -> str:
        """How the table is sorted by a column, as browsers are told."""
        return {column: "ascending", f"-{column}": "descending"}.get(self.sort, "none")


@dataclass(frozen=True)
class OptionsShown:
    """A page of the table."""

    asked: OptionsAsked
    forest: Forest
    numbers: tuple[int, ...]  # of the options, counted from 1 as they were declared
    first: int  # how many stand on the pages before
    found: int
    of: int
    before: int | None
    after: int | None


def options_shown(status: Status, asked: OptionsAsked) -> OptionsShown:
    """Sort, filter and cut."""
    search, order = asked.search.casefold(), asked.sort
    is_wanted = WHICH.get(asked.only, WHICH[""])[1]
    measure = asked.measure if asked.measure < len(status.criteria) else 0
    everything = list(enumerate(status.drawn_arms(measure), 1))
    found = [(n, a) for n, a in everything if search in a.name.casefold() and is_wanted(a)]
    if not order and len(everything) > FEW:
        order = BEST_FIRST
    column = order.removeprefix("-")
    if column in ORDERS:
        key, falls = ORDERS[column], order.startswith("-")
        known = [pair for pair in found if not key(pair[1])[0]]
        known.sort(key=lambda pair: key(pair[1]), reverse=falls)
        found = known + [pair for pair in found if key(pair[1])[0]]  # what is not known comes last
    first = min(max(asked.start, 0), MOST_PAGES * ON_ONE_PAGE)
    part = found[first : first + ON_ONE_PAGE]
    return OptionsShown(
        asked=asked,
        forest=lay_out([arm for _, arm in part], status.one_bar(measure), ON_ONE_PAGE),
        numbers=tuple(number for number, _ in part),
        first=first,
        found=len(found),
        of=len(everything),
        before=max(0, first - ON_ONE_PAGE) if first else None,
        after=first + ON_ONE_PAGE if len(found) > first + ON_ONE_PAGE else None,
    )
