"""The plan as one paragraph that can be pasted into a protocol."""

from collections import Counter
from collections.abc import Iterable

from goodarm.planning.by_algorithm import NO_OPTION, AlgorithmPlan
from goodarm.planning.estimates import Estimate
from goodarm.planning.question import Question
from goodarm.planning.schedules import Practice

ONE_BY_ONE = "each outcome is known before the next trial is begun"
LATE = (
    "outcomes come in the order of the trials, and the rule takes one that is still to come for a "
    "trial that leaves its option's mean as it is, as goodarm's studies do"
)


def assumptions(question: Question) -> list[str]:
    """What the numbers rest on."""
    return [
        "outcomes of an option are independent and have the same mean throughout",
        "outcomes are of the declared kind",
        "the means are as guessed (the number of trials depends on them, the guarantee does not)",
        LATE if question.schedules else ONE_BY_ONE,
    ]


def paragraph(question: Question, first: AlgorithmPlan) -> str:
    """What will be done, what it promises, what it is expected to take, and on what assumptions."""
    options = question.options
    side = "at least" if options.goal == "above" else "at most"
    sentences = [
        f"We compare {len(options.names)} options and look for one whose mean outcome "
        f"({options.outcome.describe()}) is {side} {question.threshold:g}, or for the answer that "
        f"there is none. Trials are assigned by the algorithm {first.algorithm} (goodarm).",
        _promise(question, first),
        _expectation(question, first),
        *(_practice(way) for way in first.practice),
        f"These numbers come from {first.studies:,} simulated studies ({_guesses(question)}; seed "
        f"{question.seed}). They assume that {'; that '.join(assumptions(question))}.",
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _promise(question: Question, first: AlgorithmPlan) -> str:
    if question.delta is None:
        return f"The study ends after {question.budget:,} trials; its answer carries no guarantee."
    limit = f", or after {question.budget:,} trials without an answer" if question.budget else ""
    risk = 100 * question.delta
    return (
        f"The study ends when {_rule(first.boundary)} is sure at {100 - risk:g} %{limit}. "
        f"It ends with a wrong answer with a probability of at most {risk:g} %, "
        "whatever the means are and however often the data are looked at."
    )


def _rule(boundary: str) -> str:
    if boundary == "own":
        return "the algorithm's own stopping rule"
    certified = " (certificates for outcomes of this kind)" if boundary == "mixture" else ""
    return f'the stopping rule "{boundary}"{certified}'


def _expectation(question: Question, first: AlgorithmPlan) -> str:
    none = first.answers.get(NO_OPTION, 0.0)
    ends = f'in {_percent(none)} of the studies the answer is "{NO_OPTION}"'
    if first.trials is None:
        return f"We expect a wrong answer with probability {_rate(first.error)}; {ends}."
    q = first.trials.quantiles
    left = first.trials.unfinished.value
    late = f", and {_percent(left)} reach {first.trials.limit:,} trials without one" if left else ""
    return (
        f"We expect {first.trials.mean.value:,.0f} trials on average (half of the studies need at "
        f"most {q['0.5']:,.0f}, nine in ten at most {q['0.9']:,.0f}); {ends}{late}."
    )


def _practice(way: Practice) -> str:
    how = f"In batches of {way.size}" if way.unit == "batches" else f"At {way.size} trials a day"
    more = "more" if way.extra.value >= 0.0 else "fewer"
    return (
        f"{how}, with outcomes known {known_when(way)}, it takes {way.trials.value:,.0f} trials on "
        f"average ({abs(way.extra.value):,.1f} {more} than one at a time) and "
        f"{way.units.value:,.1f} {way.unit} (half of the studies at most {way.median:,.0f}, nine "
        f"in ten at most {way.q90:,.0f}), with a wrong answer in {_percent(way.error.value)} of "
        f"them ({way.studies:,} simulated)."
    )


def known_when(way: Practice) -> str:
    """When outcomes are known: "when the batch ends", "2 days later"."""
    one = {"batches": "batch", "days": "day"}[way.unit]
    if way.delay == 0:
        return f"when the {one} ends"
    return f"{way.delay} {one if way.delay == 1 else way.unit} later"


def _guesses(question: Question) -> str:
    options = question.options
    if options.recorded is not None:
        return "outcomes drawn from those recorded"
    if len(options.means) == 1:
        return "means " + _counted(f"{low:g}" for low, _ in options.ranges)
    ranges = _counted(f"{a:g} to {b:g}" if a < b else f"{a:g}" for a, b in options.ranges)
    return f"{len(options.means)} sets of means drawn uniformly from {ranges}"


def _counted(texts: Iterable[str]) -> str:
    """Each text once, with the number of times it occurs."""
    return ", ".join(
        text + (f" ({n} times)" if n > 1 else "") for text, n in Counter(texts).items()
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _rate(estimate: Estimate) -> str:
    return f"{estimate.value:.2g} (95 % interval {estimate.low:.2g} to {estimate.high:.2g})"
