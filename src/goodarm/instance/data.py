"""Recorded outcomes of arms: a CSV file with the columns arm and value, or a mapping."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from goodarm.csv_tables import read_all, read_values, recorded_outcomes
from goodarm.errors import InputError
from goodarm.files import read_text
from goodarm.inputs import number, read_number
from goodarm.outcomes import outcomes as outcome_models
from goodarm.outcomes.contract import Reading
from goodarm.outcomes.suggesting import Suggestions, suggest


def read_outcomes(source: str | Path | Mapping[str, Sequence[float]]) -> dict[str, list[float]]:
    """The outcomes of each arm, in the order in which the arms first appear."""
    if not isinstance(source, Mapping):
        return recorded_outcomes(read_text(source), Path(source).name)
    if not source:
        raise InputError("data: there is no outcome in it; at least one is needed")
    outcomes: dict[str, list[float]] = {}
    for arm, values in source.items():
        what = f"data: outcome of arm {str(arm)!r}"
        outcomes[str(arm)] = [number(what, value) for value in values]
        if not outcomes[str(arm)]:
            raise InputError(f"data: arm {str(arm)!r} has no outcome; leave it out or record one")
    return outcomes


def suggest_outcome(
    source: str | Path | Mapping[str, Sequence[float]], threshold: float | None = None
) -> Suggestions:
    """Which outcome model can recorded outcomes be from? Every model with its verdict and reason.

    `source` is a mapping from each arm to its values, or a CSV file: with the columns arm and value
    (or those of outcomes with sizes, such as arm, successes, trials), or with values alone.
    `threshold` is the bar that means will be compared with, if it is known already.

    >>> found = suggest_outcome({"a": [3, 0, 2, 1, 4, 2], "b": [2, 5, 1, 3, 3, 2]})
    >>> found.outcome.text(), found.best.why
    ('poisson', 'whole numbers; too few to see whether they are clustered')
    """
    if isinstance(source, Mapping):
        return suggest(read_outcomes(source), threshold)
    return suggest(readings_in(read_text(source), Path(source).name), threshold)


def readings_in(text: str, name: str) -> dict[str, list[Reading]]:
    """The outcomes in a table, whichever columns they are in; without arms, those of one arm."""
    header = [cell.strip().lower() for cell in text.lstrip("\ufeff\n\r ").split("\n")[0].split(",")]
    if "arm" not in header:
        return {"": [Reading(value) for _, value in read_values(text, name)]}
    pairs = (model.columns for model in outcome_models.values())
    value, size = next((pair for pair in pairs if set(pair) <= set(header)), ("value", ""))
    required = ("arm", value, size) if size else ("arm", value)
    readings: dict[str, list[Reading]] = {}
    for line, cells in read_all(text, name, required, other_columns=True):
        if not cells["arm"]:
            raise InputError(f"{name}: line {line}: the arm is missing")
        where = f"{name}: line {line}: "
        told = read_number(where + value, cells[value])
        many = read_number(where + size, cells[size]) if size else 1.0
        readings.setdefault(cells["arm"], []).append(Reading(told, many))
    return readings
