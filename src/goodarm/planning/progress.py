"""How far a plan is: one bar on standard error, and only where a person looks at it."""

from collections.abc import Iterator
from contextlib import contextmanager

from goodarm.planning.simulations import Share


@contextmanager
def plan_bar() -> Iterator[Share]:
    """The share that is done, as a bar; silent when standard error is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (
        TextColumn("simulating studies"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as p:
        task = p.add_task("", total=1.0)
        yield lambda share: p.update(task, completed=share)
