"""A plan of an inquiry in words: a heading, and a paragraph for a study protocol."""

from collections.abc import Iterator

from goodarm.inquiry import Criterion
from goodarm.inquiry.question import ALL, ANY, IN_ORDER
from goodarm.planning.inquiries.expected import InquiryAlgorithmPlan
from goodarm.planning.inquiries.request import InquiryQuestion
from goodarm.planning.protocol import ONE_BY_ONE, counted_texts, rate_in_words, within_words
from goodarm.wording import counted, share, sure_at

PURPOSES = {
    ANY: "look for one that is good, or for the answer that there is none",
    ALL: "ask of every one of them whether it is good",
    IN_ORDER: "look for the first good one in the order of the list, or for the answer that there "
    "is none",
}
MOST_ANSWERS = 3


def asked(question: InquiryQuestion) -> str:
    """The question in a line."""
    supposed = question.supposed
    criteria = " and ".join(criterion.describe() for criterion in supposed.criteria)
    arms, sure = counted(len(supposed.arms), "arm"), sure_at(supposed.delta)
    return f"{supposed.question.text()}: {arms}, {criteria}, until {sure} sure"


def assumptions(question: InquiryQuestion) -> list[str]:
    """What the numbers rest on."""
    several = len(question.supposed.criteria) > 1
    return [
        "outcomes of an option are independent and have the same mean throughout",
        "outcomes are of the declared kind",
        *(["the measurements of a trial are independent of each other"] if several else []),
        "the means are as guessed (the number of trials depends on them, the guarantee does not)",
        ONE_BY_ONE,
    ]


def paragraph(question: InquiryQuestion, first: InquiryAlgorithmPlan) -> str:
    """What will be done, what it promises, what it is expected to take, and on what assumptions."""
    sentences = [
        f"We compare {_options(question)} and {_purpose(question)}. "
        f"{_criteria(question)} Trials are assigned by the algorithm {first.algorithm} (goodarm).",
        _promise(question),
        _expectation(first),
        *_cost(first),
        f"These numbers come from {first.runs:,} simulated runs of the study "
        f"({_guesses(question)}; seed {question.seed}). They assume that "
        f"{'; that '.join(assumptions(question))}.",
    ]
    return " ".join(sentences)


def _options(question: InquiryQuestion) -> str:
    control, many = question.supposed.control, len(question.supposed.arms)
    if control is None:
        return counted(many, "option")
    return f"{counted(many - 1, 'option')} with the control {control!r}"


def _purpose(question: InquiryQuestion) -> str:
    asked_for = question.supposed.question
    several = f"look for {asked_for.many} that are good, or for all of them if there are fewer"
    return PURPOSES.get(asked_for.kind, several)


def _criteria(question: InquiryQuestion) -> str:
    held = "; ".join(_criterion(criterion) for criterion in question.supposed.criteria)
    several = "all of these hold: " if len(question.supposed.criteria) > 1 else ""
    return f"An option is good if {several}{held}."


def _criterion(criterion: Criterion) -> str:
    bar = criterion.describe().removeprefix(f"{criterion.name} ")
    return f"the mean of {criterion.name} ({criterion.outcome.describe()}) is {bar}"


def _promise(question: InquiryQuestion) -> str:
    limit = f", or after {question.budget:,} trials without one" if question.budget else ""
    risk = 100 * question.delta
    wrong = (
        "It says anything untrue of any option"
        if question.supposed.question.kind == ALL
        else "It ends with a wrong answer"
    )
    return (
        f"The study ends when certificates for outcomes of this kind give an answer that is sure "
        f"at {100 - risk:g} %{limit}. {wrong} with a probability of at most {risk:g} %, whatever "
        "the means are and however often the data are looked at."
    )


def _expectation(first: InquiryAlgorithmPlan) -> str:
    assert first.trials is not None
    given = list(first.answers.items())[:MOST_ANSWERS]
    answers = ", ".join(f'"{answer}" in {share(chance)}' for answer, chance in given)
    left = first.trials.unfinished.value
    late = f", and {share(left)} reach {first.trials.limit:,} trials without one" if left else ""
    middle = within_words("simulated runs need", *_half_and_most(first.trials.quantiles))
    return (
        f"We expect {first.trials.mean.in_words()} trials on average{middle}; the answer is "
        f"{answers} of the runs{late}. It is wrong in a share of {rate_in_words(first.error_rate)}."
    )


def _cost(first: InquiryAlgorithmPlan) -> Iterator[str]:
    if first.cost is not None:
        middle = within_words("runs cost", *_half_and_most(first.cost.quantiles))
        yield f"The trials cost {first.cost.mean.in_words()} on average{middle}."


def _half_and_most(quantiles: dict[str, float | None]) -> tuple[float | None, float | None]:
    return quantiles["0.5"], quantiles["0.9"]


def _guesses(question: InquiryQuestion) -> str:
    supposed = question.supposed
    parts = []
    for criterion, row in zip(supposed.criteria, supposed.like, strict=True):
        of = f" of {criterion.name}" if len(supposed.criteria) > 1 else ""
        ranges = counted_texts(
            f"{one.low:g}" if one.low == one.high else f"{one.low:g} to {one.high:g}" for one in row
        )
        scatter = row[0].scatter
        around = "" if scatter is None else f" with a standard deviation of {scatter:g}"
        parts.append(f"means{of} {ranges}{around}")
    return "; ".join(parts)
