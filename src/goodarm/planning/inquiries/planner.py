"""goodarm.plan_inquiry: any question, simulated."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from typing import Any, cast

from goodarm.extras import LAB, need
from goodarm.inquiry import Criterion, Question
from goodarm.inquiry.processes import processes
from goodarm.planning.in_short import algorithm_lines, algorithms_forest
from goodarm.planning.inquiries.expected import InquiryAlgorithmPlan, expect
from goodarm.planning.inquiries.protocol import asked, assumptions, paragraph
from goodarm.planning.inquiries.request import Guesses, InquiryQuestion, InquiryRequest, Scatters
from goodarm.planning.planner import progress_of_plan
from goodarm.planning.recommending import Recommendation, recommend
from goodarm.planning.simulations import Report
from goodarm.showing.markup import Html
from goodarm.showing.snippet import Shown


@dataclass(frozen=True, repr=False)
class InquiryPlan(Shown):
    """What an inquiry would take, by simulation; `protocol` says it in a paragraph."""

    question: InquiryQuestion
    algorithms: tuple[InquiryAlgorithmPlan, ...]
    recommended: Recommendation

    @property
    def protocol(self) -> str:
        """One paragraph for a study protocol, about the first algorithm, with its assumptions."""
        return paragraph(self.question, self.algorithms[0])

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain data; the command line's --json prints it."""
        q, supposed = self.question, self.question.supposed
        costs = q.costs or (None,) * len(supposed.arms)
        return {
            "question": supposed.question.text(),
            "criteria": [criterion.to_data() for criterion in supposed.criteria],
            "control": supposed.control,
            "reserve": supposed.reserve,
            "arms": [
                {
                    "name": name,
                    "cost": costs[arm],
                    "means": {
                        criterion.name: {"low": row[arm].low, "high": row[arm].high}
                        for criterion, row in zip(supposed.criteria, supposed.like, strict=True)
                    },
                }
                for arm, name in enumerate(supposed.arms)
            ],
            "delta": q.delta,
            "budget": q.budget,
            "seed": q.seed,
            "algorithms": [asdict(a) for a in self.algorithms],
            "recommended": asdict(self.recommended),
            "protocol": self.protocol,
            "assumptions": assumptions(q),
        }

    def _in_short(self) -> Iterator[str]:
        return algorithm_lines(asked(self.question), self.algorithms, self.recommended)

    def _in_html(self) -> Html:
        return algorithms_forest(asked(self.question), self.algorithms, self.recommended)


def plan_inquiry(
    means: Guesses | None,
    criteria: Criterion | str | Sequence[Criterion | str],
    question: Question | str = "any",
    delta: float | None = None,
    *,
    control: str | None = None,
    reserve: float = 0.0,
    costs: Mapping[str, float] | None = None,
    unknown: int | None = None,
    names: Sequence[str] | None = None,
    algorithms: Sequence[str] | None = None,
    scatter: Scatters = None,
    budget: int | None = None,
    runs: int | None = None,
    seed: int = 0,
    cores: int | None = None,
    show_progress_bar: bool = False,
) -> InquiryPlan:
    """How many trials will a `goodarm.Inquiry` take, what will they cost, and how will it end?

    `criteria`, `question`, `delta`, `control` and `reserve` are those of `Inquiry` or of
    `Study.create`; a criterion can also be text, such as ``"efficacy:bernoulli>=0.3"``. `means` has
    a guess for each arm (a number, or a range such as ``"0.3..0.6"`` to draw from); with several
    criteria it is a mapping from their names to such lists. With `unknown` there are so many arms,
    all near the bar. `costs` says what a trial of an arm costs, 1 where it says nothing. `scatter`
    guesses the standard deviation of outcomes whose model leaves it open. Runs without an answer
    end after `budget` trials. `runs` fixes how many are simulated with each of the `algorithms`;
    otherwise as many as take some seconds.

    >>> made = plan_inquiry([0.2, 0.8], "rate:bernoulli>=0.5", "all", 0.05, runs=20, cores=1)
    >>> made.algorithms[0].answers
    {'arm 2': 1.0}
    """
    need(LAB, "plan")
    asked_for = InquiryRequest(
        means=means,
        criteria=criteria,
        question=question,
        delta=delta,
        control=control,
        reserve=reserve,
        costs=costs,
        unknown=unknown,
        names=names,
        algorithms=algorithms,
        scatter=scatter,
        budget=budget,
        runs=runs,
        seed=seed,
    ).checked()
    with progress_of_plan() if show_progress_bar else nullcontext() as report:
        return answer_inquiry(asked_for, report, cores)


def answer_inquiry(
    question: InquiryQuestion, report: Report | None = None, cores: int | None = None
) -> InquiryPlan:
    """The plan for a checked question; `report` hears the share that is done."""
    with processes(cores) as work:
        played = expect(question, work, report or (lambda share: None))
    return InquiryPlan(
        question=question,
        algorithms=tuple(cast(InquiryAlgorithmPlan, each.plan) for each in played),
        recommended=recommend(question, played),
    )
