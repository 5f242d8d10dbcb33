"""Recorded outcomes of arms: a CSV file with the columns arm and value, or a mapping."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from goodarm.csv_tables import recorded_outcomes
from goodarm.errors import InputError
from goodarm.files import read_text
from goodarm.inputs import number


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
