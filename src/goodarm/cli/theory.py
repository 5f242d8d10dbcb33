"""goodarm theory: what the paper's theory says about an instance."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from goodarm.cli.options import AsJson, Instance, Threshold
from goodarm.cli.output import check_folder, print_json
from goodarm.errors import InputError, unknown_name

DEFAULT_DELTAS = ("0.01",)
DEFAULT_TIMES = ("1000", "10000", "100000")
DEFAULT_RUNS = 1000  # of a picture
READING_CHOICES = {
    "corrected": ("corrected",),
    "published": ("published",),
    "both": ("published", "corrected"),
}
PICTURES = (".png", ".pdf", ".svg", ".jpg", ".webp")

Deltas = Annotated[
    list[str] | None,
    typer.Option("--delta", "-d", help="A risk δ, however small; may be given several times."),
]
Times = Annotated[
    list[str] | None,
    typer.Option("--time", "-t", help="A time or budget; may be given several times."),
]
Reading = Annotated[
    str, typer.Option(help="corrected, published (as in the paper) or both; --json has both.")
]
Plot = Annotated[Path | None, typer.Option(help="Draw bounds and simulated errors into this file.")]
Runs = Annotated[
    int | None, typer.Option(help="Simulate this many runs, at the first time, beside the bounds.")
]


class TheoryCommand(TyperCommand):
    """Lets --delta and --time take several values: ``--delta 0.1 0.01``, or each with its own."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Give every further number its own option, then parse as usual."""
        spread: list[str] = []
        option, waiting = "", False  # the last --delta or --time, and whether its value is next
        for word in args:
            if word in ("--delta", "-d", "--time", "-t"):
                option, waiting = word, True
            elif waiting:
                waiting = False
            elif option and _is_number(word):
                spread.append(option)
            else:
                option = ""
            spread.append(word)
        return super().parse_args(ctx, spread)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def theory(
    instance: Instance,
    delta: Deltas = None,
    time: Times = None,
    reading: Reading = "corrected",
    threshold: Threshold = None,
    as_json: AsJson = False,
    plot: Plot = None,
    runs: Runs = None,
    seed: Annotated[int, typer.Option(help="The seed of all simulations.")] = 0,
) -> None:
    """Complexity, error bounds, sample sizes and lower bounds of an instance.

    Beside the lower bound: what an oracle needs that knows the means, simulated with a study's
    certificates.
    """
    from goodarm.cli.theory_runs import add_oracle, draw_bounds, simulate_at
    from goodarm.cli.theory_tables import Theory, show_theory
    from goodarm.instance import load_instance
    from goodarm.theory import ranking, theory_summary

    problem = load_instance(instance, threshold)
    readings = _readings(reading)
    risks = {label: _risk(label) for label in _labels(delta, DEFAULT_DELTAS)}
    times = {label: _time(label) for label in _labels(time, DEFAULT_TIMES)}
    _check_plot(plot)
    first = next(iter(times.values()))
    simulated = {} if runs is None else simulate_at(problem, first, runs, seed)
    summary = theory_summary(problem, risks, times)
    add_oracle(summary, problem, seed)
    rankings = {name: ranking(problem, simulated, name) for name in READING_CHOICES["both"]}
    if plot is not None:
        horizon = max(times.values())
        draw_bounds(problem, plot, horizon, readings, runs or DEFAULT_RUNS, seed)
    if as_json:
        every = {name: [row.to_dict() for row in rows] for name, rows in rankings.items()}
        print_json({**summary, "ranking": every})
        return
    chosen = {name: rankings[name] for name in readings}
    show_theory(Theory(problem, summary, chosen, risks, times, first if simulated else None))


def _labels(words: list[str] | None, default: Sequence[str]) -> list[str]:
    """The values as typed; one option may hold several, separated by commas."""
    return [label.strip() for word in words or default for label in word.split(",")]


def _readings(reading: str) -> tuple[str, ...]:
    if reading.lower() not in READING_CHOICES:
        raise unknown_name("reading", reading, READING_CHOICES)
    return READING_CHOICES[reading.lower()]


def _risk(text: str) -> float:
    """ln(1/δ) of a δ as typed; through decimals, so that 1e-1000 is no 0."""
    from decimal import Decimal, InvalidOperation

    try:
        value = Decimal(text)
        inside = Decimal(0) < value < Decimal(1)
    except InvalidOperation:
        raise InputError(f"delta: {text!r} is not a number") from None
    if not inside:
        raise InputError(f"delta: {text!r} is not strictly between 0 and 1")
    return -float(value.ln())


def _time(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise InputError(f"time: {text!r} is not a number") from None
    if not 1.0 <= value < float("inf") or value != int(value):
        raise InputError(f"time: {text!r} is not a whole number of at least 1")
    return value


def _check_plot(path: Path | None) -> None:
    """Complain before the simulation, not after it."""
    if path is None:
        return
    if path.suffix.lower() not in PICTURES:
        raise InputError(f"plot: {str(path)!r} must end in one of {', '.join(PICTURES)}")
    if not path.parent.is_dir():
        raise InputError(f"plot: the folder {str(path.parent)!r} does not exist")
    check_folder("plot", path.parent)
