"""Progress of a reproduction: one bar for the whole, one for the item at hand."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from goodarm.simulation.progress import bar

if TYPE_CHECKING:
    from rich.progress import Progress


class Watcher:
    """Hears of progress and shows nothing."""

    def begin(self, runs: int, items: int) -> None:
        """How much there is to do."""

    def runs(self, runs: int, pulls: int) -> None:
        """How many runs and pulls are done."""

    def item(self, title: str, done: int, simulations: int) -> None:
        """The item at hand, and how many of its simulations are done."""

    def item_done(self) -> None:
        """One more item is finished."""


class BarWatcher(Watcher):
    """Shows two bars."""

    def __init__(self, progress: "Progress") -> None:
        self.progress = progress
        self.items = self.done = 0
        self.whole = progress.add_task("the whole paper", total=1, note="")
        self.part = progress.add_task("", total=1, note="", visible=False)

    def begin(self, runs: int, items: int) -> None:
        """Set the whole bar's length."""
        self.items = items
        self.progress.update(self.whole, total=max(runs, 1))

    def runs(self, runs: int, pulls: int) -> None:
        """Move the whole bar."""
        note = f"{self.done} of {self.items} items, {pulls / 1e6:,.0f} million pulls"
        self.progress.update(self.whole, completed=runs, note=note)

    def item(self, title: str, done: int, simulations: int) -> None:
        """Move the item's bar."""
        note = f"{done} of {simulations} simulations"
        self.progress.update(self.part, description=title, note=note, visible=True)
        self.progress.update(self.part, completed=done, total=max(simulations, 1))

    def item_done(self) -> None:
        """Count it."""
        self.done += 1


@contextmanager
def bars() -> Iterator[Watcher]:
    """Bars on standard error, where that is a terminal."""
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[note]}"),
        TimeRemainingColumn(),
    )
    with bar(*columns) as p:
        yield BarWatcher(p)
