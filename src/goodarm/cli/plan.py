"""goodarm plan: how many trials will I need, and how will the study end?"""

import json
from typing import Annotated

import typer

from goodarm.cli.outcome_command import OUTCOME_HELP


def plan(
    threshold: Annotated[float, typer.Option(help="The bar that an arm's mean must clear.")],
    outcome: Annotated[str, typer.Option(help=OUTCOME_HELP)],
    means: Annotated[
        str | None,
        typer.Option(help="Guesses, one an arm, with ranges if you like: 0.3,0.4,0.3..0.6"),
    ] = None,
    unknown: Annotated[
        int | None, typer.Option(help="No guess: so many arms, all near the bar.")
    ] = None,
    data: Annotated[
        str | None, typer.Option(help="Recorded outcomes: a CSV file with columns arm, value.")
    ] = None,
    arm: Annotated[list[str] | None, typer.Option(help="An arm's name; give all or none.")] = None,
    delta: Annotated[float | None, typer.Option(help="Stop when sure at 1 − δ.")] = None,
    budget: Annotated[int | None, typer.Option(help="At most so many trials.")] = None,
    goal: Annotated[str, typer.Option(help="above: more is better; below: less is.")] = "above",
    algorithm: Annotated[
        list[str] | None,
        typer.Option("--algorithm", "-a", help="An algorithm; may be given several times."),
    ] = None,
    batch: Annotated[int | None, typer.Option(help="Play it in batches of this size, too.")] = None,
    per_day: Annotated[
        int | None, typer.Option(help="Play it with so many trials a day, too.")
    ] = None,
    delay: Annotated[
        int, typer.Option(help="Outcomes are known so many days (or else batches) later.")
    ] = 0,
    studies: Annotated[
        int | None, typer.Option(help="Simulate so many studies of each algorithm.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The seed of all random numbers.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, not tables.")] = False,
) -> None:
    """How many trials will I need? Simulates studies on --means, --unknown or --data."""
    from goodarm.cli.plan_tables import show_plan
    from goodarm.planning import plan as make_plan
    from goodarm.planning.planner import RECOMMENDED

    made = make_plan(
        None if means is None else [guess.strip() for guess in means.split(",")],
        threshold=threshold,
        outcome=outcome,
        unknown=unknown,
        data=data,
        delta=delta,
        budget=budget,
        goal=goal,
        names=arm or None,
        algorithms=algorithm or RECOMMENDED,
        batch=batch,
        per_day=per_day,
        delay=delay,
        studies=studies,
        seed=seed,
        show_progress_bar=True,
    )
    if as_json:
        print(json.dumps(made.to_dict(), indent=2, ensure_ascii=False))
    else:
        show_plan(made)
