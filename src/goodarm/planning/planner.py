"""goodarm.plan: the question, the simulations, the answer."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass
from typing import Any

from goodarm.extras import LAB, need
from goodarm.outcomes import Outcome
from goodarm.planning.by_algorithm import AlgorithmPlan, count_simulations, plan_algorithms
from goodarm.planning.in_short import plan_html, plan_lines
from goodarm.planning.protocol import assumptions, paragraph
from goodarm.planning.question import COMPARED, Guess, PlanQuestion, PlanRequest, Recorded
from goodarm.planning.recommending import Recommendation, recommend
from goodarm.planning.schedules import SchedulePlan
from goodarm.planning.sensitivity import SensitivityCase, list_cases, play_cases
from goodarm.planning.simulations import Report, Simulator
from goodarm.showing.markup import Html
from goodarm.showing.snippet import Shown
from goodarm.simulation.progress import bar


@dataclass(frozen=True, repr=False)
class Plan(Shown):
    """What a study would take, by simulation; `protocol` says it in a paragraph."""

    question: PlanQuestion
    algorithms: tuple[AlgorithmPlan, ...]
    recommended: Recommendation
    sensitivity: tuple[SensitivityCase, ...]

    @property
    def protocol(self) -> str:
        """One paragraph for a study protocol, about the first algorithm, with its assumptions."""
        return paragraph(self.question, self.algorithms[0])

    @property
    def by_schedule(self) -> list[tuple[SchedulePlan, ...]]:
        """For each schedule asked for, what it makes of each algorithm."""
        return list(zip(*(a.schedules for a in self.algorithms), strict=True))

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain data; the command line's --json prints it."""
        q = self.question
        return {
            "threshold": q.threshold,
            "goal": q.arms.goal,
            "outcome": q.arms.outcome.to_data(),
            "suggestions": None if q.suggestions is None else q.suggestions.to_dict(),
            "arms": [
                {"name": name, "low": low, "high": high}
                for name, (low, high) in zip(q.arms.names, q.arms.ranges, strict=True)
            ],
            "delta": q.delta,
            "budget": q.budget,
            "batch": q.batch,
            "per_day": q.per_day,
            "delay": q.delay,
            "seed": q.seed,
            "scatter": q.arms.scatter,
            "sets_of_means": len(q.arms.means),
            "algorithms": [asdict(a) for a in self.algorithms],
            "recommended": asdict(self.recommended),
            "sensitivity": [asdict(case) for case in self.sensitivity],
            "protocol": self.protocol,
            "assumptions": assumptions(q),
        }

    def _in_short(self) -> Iterator[str]:
        return plan_lines(self)

    def _in_html(self) -> Html:
        return plan_html(self)


def plan(
    means: Sequence[Guess] | None = None,
    *,
    threshold: float,
    outcome: Outcome | str | None = None,
    unknown: int | None = None,
    data: Recorded | None = None,
    delta: float | None = None,
    budget: int | None = None,
    goal: str = "above",
    names: Sequence[str] | None = None,
    algorithms: Sequence[str] = COMPARED,
    batch: int | None = None,
    per_day: int | None = None,
    delay: int = 0,
    runs: int | None = None,
    seed: int = 0,
    scatter: float | None = None,
    show_progress_bar: bool = False,
) -> Plan:
    """How many trials will a study take, and how will it end? By simulating it up to 100,000 times.

    Of the arms say one of three things: `means`, a guess for each (a number, or a range such as
    ``"0.3..0.6"`` to draw from); `unknown`, how many there are, all near the threshold; or `data`,
    recorded outcomes (a CSV file with columns arm, value, or a mapping from each arm to its
    values). `outcome` is a model of the outcomes or its text form, such as ``"bernoulli"``; with
    data it may be left to `suggest_outcome`. With `delta` the study stops when the model's
    certificates are sure at 1 − δ, with `budget` after that number of trials, with both at the
    earlier of the two. With `batch` or `per_day` it is also played in batches, or with that number
    of trials a day; outcomes are known when the batch or the day ends, or `delay` days (batches,
    without `per_day`) after that. The best of the `algorithms`, a handful by default, is
    recommended; `runs` fixes how many are simulated of each, otherwise a few seconds' worth.
    `scatter` guesses the outcomes' standard deviation where the model leaves it open; bounded
    outcomes are else taken to be at the ends of their range.

    >>> made = plan([0.4, 0.8], threshold=0.5, outcome="bernoulli", delta=0.05, runs=400)
    >>> made.algorithms[0].answers["arm 2"] > 0.9
    True
    """
    need(LAB, "plan")
    question = PlanRequest(
        threshold=threshold,
        outcome=outcome,
        means=means,
        unknown=unknown,
        data=data,
        delta=delta,
        budget=budget,
        goal=goal,
        names=names,
        algorithms=algorithms,
        batch=batch,
        per_day=per_day,
        delay=delay,
        runs=runs,
        seed=seed,
        scatter=scatter,
    ).checked()
    with progress_of_plan() if show_progress_bar else nullcontext() as report:
        return answer(question, report)


def answer(
    question: PlanQuestion,
    report: Report | None = None,
    effort: float = 1.0,
    threads: int | None = None,
) -> Plan:
    """The plan for a checked question.

    `report` hears the share that is done, from 0 to 1, several times a second; an exception that
    it raises ends the simulation. `effort` scales the number of simulated pulls.
    """
    simulator = Simulator(
        question.seed, question.runs, effort, threads, report or (lambda share: None)
    )
    simulator.expect(count_simulations(question) + len(list_cases(question)))
    played = plan_algorithms(question, simulator)
    return Plan(
        question=question,
        algorithms=tuple(each.plan for each in played),
        recommended=recommend(question, played),
        sensitivity=play_cases(question, simulator),
    )


@contextmanager
def progress_of_plan() -> Iterator[Report]:
    """The share that is done, as one bar on standard error, where a person looks at it."""
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (TextColumn("simulating"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with bar(*columns) as p:
        task = p.add_task("", total=1.0)
        yield lambda share: p.update(task, completed=share)
