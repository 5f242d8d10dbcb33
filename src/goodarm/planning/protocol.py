"""A plan as one paragraph for a study protocol, with the assumptions that it rests on."""

from collections import Counter
from collections.abc import Iterable

from goodarm.planning.by_algorithm import NONE_IS_GOOD, AlgorithmPlan
from goodarm.planning.question import PlanQuestion
from goodarm.planning.schedules import SchedulePlan
from goodarm.planning.simulations import Estimate
from goodarm.wording import counted, share

ONE_BY_ONE = "each outcome is known before the next trial is begun"
LATE = (
    "outcomes come in the order of the trials, and the algorithm takes one that is still to come "
    "for a trial that leaves its option's mean as it is, as goodarm's studies do"
)


def assumptions(question: PlanQuestion) -> list[str]:
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


def paragraph(question: PlanQuestion, first: AlgorithmPlan) -> str:
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
        f"{'; that '.join(assumptions(question))}.",
    ]
    return " ".join(sentences)


def _promise(question: PlanQuestion, first: AlgorithmPlan) -> str:
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
        return (
            f"We expect a wrong answer with probability {rate_in_words(first.error_rate)}; {ends}."
        )
    left = first.trials.unfinished.value
    late = f", and {share(left)} reach {first.trials.limit:,} trials without one" if left else ""
    within = within_words(
        "simulated runs need", *(first.trials.quantiles[q] for q in ("0.5", "0.9"))
    )
    return f"We expect {first.trials.mean.in_words()} trials on average{within}; {ends}{late}."


def _on_schedule(way: SchedulePlan) -> str:
    compared = ""
    if way.extra is not None:
        more = "more" if way.extra.value >= 0.0 else "fewer"
        compared = f" ({abs(way.extra.value):,.1f} {more} than one at a time)"
    return (
        f"{way.pace}, with outcomes known {way.known_when}, it takes {way.trials.in_words()} "
        f"trials on average{compared} and {way.units.in_words(1)} {way.unit}"
        f"{within_words('runs', way.median, way.q90)}, with a wrong answer in "
        f"{share(way.error_rate.value)} of the runs ({way.runs:,} simulated)."
    )


def within_words(what: str, median: float | None, q90: float | None) -> str:
    """How long half and nine in ten of the runs take, as far as that is known."""
    if median is None:
        return ""
    most = "" if q90 is None else f", nine in ten at most {q90:,.0f}"
    return f" (half of the {what} at most {median:,.0f}{most})"


def _guesses(question: PlanQuestion) -> str:
    arms = question.arms
    if arms.recorded is not None:
        return "outcomes drawn from those recorded"
    scatter = "" if arms.scatter is None else f", a standard deviation of {arms.scatter:g}"
    if len(arms.means) == 1:
        return "means " + counted_texts(f"{low:g}" for low, _ in arms.ranges) + scatter
    ranges = counted_texts(f"{a:g} to {b:g}" if a < b else f"{a:g}" for a, b in arms.ranges)
    return f"{len(arms.means)} sets of means drawn uniformly from {ranges}{scatter}"


def counted_texts(texts: Iterable[str]) -> str:
    """Each text once, with the number of times it occurs."""
    return ", ".join(
        text + (f" ({n} times)" if n > 1 else "") for text, n in Counter(texts).items()
    )


def rate_in_words(estimate: Estimate) -> str:
    """A small share with its interval."""
    return f"{estimate.value:.2g} (95 % interval {estimate.low:.2g} to {estimate.high:.2g})"
