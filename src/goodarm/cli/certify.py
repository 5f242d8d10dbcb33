"""goodarm certify: what one sequence of outcomes proves about its mean, without any study."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from goodarm.cli.options import AsJson
from goodarm.cli.outcome_command import OUTCOME_HELP
from goodarm.cli.output import print_json
from goodarm.errors import InputError
from goodarm.files import read_text

if TYPE_CHECKING:
    from goodarm.outcomes import Outcome

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
        from goodarm.outcomes.certificate_text import certificate_text

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


def source_text(source: str) -> tuple[str, str]:
    """The text of a file, or of standard input for -, and what to call it in messages."""
    if source != "-":
        return read_text(source), source
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig"), "standard input"
    except UnicodeDecodeError:
        raise InputError("standard input is not UTF-8 text") from None
