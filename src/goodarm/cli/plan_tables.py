"""The tables of `goodarm plan`."""

from rich.markup import escape
from rich.table import Table

from goodarm.cli.tables import console, number, rate, table
from goodarm.planning import Estimate, Plan, Practice
from goodarm.planning.protocol import known_when

ANSWERS_SHOWN = 6


def show_plan(made: Plan) -> None:
    """All tables that the question leads to, then the paragraph."""
    shown = [_trials(made), _answers(made), _errors(made)]
    shown += [_practice(made, ways) for ways in made.by_schedule]
    shown.append(_variants(made))
    for each in shown:
        if each.row_count:
            console().print(each)
    console().print("For your protocol\n", style="bold")
    console().print(made.protocol, markup=False)


def _trials(made: Plan) -> Table:
    columns = ["algorithm", "mean [95 %]", "median", "5 %–95 %", "unfinished", "studies simulated"]
    shown = table(f"Trials until sure at δ = {made.question.delta or 0.0:g}", columns)
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
    return shown


def _answers(made: Plan) -> Table:
    shown = table("Chance of each answer", ["algorithm", "wrong [95 %]", "answers"], left=1)
    for a in made.algorithms:
        likely = [f"{name} {_percent(share)}" for name, share in a.answers.items()]
        rest = len(likely) - ANSWERS_SHOWN
        more = f", {rest} others" if rest > 0 else ""
        text = ", ".join(likely[:ANSWERS_SHOWN]) + more
        shown.add_row(escape(a.algorithm), _rate(a.error), escape(text))
    return shown


def _errors(made: Plan) -> Table:
    watched = [a for a in made.algorithms if a.errors_by_budget]
    title = "Chance of a wrong answer if the study ended after so many trials"
    shown = table(title, ["trials", *(escape(a.algorithm) for a in watched)], left=0)
    for budget in watched[0].errors_by_budget if watched else ():
        cells = [a.errors_by_budget.get(budget) for a in watched]
        shown.add_row(f"{budget:,}", *("–" if c is None else _rate(c) for c in cells))
    return shown


def _practice(made: Plan, ways: tuple[Practice, ...]) -> Table:
    way = ways[0]
    how = f"In batches of {way.size}" if way.unit == "batches" else f"At {way.size} trials a day"
    columns = [
        "algorithm", "trials [95 %]", "over one at a time [95 %]", f"{way.unit} [95 %]", "median",
        "90 %", "wrong [95 %]",
    ]  # fmt: skip
    shown = table(f"{how}, outcomes known {known_when(way)}", columns)
    for a, each in zip(made.algorithms, ways, strict=True):
        shown.add_row(
            escape(a.algorithm), _interval(each.trials), _interval(each.extra),
            _interval(each.units), number(each.median), number(each.q90), _rate(each.error),
        )  # fmt: skip
    return shown


def _variants(made: Plan) -> Table:
    columns = ["bar", "δ", "mean trials [95 %]", "90 %", "none is good", "unfinished"]
    shown = table(
        f"Other bars and other δ, {escape(made.algorithms[0].algorithm)}", columns, left=0
    )
    for v in made.variants:
        shown.add_row(
            f"{v.threshold:g}", f"{v.delta:g}", _interval(v.mean), number(v.q90),
            _percent(v.none), _percent(v.unfinished),
        )  # fmt: skip
    return shown


def _interval(estimate: Estimate) -> str:
    return escape(f"{number(estimate.value)} [{number(estimate.low)}, {number(estimate.high)}]")


def _rate(estimate: Estimate) -> str:
    return rate(estimate.value, estimate.low, estimate.high)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
