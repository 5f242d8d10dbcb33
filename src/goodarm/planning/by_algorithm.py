"""What to expect of each algorithm: trials, answers, errors at several budgets."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from goodarm.algorithms import find_algorithm
from goodarm.algorithms.contract import ANYTIME, FIXED_BUDGET, FIXED_CONFIDENCE
from goodarm.planning.estimates import Estimate, mean_of, share_by_row, share_of
from goodarm.planning.question import Question
from goodarm.planning.schedules import Practice, practice
from goodarm.planning.simulations import Ask, Endings, Simulator, endings
from goodarm.run import NONE
from goodarm.simulation import AnytimeResult

FEWEST = 120  # studies
TRIALS_EACH = 8_000_000  # simulated for each algorithm, in each of the two ways
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.9, 0.95)
BUDGETS = 6
NO_OPTION = "none is good"
UNFINISHED = "no answer yet"


@dataclass(frozen=True)
class Length:
    """How many trials until the study stops; a study that reaches the limit counts as the limit."""

    mean: Estimate
    quantiles: dict[str, float]
    unfinished: Estimate  # the share that reaches the limit without an answer
    limit: int


@dataclass(frozen=True)
class AlgorithmPlan:
    """What to expect of one algorithm."""

    algorithm: str
    boundary: str  # by which it stops; "own" for a rule of its own, "none" without δ
    studies: int
    trials: Length | None  # None where only a budget was given
    answers: dict[str, float]  # an option's name, "none is good" or "no answer yet"
    error: Estimate
    errors_by_budget: dict[int, Estimate]
    practice: tuple[Practice, ...]  # in batches and days, as far as asked for


def simulations(question: Question) -> int:
    """How many simulations `expectations` will take."""
    watched = sum(ANYTIME in find_algorithm(a).settings for a in question.algorithms)
    return watched + len(question.algorithms) * (1 + len(question.schedules))


def expectations(question: Question, simulator: Simulator) -> tuple[AlgorithmPlan, ...]:
    """Simulate every algorithm: until it stops, its error at a few budgets, and in practice."""
    problems = question.options.instances(question.threshold)
    mode = FIXED_BUDGET if question.delta is None else FIXED_CONFIDENCE
    model = question.options.simulated
    asks = [
        Ask(a, problems, mode, question.limit, question.delta, outcome=model)
        for a in question.algorithms
    ]
    # Making the jobs says what is wrong before anything runs.
    boundaries = [ask.jobs(question.seed)[0].describe()["boundary"] for ask in asks]
    ended = [endings(simulator.many(ask, TRIALS_EACH, FEWEST)) for ask in asks]
    budgets = _budgets(question, ended)
    return tuple(
        AlgorithmPlan(
            algorithm=ask.algorithm,
            boundary=boundary,
            studies=end.studies,
            trials=None if question.delta is None else _length(question, end),
            answers=_answers(question, end),
            error=share_of(end.errors),
            errors_by_budget=_errors(ask, budgets, simulator),
            practice=practice(question, ask, end, simulator),
        )
        for ask, boundary, end in zip(asks, boundaries, ended, strict=True)
    )


def _length(question: Question, end: Endings) -> Length:
    return Length(
        mean=mean_of(end.times),
        quantiles={f"{q:g}": float(np.quantile(end.times, q)) for q in QUANTILES},
        unfinished=share_of(~end.stopped),
        limit=question.limit,
    )


def _answers(question: Question, end: Endings) -> dict[str, float]:
    """The chance of each answer that was given, the likeliest first."""
    given = end.answers[end.stopped] if question.delta is not None else end.answers.ravel()
    labels, counts = np.unique(given, return_counts=True)
    shares = {
        NO_OPTION if label == NONE else question.options.names[label]: float(count / end.studies)
        for label, count in zip(labels, counts, strict=True)
    }
    missing = 1.0 - given.size / end.studies
    if missing > 0.0:
        shares[UNFINISHED] = missing
    return dict(sorted(shares.items(), key=lambda item: -item[1]))


def _budgets(question: Question, ended: Sequence[Endings]) -> list[int]:
    """A few round numbers of trials, up to the budget or to where most studies have stopped."""
    least = len(question.options.names)
    if question.budget is not None:
        last = question.budget
    else:
        last = max(2 * least, int(np.quantile(ended[0].times, 0.9)))
    steps = np.geomspace(max(2 * least, last / 100), last, BUDGETS)
    round_ones = [int(float(f"{step:.2g}")) for step in steps[:-1]]
    return sorted({*(b for b in round_ones if least <= b <= last), last})


def _errors(ask: Ask, budgets: list[int], simulator: Simulator) -> dict[int, Estimate]:
    """The chance of a wrong answer if the study ended at each budget, with no δ asked for."""
    if ANYTIME not in find_algorithm(ask.algorithm).settings:
        return {}
    watched = replace(ask, mode=ANYTIME, limit=budgets[-1], delta=None, times=budgets)
    results = simulator.many(watched, TRIALS_EACH, FEWEST)
    rows = [result for result in results if isinstance(result, AnytimeResult)]
    shares = np.stack([row.error_rate for row in rows])
    known = np.all([row.defined for row in rows], axis=0)
    studies = sum(row.runs for row in rows)
    return {
        budget: share_by_row(shares[:, place], studies)
        for place, budget in enumerate(budgets)
        if known[place]
    }
