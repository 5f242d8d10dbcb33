"""goodarm plan: how many trials will I need, and how will the study end?"""

from typing import Annotated

import typer

from goodarm.cli.options import Algorithms, AsJson, Seed
from goodarm.cli.outcome_command import OUTCOME_HELP
from goodarm.cli.output import print_json

Threshold = Annotated[float, typer.Option(help="The bar that an arm's mean must clear.")]
Outcome = Annotated[
    str | None, typer.Option(help=f"{OUTCOME_HELP} With --data it may be left to suggestion.")
]
Means = Annotated[
    str | None,
    typer.Option(help="Guesses, one per arm, with ranges if you like: 0.3,0.4,0.3..0.6"),
]
Unknown = Annotated[int | None, typer.Option(help="No guess: this many arms, all near the bar.")]
Data = Annotated[
    str | None,
    typer.Option(
        help="Recorded outcomes: a CSV file with columns arm, value, or arm, successes, trials."
    ),
]
Arms = Annotated[list[str] | None, typer.Option(help="An arm's name; give all or none.")]
Delta = Annotated[float | None, typer.Option(help="Stop when sure at 1 − δ.")]
Budget = Annotated[int | None, typer.Option(help="Stop after this many trials at the latest.")]
Goal = Annotated[str, typer.Option(help="above: higher is better; below: lower is better.")]
Batch = Annotated[int | None, typer.Option(help="Play it in batches of this size, too.")]
PerDay = Annotated[int | None, typer.Option(help="Play it with this many trials a day, too.")]
Delay = Annotated[
    int, typer.Option(help="Outcomes are known this many days (or else batches) later.")
]
Runs = Annotated[
    int | None, typer.Option(help="Simulate this many runs of the study with each algorithm.")
]
Scatter = Annotated[
    float | None,
    typer.Option(help="A guess of the outcomes' standard deviation, where it is not known."),
]


def plan(
    threshold: Threshold,
    outcome: Outcome = None,
    means: Means = None,
    unknown: Unknown = None,
    data: Data = None,
    arm: Arms = None,
    delta: Delta = None,
    budget: Budget = None,
    goal: Goal = "above",
    algorithm: Algorithms = None,
    batch: Batch = None,
    per_day: PerDay = None,
    delay: Delay = 0,
    runs: Runs = None,
    seed: Seed = 0,
    scatter: Scatter = None,
    as_json: AsJson = False,
) -> None:
    """How many trials will I need? Simulates a study on --means, --unknown or --data."""
    from goodarm.cli.plan_tables import show_plan
    from goodarm.planning import plan as make_plan
    from goodarm.planning.question import COMPARED

    answer = make_plan(
        None if means is None else [guess.strip() for guess in means.split(",")],
        threshold=threshold,
        outcome=outcome,
        unknown=unknown,
        data=data,
        delta=delta,
        budget=budget,
        goal=goal,
        names=arm or None,
        algorithms=algorithm or COMPARED,
        batch=batch,
        per_day=per_day,
        delay=delay,
        runs=runs,
        seed=seed,
        scatter=scatter,
        show_progress_bar=True,
    )
    if as_json:
        print_json(answer.to_dict())
    else:
        show_plan(answer)
