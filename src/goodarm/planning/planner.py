"""goodarm.plan: the question, the simulations, the answer."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from goodarm.instance import Instance
from goodarm.planning.expectations import AlgorithmPlan, expectations
from goodarm.planning.guesses import Guess
from goodarm.planning.protocol import ASSUMPTIONS, paragraph
from goodarm.planning.question import Question, ask
from goodarm.planning.variants import Variant, variants
from goodarm.study.outcomes import Outcome, outcome_to_data

RECOMMENDED = ("APGAI-FE", "TaS", "APGAI")


@dataclass(frozen=True)
class Plan:
    """What a study would take, by simulation; `protocol` says it in a paragraph."""

    question: Question
    algorithms: tuple[AlgorithmPlan, ...]
    variants: tuple[Variant, ...]

    @property
    def protocol(self) -> str:
        """One paragraph for a study protocol, about the first algorithm, with its assumptions."""
        return paragraph(self.question, self.algorithms[0])

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain data; the command line's --json prints it."""
        q = self.question
        return {
            "threshold": q.threshold,
            "goal": q.options.goal,
            "outcome": outcome_to_data(q.options.outcome),
            "options": [
                {"name": name, "low": low, "high": high}
                for name, (low, high) in zip(q.options.names, q.options.ranges, strict=True)
            ],
            "delta": q.delta,
            "budget": q.budget,
            "seed": q.seed,
            "sets_of_means": len(q.options.means),
            "algorithms": [asdict(a) for a in self.algorithms],
            "variants": [asdict(v) for v in self.variants],
            "protocol": self.protocol,
            "assumptions": list(ASSUMPTIONS),
        }


def plan(
    means: Sequence[Guess] | None = None,
    *,
    threshold: float,
    outcome: Outcome | str,
    unknown: int | None = None,
    data: str | Path | Instance | None = None,
    delta: float | None = None,
    budget: int | None = None,
    goal: str = "above",
    names: Sequence[str] | None = None,
    algorithms: Sequence[str] = RECOMMENDED,
    batch: int | None = None,
    per_day: int | None = None,
    delay: int = 0,
    studies: int | None = None,
    seed: int = 0,
    show_progress_bar: bool = False,
) -> Plan:
    """How many trials will a study take, and how will it end? By simulating up to 100,000 studies.

    Of the options say one of three things: `means`, a guess for each (a number, or a range such
    as ``"0.3..0.6"`` from which each simulated study draws); `unknown`, how many there are, all
    near the bar; or `data`, a CSV file of recorded outcomes (columns arm, value) to draw from.
    `outcome` is ``"bernoulli"``, ``"bounded:LO:HI"`` or ``"gaussian:SIGMA"``. With `delta` the
    study stops when it is sure at 1 − δ, with `budget` after so many trials, with both at the
    earlier of the two. `batch`, `per_day` and `delay` (days until an outcome is known) say how it
    is carried out. `studies` fixes how many are simulated of each algorithm; otherwise as many as
    take a few seconds.

    >>> found = plan([0.3, 0.4, 0.8], threshold=0.5, outcome="bernoulli", delta=0.05, studies=400)
    >>> found.algorithms[0].algorithm, found.algorithms[0].answers["option 3"] > 0.9
    ('APGAI-FE', True)
    """
    question = ask(
        means, unknown, data, threshold, outcome, goal, names, delta, budget, algorithms, batch,
        per_day, delay, studies, seed,
    )  # fmt: skip
    return Plan(
        question=question,
        algorithms=expectations(question, show_progress_bar),
        variants=variants(question, show_progress_bar),
    )
