"""What a study asks, in the words of its readers."""

from goodarm.inquiry import Criterion
from goodarm.inquiry.question import ALL, ANY, IN_ORDER, TOP, Question
from goodarm.study.report.status import Status
from goodarm.study.settings import Settings
from goodarm.wording import counted, sure_at


def wanted(question: str) -> str:
    """What a question looks for.

    >>> wanted("top:3")
    '3 good options'
    """
    one = Question.parse(question)
    asked = {
        ANY: "one good option",
        ALL: "every good option",
        IN_ORDER: "the first good option in the list",
    }
    return asked.get(one.kind, counted(one.many, "good option"))


def question_text(status: Status, settings: Settings) -> str:
    """What the study asks, in a sentence or two."""
    sure = "" if status.delta is None else f" We want to be {sure_at(status.delta)} sure."
    outcome = f"An outcome is {settings.outcome.describe()}."
    arms = settings.arms
    if not settings.is_plain:
        control = "" if settings.control is None else f" The control is {settings.control}."
        if settings.criteria:
            outcome = f"A trial measures {_measured(settings.criteria)}."
        return f"{_other(status, len(arms))}{control} {outcome}{sure}"
    bar = f"{status.goal} {status.threshold:g}"
    if len(arms) == 1:
        asked = f"Is the average of {arms[0]} {bar}?"
    else:
        asked = (
            f"Which of {counted(len(arms), 'option')} has an average {bar}, or has none of them?"
        )
    return f"{asked} {outcome}{sure}"


def _other(status: Status, K: int) -> str:
    question, options = Question.parse(status.question), counted(K, "option")
    asked = {
        ANY: f"Which of {options} is good, or is none of them?",
        ALL: f"Which of {options} are good?",
        TOP: f"Which {question.many} of {options} are good, or are there fewer?",
        IN_ORDER: f"Which is the first good one of {options} in their order, or is none?",
    }
    return f"{asked[question.kind]} Good is: {' and '.join(status.criteria)}."


def _measured(criteria: tuple[Criterion, ...]) -> str:
    said = [f"{one.name} ({one.outcome.describe()})" for one in criteria]
    return " and ".join([", ".join(said[:-1]), said[-1]]) if len(said) > 1 else said[0]
