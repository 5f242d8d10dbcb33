"""goodarm.plan: the question, the simulations, the answer, and the answer as a paragraph."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from goodarm.outcomes import Outcome
from goodarm.planning.by_algorithm import (
    NONE_IS_GOOD,
    AlgorithmPlan,
    count_simulations,
    plan_algorithms,
)
from goodarm.planning.question import RECOMMENDED, Guess, PlanRequest, Question, Recorded
from goodarm.planning.schedules import SchedulePlan
from goodarm.planning.sensitivity import SensitivityCase, list_cases, play_cases
from goodarm.planning.simulations import Estimate, Report, Simulator
from goodarm.simulation.progress import bar
from goodarm.wording import counted, share

ONE_BY_ONE = "each outcome is known before the next trial is begun"
LATE = (
    "outcomes come in the order of the trials, and the algorithm takes one that is still to come "
    "for a trial that leaves its option's mean as it is, as goodarm's studies do"
)


@dataclass(frozen=True)
class Plan:
    """What a study would take, by simulation; `protocol` says it in a paragraph."""

    question: Question
    algorithms: tuple[AlgorithmPlan, ...]
    sensitivity: tuple[SensitivityCase, ...]

    @property
    def protocol(self) -> str:
        """One paragraph for a study protocol, about the first algorithm, with its assumptions."""
        return _paragraph(self.question, self.algorithms[0])

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
            "sensitivity": [asdict(case) for case in self.sensitivity],
            "protocol": self.protocol,
            "assumptions": _assumptions(q),
        }


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
    algorithms: Sequence[str] = RECOMMENDED,
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
    without `per_day`) after that. `runs` fixes how many are simulated of each algorithm, a few
    seconds' worth by default. `scatter` guesses the outcomes' standard deviation where the model
    leaves it open; bounded outcomes are else taken to be at the ends of their range.

    >>> made = plan([0.3, 0.4, 0.8], threshold=0.5, outcome="bernoulli", delta=0.05, runs=400)
    >>> made.algorithms[0].algorithm, made.algorithms[0].answers["arm 3"] > 0.9
    ('Scout', True)
    """
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
    if show_progress_bar:
        with _progress_bar() as report:
            return answer(question, report)
    return answer(question)


def answer(
    question: Question,
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
    return Plan(
        question=question,
        algorithms=plan_algorithms(question, simulator),
        sensitivity=play_cases(question, simulator),
    )


@contextmanager
def _progress_bar() -> Iterator[Report]:
    """The share that is done, as one bar on standard error, where a person looks at it."""
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (TextColumn("simulating"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with bar(*columns) as p:
        task = p.add_task("", total=1.0)
        yield lambda share: p.update(task, completed=share)


def _assumptions(question: Question) -> list[str]:
    """What the numbers rest on."""
    suggestions = question.suggestions
    confirmed = [] if suggestions is None else [suggestions.best.confirm]
    return [
        "outcomes of an option are independent and have the same mean throughout",
        "outcomes are of the declared kind",
        *filter(None, confirmed),
        "the means are as guessed (the number of trials depends on them, the guarantee does not)",
        LATE if question.schedules else ONE_BY_ONE,
    ]


def _paragraph(question: Question, first: AlgorithmPlan) -> str:
    """What will be done, what it promises, what it is expected to take, and on what assumptions."""
    arms = question.arms
    side = "at least" if arms.goal == "above" else "at most"
    sentences = [
        f"We compare {counted(len(arms.names), 'option')} and look for one whose mean outcome "
        f"({arms.outcome.describe()}) is {side} {question.threshold:g}, or for the answer that "
        f"there is none. Trials are assigned by the algorithm {first.algorithm} (goodarm).",
        _promise(question, first),
        _expectation(first),
        *(_on_schedule(way) for way in first.schedules),
        f"These numbers come from {first.runs:,} simulated runs of the study "
        f"({_guesses(question)}; seed {question.seed}). They assume that "
        f"{'; that '.join(_assumptions(question))}.",
    ]
    return " ".join(sentences)


def _promise(question: Question, first: AlgorithmPlan) -> str:
    if question.delta is None:
        return f"The study ends after {question.budget:,} trials; its answer carries no guarantee."
    limit = f", or after {question.budget:,} trials without an answer" if question.budget else ""
    risk = 100 * question.delta
    return (
        f"The study ends when {_stopping_rule(first.boundary)} is sure at {100 - risk:g} %{limit}. "
        f"It ends with a wrong answer with a probability of at most {risk:g} %, "
        "whatever the means are and however often the data are looked at."
    )


def _stopping_rule(boundary: str) -> str:
    if boundary == "own":
        return "the algorithm's own stopping rule"
    certified = " (certificates for outcomes of this kind)" if boundary == "mixture" else ""
    return f'the stopping rule "{boundary}"{certified}'


def _expectation(first: AlgorithmPlan) -> str:
    none = first.answers.get(NONE_IS_GOOD, 0.0)
    ends = f'in {share(none)} of the runs the answer is "{NONE_IS_GOOD}"'
    if first.trials is None:
        return f"We expect a wrong answer with probability {_rate(first.error_rate)}; {ends}."
    left = first.trials.unfinished.value
    late = f", and {share(left)} reach {first.trials.limit:,} trials without one" if left else ""
    within = _within("simulated runs need", *(first.trials.quantiles[q] for q in ("0.5", "0.9")))
    return f"We expect {_mean(first.trials.mean, 0)} trials on average{within}; {ends}{late}."


def _on_schedule(way: SchedulePlan) -> str:
    compared = ""
    if way.extra is not None:
        more = "more" if way.extra.value >= 0.0 else "fewer"
        compared = f" ({abs(way.extra.value):,.1f} {more} than one at a time)"
    return (
        f"{way.pace}, with outcomes known {way.known_when}, it takes {_mean(way.trials, 0)} trials "
        f"on average{compared} and {_mean(way.units, 1)} {way.unit}"
        f"{_within('runs', way.median, way.q90)}, with a wrong answer in "
        f"{share(way.error_rate.value)} of the runs ({way.runs:,} simulated)."
    )


def _mean(estimate: Estimate, decimals: int) -> str:
    """A mean, or what it exceeds where runs were given up."""
    if estimate.high is None:
        return f"more than {estimate.value:,.{decimals}f}"
    return f"{estimate.value:,.{decimals}f}"


def _within(what: str, median: float | None, q90: float | None) -> str:
    """How long half and nine in ten of the runs take, as far as that is known."""
    if median is None:
        return ""
    most = "" if q90 is None else f", nine in ten at most {q90:,.0f}"
    return f" (half of the {what} at most {median:,.0f}{most})"


def _guesses(question: Question) -> str:
    arms = question.arms
    if arms.recorded is not None:
        return "outcomes drawn from those recorded"
    scatter = "" if arms.scatter is None else f", a standard deviation of {arms.scatter:g}"
    if len(arms.means) == 1:
        return "means " + _counted_texts(f"{low:g}" for low, _ in arms.ranges) + scatter
    ranges = _counted_texts(f"{a:g} to {b:g}" if a < b else f"{a:g}" for a, b in arms.ranges)
    return f"{len(arms.means)} sets of means drawn uniformly from {ranges}{scatter}"


def _counted_texts(texts: Iterable[str]) -> str:
    """Each text once, with the number of times it occurs."""
    return ", ".join(
        text + (f" ({n} times)" if n > 1 else "") for text, n in Counter(texts).items()
    )


def _rate(estimate: Estimate) -> str:
    return f"{estimate.value:.2g} (95 % interval {estimate.low:.2g} to {estimate.high:.2g})"
