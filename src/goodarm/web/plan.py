"""A plan that someone has asked the server for: what it may ask, how far it is, what came out."""

from dataclasses import dataclass
from typing import Any

from goodarm.algorithms import algorithms
from goodarm.errors import InputError
from goodarm.planning import Plan
from goodarm.planning.question import Question

WAITING, RUNNING, FINISHED, FAILED = "waiting", "running", "finished", "failed"
NEEDED = {"anytime", "fixed-confidence"}
MOST_STUDIES = 10_000
MOST_TRIALS = 100_000  # of one study
MOST_OPTIONS = 200
MOST_ALGORITHMS = 3


@dataclass
class Asked:
    """A plan to be made, under way, or made."""

    number: str
    question: Question
    state: str = WAITING
    share: float = 0.0
    error: str | None = None
    plan: Plan | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen."""
        return self.state in (FINISHED, FAILED)

    def to_dict(self) -> dict[str, Any]:
        """The progress and the plan as plain data."""
        return {
            "id": self.number,
            "state": self.state,
            "share": self.share,
            "error": self.error,
            "plan": None if self.plan is None else self.plan.to_dict(),
        }


def check_limits(question: Question) -> Question:
    """The question, if it is small enough for a server that has other things to do."""
    options = len(question.options.names)
    if options > MOST_OPTIONS:
        raise InputError(f"options: {options}; a plan on this page takes at most {MOST_OPTIONS}")
    if len(question.algorithms) > MOST_ALGORITHMS:
        raise InputError(f"algorithms: choose one to {MOST_ALGORITHMS}")
    if question.studies is not None and question.studies > MOST_STUDIES:
        raise InputError(f"studies: {question.studies:,} is more than {MOST_STUDIES:,}")
    if question.limit > MOST_TRIALS:
        raise InputError(f"budget: {question.limit:,} is more than {MOST_TRIALS:,} trials")
    return question


def known_algorithms() -> list[tuple[str, str]]:
    """The algorithms that can answer every question, with their one-line guides."""
    return [
        (name, algorithm.summary)
        for name, algorithm in algorithms.items()
        if set(algorithm.settings) >= NEEDED and not algorithm.needs
    ]


def known_algorithm(name: str) -> str:
    """The name, if it is in the list: an algorithm can also be a file, but not by a request."""
    if name not in dict(known_algorithms()):
        raise InputError(f"algorithms: choose from {', '.join(n for n, _ in known_algorithms())}")
    return name
