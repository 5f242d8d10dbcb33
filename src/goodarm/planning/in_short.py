"""A plan in a few lines, and in a notebook with a picture of how many trials it may take."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from goodarm.instance.instance import ABOVE
from goodarm.planning.by_algorithm import AlgorithmPlan
from goodarm.planning.question import PlanQuestion
from goodarm.planning.recommending import Recommendation
from goodarm.planning.simulations import Estimate
from goodarm.showing.forest import DrawnArm, forest_snippet, lay_out
from goodarm.showing.markup import Html, tag
from goodarm.showing.snippet import WIDTH, first_few, snippet
from goodarm.showing.tables import Heading, plain_table
from goodarm.wording import NOTHING, counted, figure, share, sure_at, wrapped

if TYPE_CHECKING:
    from goodarm.planning.planner import Plan

OF_ALGORITHMS = ("algorithm", "runs", "mean", "5 % to 95 %")
LOW, HIGH = "0.05", "0.95"


def plan_lines(plan: "Plan") -> Iterator[str]:
    """What is planned, what each algorithm would take, and which one is recommended."""
    return algorithm_lines(_asked(plan.question), plan.algorithms, plan.recommended)


def algorithm_lines(
    asked: str, algorithms: Sequence[AlgorithmPlan], recommended: Recommendation
) -> Iterator[str]:
    """A plan of any kind in a few lines."""
    yield f"{asked}:"
    lines = [
        f"  {algorithm.algorithm}: {_trials(algorithm)}wrong {_wrong(algorithm.error_rate)}"
        for algorithm in algorithms
    ]
    yield from first_few(lines)
    yield from wrapped(recommended.reason, WIDTH)


def plan_html(plan: "Plan") -> Html:
    """The same, with the middle 90 % of the runs drawn."""
    if plan.question.delta is None:
        columns = (Heading("algorithm"), Heading("wrong", right=True))
        lines = [(a.algorithm, _wrong(a.error_rate)) for a in plan.algorithms]
        return snippet(_asked(plan.question), plain_table(columns, lines), plan.recommended.reason)
    return algorithms_forest(_asked(plan.question), plan.algorithms, plan.recommended)


def algorithms_forest(
    asked: str, algorithms: Sequence[AlgorithmPlan], recommended: Recommendation
) -> Html:
    """A plan of any kind that ends when it is sure, drawn."""
    drawn = [_drawn(algorithm) for algorithm in algorithms]
    note = "The dot is the mean of the simulated runs, 90 of 100 of which end on the line."
    return snippet(
        f"{asked}: trials",
        forest_snippet(lay_out(drawn), OF_ALGORITHMS),
        tag("p", recommended.reason),
        note=note,
    )


def _asked(question: PlanQuestion) -> str:
    side = "at least" if question.arms.goal == ABOVE else "at most"
    ends = [f"until {sure_at(question.delta)} sure"] if question.delta is not None else []
    ends += [f"with {counted(question.budget, 'trial')} at most"] if question.budget else []
    arms = counted(len(question.arms.names), "arm")
    outcome = question.arms.outcome.text()
    return f"{arms}, a mean of {side} {question.threshold:g} ({outcome}), {' or '.join(ends)}"


def _trials(algorithm: AlgorithmPlan) -> str:
    trials = algorithm.trials
    if trials is None:
        return ""
    low, high = (trials.quantiles[level] for level in (LOW, HIGH))
    late = trials.unfinished.value
    unfinished = f", {share(late)} unfinished" if late else ""
    ends = f"5–95 % {_rounded(low)} to {_rounded(high) or f'> {trials.limit:,}'}"
    return f"{trials.mean.in_words()} trials on average ({ends}{unfinished}), "


def _drawn(algorithm: AlgorithmPlan) -> DrawnArm:
    trials = algorithm.trials
    assert trials is not None, "there is a δ"
    low, high = (trials.quantiles[level] for level in (LOW, HIGH))
    return DrawnArm(
        algorithm.algorithm,
        algorithm.runs,
        round(trials.mean.value),
        None if low is None else round(low),
        None if high is None else round(high),
    )


def _rounded(trials: float | None) -> str:
    return "" if trials is None else figure(round(trials))


def _wrong(estimate: Estimate) -> str:
    high = NOTHING if estimate.high is None else share(estimate.high)
    return f"{share(estimate.value)} ({share(estimate.low)} to {high})"
