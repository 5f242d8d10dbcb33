"""Outcomes with several measurements, as they are typed: NAME=VALUE."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from goodarm.cli.study.session import read_outcome, read_trial
from goodarm.errors import InputError, unknown_name

if TYPE_CHECKING:
    from goodarm.study.settings import Settings

TypedOutcome = str | Mapping[str, str]
"""A word, or a word for each measurement."""


def is_measured(words: Sequence[str]) -> bool:
    """Whether an outcome is typed by its measurements."""
    return any("=" in word for word in words)


def measured_words(words: Sequence[str], arm: str | None) -> tuple[int | str, dict[str, str]]:
    """A trial, or an arm, and its measurements by name."""
    first, rest = (words[0], words[1:]) if arm is None else ("", words)
    if arm is None and "=" in first:
        raise InputError(f"trial: {first!r} is a measurement; give the trial's number before it")
    typed: dict[str, str] = {}
    for word in rest:
        name, equals, value = word.partition("=")
        if not equals:
            raise InputError(f"value: {word!r} is not NAME=VALUE; give one trial at a time")
        if name in typed:
            raise InputError(f"value: {name} is given twice; give it once")
        typed[name] = value
    return (read_trial(first) if arm is None else arm), typed


def read_typed(
    settings: "Settings", typed: TypedOutcome, size: float | None, exposure: float | None
) -> tuple[Any, Any]:
    """Value and size as `Study.tell` takes them: numbers, or numbers by measurement."""
    if isinstance(typed, str):
        if settings.criteria:
            known = " ".join(f"{criterion.name}=…" for criterion in settings.criteria)
            raise InputError(f"value: a trial has several measurements; write {known}")
        return read_outcome(settings.outcome, typed, size, exposure)
    if size is not None or exposure is not None:
        raise InputError("size: write it with the value, as in clicks=37/1000")
    models = {criterion.name: criterion.outcome for criterion in settings.criteria}
    if not models:
        raise InputError("value: give one number; the study has one measurement")
    values, sizes = {}, {}
    for name, word in typed.items():
        if name not in models:
            raise unknown_name("measurement", name, list(models))
        values[name], own = read_outcome(models[name], word, None)
        if own is not None:
            sizes[name] = own
    return values, sizes or None
