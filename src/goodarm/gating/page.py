"""The result of a gate for people: in a notebook, and as a page that is a file."""

from goodarm.gating.result import (
    INTERRUPTED,
    NONE_CLEARS,
    ONE_CLEARS,
    STOPPED,
    UNDECIDED,
    GateResult,
)
from goodarm.instance.instance import ABOVE
from goodarm.showing import page
from goodarm.showing.forest import MOST_IN_A_FILE, forest_snippet, forest_table, lay_out
from goodarm.showing.markup import Content, Html, bdi, tag
from goodarm.showing.snippet import snippet
from goodarm.showing.tables import facts
from goodarm.wording import NOTHING, confidence, counted, figure, sure_at

STATES = {
    ONE_CLEARS: ("clears the bar", "decided"),
    NONE_CLEARS: ("does not clear the bar", "decided"),
    UNDECIDED: ("undecided", "open"),
    STOPPED: ("stopped", "stopped"),
    INTERRUPTED: ("interrupted", "stopped"),
}


def gate_html(result: GateResult) -> Html:
    """The answer, the arms and what it took, in a notebook."""
    first, _, rest = result.headline.partition("\n")
    said = tag("pre", *_lines(rest)) if rest else None
    arms = forest_snippet(lay_out(result.drawn_arms(), result.bar, 12))
    return snippet(first, said, arms, note=result.facts)


def gate_page(result: GateResult, command: str | None = None) -> str:
    """The text of a file that needs nothing else; `command` is what was tried, if it is to say."""
    state, look = STATES[result.verdict]
    what = counted(len(result.arms), "option")
    if result.passed or len(result.arms) == 1:
        what = result.arm or result.arms[0].arm
    elif result.verdict == NONE_CLEARS:
        state = "none clears the bar"
    forest = lay_out(result.drawn_arms(), result.bar, MOST_IN_A_FILE)
    caption = "Averages with their limits, valid whenever one looks."
    ran = page.section("What was run", tag("p", page.code(command))) if command else None
    return page.page_text(
        f"{what}: {state} · goodarm gate",
        page.head(bdi(what), state, look),
        page.question(question(result)),
        tag("section", *_answer(result), class_="answer card"),
        page.section("The options", forest_table(forest, caption)),
        ran,
        page.section("What was asked", facts(_settings(result))),
        page.section("What the confidence means", tag("p", _meaning(result.delta))),
    )


MEANING = (
    "A gate names a wrong option, or misses a good one, with probability at most {delta}, "
    "whatever the averages are and however often it looked: it looks after every trial. That "
    "holds for trials that are independent, with outcomes of the declared kind. Undecided means "
    "that the trials that were made do not say it yet."
)


def _meaning(delta: float | None) -> str:
    """A study may have no δ of its own; then it is one minus the confidence."""
    return MEANING.format(delta="one minus the confidence" if delta is None else f"{delta:g}")


def question(result: GateResult) -> str:
    """What the gate asks, in a sentence."""
    bar = _bar(result)
    if len(result.arms) == 1:
        return f"Is the average of {result.arms[0].arm} {bar}?"
    return f"Which of {counted(len(result.arms), 'option')} has an average of {bar}, or has none?"


def _bar(result: GateResult) -> str:
    return f"at {'least' if result.goal == ABOVE else 'most'} {result.bar:g}"


def _answer(result: GateResult) -> list[Html]:
    first, _, rest = result.headline.partition("\n")
    said = [page.message(first)]
    if rest:
        said.append(tag("pre", *_lines(rest)))
    sure = confidence(result.confidence) if result.confidence > 0.0 else NOTHING
    most = "" if result.budget is None else f" of at most {figure(result.budget)}"
    return [
        *said,
        facts(
            [
                ("Confidence", sure),
                ("Trials", figure(result.trials) + most),
                ("Took", f"{figure(result.seconds, 3)} s"),
            ],
            "facts",
        ),
    ]


def _settings(result: GateResult) -> list[tuple[str, Content]]:
    return [
        ("The bar", _bar(result)),
        ("Confidence wanted", NOTHING if result.delta is None else sure_at(result.delta)),
        ("Outcomes", result.outcome),
        ("Trials", result.facts),
        ("Seed", str(result.seed)),
    ]


def _lines(text: str) -> list[Content]:
    """Lines with breaks between them: a name has none, what a command says may have."""
    lines: list[Content] = []
    for line in text.splitlines():
        lines += [line, Html("\n")]
    return lines
