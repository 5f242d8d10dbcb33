"""Plans for those who ask from elsewhere, within what a server can bear."""

import time
from collections.abc import Callable, Sequence

from goodarm.algorithms import algorithms
from goodarm.csv_tables import recorded_outcomes
from goodarm.errors import InputError
from goodarm.planning import Plan, PlanRequest
from goodarm.planning.inquiries.planner import InquiryPlan, answer_inquiry
from goodarm.planning.inquiries.request import InquiryQuestion
from goodarm.planning.planner import answer
from goodarm.planning.question import PlanQuestion
from goodarm.remote.bodies import MOST_PLANNED, PlannedStudy
from goodarm.remote.importing import pasted_text
from goodarm.remote.reading import declared

NEEDED = {"anytime", "fixed-confidence"}
MOST_RUNS_HERE = 10_000
MOST_TRIALS_HERE = 100_000  # of one run
MOST_ALGORITHMS = 4
EFFORT = 0.2  # of what `goodarm plan` simulates, since it is one thread that does it


def question_of(body: PlannedStudy, algorithms: Sequence[str]) -> PlanQuestion:
    """What a body asks, checked."""
    fields = body.model_dump(include=set(PlannedStudy.model_fields) - {"data", "outcome"})
    return PlanRequest(
        **fields,
        outcome=declared(body.outcome),
        # Never the text itself, which would be taken for the name of a file.
        data=None if body.data is None else recorded_outcomes(pasted_text(body.data), "data"),
        algorithms=[plannable_algorithm(name) for name in algorithms],
    ).checked()


def bounded_answer(question: PlanQuestion, heard: Callable[[float], None], seconds: float) -> Plan:
    """The plan, unless it takes too long; `heard` may end it by raising an InputError."""
    return answer(question, _bounded(heard, seconds), EFFORT, threads=1)


def bounded_inquiry(
    question: InquiryQuestion, heard: Callable[[float], None], seconds: float
) -> InquiryPlan:
    """The same for any other question; it may take longer by one simulated run."""
    return answer_inquiry(question, _bounded(heard, seconds), cores=1)


def _bounded(heard: Callable[[float], None], seconds: float) -> Callable[[float], None]:
    """Hears how far it is, and ends what takes too long."""
    end = time.monotonic() + seconds

    def report(share: float) -> None:
        heard(share)
        if time.monotonic() > end:
            raise InputError(
                f"this takes longer than {seconds:g} seconds, more than the server gives to one "
                "plan; ask for fewer algorithms or trials, or run `goodarm plan`"
            )

    return report


def check_limits(question: PlanQuestion | InquiryQuestion) -> None:
    """Refuse a question that is too large for a server that has other things to do."""
    names = question.arms.names if isinstance(question, PlanQuestion) else question.supposed.arms
    arms = len(names)
    if arms > MOST_PLANNED:
        raise InputError(f"arms: {arms}; a plan on this server takes at most {MOST_PLANNED}")
    if len(question.algorithms) > MOST_ALGORITHMS:
        raise InputError(f"algorithms: choose one to {MOST_ALGORITHMS}")
    if question.runs is not None and question.runs > MOST_RUNS_HERE:
        raise InputError(f"runs: {question.runs:,} is more than {MOST_RUNS_HERE:,}")
    if question.limit > MOST_TRIALS_HERE:
        raise InputError(f"budget: {question.limit:,} is more than {MOST_TRIALS_HERE:,} trials")


def plannable_algorithms() -> dict[str, str]:
    """The algorithms that can answer every question, with their one-line guides."""
    return {
        name: algorithm.summary
        for name, algorithm in algorithms.items()
        if set(algorithm.settings) >= NEEDED and not algorithm.needs
    }


def plannable_algorithm(name: str) -> str:
    """The name, if it is in the list: an algorithm can also be a file, but not by a request."""
    guides = plannable_algorithms()
    if name not in guides:
        raise InputError(f"algorithms: choose from {', '.join(guides)}")
    return name
