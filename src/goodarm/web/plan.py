"""A question to the simulator, checked, and its progress and results."""

from dataclasses import dataclass, field
from typing import Any

from goodarm.algorithms import algorithms
from goodarm.errors import InputError
from goodarm.instance import Instance

WAITING, RUNNING, FINISHED, FAILED = "waiting", "running", "finished", "failed"
NEEDED = {"anytime", "fixed-confidence"}
MOST_RUNS = 2_000
MOST_PULLS = 50_000  # of one run
MOST_ARMS = 200
MOST_ALGORITHMS = 3


@dataclass(frozen=True)
class Question:
    """What is to be simulated: until sure at 1 − δ, or the error over so many trials."""

    instance: Instance
    algorithms: tuple[str, ...]
    delta: float | None
    horizon: int | None
    runs: int
    seed: int = 0

    def __post_init__(self) -> None:
        if self.instance.K > MOST_ARMS:
            raise InputError(f"arms: {self.instance.K}; a plan takes at most {MOST_ARMS}")
        if not 1 <= len(self.algorithms) <= MOST_ALGORITHMS:
            raise InputError(f"algorithms: choose one to {MOST_ALGORITHMS}")
        if not 1 <= self.runs <= MOST_RUNS:
            raise InputError(f"runs: {self.runs} is outside 1 to {MOST_RUNS:,}")
        if self.horizon is not None and not 1 <= self.horizon <= MOST_PULLS:
            raise InputError(f"horizon: {self.horizon} is outside 1 to {MOST_PULLS:,}")


@dataclass
class Plan:
    """A simulation under way, or its results."""

    number: str
    question: Question
    state: str = WAITING
    done: int = 0
    error: str | None = None
    results: list[dict[str, Any]] = field(default_factory=list)

    @property
    def total(self) -> int:
        """The runs of all algorithms together."""
        return self.question.runs * len(self.question.algorithms)

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen."""
        return self.state in (FINISHED, FAILED)

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain data."""
        asked = self.question
        return {
            "id": self.number,
            "state": self.state,
            "done": self.done,
            "total": self.total,
            "error": self.error,
            "instance": asked.instance.name,
            "threshold": asked.instance.threshold,
            "means": asked.instance.means.tolist(),
            "algorithms": list(asked.algorithms),
            "delta": asked.delta,
            "horizon": asked.horizon,
            "runs": asked.runs,
            "results": self.results,
        }


def known_algorithms() -> list[tuple[str, str]]:
    """The algorithms that can answer either question, with their one-line guides."""
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
