"""goodarm.plan: the question, the simulations, the answer."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from goodarm import defaults
from goodarm.outcomes import Outcome
from goodarm.planning.by_algorithm import AlgorithmPlan, expectations, simulations
from goodarm.planning.guesses import Guess
from goodarm.planning.progress import plan_bar
from goodarm.planning.protocol import assumptions, paragraph
from goodarm.planning.question import Question, Recorded, ask
from goodarm.planning.schedules import Practice
from goodarm.planning.sensitivity import Variant, cases, variants
from goodarm.planning.simulations import Share, Simulator

RECOMMENDED = (defaults.ALGORITHM, "APGAI-FE", "TaS")


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

    @property
    def by_schedule(self) -> list[tuple[Practice, ...]]:
        """For each schedule asked for, what it makes of each algorithm."""
        return list(zip(*(a.practice for a in self.algorithms), strict=True))

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain data; the command line's --json prints it."""
        q = self.question
        return {
            "threshold": q.threshold,
            "goal": q.options.goal,
            "outcome": q.options.outcome.to_data(),
            "options": [
                {"name": name, "low": low, "high": high}
                for name, (low, high) in zip(q.options.names, q.options.ranges, strict=True)
            ],
            "delta": q.delta,
            "budget": q.budget,
            "batch": q.batch,
            "per_day": q.per_day,
            "delay": q.delay,
            "seed": q.seed,
            "sets_of_means": len(q.options.means),
            "algorithms": [asdict(a) for a in self.algorithms],
            "variants": [asdict(v) for v in self.variants],
            "protocol": self.protocol,
            "assumptions": assumptions(q),
        }


def plan(
    means: Sequence[Guess] | None = None,
    *,
    threshold: float,
    outcome: Outcome | str,
    unknown: int | None = None,
    data: Recorded | None = None,
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
    near the bar; or `data`, recorded outcomes to draw from: a CSV file (columns arm, value) or a
    mapping from each arm to its values.
    `outcome` is a model of the outcomes or its text form, such as ``"bernoulli"``,
    ``"bounded:LO:HI"`` or ``"gaussian:SIGMA"``. With `delta` the study stops when the model's
    certificates are sure at 1 − δ (the boundary "mixture", as in a live study), with `budget`
    after so many trials, with both at the earlier of the two. With `batch` or `per_day` the
    studies are also played in batches, or so many trials a day; their outcomes are known when the
    batch or the day ends, or `delay` days (batches, without `per_day`) after that. `studies` fixes
    how many are simulated of each algorithm; otherwise as many as take a few seconds.

    >>> found = plan([0.3, 0.4, 0.8], threshold=0.5, outcome="bernoulli", delta=0.05, studies=400)
    >>> found.algorithms[0].algorithm, found.algorithms[0].answers["option 3"] > 0.9
    ('Scout', True)
    """
    question = ask(
        means, unknown, data, threshold, outcome, goal, names, delta, budget, algorithms, batch,
        per_day, delay, studies, seed,
    )  # fmt: skip
    if show_progress_bar:
        with plan_bar() as report:
            return answer(question, report)
    return answer(question)


def answer(
    question: Question, report: Share | None = None, effort: float = 1.0, threads: int | None = None
) -> Plan:
    """The plan for a checked question.

    `report` hears the share that is done, from 0 to 1, several times a second; an exception that
    it raises ends the simulation. `effort` scales the number of simulated trials.
    """
    simulator = Simulator(
        question.seed, question.studies, effort, threads, report or (lambda share: None)
    )
    simulator.expect(simulations(question) + len(cases(question)))
    return Plan(
        question=question,
        algorithms=expectations(question, simulator),
        variants=variants(question, simulator),
    )
