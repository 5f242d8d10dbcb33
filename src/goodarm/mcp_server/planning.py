"""The tool that plans: what a study would take, by simulation, within what an agent waits for."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Annotated

from pydantic import Field

from goodarm.defaults import ALGORITHM
from goodarm.extras import LAB, need
from goodarm.mcp_server.answers import Answer, answer
from goodarm.mcp_server.contract import ToolEntry
from goodarm.mcp_server.workplace import Visit
from goodarm.remote.bodies import PlannedStudy
from goodarm.remote.failures import BusyError
from goodarm.remote.planned import PlannedQuestion

MOST_SECONDS = 50.0  # many clients give up on a tool after a minute
MOST_COMPARED = 4
_ONE_AT_A_TIME = Lock()


Compared = Annotated[
    list[str],
    Field(min_length=1, max_length=MOST_COMPARED, description="Algorithms to compare."),
]


class PlanTool(PlannedStudy):
    """A study to be planned."""

    algorithms: Compared = [ALGORITHM]  # noqa: RUF012


class PlanQuestionTool(PlannedQuestion):
    """A study with any question, to be planned."""

    algorithms: Compared = [ALGORITHM]  # noqa: RUF012


@contextmanager
def _alone() -> Iterator[None]:
    """One plan at a time."""
    if not _ONE_AT_A_TIME.acquire(blocking=False):
        raise BusyError("another plan is being made; ask again when it is done")
    try:
        yield
    finally:
        _ONE_AT_A_TIME.release()


def plan(visit: Visit, body: PlanTool) -> Answer:
    """How many trials a study would take."""
    need(LAB, "a plan")
    from goodarm.remote.plans import bounded_answer, check_limits, question_of

    with _alone():
        question = question_of(body, body.algorithms)
        check_limits(question)
        made = bounded_answer(question, visit.heard, MOST_SECONDS)
    return answer(made.protocol, **made.to_dict())


def plan_question(visit: Visit, body: PlanQuestionTool) -> Answer:
    """The same with any question."""
    need(LAB, "a plan")
    from goodarm.planning.inquiries.request import InquiryRequest
    from goodarm.remote.plans import bounded_inquiry, check_limits, plannable_algorithm

    with _alone():
        for name in body.algorithms:
            plannable_algorithm(name)
        question = InquiryRequest(**body.model_dump()).checked()
        check_limits(question)
        made = bounded_inquiry(question, visit.heard, MOST_SECONDS)
    return answer(made.protocol, **made.to_dict())


TOOLS = (
    ToolEntry(
        "plan",
        "How many trials will I need?",
        "Simulates a study that does not exist yet: how many trials it takes until it is sure "
        "(mean and quantiles), how it ends and how often it is wrong. Of the arms give one of "
        '`means` (a guess for each: 0.85, or a range such as "0.7..0.95"), `unknown` (how many '
        "arms there are, if you have no guess) or `data` (recorded outcomes as CSV text with the "
        "columns arm,value). `threshold` is the bar for a mean; give `delta` (0.05: wrong at most "
        "5 times in 100), `budget`, or both. The guarantee does not depend on the guesses, the "
        f"number of trials does. At most {MOST_SECONDS:.0f} seconds; the first plan on a machine "
        "takes longest, because it compiles: if it is given up, ask again. Nothing is created.",
        PlanTool,
        plan,
    ),
    ToolEntry(
        "plan_question",
        "How many trials will another question need?",
        "The same for studies that ask more than whether one option clears one bar: several "
        "criteria, a control, or another question. `question` is any (one good option, or that "
        "none is), all (which are good), top:3 (three good ones) or in-order (the first good one "
        "of the list). `criteria` are those of create_study, `means` the guesses. Trials, what "
        "they cost, the chance of each answer, and all of it option by option.",
        PlanQuestionTool,
        plan_question,
    ),
)
