"""What to expect of each algorithm with any question: trials, costs, answers, wrong ones."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithms import Algorithm
from goodarm.inquiry.arm_state import STANDINGS
from goodarm.inquiry.playing import PlayedInquiries
from goodarm.inquiry.processes import Processes
from goodarm.inquiry.question import BAD, GOOD
from goodarm.inquiry.simulating import play_each
from goodarm.planning.by_algorithm import (
    NO_ANSWER_YET,
    NONE_IS_GOOD,
    QUANTILES,
    AlgorithmPlan,
    Played,
    TrialsUntilSure,
)
from goodarm.planning.inquiries.request import InquiryQuestion
from goodarm.planning.question import FEWEST_RUNS
from goodarm.planning.simulations import (
    Endings,
    Estimate,
    Report,
    mean_of,
    quantile_of,
    share_of,
)
from goodarm.run import NONE

Number = TypeVar("Number", bound=np.generic)
PILOT = range(10**6, 10**6 + 4)  # runs that tell how long one is, none of them among the others
MOST_RUNS = 2000
FOR_THE_FIRST, FOR_ANOTHER = 300_000, 100_000  # simulated trials
DEARER = 8  # a trial where arms are compared with a control, which takes that much longer


@dataclass(frozen=True)
class CostUntilSure:
    """What the trials cost until the study stops, in the unit of the costs.

    As in `TrialsUntilSure`, what lies beyond the limit is not known.
    """

    mean: Estimate
    quantiles: dict[str, float | None]


@dataclass(frozen=True)
class ArmExpected:
    """What to expect of one arm: its trials, and how often it is found to be good or not good."""

    name: str
    trials: float
    good: float
    not_good: float


@dataclass(frozen=True)
class InquiryAlgorithmPlan(AlgorithmPlan):
    """What to expect of one algorithm, in all and arm by arm."""

    cost: CostUntilSure | None  # None where nothing is said of costs
    arms: tuple[ArmExpected, ...]


def expect(question: InquiryQuestion, work: Processes, report: Report) -> list[Played]:
    """Play the question with every algorithm, as many runs as there is time for."""
    found: list[Played] = []
    many = len(question.algorithms)
    for position, algorithm in enumerate(question.algorithms):

        def play(numbers: range, told: Report, by: Algorithm = algorithm) -> PlayedInquiries:
            (played,) = play_each(
                work,
                question.supposed,
                [by],
                numbers,
                question.limit,
                question.seed,
                lambda done, _: told(done / len(numbers)),
            )
            return played

        def within(share: float, before: int = position) -> None:
            report((before + share) / many)

        runs = question.runs
        if runs is None:
            runs = _affordable(question, position, play(PILOT, lambda share: within(0.0)))
        found.append(_summed_up(question, algorithm.label, play(range(runs), within)))
    return found


def _affordable(question: InquiryQuestion, position: int, pilot: PlayedInquiries) -> int:
    """As many runs as the trials last that there is time for."""
    trials = FOR_ANOTHER if position else FOR_THE_FIRST
    if question.has_control:
        trials //= DEARER
    return int(min(max(FEWEST_RUNS, trials / pilot.mean), MOST_RUNS))


def _summed_up(question: InquiryQuestion, label: str, played: PlayedInquiries) -> Played:
    first = [answer[0] if answer else NONE for answer in played.answers]  # of several
    end = Endings(
        times=_table(question, played.trials),
        answers=_table(question, np.array(first, dtype=np.int32)),
        stopped=_table(question, played.stopped),
        errors=_table(question, played.wrong),
    )
    cut_off = question.cut_off(end.stopped)
    plan = InquiryAlgorithmPlan(
        algorithm=label,
        boundary="mixture",
        runs=end.runs,
        trials=TrialsUntilSure(
            mean=mean_of(end.times, cut_off),
            quantiles=_quantiles(end.times, cut_off),
            unfinished=share_of(~end.stopped),
            limit=question.limit,
        ),
        answers=_answers(question, played),
        error_rate=share_of(end.errors),
        error_rates_by_budget={},
        schedules=(),
        cost=_cost(question, played, cut_off),
        arms=_arms(question, played),
    )
    return Played(plan, end)


def _table(question: InquiryQuestion, values: NDArray[Number]) -> NDArray[Number]:
    """One row of runs where nothing but the outcomes is left to chance, else one run a row."""
    return values[None, :] if question.supposed.is_certain else values[:, None]


def _quantiles(table: NDArray[np.generic], cut_off: NDArray[np.bool_]) -> dict[str, float | None]:
    return {f"{level:g}": quantile_of(table, level, cut_off) for level in QUANTILES}


def _cost(
    question: InquiryQuestion, played: PlayedInquiries, cut_off: NDArray[np.bool_]
) -> CostUntilSure | None:
    if question.costs is None:
        return None
    spent = _table(question, np.array(played.counts) @ np.array(question.costs))
    return CostUntilSure(mean_of(spent, cut_off), _quantiles(spent, cut_off))


def _answers(question: InquiryQuestion, played: PlayedInquiries) -> dict[str, float]:
    """The chance of each answer that was given, the likeliest first; several arms with commas."""
    given = Counter(_answer(question, answer) for answer in played.answers)
    return {answer: many / len(played.answers) for answer, many in given.most_common()}


def _answer(question: InquiryQuestion, answer: Sequence[int] | None) -> str:
    if answer is None:
        return NO_ANSWER_YET
    return ", ".join(question.supposed.arms[arm] for arm in sorted(answer)) or NONE_IS_GOOD


def _arms(question: InquiryQuestion, played: PlayedInquiries) -> tuple[ArmExpected, ...]:
    counts, runs = np.array(played.counts), len(played.counts)

    def said(arm: int, what: int) -> float:
        return sum(row[arm] == STANDINGS[what] for row in played.stands) / runs

    return tuple(
        ArmExpected(name, float(counts[:, arm].mean()), said(arm, GOOD), said(arm, BAD))
        for arm, name in enumerate(question.supposed.arms)
    )
