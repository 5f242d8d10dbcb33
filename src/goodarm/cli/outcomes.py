"""goodarm outcomes: which outcome model is mine, and what does it cost?"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from goodarm.cli.options import AsJson, Seed
from goodarm.cli.output import print_json
from goodarm.errors import InputError
from goodarm.extras import MissingExtraError

if TYPE_CHECKING:
    from goodarm.outcomes.choosing import Answers

Kind = Annotated[
    str | None,
    typer.Option(help="What an outcome is: yes-no, count, duration, share or number."),
]
Varying = Annotated[
    bool | None,
    typer.Option(
        "--varying/--steady",
        help="Whether outcomes vary by more than chance: rates by batch, clustered counts, "
        "durations with a few huge ones.",
    ),
]
Lo = Annotated[float | None, typer.Option(help="The smallest value that is possible at all.")]
Hi = Annotated[float | None, typer.Option(help="The largest value that is possible at all.")]
Sigma = Annotated[
    float | None, typer.Option(help="The standard deviation, if it is known to be no larger.")
]
Skewed = Annotated[
    bool | None,
    typer.Option("--skewed/--even", help="Whether outcomes are skewed, or many of them equal."),
]
Threshold = Annotated[float | None, typer.Option(help="Price: the bar.")]
Mean = Annotated[float | None, typer.Option(help="Price: the mean of the arm.")]
Scatter = Annotated[
    float | None, typer.Option(help="Price: the standard deviation of the outcomes.")
]
Delta = Annotated[float, typer.Option(help="Price: sure at 1 − δ.")]
Arms = Annotated[int, typer.Option(help="Price: how many arms there are in all.")]
Goal = Annotated[str, typer.Option(help="above: higher is better; below: lower is better.")]
Data = Annotated[
    str | None,
    typer.Option(
        help="Suggest from recorded outcomes: CSV with arm, value (or arm, successes, trials; "
        "arm, count, exposure), or values alone; - reads standard input."
    ),
]
Everything = Annotated[bool, typer.Option("--list", help="Show all models, one line each.")]
YES_OR_NO, NUMBERS = ("varying", "skewed"), ("lo", "hi", "sigma")


def outcomes(
    kind: Kind = None,
    varying: Varying = None,
    lo: Lo = None,
    hi: Hi = None,
    sigma: Sigma = None,
    skewed: Skewed = None,
    threshold: Threshold = None,
    mean: Mean = None,
    scatter: Scatter = None,
    delta: Delta = 0.05,
    arms: Arms = 10,
    goal: Goal = "above",
    seed: Seed = 0,
    data: Data = None,
    everything: Everything = False,
    as_json: AsJson = False,
) -> None:
    """Which outcome model is mine? Five questions, an answer, and what it costs in trials."""
    known = {"varying": varying, "lo": lo, "hi": hi, "sigma": sigma, "skewed": skewed}
    if everything:
        from goodarm.cli.listing import list_outcomes

        list_outcomes(as_json)
    elif data is not None:
        _suggest(data, threshold, as_json)
    else:
        answers = _answers(
            kind, {name: value for name, value in known.items() if value is not None}
        )
        _advise(answers, as_json, seed, threshold, mean, scatter, delta, arms, goal)


def _answers(kind: str | None, known: dict[str, Any]) -> "Answers":
    """What the options say; at a terminal, what a person says."""
    from goodarm.cli.study.session import at_terminal
    from goodarm.outcomes.choosing import BOUNDS, KINDS, Answers

    if kind is not None:
        return Answers(kind, **known)
    if not at_terminal():
        raise InputError(
            f"kind: say what an outcome is: --kind {', '.join(KINDS)}; or give --data FILE, or "
            "--list for all models"
        )
    answers = Answers(_ask_kind(), **known)
    asked = set(known)
    while left := [name for name in answers.matters if name not in asked]:
        both = [name for name in left if name in BOUNDS]  # one bound alone may contradict the other
        for name in both if left[0] in BOUNDS else left[:1]:
            asked.add(name)
            known[name] = _ask(name, answers)
        answers = Answers(answers.kind, **known)
    return answers


def _ask_kind() -> str:
    from goodarm.outcomes.choosing import KINDS

    kinds = list(KINDS)
    typer.echo("What is one outcome?", err=True)
    for position, (name, about) in enumerate(KINDS.items(), 1):
        typer.echo(f"  {position}  {name:<9} {about}", err=True)
    typed = str(typer.prompt("Number or name", err=True)).strip().lower()
    return kinds[int(typed) - 1] if typed in map(str, range(1, len(kinds) + 1)) else typed


def _ask(name: str, answers: "Answers") -> Any:
    """One question; nothing typed is "no", or "not known"."""
    from goodarm.inputs import read_number
    from goodarm.outcomes.choosing import BOUNDS, SIGMA, SKEWED, VARYING

    if name in YES_OR_NO:
        text = VARYING[answers.kind] if name == "varying" else SKEWED
        return typer.confirm(text, default=False, err=True)
    usual = getattr(answers, name)
    text = BOUNDS.get(name, SIGMA)
    typed = typer.prompt(
        f"{text} (Enter: {'none' if usual is None else f'{usual:g}'})",
        default="",
        show_default=False,
        err=True,
    )
    return read_number(name, typed) if typed.strip() else usual


def _advise(answers: "Answers", as_json: bool, seed: int, *question: Any) -> None:
    """The answer and its price."""
    from dataclasses import asdict

    from goodarm.outcomes.choosing import advise
    from goodarm.planning.prices import effect_of, price_models

    advice, effect = advise(answers), effect_of(answers, *question)
    if as_json:
        prices = None  # where they cannot be simulated
        with _unless_missing(sys.stderr):
            prices = [asdict(price) for price in price_models(effect, advice.models, seed)]
        print_json({**advice.to_dict(effect.side), "effect": effect.to_dict(), "prices": prices})
        return
    from goodarm.cli.outcome_tables import show_advice, show_prices

    show_advice(advice, effect.side)
    with _unless_missing(sys.stdout):
        with _waiting():
            found = price_models(effect, advice.models, seed)
        show_prices(effect, found)


def _suggest(data: str, threshold: float | None, as_json: bool) -> None:
    from goodarm.cli.certify import source_text
    from goodarm.instance.data import suggest_from

    found = suggest_from(*source_text(data), threshold)
    if as_json:
        print_json(found.to_dict())
        return
    from goodarm.cli.outcome_tables import show_suggestions

    show_suggestions(found)


@contextmanager
def _unless_missing(to: TextIO) -> Iterator[None]:
    """The advice holds without its price: where that needs an extra, say so and go on."""
    try:
        yield
    except MissingExtraError as error:
        print(error, file=to)


def _waiting() -> Any:
    """A sign of life for a person: what is simulated for the first time is compiled first."""
    if not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console

    return Console(stderr=True).status("simulating")
