"""A progress bar on standard error, and only where a person looks at it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

Report = Callable[[int, int], None]


@contextmanager
def no_progress() -> Iterator[Report]:
    """Nothing is shown."""
    yield lambda runs, pulls: None


@contextmanager
def bar(*columns: "ProgressColumn") -> "Iterator[Progress]":
    """A bar of these columns, gone when it ends; silent when standard error is no terminal."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as p:
        yield p


@contextmanager
def progress_bar(total: int, what: str = "runs") -> Iterator[Report]:
    """Runs done, or whatever is counted, pulls per second and time left."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("simulating"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(f"{what}, {{task.fields[rate]}}"),
        TimeRemainingColumn(),
    )
    with bar(*columns) as p:
        task = p.add_task("", total=total, rate="")

        def report(runs: int, pulls: int) -> None:
            elapsed = p.tasks[0].elapsed or 0.0
            rate = f"{pulls / elapsed / 1e6:,.1f} million pulls/s" if elapsed > 0.0 else ""
            p.update(task, completed=runs, rate=rate)

        yield report


@contextmanager
def progress_bars(what: str = "runs") -> Iterator[Callable[[int], Report]]:
    """Bars one after the other: called with a total, it ends the last one and begins another."""
    with ExitStack() as stack:

        def begin(total: int) -> Report:
            stack.close()
            return stack.enter_context(progress_bar(total, what))

        yield begin
