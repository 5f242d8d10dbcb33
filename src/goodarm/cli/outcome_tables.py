"""How models, their prices and their checks are shown: outcomes, plan and study create do so."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from goodarm.cli.tables import console, table
from goodarm.outcomes.choosing import Advice, explain
from goodarm.outcomes.suggesting import Candidate, Suggestions
from goodarm.planning.prices import Effect, ModelPrice
from goodarm.wording import NOTHING, counted, figure

WIDEST = 78  # characters in a line that is read easily


def show_advice(advice: Advice, side: float) -> None:
    """The model, why it is the one, and what it rests on; `side` is 1 where more is good."""
    facts = explain(advice.outcome, side)
    _show_lines(
        f"--outcome {facts['outcome']}",
        [
            ("why", advice.why),
            ("assumes", facts["assumes"]),
            ("breaks it", facts["breaks"]),
            ("watched", ", ".join(facts["watched"])),
            ("note", facts["note"] or ""),
            ("many at once", facts["sizes"]),
        ],
    )


def show_prices(effect: Effect, found: Sequence[ModelPrice]) -> None:
    """Trials under each model, side by side."""
    done = "is named" if effect.is_good else "is ruled out"
    bar, mean = f"{effect.threshold:g}", f"{effect.mean:.4g}"
    cells = table(
        f"Trials until an arm {done}", ["model", "trials [95 %]", "what it assumes"], left=3
    )
    cells.columns[1].no_wrap = True
    for price in found:
        cells.add_row(Text(price.outcome), Text(_trials(price)), Text(price.remark))
    console().print(cells)
    _say(
        f"Simulated: one arm with mean {mean} and standard deviation {effect.scatter:.3g}, bar "
        f"{bar}, {counted(effect.arms, 'arm')} in all, δ = {effect.delta:g}. Every model sees the "
        "same outcomes; it holds only if its assumptions do. --threshold, --mean, --scatter, "
        "--delta and --arms change the question."
    )


def show_suggestions(found: Suggestions) -> None:
    """Every model with its verdict, and what to know before the first is taken."""
    facts, best = found.facts, found.best
    seen = f"{counted(facts.count, 'outcome')} of {counted(facts.arms, 'arm')}"
    cells = table(f"Outcome models for {seen}", ["model", "fits", "why"], left=3)
    for candidate in found.candidates:
        cells.add_row(Text(candidate.outcome.text()), _verdict(candidate), Text(_reason(candidate)))
    console().print(cells)
    if not best.fits:
        _show_lines("nothing fits: name a model with --outcome", [])
        return
    doubtful = "the least doubtful" if best.doubts else "suggested"
    _show_lines(
        f"{doubtful}: --outcome {best.outcome.text()}",
        [
            ("if", best.confirm or ""),
            ("assumes", best.outcome.assumes),
            ("checked", _checks(best)),
            ("note", best.outcome.note(1.0) or ""),
        ],
    )


def _checks(candidate: Candidate) -> str:
    watched = candidate.to_dict()["watched"]
    if candidate.doubts:
        return " ".join(candidate.doubts)
    every = "every value" if not watched else f"every value, {', '.join(watched)}"
    return f"{every}: nothing speaks against it"


def _verdict(candidate: Candidate) -> str:
    if not candidate.fits:
        return "no"
    if candidate.doubts:
        return "doubtful"
    return "if confirmed" if candidate.confirm else "yes"


def _reason(candidate: Candidate) -> str:
    return " ".join(
        [f"{candidate.why}.", *candidate.doubts] if candidate.doubts else [candidate.why]
    )


def _trials(price: ModelPrice) -> str:
    if price.trials is None:
        return NOTHING
    if price.trials.high is None:
        return f"> {figure(price.trials.value)}"
    low, high = figure(round(price.trials.low)), figure(round(price.trials.high))
    return f"{figure(round(price.trials.value))} [{low}, {high}]"


def _show_lines(title: str, lines: Sequence[tuple[str, str]]) -> None:
    """A title and what there is to say below it, each with its label."""
    screen = console()
    screen.print(Text(title, style="bold"))
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for label, text in lines:
        if text:
            grid.add_row(Text(f"  {label}"), Text(text))
    screen.print(grid, width=min(screen.width, WIDEST))
    screen.print()


def _say(text: str) -> None:
    screen = console()
    screen.print(text, markup=False, width=min(screen.width, WIDEST))
