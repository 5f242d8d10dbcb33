"""goodarm bench: the simulator's speed, as ratios measured side by side."""

import json
from typing import Annotated

import typer


def bench(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, not a table.")] = False,
    repeat: Annotated[int, typer.Option(help="Measure so often and keep the fastest.")] = 5,
) -> None:
    """Measure what a simulated step costs, in units of drawing one normal number with numpy."""
    from goodarm.simulation.bench import measure

    rows = measure(repeat)
    if as_json:
        print(json.dumps([row._asdict() for row in rows], indent=2, ensure_ascii=False))
        return
    from goodarm.cli.tables import console, table

    shown = table(
        "Speed, as ratios (see docs/performance.md)", ["what", "ratio", "at most", "unit"]
    )
    for row in rows:
        limit = f"{row.limit:g}" if row.at_most else f"at least {row.limit:g}"
        shown.add_row(row.what, f"{row.ratio:.2f}", limit, row.unit)
    console().print(shown)
