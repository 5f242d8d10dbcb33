"""What was handed in as the outcome of a trial: one value, or a value for each measurement."""

from collections.abc import Mapping
from typing import NamedTuple

from goodarm.errors import InputError, unknown_name
from goodarm.inquiry import Criterion
from goodarm.outcomes.contract import Reading
from goodarm.study.settings import Settings


class ToldMeasure(NamedTuple):
    """An outcome that has been checked; `name` is that of its measurement, if there are several."""

    measure: int
    name: str | None
    reading: Reading


def check_told(settings: Settings, value: object, size: object = None) -> list[ToldMeasure]:
    """What was handed in, if there can be such outcomes."""
    criteria = settings.every_criterion
    if not settings.criteria:
        if isinstance(value, Mapping):
            raise InputError("value: give one number; the study has one measurement")
        return [ToldMeasure(0, None, _checked(criteria[0], value, size))]
    known = [criterion.name for criterion in criteria]
    if not isinstance(value, Mapping):
        raise InputError(
            f"value: a trial has several measurements; give each by its name: {', '.join(known)}"
        )
    if not value:
        raise InputError(f"value: no measurement is given; there are {', '.join(known)}")
    sizes = {} if size is None else size
    if not isinstance(sizes, Mapping):
        raise InputError("size: give a size for each measurement by its name")
    for name in (*value, *sizes):
        if name not in known:
            raise unknown_name("measurement", str(name), known)
    for name in sizes:
        if name not in value:
            raise InputError(f"size: {name} has a size, but no value")
    given = []
    for measure, name in enumerate(known):
        if name in value:
            try:
                reading = _checked(criteria[measure], value[name], sizes.get(name))
            except InputError as error:
                raise type(error)(f"{name}: {error}") from None
            given.append(ToldMeasure(measure, name, reading))
    return given


def _checked(criterion: Criterion, value: object, size: object) -> Reading:
    return criterion.outcome.check_sized(value, size, criterion.reference)


def own_size(size: float) -> float | None:
    """The size as an event has it: left out if it is 1."""
    return None if size == 1.0 else size
