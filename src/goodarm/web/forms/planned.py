"""From a plan to its study: the form for a new study, filled in as the plan assumes."""

from urllib.parse import urlencode

from goodarm import defaults
from goodarm.planning.question import PlanQuestion
from goodarm.web.shown.views import live_algorithms

LONGEST_ADDRESS = 6_000  # proxies take no longer ones


def form_of(question: PlanQuestion, algorithm: str) -> dict[str, str]:
    """What each field of the form is in a study that asks the same, with that algorithm."""
    arms = question.arms
    return {
        "arms": "\n".join(arms.names),
        "outcome": arms.outcome.text(),
        "threshold": repr(question.threshold).removesuffix(".0"),
        "goal": arms.goal,
        "confidence": "" if question.delta is None else f"{100.0 * (1.0 - question.delta):.12g}",
        "budget": "" if question.budget is None else str(question.budget),
        "algorithm": algorithm if algorithm in dict(live_algorithms()) else defaults.ALGORITHM,
        "from": "plan",
    }


def address_of_form(question: PlanQuestion, algorithm: str) -> str:
    """Where the form is, filled in; without the options where their names are too long for it."""
    known = form_of(question, algorithm)
    address = f"/new?{urlencode(known)}"
    return address if len(address) <= LONGEST_ADDRESS else f"/new?{urlencode(known | {'arms': ''})}"
