"""What trials that were made gave: one outcome, or one for each of several measurements."""

from collections.abc import Mapping

from goodarm.errors import InputError, unknown_name
from goodarm.gating.loop import Told
from goodarm.gating.question import outcome_given, worst_outcome
from goodarm.inquiry import Criterion
from goodarm.outcomes.contract import Reading
from goodarm.study.actions import OutcomeEntry
from goodarm.study.settings import Settings


def outcomes_given(given: object, settings: Settings, as_text: bool = False) -> Told:
    """What a trial gave, in full; text only where a command has written it."""
    criteria = settings.every_criterion
    if not settings.criteria:
        return _read(given, criteria[0], as_text)
    names = [criterion.name for criterion in criteria]
    if len(criteria) == 1 and not isinstance(given, Mapping):
        return {names[0]: _read(given, criteria[0], as_text)}
    if not isinstance(given, Mapping):
        raise InputError(
            f"value: a trial has several measurements; give all of them by name: {', '.join(names)}"
        )
    for name in given:
        if name not in names:
            raise unknown_name("measurement", str(name), names)
    told = {}
    for criterion in criteria:
        if criterion.name not in given:
            raise InputError(
                f"value: {criterion.name} is missing; a trial that is made gives all of "
                f"{', '.join(names)}"
            )
        try:
            told[criterion.name] = _read(given[criterion.name], criterion, as_text)
        except InputError as error:
            raise type(error)(f"{criterion.name}: {error}") from None
    return told


def _read(given: object, criterion: Criterion, as_text: bool) -> Reading:
    if isinstance(given, str) and not as_text:
        raise InputError(f"value: {given!r:.80} is text, not a number; give a number")
    return outcome_given(given, criterion.outcome, criterion.reference)


def worst_outcomes(settings: Settings) -> Told:
    """What an error counts as; an InputError if there is nothing that bad."""
    worst = {
        criterion.name: worst_outcome(criterion.outcome, criterion.goal)
        for criterion in settings.every_criterion
    }
    return worst if settings.criteria else next(iter(worst.values()))


def entry(told: Told, sure: bool) -> OutcomeEntry:
    """An outcome as it is recorded."""
    if isinstance(told, Reading):
        return OutcomeEntry(told.value, told.size, sure=sure)
    values = {name: reading.value for name, reading in told.items()}
    return OutcomeEntry(values, {name: reading.size for name, reading in told.items()}, sure=sure)
