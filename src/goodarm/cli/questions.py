"""Options of every command that takes a question: the same words for `study create`, `plan` and
`simulate`, read in the same way.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goodarm.errors import InputError

if TYPE_CHECKING:
    from goodarm.inquiry import Criterion

Question = Annotated[
    str,
    typer.Option(
        help="any (one good arm, or none), all (which are good), top:M (M good ones) or in-order "
        "(the first good one of the list)."
    ),
]
Criteria = Annotated[
    list[str] | None,
    typer.Option(
        help="A measurement and its bar: NAME:MODEL>=BAR or <=BAR; give several. BAR may be "
        "control+0.02 or control*1.1. An arm is good when all hold."
    ),
]
Control = Annotated[
    str | None,
    typer.Option(help="The arm that the others are compared with; with --margin or --lift."),
]
Margin = Annotated[
    float | None,
    typer.Option(help="Better than the control by at least this; negative: at most so much worse."),
]
Lift = Annotated[
    str | None, typer.Option(help="The same as a share of the control's mean: 10% or 0.1.")
]
Costs = Annotated[list[str] | None, typer.Option(help="What a trial of an arm costs: ARM=COST.")]
ArmsFrom = Annotated[
    Path | None,
    typer.Option(
        help="A text file with one arm per line, or a CSV table with a column arm and maybe label, "
        "cost, note and threshold.",
        dir_okay=False,
    ),
]


def read_share(what: str, text: str | None) -> float | None:
    """A share as it is typed: 0.1, or 10%."""
    from goodarm.inputs import read_number

    if text is None:
        return None
    if text.strip().endswith("%"):
        return read_number(what, text.strip()[:-1]) / 100.0
    return read_number(what, text)


def read_criteria(
    texts: Sequence[str],
    outcome: str | None,
    bar: float | list[float] | None,
    goal: str,
    margin: float | None,
    lift: float | None,
) -> "list[Criterion]":
    """Criteria as they are typed, or the one that threshold, outcome, margin and lift make."""
    from goodarm.inquiry import Criterion

    if texts:
        given = {"threshold": bar, "outcome": outcome, "margin": margin, "lift": lift}
        for name, value in given.items():
            if value is not None:
                raise InputError(f"{name}: leave it out; each criterion has its own")
        return [Criterion.parse(text) for text in texts]
    if outcome is None:
        raise InputError("outcome: say what an outcome is, such as --outcome bernoulli")
    return [Criterion.declare(outcome, bar, goal, margin=margin, lift=lift)]
