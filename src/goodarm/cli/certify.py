"""goodarm certify: what one sequence of outcomes proves about its mean, without any study."""

import math
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from goodarm.cli.options import AsJson
from goodarm.cli.outcome_command import OUTCOME_HELP
from goodarm.cli.output import print_json
from goodarm.errors import InputError
from goodarm.files import read_text
from goodarm.wording import NOTHING, counted

if TYPE_CHECKING:
    from goodarm.outcomes import Certificate, Outcome

WIDEST = 78  # characters in a line that is read easily


def certify(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="Outcomes, one per line (3.5; 37/1000 and 5+ where the model has sizes), or CSV "
            "with a column value; - reads standard input.",
        ),
    ],
    threshold: Annotated[float, typer.Option(help="The bar that the mean is compared with.")],
    outcome: Annotated[str, typer.Option(help=OUTCOME_HELP)],
    alpha: Annotated[
        float, typer.Option(help="Each limit is wrong with at most this probability.")
    ] = 0.05,
    as_json: AsJson = False,
) -> None:
    """What outcomes prove about their mean: on which side of the bar it is, and how surely."""
    from goodarm.csv_tables import read_cells
    from goodarm.outcomes import certificate, find_outcome

    text, name = source_text(source)
    model = find_outcome(outcome)
    bar = model.check_threshold(threshold)
    told = []
    for line, cell in read_cells(text, name):
        try:
            told.append(model.check_sized(*model.read(cell), bar))
        except InputError as error:
            raise InputError(f"{name}: line {line}: {error}") from None
    proof = certificate(model, bar, told, alpha)
    if as_json:
        print_json(proof.to_dict())
    else:
        from goodarm.cli.tables import console

        screen = console()
        # A model with a note cannot show everything: then more outcomes may be of no use.
        hope = "" if model.note(1.0) else "; more outcomes may do so"
        said = "\n\n".join([certificate_text(proof, hope), *_notes(model)])
        screen.print(said, markup=False, width=min(screen.width, WIDEST))


def _notes(model: "Outcome") -> list[str]:
    """What a reader must know of such outcomes."""
    order = (
        "Outcomes of this kind count in the order of their trials; in any other order, such as "
        "sorted by value, they prove nothing."
    )
    return [note for note in (model.in_order and order, model.note(1.0)) if note]


def certificate_text(proof: "Certificate", hope: str = "") -> str:
    """The certificate for people; `hope` is added where nothing is shown yet."""
    bar, mean = f"{proof.threshold:g}", NOTHING if proof.mean is None else f"{proof.mean:.6g}"
    low = "−∞" if proof.lower is None else f"{proof.lower:.6g}"
    high = "∞" if proof.upper is None else f"{proof.upper:.6g}"
    above, below = (math.exp(min(0.0, -log_e)) for log_e in (proof.above, proof.below))
    return "\n".join(
        [
            f"{counted(proof.count, 'outcome')} ({proof.outcome}), mean {mean}",
            f"ln E⁺ = {proof.above:<9.4f} against a mean of at most {bar}: p ≤ {above:.3g}",
            f"ln E⁻ = {proof.below:<9.4f} against a mean of at least {bar}: p ≤ {below:.3g}",
            f"limits  {low} to {high}, each missed with probability at most {proof.alpha:g}",
            "",
            _conclusion(proof.alpha, bar, above, below, hope),
        ]
    )


def _conclusion(alpha: float, bar: str, above: float, below: float, hope: str) -> str:
    """What the two p-values say, in words that do not promise too much."""
    p, side = min((above, "above"), (below, "below"))
    if p > alpha:
        return f"Neither side of {bar} is shown at {alpha:g}{hope}."
    return (
        f"The mean is {side} {bar}. If it were not, evidence this strong would ever come up with "
        f"probability at most {p:.3g}, however often one looks, provided that outcomes are "
        "independent and of the declared kind."
    )


def source_text(source: str) -> tuple[str, str]:
    """The text of a file, or of standard input for -, and what to call it in messages."""
    if source != "-":
        return read_text(source), source
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig"), "standard input"
    except UnicodeDecodeError:
        raise InputError("standard input is not UTF-8 text") from None
