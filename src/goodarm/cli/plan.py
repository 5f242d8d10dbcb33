"""goodarm plan: how many trials will I need, and how will the study end?"""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from goodarm.cli.options import Algorithms, AsJson, Seed
from goodarm.cli.outcome_command import OUTCOME_HELP
from goodarm.cli.output import print_json
from goodarm.cli.questions import (
    ArmsFrom,
    Control,
    Costs,
    Criteria,
    Lift,
    Margin,
    Question,
    read_criteria,
    read_share,
)
from goodarm.cli.study.arms import ListedArms, Thresholds
from goodarm.errors import InputError

if TYPE_CHECKING:
    from goodarm.inquiry import Criterion

Outcome = Annotated[
    str | None, typer.Option(help=f"{OUTCOME_HELP} With --data it may be left to suggestion.")
]
Means = Annotated[
    list[str] | None,
    typer.Option(
        help="Guesses, one per arm, with ranges if you like: 0.3,0.4,0.3..0.6. For several "
        "criteria, NAME:0.3,0.4 for each."
    ),
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


Reserve = Annotated[float, typer.Option(help="The share of δ that is kept for arms added later.")]


def plan(
    threshold: Thresholds = None,
    outcome: Outcome = None,
    means: Means = None,
    unknown: Unknown = None,
    data: Data = None,
    arm: Arms = None,
    arms_from: ArmsFrom = None,
    question: Question = "any",
    criterion: Criteria = None,
    control: Control = None,
    margin: Margin = None,
    lift: Lift = None,
    cost: Costs = None,
    reserve: Reserve = 0.0,
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
    """How many trials will I need? Simulates a study on guesses (--means, --unknown) or --data."""
    listed = ListedArms(arms_from, arm or (), cost or ())
    bars = listed.bars(threshold or ())
    common = {
        "unknown": unknown,
        "delta": delta,
        "budget": budget,
        "names": listed.names or None,
        "runs": runs,
        "seed": seed,
        "scatter": scatter,
        "algorithms": algorithm,
        "show_progress_bar": True,
    }
    carried_out = {"batch": batch, "per_day": per_day, "delay": delay}
    compared = margin is not None or lift is not None or control is not None
    is_one_bar = not (compared or criterion or isinstance(bars, list))
    if is_one_bar and question == "any" and not (listed.costs or reserve):
        given = {"threshold": bars, "outcome": outcome, "data": data, "goal": goal}
        _show_plain(means, common | carried_out | given, as_json)
        return
    for name, value in (carried_out | {"data": data}).items():
        if value:
            raise InputError(f"{name}: plans have it for the question any, one bar and no costs")
    shared = read_share("lift", lift)
    criteria = read_criteria(criterion or (), outcome, bars, goal, margin, shared)
    asked = {"control": control, "reserve": reserve, "costs": listed.costs}
    _show_inquiry(means, criteria, question, common | asked, as_json)


def _show_plain(means: list[str] | None, asked: dict[str, Any], as_json: bool) -> None:
    """One good arm, one bar."""
    from goodarm.cli.plan_tables import show_plan
    from goodarm.planning import plan as make_plan
    from goodarm.planning.question import COMPARED

    if asked["threshold"] is None:
        raise InputError("threshold: give the bar that an arm's mean must clear, or criteria")
    asked["algorithms"] = asked["algorithms"] or COMPARED
    guesses = None if means is None else _guesses(",".join(means))
    answer = make_plan(guesses, **asked)
    if as_json:
        print_json(answer.to_dict())
    else:
        show_plan(answer)


def _show_inquiry(
    means: list[str] | None,
    criteria: "list[Criterion]",
    question: str,
    asked: dict[str, Any],
    as_json: bool,
) -> None:
    """Any question."""
    from goodarm.cli.plan_tables import show_inquiry_plan
    from goodarm.planning import plan_inquiry

    guesses: dict[str, list[str]] = {}
    for text in means or ():
        name, _, listed = text.rpartition(":")
        if not name and len(criteria) > 1:
            raise InputError(f"means: {text!r} is of which criterion? Write NAME:{text}")
        guesses[name.strip() or criteria[0].name] = _guesses(listed)
    answer = plan_inquiry(guesses or None, criteria, question, **asked)
    if as_json:
        print_json(answer.to_dict())
    else:
        show_inquiry_plan(answer)


def _guesses(text: str) -> list[str]:
    return [guess.strip() for guess in text.split(",")]
