"""goodarm certify: what one sequence of outcomes proves about its mean, without any study."""

import csv
import io
import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goodarm.cli.outcome_command import OUTCOME_HELP
from goodarm.errors import InputError

if TYPE_CHECKING:
    from goodarm.outcomes import Certificate


def certify(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="Numbers, one a line, or CSV with a column value; - reads standard input.",
        ),
    ],
    threshold: Annotated[float, typer.Option(help="The bar that the mean is compared with.")],
    outcome: Annotated[str, typer.Option(help=OUTCOME_HELP)],
    alpha: Annotated[
        float, typer.Option(help="The limits are each missed with this probability at most.")
    ] = 0.05,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """What outcomes prove about their mean: on which side of the bar it is, and how surely."""
    from goodarm.outcomes import certificate, check_outcome

    lines = read_values(_text(source))
    model = check_outcome(outcome)
    bar = model.check_threshold(threshold)
    for line, value in lines:
        try:
            model.check(value, bar)
        except InputError as error:
            raise InputError(f"line {line}: {error}") from None
    proof = certificate(model, bar, [value for _, value in lines], alpha)
    if as_json:
        print(json.dumps(proof.to_dict(), indent=2, ensure_ascii=False, allow_nan=False))
    else:
        print(certificate_text(proof))


def read_values(text: str) -> list[tuple[int, float]]:
    """Numbers with their lines: of the only column, or of the one that is called value."""
    reader = csv.reader(io.StringIO(text, newline=""), skipinitialspace=True)
    found: list[tuple[int, float]] = []
    column, width = 0, 0
    try:
        for cells in reader:
            row = [cell.strip() for cell in cells]
            if not any(row):
                continue
            if not width:
                width = len(row)
                column, is_header = _column(row, reader.line_num)
                if is_header:
                    continue
            if len(row) != width:
                raise InputError(f"line {reader.line_num}: {len(row)} cells, not {width}")
            found.append((reader.line_num, _number(row[column], reader.line_num)))
    except csv.Error as error:
        raise InputError(f"line {reader.line_num}: {error}") from None
    if not found:
        raise InputError("there are no outcomes in it; give numbers, one a line")
    return found


def certificate_text(proof: "Certificate") -> str:
    """The certificate for people."""
    bar, mean = f"{proof.threshold:g}", "–" if proof.mean is None else f"{proof.mean:.6g}"
    low = "–∞" if proof.lower is None else f"{proof.lower:.6g}"
    high = "∞" if proof.upper is None else f"{proof.upper:.6g}"
    above, below = (math.exp(min(0.0, -log_e)) for log_e in (proof.above, proof.below))
    return "\n".join(
        [
            f"{proof.count} outcomes ({proof.outcome}), mean {mean}",
            f"ln E⁺ = {proof.above:<9.4f} against a mean of at most {bar}: p ≤ {above:.3g}",
            f"ln E⁻ = {proof.below:<9.4f} against a mean of at least {bar}: p ≤ {below:.3g}",
            f"limits  {low} to {high}, each missed with probability at most {proof.alpha:g}",
            "",
            _conclusion(proof.alpha, bar, above, below),
        ]
    )


def _conclusion(alpha: float, bar: str, above: float, below: float) -> str:
    """What the two p-values say, in words that do not promise too much."""
    p, side = min((above, "above"), (below, "below"))
    if p > alpha:
        return f"Neither side of {bar} is shown at {alpha:g}; more outcomes may do so."
    return (
        f"The mean is {side} {bar}. If it were not, evidence this strong would ever come\n"
        f"up with probability at most {p:.3g}, however often one looks, provided that\n"
        "outcomes are independent and of the declared kind."
    )


def _text(source: str) -> str:
    if source == "-":
        return sys.stdin.read().removeprefix("\ufeff")
    try:
        return Path(source).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"cannot read {source!r}: {reason}") from None


def _column(row: list[str], line: int) -> tuple[int, bool]:
    """Where the values stand, and whether this first row is a header."""
    names = [cell.lower() for cell in row]
    if names.count("value") == 1:
        return names.index("value"), True
    if len(row) > 1:
        raise InputError(f"line {line}: of several columns one must be called value")
    return 0, row[0][0].isalpha() and row[0].lower() not in ("nan", "inf", "infinity")


def _number(cell: str, line: int) -> float:
    try:
        value = float(cell)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"line {line}: {cell!r} is not a number")
    return value
