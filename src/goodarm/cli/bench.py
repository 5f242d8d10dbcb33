"""goodarm bench: the simulator's speed, as ratios measured side by side."""

from typing import Annotated

import typer

from goodarm.cli.options import AsJson
from goodarm.cli.output import print_json


def bench(
    as_json: AsJson = False,
    repeat: Annotated[int, typer.Option(help="Measure this often and keep the fastest.")] = 5,
) -> None:
    """Measure what a simulated step costs, in units of drawing one normal number with numpy."""
    from goodarm.inputs import whole
    from goodarm.simulation.bench import measure

    ratios = measure(whole("repeat", repeat, 1, 1000))
    if as_json:
        print_json([ratio._asdict() for ratio in ratios])
        return
    from goodarm.cli.tables import console, table

    rows = table("Speed, as ratios (see docs/performance.md)", ["what", "ratio", "limit", "unit"])
    rows.columns[0].no_wrap = False
    for measured in ratios:
        limit = f"at {'most' if measured.at_most else 'least'} {measured.limit:g}"
        rows.add_row(measured.what, f"{measured.ratio:.2f}", limit, measured.unit)
    console().print(rows)
