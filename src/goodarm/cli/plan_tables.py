"""The tables of `goodarm plan`."""

from rich.markup import escape
from rich.table import Table

from goodarm import defaults
from goodarm.cli.outcome_tables import show_suggestions
from goodarm.cli.tables import console, rate, table
from goodarm.planning import Estimate, InquiryPlan, Plan, SchedulePlan
from goodarm.wording import figure, share

MOST_ANSWERS = 6


def show_plan(plan: Plan) -> None:
    """All tables that the question leads to, then the advice and the paragraph."""
    if plan.question.suggestions is not None:
        show_suggestions(plan.question.suggestions)
    tables = [_trials(plan), _answers(plan), _error_rates(plan)]
    tables += [_schedule(plan, ways) for ways in plan.by_schedule]
    tables.append(_sensitivity(plan))
    for each in tables:
        if each.row_count:
            console().print(each)
    console().print("Which algorithm\n", style="bold")
    console().print(_advice(plan) + "\n", markup=False)
    console().print("For your protocol\n", style="bold")
    console().print(plan.protocol, markup=False)


def show_inquiry_plan(plan: InquiryPlan) -> None:
    """Trials and costs, answers, what becomes of each arm, then the advice and the paragraph."""
    costs = [_costs(plan)] if plan.question.costs is not None else []
    for each in (_trials(plan), *costs, _answers(plan), _by_arm(plan)):
        console().print(each)
    console().print("Which algorithm\n", style="bold")
    console().print(_advice(plan) + "\n", markup=False)
    console().print("For your protocol\n", style="bold")
    console().print(plan.protocol, markup=False)


def _costs(plan: InquiryPlan) -> Table:
    """In the unit in which costs were given."""
    cells = table("What the trials cost", ["algorithm", "mean [95 %]", "median", "5 %–95 %"])
    for a in plan.algorithms:
        assert a.cost is not None
        low, median, high = (a.cost.quantiles[level] for level in ("0.05", "0.5", "0.95"))
        cells.add_row(
            escape(a.algorithm),
            _mean(a.cost.mean),
            _amount(median),
            _amount(low) + ("" if low is None else f"–{_amount(high)}"),
        )
    return cells


def _by_arm(plan: InquiryPlan) -> Table:
    first = plan.algorithms[0]
    costs, title = plan.question.costs, f"Arm by arm, {escape(first.algorithm)}"
    columns = ["arm", "trials", *(["cost"] if costs else []), "found good", "found not good"]
    cells = table(title, columns)
    for position, arm in enumerate(first.arms):
        spent = [figure(arm.trials * costs[position])] if costs else []
        is_control = arm.name == plan.question.supposed.control
        found = ("control", "") if is_control else (share(arm.good), share(arm.not_good))
        cells.add_row(escape(arm.name), figure(arm.trials), *spent, *found)
    return cells


def _amount(value: float | None) -> str:
    return "more" if value is None else figure(value)


def _advice(plan: Plan | InquiryPlan) -> str:
    """The recommendation, and how to follow it where it is not the default."""
    best = plan.recommended
    if best.algorithm == defaults.ALGORITHM:
        return best.reason
    return f"{best.reason} To use it, create the study with --algorithm {best.algorithm}."


def _trials(plan: Plan | InquiryPlan) -> Table:
    question = plan.question
    title = f"Trials until sure at δ = {question.delta or 0.0:g}"
    if question.budget is not None:
        title += f", or {question.budget:,} at the latest"
    columns = ["algorithm", "mean [95 %]", "median", "5 %–95 %", "unfinished", "runs"]
    cells = table(title, columns)
    for a in plan.algorithms:
        if a.trials is not None:
            low, median, high = (a.trials.quantiles[level] for level in ("0.05", "0.5", "0.95"))
            limit = a.trials.limit
            cells.add_row(
                escape(a.algorithm),
                _mean(a.trials.mean),
                _quantile(median, limit),
                _quantile(low, limit) + ("" if low is None else f"–{_quantile(high, limit)}"),
                share(a.trials.unfinished.value),
                figure(a.runs),
            )
    return cells


def _answers(plan: Plan | InquiryPlan) -> Table:
    cells = table("Chance of each answer", ["algorithm", "answers", "wrong [95 %]"], left=2)
    for a in plan.algorithms:
        answers = [f"{name} {share(chance)}" for name, chance in a.answers.items()]
        rest = len(answers) - MOST_ANSWERS
        more = f", {rest} others" if rest > 0 else ""
        text = ", ".join(answers[:MOST_ANSWERS]) + more
        cells.add_row(escape(a.algorithm), escape(text), _rate(a.error_rate))
    return cells


def _error_rates(plan: Plan) -> Table:
    watched = [a for a in plan.algorithms if a.error_rates_by_budget]
    title = "Chance of a wrong answer if the study ended after this many trials"
    cells = table(title, ["trials", *(escape(a.algorithm) for a in watched)], left=0)
    for budget in watched[0].error_rates_by_budget if watched else ():
        rates = [a.error_rates_by_budget.get(budget) for a in watched]
        cells.add_row(figure(budget), *("–" if r is None else _rate(r) for r in rates))
    return cells


def _schedule(plan: Plan, ways: tuple[SchedulePlan, ...]) -> Table:
    first = ways[0]
    columns = [
        "algorithm",
        "trials [95 %]",
        "over one at a time [95 %]",
        f"{first.unit} [95 %]",
        "median",
        "90 %",
        "wrong [95 %]",
    ]
    cells = table(f"{first.pace}, outcomes known {first.known_when}", columns)
    for a, way in zip(plan.algorithms, ways, strict=True):
        cells.add_row(
            escape(a.algorithm),
            _mean(way.trials),
            "–" if way.extra is None else _mean(way.extra),
            _mean(way.units),
            _quantile(way.median, way.limit),
            _quantile(way.q90, way.limit),
            _rate(way.error_rate),
        )
    return cells


def _sensitivity(plan: Plan) -> Table:
    columns = ["bar", "δ", "mean trials [95 %]", "90 %", "none is good", "unfinished"]
    title = f"Other bars and other δ, {escape(plan.algorithms[0].algorithm)}"
    cells = table(title, columns, left=0)
    for case in plan.sensitivity:
        cells.add_row(
            f"{case.threshold:g}",
            f"{case.delta:g}",
            _mean(case.mean),
            _quantile(case.q90, plan.question.limit),
            share(case.none_is_good),
            share(case.unfinished),
        )
    return cells


def _mean(estimate: Estimate) -> str:
    """A mean with its interval; where runs were given up, what they had come to by then."""
    if estimate.high is None:
        return f"> {figure(estimate.value)}"
    low, high = figure(estimate.low), figure(estimate.high)
    return escape(f"{figure(estimate.value)} [{low}, {high}]")


def _quantile(value: float | None, limit: int) -> str:
    return f"> {figure(limit)}" if value is None else figure(round(value))


def _rate(estimate: Estimate) -> str:
    assert estimate.high is not None
    return rate(estimate.value, estimate.low, estimate.high)
