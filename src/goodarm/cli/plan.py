"""goodarm plan: how many trials will I need, and how will the study end?"""

import json
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from goodarm.planning import Estimate, Plan

ANSWERS_SHOWN = 6


def plan(
    threshold: Annotated[float, typer.Option(help="The bar that an arm's mean must clear.")],
    outcome: Annotated[
        str, typer.Option(help="bernoulli (0 or 1), bounded:LO:HI, or gaussian:SIGMA.")
    ],
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
    batch: Annotated[int | None, typer.Option(help="Trials come in batches of this size.")] = None,
    per_day: Annotated[int | None, typer.Option(help="So many trials a day.")] = None,
    delay: Annotated[int, typer.Option(help="With --per-day: days until an outcome is known.")] = 0,
    studies: Annotated[
        int | None, typer.Option(help="Simulate so many studies of each algorithm.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The seed of all random numbers.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, not tables.")] = False,
) -> None:
    """How many trials will I need? Simulates studies on --means, --unknown or --data."""
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
        _show(made)


def _show(made: "Plan") -> None:
    from goodarm.cli.tables import console

    if made.question.delta is not None:
        _show_trials(made)
    _show_answers(made)
    _show_errors(made)
    _show_practice(made)
    _show_variants(made)
    console().print("For your protocol\n", style="bold")
    console().print(made.protocol, markup=False)


def _show_trials(made: "Plan") -> None:
    from rich.markup import escape

    from goodarm.cli.tables import console, number, table

    columns = ["algorithm", "mean [95 %]", "median", "5 %–95 %", "unfinished", "studies simulated"]
    shown = table(f"Trials until sure at δ = {made.question.delta:g}", columns)
    for a in made.algorithms:
        if a.trials is not None:
            q = a.trials.quantiles
            shown.add_row(
                escape(a.algorithm),
                _interval(a.trials.mean),
                number(q["0.5"]),
                f"{number(q['0.05'])}–{number(q['0.95'])}",
                _percent(a.trials.unfinished.value),
                f"{a.studies:,}",
            )
    console().print(shown)


def _show_answers(made: "Plan") -> None:
    from rich.markup import escape

    from goodarm.cli.tables import console, table

    shown = table("Chance of each answer", ["algorithm", "wrong [95 %]", "answers"], left=1)
    for a in made.algorithms:
        likely = [f"{name} {_percent(share)}" for name, share in a.answers.items()]
        rest = len(likely) - ANSWERS_SHOWN
        more = f", {rest} others" if rest > 0 else ""
        shown.add_row(
            escape(a.algorithm),
            _rate(a.error),
            escape(", ".join(likely[:ANSWERS_SHOWN]) + more),
        )
    console().print(shown)


def _show_errors(made: "Plan") -> None:
    from rich.markup import escape

    from goodarm.cli.tables import console, table

    watched = [a for a in made.algorithms if a.errors_by_budget]
    if not watched:
        return
    title = "Chance of a wrong answer if the study ended after so many trials"
    shown = table(title, ["trials", *(escape(a.algorithm) for a in watched)], left=0)
    for budget in watched[0].errors_by_budget:
        cells = [a.errors_by_budget.get(budget) for a in watched]
        shown.add_row(f"{budget:,}", *("–" if c is None else _rate(c) for c in cells))
    console().print(shown)


def _show_practice(made: "Plan") -> None:
    from rich.markup import escape

    from goodarm.cli.tables import console, number, table

    shown = table("In batches and days, at the least", ["algorithm", "how", "mean [95 %]", "90 %"])
    for a in made.algorithms:
        if a.batches is not None:
            how = f"trials, in batches of {a.batches.size}"
            shown.add_row(escape(a.algorithm), how, _interval(a.batches.trials), "–")
        if a.days is not None:
            how = f"days, {a.days.per_day} trials a day"
            how += f", {a.days.delay} days until an outcome" if a.days.delay else ""
            shown.add_row(escape(a.algorithm), how, _interval(a.days.days), number(a.days.q90))
    if shown.row_count:
        console().print(shown)


def _show_variants(made: "Plan") -> None:
    from rich.markup import escape

    from goodarm.cli.tables import console, number, table

    if not made.variants:
        return
    name = escape(made.algorithms[0].algorithm)
    columns = ["bar", "δ", "mean trials [95 %]", "90 %", "none is good", "unfinished"]
    shown = table(f"Other bars and other δ, {name}", columns, left=0)
    for v in made.variants:
        shown.add_row(
            f"{v.threshold:g}", f"{v.delta:g}", _interval(v.mean), number(v.q90),
            _percent(v.none), _percent(v.unfinished),
        )  # fmt: skip
    console().print(shown)


def _interval(estimate: "Estimate") -> str:
    from rich.markup import escape

    from goodarm.cli.tables import number

    return escape(f"{number(estimate.value)} [{number(estimate.low)}, {number(estimate.high)}]")


def _rate(estimate: "Estimate") -> str:
    from goodarm.cli.tables import rate

    return rate(estimate.value, estimate.low, estimate.high)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
