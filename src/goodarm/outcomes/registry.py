"""Finding an outcome model by name, from text or from a log."""

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields
from functools import cache
from typing import Any

from goodarm.errors import InputError, unknown_name
from goodarm.outcomes.contract import Outcome
from goodarm.plugins import declared, installed


class OutcomeRegistry(Mapping[str, type[Outcome]]):
    """Every outcome model by name, ours first."""

    def __getitem__(self, name: str) -> type[Outcome]:
        return _by_name()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_by_name())

    def __len__(self) -> int:
        return len(_by_name())


outcomes = OutcomeRegistry()


def find_outcome(value: object) -> Outcome:
    """The outcome model; a text such as ``bounded:0:100`` names one, too."""
    if isinstance(value, Outcome):
        return value
    if isinstance(value, str):
        return parse_outcome(value)
    raise InputError(f"outcome: {value!r} is no outcome model; give one, or write {_forms()}")


def parse_outcome(text: str) -> Outcome:
    """Read ``bernoulli``, ``bounded:LO:HI`` or ``gaussian:SIGMA`` (``gaussian:S1,S2,…`` by arm).

    >>> parse_outcome("bounded:0:100").high
    100.0
    """
    kind, *parts = text.strip().lower().split(":")
    model = _find(kind)
    parameters = fields(model)
    if len(parts) > len(parameters) or parts[-1:] == [""]:
        raise InputError(f"outcome: write {_forms()}, not {text!r}")
    values: dict[str, Any] = {}
    for field, part in zip(parameters, parts, strict=False):
        if part or field.default is MISSING:
            values[field.name] = _read(field, part, text)
    if any(field.default is MISSING and field.name not in values for field in parameters):
        raise InputError(f"outcome: write {_forms()}, not {text!r}")
    return model(**values)


def outcome_from_data(data: Mapping[str, Any]) -> Outcome:
    """The outcome model that `Outcome.to_data` wrote."""
    return _find(data["kind"]).from_data(data)


def _find(kind: str) -> type[Outcome]:
    if kind in outcomes:
        return outcomes[kind]
    for model in outcomes.values():
        if kind in model.aliases:
            return model
    raise unknown_name("outcome", kind, [model.form() for model in outcomes.values()])


def _forms() -> str:
    *most, last = [model.form() for model in outcomes.values()]
    return f"{', '.join(most)} or {last}"


def _read(field: "Field[Any]", part: str, text: str) -> float | tuple[float, ...]:
    numbers = [_number(piece, text) for piece in part.split(",")]
    if len(numbers) > 1 and not field.metadata.get("per_arm"):
        raise InputError(f"outcome: {part!r} in {text!r} is not a number")
    return tuple(numbers) if len(numbers) > 1 else numbers[0]


def _number(text: str, whole: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"outcome: {text!r} in {whole!r} is not a number") from None


@cache
def _by_name() -> dict[str, type[Outcome]]:
    by_name = {model.name: model for model in declared("goodarm.outcomes", "OUTCOMES")}
    for label, model in installed("goodarm.outcomes"):
        if not (isinstance(model, type) and issubclass(model, Outcome)):
            raise InputError(f"{label} is no Outcome")
        by_name.setdefault(model.name, model)
    return by_name
