"""What to expect of each algorithm: trials, answers, wrong answers at several budgets."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from goodarm.algorithms import find_algorithm
from goodarm.algorithms.contract import ANYTIME, FIXED_BUDGET, FIXED_CONFIDENCE
from goodarm.planning.question import PlanQuestion
from goodarm.planning.schedules import SchedulePlan, play_schedules
from goodarm.planning.simulations import (
    Allowance,
    Endings,
    Estimate,
    Scenario,
    Simulator,
    endings,
    mean_of,
    quantile_of,
    share_by_row,
    share_of,
)
from goodarm.run import NONE
from goodarm.simulation import AnytimeResult

FOR_THE_FIRST = Allowance(fewest=120, pulls=8_000_000)  # in each of the two ways
FOR_ANOTHER = Allowance(fewest=120, pulls=4_000_000)
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.9, 0.95)
BUDGETS = 6
NONE_IS_GOOD = "none is good"
NO_ANSWER_YET = "no answer yet"


@dataclass(frozen=True)
class TrialsUntilSure:
    """How many trials until the study stops; it also stops when its budget is used up.

    Without a budget a run is given up at `limit` trials. Then the mean is only known to be more
    than its lower end, and a quantile beyond the limit is None.
    """

    mean: Estimate
    quantiles: dict[str, float | None]
    unfinished: Estimate  # the share that reaches the limit without an answer
    limit: int


@dataclass(frozen=True)
class AlgorithmPlan:
    """What to expect of one algorithm."""

    algorithm: str
    boundary: str  # by which it stops; "own" for a stopping rule of its own, "none" without δ
    runs: int
    trials: TrialsUntilSure | None  # None where only a budget was given
    answers: dict[str, float]  # an arm's name, "none is good" or "no answer yet"
    error_rate: Estimate
    error_rates_by_budget: dict[int, Estimate]
    schedules: tuple[SchedulePlan, ...]  # in batches and days, as far as asked for


@dataclass(frozen=True)
class Played:
    """What to expect of one algorithm, and how its runs ended.

    They are played as the study would be carried out: by the day, in batches or one at a time.
    """

    plan: AlgorithmPlan
    end: Endings


def count_simulations(question: PlanQuestion) -> int:
    """How many simulations `plan_algorithms` will take."""
    watched = sum(ANYTIME in find_algorithm(a).settings for a in question.algorithms)
    return watched + len(question.algorithms) * (1 + len(question.schedules))


def plan_algorithms(question: PlanQuestion, simulator: Simulator) -> list[Played]:
    """Simulate every algorithm: until it stops, at a few budgets, and on every schedule."""
    problems = question.arms.instances(question.threshold)
    mode = FIXED_BUDGET if question.delta is None else FIXED_CONFIDENCE
    model = question.arms.simulated
    scenarios = [
        Scenario(a, problems, mode, question.limit, question.delta, outcome=model)
        for a in question.algorithms
    ]
    # Making the jobs says what is wrong before anything runs.
    boundaries = [scenario.jobs(question.seed)[0].describe()["boundary"] for scenario in scenarios]
    allowances = [FOR_THE_FIRST, *[FOR_ANOTHER] * (len(scenarios) - 1)]
    ends = [
        endings(simulator.many(scenario, allowance))
        for scenario, allowance in zip(scenarios, allowances, strict=True)
    ]
    budgets = _budgets(question, ends)
    found = []
    for scenario, boundary, end, allowance in zip(
        scenarios, boundaries, ends, allowances, strict=True
    ):
        on_schedule = play_schedules(question, scenario, end, simulator)
        described = AlgorithmPlan(
            algorithm=scenario.algorithm,
            boundary=boundary,
            runs=end.runs,
            trials=None if question.delta is None else _trials(question, end),
            answers=_answers(question, end),
            error_rate=share_of(end.errors),
            error_rates_by_budget=_error_rates(scenario, budgets, simulator, allowance),
            schedules=tuple(schedule for schedule, _ in on_schedule),
        )
        found.append(Played(described, on_schedule[-1][1] if on_schedule else end))
    return found


def _trials(question: PlanQuestion, end: Endings) -> TrialsUntilSure:
    cut_off = question.cut_off(end.stopped)
    return TrialsUntilSure(
        mean=mean_of(end.times, cut_off),
        quantiles={f"{level:g}": quantile_of(end.times, level, cut_off) for level in QUANTILES},
        unfinished=share_of(~end.stopped),
        limit=question.limit,
    )


def _answers(question: PlanQuestion, end: Endings) -> dict[str, float]:
    """The chance of each answer that was given, the likeliest first."""
    answers = end.answers[end.stopped] if question.delta is not None else end.answers.ravel()
    labels, counts = np.unique(answers, return_counts=True)
    shares = {
        NONE_IS_GOOD if label == NONE else question.arms.names[label]: float(count / end.runs)
        for label, count in zip(labels, counts, strict=True)
    }
    unanswered = 1.0 - answers.size / end.runs
    if unanswered > 0.0:
        shares[NO_ANSWER_YET] = unanswered
    return dict(sorted(shares.items(), key=lambda item: -item[1]))


def _budgets(question: PlanQuestion, ends: Sequence[Endings]) -> list[int]:
    """A few round numbers of trials, up to the budget or to where most runs have stopped."""
    least = len(question.arms.names)
    if question.budget is not None:
        last = question.budget
    else:
        last = max(2 * least, int(np.quantile(ends[0].times, 0.9)))
    steps = np.geomspace(max(2 * least, last / 100), last, BUDGETS)
    round_ones = [int(float(f"{step:.2g}")) for step in steps[:-1]]
    return sorted({*(b for b in round_ones if least <= b <= last), last})


def _error_rates(
    scenario: Scenario, budgets: list[int], simulator: Simulator, allowance: Allowance
) -> dict[int, Estimate]:
    """The chance of a wrong answer if the study ended at each budget, with no δ asked for."""
    if ANYTIME not in find_algorithm(scenario.algorithm).settings:
        return {}
    watched = replace(scenario, mode=ANYTIME, limit=budgets[-1], delta=None, times=budgets)
    results = simulator.many(watched, allowance)
    rows = [result for result in results if isinstance(result, AnytimeResult)]
    shares = np.stack([row.error_rate for row in rows])
    is_defined = np.all([row.defined for row in rows], axis=0)
    runs = sum(row.runs for row in rows)
    return {
        budget: share_by_row(shares[:, column], runs)
        for column, budget in enumerate(budgets)
        if is_defined[column]
    }
