"""Recorded outcomes of arms: a CSV file with the columns arm and value, or a mapping."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from goodarm.csv_tables import read_all, read_cells, read_header, recorded_outcomes
from goodarm.errors import InputError
from goodarm.files import read_text
from goodarm.inputs import number, read_number
from goodarm.outcomes import Outcome
from goodarm.outcomes import outcomes as outcome_models
from goodarm.outcomes.choosing import known_model, some_threshold
from goodarm.outcomes.contract import Reading
from goodarm.outcomes.suggesting import Suggestions, suggest

PLAIN = ("value", "size")  # the columns of models that name none of their own
MOST_EXPANDED = 100_000  # yes/no outcomes that stand for those of an arm


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


def read_single_outcomes(source: str | Path, outcome: Outcome) -> dict[str, list[float]]:
    """The outcomes of each arm in a file as single ones, without sizes, to draw from.

    Successes of trials become yes and no. Under a model without sizes, each line is one outcome:
    its share, or its rate. Counts in exposures and sums of durations cannot be taken apart.
    """
    text, name = read_text(source), Path(source).name
    if "arm" not in read_header(text, name):
        return recorded_outcomes(text, name)  # which says what the header needs
    single: dict[str, list[float]] = {}
    for arm, readings in readings_in(text, name).items():
        if all(one.size == 1.0 for one in readings):
            single[arm] = [one.value for one in readings]
        elif outcome.units(2.0) == 2:  # one of size n stands for n of them
            single[arm] = _yes_and_no(
                sum(one.value for one in readings), sum(one.size for one in readings)
            )
        elif not outcome.size_form and all(one.size > 0.0 for one in readings):
            single[arm] = [one.value / one.size for one in readings]
        else:
            raise InputError(
                f"data: {arm}: {outcome.name} outcomes with sizes cannot be taken apart into "
                "single ones, which a simulation draws; give outcomes without sizes, or guesses "
                "of the means instead (means, --means)"
            )
    return single


def _yes_and_no(successes: float, trials: float) -> list[float]:
    """So many yes among so many; of more than can be held, the same share to five digits."""
    many = min(int(trials), MOST_EXPANDED)
    yes = round(successes * many / trials)
    return [1.0] * yes + [0.0] * (many - yes)


def suggest_outcome(
    source: str | Path | Mapping[str, Sequence[float]], threshold: float | None = None
) -> Suggestions:
    """Which outcome model can recorded outcomes be from? Every model with its verdict and reason.

    `source` is a mapping from each arm to its values, or a CSV file: with the columns arm and value
    (or those of outcomes with sizes, such as arm, successes, trials), or with values alone. A value
    may be typed with its size: 37/1000, 5+. `threshold` is the bar that means will be compared
    with, if it is known already.

    >>> found = suggest_outcome({"a": [3, 0, 2, 1, 4, 2], "b": [2, 6, 1, 3, 3, 2]})
    >>> found.outcome.text(), found.best.why
    ('poisson', 'whole numbers; too few to see whether they are clustered')
    """
    if isinstance(source, Mapping):
        return suggest(read_outcomes(source), threshold)
    return suggest_from(read_text(source), Path(source).name, threshold)


def suggest_from(text: str, name: str, threshold: float | None = None) -> Suggestions:
    """What `suggest_outcome` says of a table; `name` is what messages call it."""
    return suggest(readings_in(text, name), threshold, _columns(read_header(text, name)))


def readings_in(text: str, name: str) -> dict[str, list[Reading]]:
    """The outcomes in a table, whichever columns they are in; without arms, those of one arm."""
    header = read_header(text, name)
    if "arm" not in header:
        return {"": [_typed(f"{name}: line {n}", cell) for n, cell in read_cells(text, name)]}
    value, size = _columns(header) or ("value", "")
    models = {model.columns: known_model(model.name) for model in outcome_models.values()}
    model = None if (value, size) == PLAIN else models.get((value, size))
    required = ("arm", value, size) if size else ("arm", value)
    readings: dict[str, list[Reading]] = {}
    for line, cells in read_all(text, name, required, other_columns=True):
        where = f"{name}: line {line}"
        if not cells["arm"]:
            raise InputError(f"{where}: the arm is missing")
        if size:
            told = _number(f"{where}: {value}", cells[value])
            reading = Reading(told, _number(f"{where}: {size}", cells[size]))
        else:
            reading = _typed(f"{where}: {value}", cells[value])
        if model is not None:
            _check(model, reading, where)
        readings.setdefault(cells["arm"], []).append(reading)
    return readings


def _columns(header: Sequence[str]) -> tuple[str, str] | None:
    """The columns of values and sizes, if there are sizes."""
    pairs = (model.columns for model in outcome_models.values())
    return next((pair for pair in pairs if set(pair) <= set(header)), None)


def _check(model: Outcome, reading: Reading, where: str) -> None:
    """The columns name the model: what it cannot take is a fault of this line."""
    try:
        model.check_sized(*reading, some_threshold(model))
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _typed(where: str, cell: str) -> Reading:
    """A number, or a value with its size in the way of any model that has sizes."""
    try:
        return Reading(_number(where, cell))
    except InputError as error:
        for name in outcome_models:
            model = known_model(name)
            if model is None or not model.size_form:
                continue
            try:
                value, size = model.read(cell)
                return Reading(number("value", value), number("size", size))
            except InputError:
                continue
        raise error from None


def _number(where: str, cell: str) -> float:
    return number(where, read_number(where, cell))
