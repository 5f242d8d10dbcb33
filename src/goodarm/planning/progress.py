"""How far a plan is: one bar on standard error, and only where a person looks at it."""

from collections.abc import Iterator
from contextlib import contextmanager

from goodarm.planning.simulations import Share
from goodarm.simulation.progress import bar


@contextmanager
def plan_bar() -> Iterator[Share]:
    """The share that is done, as a bar."""
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("simulating studies"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
    )
    with bar(*columns) as p:
        task = p.add_task("", total=1.0)
        yield lambda share: p.update(task, completed=share)
