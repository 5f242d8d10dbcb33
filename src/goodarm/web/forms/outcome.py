"""What an outcome is, as a form: choices and their inputs come from the registry of models."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Annotated

from fastapi import Depends, Request

from goodarm.errors import InputError
from goodarm.inputs import read_number
from goodarm.outcomes import Outcome, outcomes, parse_outcome


@dataclass(frozen=True)
class Input:
    """One parameter of a model, and the name of its input on the page."""

    name: str
    parameter: str
    label: str
    hint: str
    per_arm: bool  # one number for each option may be given
    may_be_empty: bool


@dataclass(frozen=True)
class Choice:
    """One model to choose."""

    name: str
    title: str
    summary: str
    inputs: tuple[Input, ...]


def choices() -> list[Choice]:
    """Every model with its inputs."""
    return [
        Choice(name, model.title, model.summary, tuple(_inputs(model)))
        for name, model in outcomes.items()
    ]


def blank_outcome(kind: str = "") -> dict[str, str]:
    """The form before anything is typed."""
    return {"outcome": kind, **{i.name: "" for choice in choices() for i in choice.inputs}}


def filled_outcome(text: str) -> dict[str, str]:
    """The form with a model that a text such as ``bounded:0:100`` names, blank if none does."""
    try:
        model = parse_outcome(text)
    except InputError:
        return blank_outcome()
    entered = blank_outcome(model.name)
    for field in _inputs(type(model)):
        value = getattr(model, field.parameter)
        numbers = value if isinstance(value, tuple) else () if value is None else (value,)
        entered[field.name] = " ".join(f"{number:.12g}" for number in numbers)
    return entered


def read_declared(form: Mapping[str, str]) -> Outcome:
    """The outcome model that a form describes."""
    model = outcomes.get(form.get("outcome", ""))
    if model is None:
        raise InputError("outcome: choose what a single outcome looks like")
    return model(**{i.parameter: _read(i, form.get(i.name, "")) for i in _inputs(model)})


def outcome_labels(form: Mapping[str, str]) -> dict[str, str]:
    """What the inputs of the chosen model are called on the page, by parameter."""
    model = outcomes.get(form.get("outcome", ""))
    labels = {} if model is None else {i.parameter: _capital(i.label) for i in _inputs(model)}
    return {"outcome": "What an outcome looks like", **labels}


def outcome_input(form: Mapping[str, str], field: str) -> str:
    """The input on the page that a message about a parameter is about; or the field itself."""
    name = f"{form.get('outcome', '')}-{field}"
    return name if name in blank_outcome() else field


async def _typed(request: Request) -> dict[str, str]:
    form = await request.form()
    values = {name: form.get(name, "") for name in blank_outcome()}
    return {name: text for name, text in values.items() if isinstance(text, str)}


TypedOutcome = Annotated[dict[str, str], Depends(_typed)]
"""What was typed into the outcome part of a form."""


def _inputs(model: type[Outcome]) -> list[Input]:
    return [
        Input(
            name=f"{model.name}-{field.name}",
            parameter=field.name,
            label=field.metadata.get("help", field.name),
            hint=field.metadata.get("hint", ""),
            per_arm=bool(field.metadata.get("per_arm")),
            may_be_empty=field.default is None,
        )
        for field in fields(model)
    ]


def _read(field: Input, text: str) -> float | tuple[float, ...] | None:
    if field.may_be_empty and not text.strip():
        return None
    # No commas between them: too many people write 0,5 for a half.
    parts = re.split(r"[\s;]+", text.strip()) if field.per_arm else [text]
    numbers = [read_number(field.parameter, part) for part in parts]
    return tuple(numbers) if len(numbers) > 1 else numbers[0]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
