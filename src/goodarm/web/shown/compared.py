"""Several studies side by side: rows of what they have in common, and where they differ."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from goodarm.showing.forest import ArmRow, Forest, lay_out
from goodarm.study import Study
from goodarm.study.report.asked import question_text
from goodarm.study.report.status import Status
from goodarm.study.report.status_text import COUNTS, STOPS_BY, what_is_asked
from goodarm.study.settings import Settings
from goodarm.web.shown.ways import Way, ways
from goodarm.wording import NOTHING, figure, sure_at

MOST_SIDES = 6
MOST_ROWS = 100  # options in the table


@dataclass(frozen=True)
class Side:
    """One of the studies."""

    slug: str
    status: Status
    settings: Settings

    @classmethod
    def of(cls, study: Study, slug: str) -> "Side":
        """A study as it stands now."""
        return cls(slug, study.status(), study.settings)

    @property
    def question(self) -> str:
        """What it asks."""
        return question_text(self.status, self.settings)

    @property
    def ways(self) -> list[Way]:
        """How far it has come."""
        return ways(self.status)

    @property
    def bar(self) -> str:
        """What a good option does."""
        if self.status.is_plain:
            return f"{self.status.goal} {figure(self.status.threshold)}"
        return what_is_asked(self.status).removeprefix("looking for ")

    @property
    def outcome(self) -> str:
        """What an outcome is, of every measurement."""
        return "; ".join(one.outcome.describe() for one in self.settings.every_criterion)


class Declared(NamedTuple):
    """Something that was declared, for each study."""

    key: str  # of the word that it is
    values: tuple[str, ...]

    @property
    def differs(self) -> bool:
        """Whether the studies are not alike in this."""
        return len(set(self.values)) > 1


class OptionRow(NamedTuple):
    """An option by its name, and how it stands in each study that has it."""

    name: str
    cells: tuple[ArmRow | None, ...]


@dataclass(frozen=True)
class SideBySide:
    """What is the same, what is not, and the options that the studies share, first."""

    declared: tuple[Declared, ...]
    rows: tuple[OptionRow, ...]
    hidden: int
    forest: Forest | None  # the scale of the pictures, where one scale makes sense

    @property
    def is_fair(self) -> bool:
        """Whether all studies ask for the same bar of the same kind of outcome."""
        return not any(row.differs for row in self.declared if row.key in ("bar", "outcome"))


DECLARED: dict[str, Callable[[Side], str]] = {
    "bar": lambda side: side.bar,
    "outcome": lambda side: side.outcome,
    "confidence": lambda side: (
        NOTHING if side.status.delta is None else f"{sure_at(side.status.delta)} wanted"
    ),
    "stopping-rule": lambda side: STOPS_BY[side.status.stopping_rule],
    "counts": lambda side: COUNTS[side.status.decide],
    "most-trials": lambda side: figure(side.status.limit),
    "algorithm": lambda side: side.status.algorithm,
}


def compare(sides: Sequence[Side]) -> SideBySide:
    """Put studies side by side."""
    declared = tuple(
        Declared(key, tuple(value(side) for side in sides)) for key, value in DECLARED.items()
    )
    drawn = [(number, arm) for number, side in enumerate(sides) for arm in side.status.drawn_arms()]
    bars = {side.status.one_bar() for side in sides}
    forest = lay_out([arm for _, arm in drawn], bars.pop() if len(bars) == 1 else None, len(drawn))
    cells: dict[str, list[ArmRow | None]] = {}
    for (number, arm), row in zip(drawn, forest.rows, strict=True):
        cells.setdefault(arm.name, [None] * len(sides))[number] = row
    shared_first = sorted(cells, key=lambda name: cells[name].count(None))
    made = SideBySide(
        declared,
        tuple(OptionRow(name, tuple(cells[name])) for name in shared_first[:MOST_ROWS]),
        max(0, len(cells) - MOST_ROWS),
        forest,
    )
    if made.is_fair:
        return made
    return SideBySide(made.declared, made.rows, made.hidden, None)
