"""Reading recorded outcomes: a CSV file with the columns arm and value, or a mapping."""

import csv
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from goodarm.errors import InputError


def read_outcomes(source: str | Path | Mapping[str, Sequence[float]]) -> dict[str, list[float]]:
    """The outcomes of each arm, in the order in which the arms first appear."""
    recorded = dict(source) if isinstance(source, Mapping) else _read_csv(Path(source))
    if not recorded:
        raise InputError("data: there is no outcome in it; at least one is needed")
    checked = {str(arm): [_finite(str(arm), v) for v in values] for arm, values in recorded.items()}
    for arm, values in checked.items():
        if not values:
            raise InputError(f"data: arm {arm!r} has no outcome; leave it out or record one")
    return checked


def _read_csv(path: Path) -> dict[str, list[float]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"cannot read the data file {str(path)!r}: {reason}") from None
    rows = csv.DictReader(text.splitlines(), skipinitialspace=True)
    if not {"arm", "value"} <= set(rows.fieldnames or ()):
        raise InputError(f"{path.name}: the header must have the columns arm and value")
    recorded: dict[str, list[float]] = {}
    for line, row in enumerate(rows, 2):
        arm, value = (row["arm"] or "").strip(), (row["value"] or "").strip()
        if not arm:
            raise InputError(f"{path.name} line {line}: the arm is missing")
        try:
            recorded.setdefault(arm, []).append(float(value))
        except ValueError:
            raise InputError(f"{path.name} line {line}: value {value!r} is no number") from None
    return recorded


def _finite(arm: str, value: object) -> float:
    if isinstance(value, bool | str) or not math.isfinite(float(value)):  # type: ignore[arg-type]
        raise InputError(f"data: outcome {value!r} of arm {arm!r} is not a finite number")
    return float(value)  # type: ignore[arg-type]
